import { describe, expect, it } from "vitest";
import { heardBeforeCut } from "./text-call-state.ts";

const reply = [
  { text: "Hello Ada, this is an automated call.", mayBeInterrupted: true },
  { text: "Will you come on Tuesday?", mayBeInterrupted: true },
];

describe("a callee who speaks up in the middle of a reply", () => {
  it("has heard whole words, and more of them the later it speaks", () => {
    expect(heardBeforeCut(reply, 0)).toBe("");
    expect(heardBeforeCut(reply, 1000)).toBe("Hello Ada, this");
    expect(heardBeforeCut(reply, 3200)).toBe("Hello Ada, this is an automated call. Will you");
  });

  it("cuts nothing when the reply was over by then", () => {
    expect(heardBeforeCut(reply, 60_000)).toBeNull();
    expect(heardBeforeCut([], 0)).toBeNull();
  });

  it("hears to its end what may not be interrupted, and is cut off from what follows", () => {
    const [first, second] = reply;
    const protectedFirst = [{ ...first, text: first?.text ?? "", mayBeInterrupted: false }, second ?? reply[0]];
    expect(heardBeforeCut(protectedFirst as typeof reply, 500)).toBe("Hello Ada, this is an automated call.");
  });
});
