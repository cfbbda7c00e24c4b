import { Flow } from "@parley/contract/flow";
import { expect, test } from "vitest";
import { withDisclosure } from "./with-disclosure.ts";

const flowWith = (settings?: object): Flow =>
  Flow.parse({
    schemaVersion: 1,
    nodes: [
      { id: "start", type: "start", next: "bye" },
      { id: "bye", type: "end", text: "Goodbye." },
    ],
    ...(settings ? { settings } : {}),
  });

test("an agent without its own text uses the account's, and keeps its other settings", () => {
  expect(withDisclosure(flowWith(), "A machine calls.").settings).toEqual({ disclosure: "A machine calls." });
  expect(withDisclosure(flowWith({ voice: "af_heart" }), "A machine calls.").settings).toEqual({
    voice: "af_heart",
    disclosure: "A machine calls.",
  });
});

test("an agent with its own text, or explicitly none, is unchanged", () => {
  for (const disclosure of ["I am a robot.", null]) {
    const flow = flowWith({ disclosure });
    expect(withDisclosure(flow, "A machine calls.")).toBe(flow);
  }
  const open = flowWith();
  expect(withDisclosure(open, null)).toBe(open);
});
