import type { AskNode } from "@parley/contract/flow-ask";
import { expect, test } from "vitest";
import { type AnswerReading, NOT_UNDERSTOOD } from "./answer.ts";
import { trustAnswer } from "./trust-answer.ts";

const ask: AskNode = {
  id: "q",
  type: "ask",
  text: "Is the hay for horses, for goats, or for rabbits?",
  answer: "choice",
  otherwise: "over",
  exits: [
    { when: "horses", next: "a" },
    { when: "goats", next: "b" },
    { when: "rabbits", next: "c" },
  ],
};
const goats: AnswerReading = {
  type: "answer",
  answer: { value: "goats", exit: 1 },
  grounds: { strength: "named", unexplained: 1 },
};
const likely = { exits: [0.1, 0.7, 0.05], none: 0.15 };
const trust = (reading: AnswerReading, said: string, opinion = likely) =>
  trustAnswer(reading, ask, said, opinion).trust;

test("the same opinion is trusted more where the rules found the answer too", () => {
  expect(trust(goats, "goats mostly")).toBeGreaterThan(trust(NOT_UNDERSTOOD, "the bearded ones") + 0.05);
});

test("an answer is trusted less in a question, and beside another that is likely", () => {
  const said = "the bearded ones";
  expect(trust(NOT_UNDERSTOOD, "What about the bearded ones?")).toBeLessThan(trust(NOT_UNDERSTOOD, said) - 0.1);
  expect(trust(NOT_UNDERSTOOD, said, { exits: [0.3, 0.5, 0.05], none: 0.15 })).toBeLessThan(
    trust(NOT_UNDERSTOOD, said),
  );
});

test("the likeliest answer comes first", () => {
  expect(trustAnswer(NOT_UNDERSTOOD, ask, "the bearded ones", likely)).toMatchObject({ best: 1, second: 0 });
});
