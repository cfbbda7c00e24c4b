import { compileFlow } from "@parley/flow/compile";
import { expect, it } from "vitest";
import { termsOf } from "./terms.ts";

function planWith(exits: readonly { when: string; phrases?: string[]; next: string }[]) {
  const compiled = compileFlow({
    schemaVersion: 1,
    variables: [],
    nodes: [
      { id: "start", type: "start", next: "which" },
      { id: "which", type: "ask", text: "Which one?", answer: "choice", exits: [...exits], otherwise: "end" },
      {
        id: "sure",
        type: "ask",
        text: "Sure?",
        answer: "yes_no",
        exits: [{ when: "yes", next: "end" }],
        otherwise: "end",
      },
      { id: "end", type: "end" },
    ],
    settings: { pronunciations: [{ written: "Siobhan", spoken: "shi-vawn" }] },
  });
  if (compiled.ok) return compiled.plan;
  // The second question is only there to be left out.
  throw new Error(JSON.stringify(compiled.problems));
}

const EXITS = [
  { when: "Kaftrio", phrases: ["the new inhaler"], next: "sure" },
  { when: "neither of the two that you have just named", next: "end" },
];

it("recognition is told the choices, the words with a pronunciation, and the names in variables", () => {
  const terms = termsOf(planWith(EXITS), {
    first_name: "Ada",
    from_whom: "from Green Street Dental",
    at: "on Tuesday at ten",
  });
  expect(terms).toEqual(["Siobhan", "Ada", "Green Street Dental", "Tuesday", "Kaftrio", "the new inhaler"]);
});

it("a recognizer gets no more of them than it can favor", () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`v${index}`, `Name${"a".repeat(index)}`]));
  expect(termsOf(planWith(EXITS), many)).toHaveLength(60);
});
