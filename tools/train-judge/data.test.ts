import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";

/** What a builder of pairs reads and trusts without checking again. */
const Expected = z.union([
  z.object({ answer: z.union([z.string(), z.number(), z.boolean()]) }),
  z.object({ none: z.literal(true) }),
  z.object({ request: z.string().min(1) }),
]);
const Line = z.object({
  question: z.string(),
  say: z.string().regex(/\p{Letter}|\p{Number}/u),
  expect: Expected,
  accept: z.array(Expected).optional(),
  class: z.string().min(1),
});
const Agent = z.object({
  id: z.string(),
  questions: z.array(
    z.object({
      id: z.string(),
      text: z.string().min(1),
      answer: z.string(),
      exits: z.array(z.object({ when: z.string().min(1), phrases: z.array(z.string()).optional() })).default([]),
    }),
  ),
});
type Question = z.infer<typeof Agent>["questions"][number];

const FOLDERS = globSync("data/train-*", { cwd: import.meta.dirname }).toSorted();

function readSet(folder: string) {
  const read = (file: string) => readFileSync(join(import.meta.dirname, folder, file), "utf8");
  const agents = z.array(Agent).parse(JSON.parse(read("agents.json")));
  const questions = new Map(agents.flatMap(({ id, questions }) => questions.map((each) => [`${id}/${each.id}`, each])));
  const lines = read("phrasings.jsonl").split("\n");
  return { questions, lines: lines.filter((line) => line !== "").map((line) => Line.parse(JSON.parse(line))) };
}

function isPossible(question: Question | undefined, expected: z.infer<typeof Expected>): boolean {
  if (question === undefined) return false;
  if (!("answer" in expected)) return true;
  if (question.answer === "yes_no") return typeof expected.answer === "boolean";
  return question.answer !== "choice" || question.exits.some(({ when }) => when === expected.answer);
}

test("every phrasing belongs to a question and means something that the question allows", () => {
  expect(FOLDERS.length).toBeGreaterThan(0);
  for (const folder of FOLDERS) {
    const { questions, lines } = readSet(folder);
    const impossible = lines.filter(({ question, expect: main, accept = [] }) =>
      [main, ...accept].some((expected) => !isPossible(questions.get(question), expected)),
    );
    expect(impossible, folder).toEqual([]);
  }
});

test("no phrasing occurs twice for the same question", () => {
  for (const folder of FOLDERS) {
    const keys = readSet(folder).lines.map(({ question, say }) => `${question}: ${say}`);
    expect(new Set(keys).size, folder).toBe(keys.length);
  }
});

test.each(["development", "test"])("no question of the %s set is among the training data", (name) => {
  const folder = join(import.meta.dirname, "../../bench/src/understanding/sets", name);
  const agents = z.array(Agent).parse(JSON.parse(readFileSync(join(folder, "agents.json"), "utf8")));
  const held = agents.flatMap(({ questions }) => questions.filter(({ exits }) => exits.length > 0));
  expect(held.length).toBeGreaterThan(0);
  const trained = new Set(FOLDERS.flatMap((each) => [...readSet(each).questions.values()].map(({ text }) => text)));
  // Only their number is shown: people who change the rules do not read the test set.
  expect(held.filter(({ text }) => trained.has(text)).length).toBe(0);
});
