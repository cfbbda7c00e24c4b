import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AskNode } from "@parley/contract/flow-ask";
import { z } from "zod";

/** What a careful person would understand. */
const Expected = z.union([
  z.strictObject({
    answer: z.union([z.string(), z.number(), z.boolean()]),
    slots: z.record(z.string(), z.unknown()).optional(),
  }),
  z.strictObject({ none: z.literal(true), slots: z.record(z.string(), z.unknown()).optional() }),
  z.strictObject({ request: z.string(), slots: z.record(z.string(), z.unknown()).optional() }),
]);
export type Expected = z.infer<typeof Expected>;

const Phrasing = z.object({
  /** `agent/question` */
  question: z.string(),
  say: z.string(),
  expect: Expected,
  accept: z.array(Expected).optional(),
  class: z.string(),
});
export type Phrasing = z.infer<typeof Phrasing>;

const Question = z.object({
  id: z.string(),
  before: z.string().default(""),
  text: z.string(),
  answer: AskNode.shape.answer,
  range: AskNode.shape.range,
  exits: z.array(z.object({ when: z.string(), phrases: z.array(z.string()).optional() })).default([]),
});
export type Question = z.infer<typeof Question> & { readonly language: string };

const Agent = z.object({
  id: z.string(),
  purpose: z.string(),
  /** A BCP 47 tag. */
  language: z.string().default("en-US"),
  questions: z.array(Question),
});

export interface PhrasingSet {
  readonly name: string;
  /** By `agent/question`: the questions of agents that the set brings itself. */
  readonly questions: ReadonlyMap<string, Question>;
  readonly phrasings: readonly Phrasing[];
}

const SETS_FOLDER = join(import.meta.dirname, "sets");

export function readPhrasingSet(name: string, folder = SETS_FOLDER): PhrasingSet {
  const read = (file: string) => readFileSync(join(folder, name, file), "utf8");
  const agents = z.array(Agent).parse(JSON.parse(read("agents.json")));
  const lines = read("phrasings.jsonl").split("\n");
  return {
    name,
    questions: new Map(
      agents.flatMap(({ id, language, questions }) =>
        questions.map((each) => [`${id}/${each.id}`, { ...each, language }] as const),
      ),
    ),
    phrasings: lines.filter((line) => line.trim() !== "").map((line) => Phrasing.parse(JSON.parse(line))),
  };
}
