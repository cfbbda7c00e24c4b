import { expect, test } from "vitest";
import { endLine, lineOfStep, linesOfEvents } from "./try-lines.ts";

const FLOW = { nodes: [{ id: "ask_2", type: "say" as const, label: "Ask for the day", text: "Hello." }] };

test("what an agent did in a turn is listed in order, and failures stand out", () => {
  const lines = linesOfEvents(
    [
      { type: "node", nodeId: "slots" },
      { type: "tool_call", id: "1", name: "slots", input: {} },
      { type: "tool_result", id: "1", name: "slots", ok: false, output: null, isGiven: false },
      { type: "said", nodeId: "sorry", text: "I am sorry." },
      { type: "transfer", to: "+15550100100", how: "auto" },
      { type: "collected", name: "day", value: "2026-05-03" },
      { type: "decision", nodeId: "sorry", taken: "jump", result: "ask_2", evidence: "words", score: null },
    ],
    FLOW,
  );
  expect(lines.map(({ role, text, isWrong }) => `${role}: ${text}${isWrong ? " (wrong)" : ""}`)).toEqual([
    "aside: Called slots",
    "aside: slots failed (wrong)",
    "agent: I am sorry.",
    "aside: A call would be transferred to +15550100100",
    "aside: Went to step “Ask for the day” (by the words)",
  ]);
  expect(lines[2]?.nodeId).toBe("sorry");
});

test("what the callee did is described from the callee's view", () => {
  expect(lineOfStep({ say: "Yes" })).toMatchObject({ role: "callee", text: "Yes" });
  expect(lineOfStep({ press: "12" }).text).toBe("You pressed 1 2");
  expect(lineOfStep({ silent: true }).text).toBe("You said nothing");
  expect(lineOfStep({ machine: "voicemail" }).text).toBe("A voicemail answers");
  expect(endLine("agent_hangup").text).toBe("The call is over: the agent said goodbye");
});
