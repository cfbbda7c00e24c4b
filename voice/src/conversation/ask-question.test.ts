import type { AskNode } from "@parley/contract/flow-ask";
import { expect, test } from "vitest";
import { statementOf } from "./ask-question.ts";

test.each([
  ["I will come", undefined, "you will come"],
  ["I'm keeping my plan", undefined, "you're keeping your plan"],
  ["cancel", undefined, "you'd like to cancel"],
  ["already paid", undefined, "you've already paid"],
  ["another day", undefined, "it's another day"],
  ["another day", "you'd like to come another day.", "you'd like to come another day"],
])("the choice %j with the wording %j is read back as %j", (when, readBack, statement) => {
  const exit = readBack === undefined ? { when, next: "a" } : { when, next: "a", readBack };
  const ask: AskNode = { id: "q", type: "ask", text: "Well?", answer: "choice", exits: [exit] };
  expect(statementOf(ask, 0)).toBe(statement);
});
