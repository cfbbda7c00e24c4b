import type { Flow } from "@parley/sdk";
import { z } from "zod";

type FlowNode = Flow["nodes"][number];
type AskNode = Extract<FlowNode, { type: "ask" }>;

const ANSWER_KINDS = [
  ...(["yes_no", "choice", "number", "date", "time"] as const),
  ...(["name", "email", "phone", "digits", "free_text"] as const),
] as const satisfies AskNode["answer"][];

/** An agent in a few words: what it says, what it asks in order, and how it ends. */
export const Outline = z.object({
  greeting: z.string().min(1).describe("The first words: who calls and why, with {{name}} for variables."),
  questions: z
    .array(
      z.object({
        ask: z.string().min(1).describe("The question, as it is spoken."),
        saveAs: z
          .string()
          .regex(/^[a-z][a-z0-9_]{0,63}$/)
          .describe("The name under which the answer is kept."),
        answer: z
          .enum(ANSWER_KINDS)
          .describe("What kind of answer is expected: free_text takes any words, digits a code or an account number."),
        choices: z.array(z.string()).optional().describe("For choice: the answers, such as morning and evening."),
        endIfNo: z.string().optional().describe("For yes_no: after a no these are the last words, and the call ends."),
      }),
    )
    .max(20),
  goodbye: z.string().min(1).describe("The last words after all questions."),
  notUnderstood: z
    .string()
    .default("I am sorry, I did not understand. Goodbye.")
    .describe("If a question is not answered."),
  variables: z.array(z.string()).default([]).describe("Names that each call provides, used as {{name}}."),
});
export type Outline = z.infer<typeof Outline>;

/** Writes the flow document of an outline. */
export function flowOfOutline({ greeting, questions, goodbye, notUnderstood, variables }: Outline): Flow {
  const idOf = (index: number) => (index < questions.length ? `ask_${index + 1}` : "goodbye");
  const nodes = questions.flatMap(({ ask, saveAs, answer, choices = [], endIfNo }, index): object[] => {
    const next = idOf(index + 1);
    const base = { id: idOf(index), type: "ask", text: ask, answer, saveAs, otherwise: "not_understood" };
    if (answer === "yes_no" && endIfNo !== undefined) {
      const declined = `declined_${index + 1}`;
      const exits = [
        { when: "yes", next },
        { when: "no", next: declined },
      ];
      return [
        { ...base, exits },
        { id: declined, type: "end", text: endIfNo, outcome: `${saveAs}_no` },
      ];
    }
    if (answer === "choice") return [{ ...base, exits: choices.map((when) => ({ when, next })) }];
    return [{ ...base, exits: [], next }];
  });
  return {
    schemaVersion: 1,
    variables,
    nodes: [
      { id: "start", type: "start", next: "greeting" },
      { id: "greeting", type: "say", text: greeting, next: idOf(0) },
      ...nodes,
      { id: "goodbye", type: "end", text: goodbye, outcome: "finished", success: true },
      ...(questions.length > 0
        ? [{ id: "not_understood", type: "end", text: notUnderstood, outcome: "not_understood", success: false }]
        : []),
    ] as FlowNode[],
  };
}
