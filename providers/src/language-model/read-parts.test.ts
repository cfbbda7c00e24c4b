import { describe, expect, it } from "vitest";
import { createThoughtFilter } from "./read-parts.ts";

function heard(pieces: readonly string[]): string {
  const filter = createThoughtFilter();
  return pieces.map((piece) => filter.pass(piece)).join("") + filter.end();
}

describe("thoughts that a model writes into its reply", () => {
  const reply = "<think>\nThe callee < I > asks </thin for the day.\n</think>\n\nThursday <at> ten.";

  it.each([1, 2, 3, 7, 1000])("are not heard when they come in pieces of %i letters", (length) => {
    const pieces = reply.match(new RegExp(`.{1,${length}}`, "gs")) ?? [];
    expect(heard(pieces).trim()).toBe("Thursday <at> ten.");
  });

  it("are not heard when there are two of them, nor when they never end", () => {
    expect(heard(["<think>a</think>", "<think>b</think>", "Yes."])).toBe("Yes.");
    expect(heard(["<think>for ", "ever"])).toBe("");
  });

  it("are only searched for at the beginning", () => {
    expect(heard(["Say ", "<think>", " aloud"])).toBe("Say <think> aloud");
    expect(heard(["<thin", "g> is"])).toBe("<thing> is");
    expect(heard(["<"])).toBe("<");
    expect(heard([" <thi"])).toBe(" <thi");
  });

  it("do not delay or change ordinary words", () => {
    const filter = createThoughtFilter();
    expect(filter.pass("Good ")).toBe("Good ");
    expect(filter.pass("morning.")).toBe("morning.");
    expect(filter.end()).toBe("");
  });
});
