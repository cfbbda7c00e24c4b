import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { openReader } from "@parley/voice/conversation/testing/read-by-rules";
import { type Expected, readPhrasingSet } from "./phrasing-set.ts";
import { factsFor, openQuestion } from "./understand-phrasings.ts";

/**
 * Writes the values that are named in each line of sets at questions for values, for tools/train-judge/train_values.py:
 *
 *     node tools/run.mjs bench/src/understanding/write-values.ts OUT.jsonl FOLDER SET...
 */
const [out = "", folder = "", ...names] = process.argv.slice(2);
const file = createWriteStream(out);

function plain(value: unknown): string {
  return String(value)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}:+-]+/gu, " ")
    .trim();
}

for (const name of names) {
  const set = readPhrasingSet(name, folder);
  const readers = new Map<string, ReturnType<typeof openReader> | null>();
  for (const { question, say, expect, accept = [], ...phrasing } of set.phrasings) {
    if (!readers.has(question)) {
      const opened = openQuestion(set, question);
      const isValue = opened !== null && opened.node.answer !== "yes_no" && opened.node.answer !== "choice";
      readers.set(
        question,
        isValue ? openReader({ ...factsFor(question, opened), flow: opened.flow, nodeId: opened.node.id }) : null,
      );
    }
    const read = readers.get(question)?.(say) ?? null;
    if (read === null || read.named === null) continue;
    const named = read.named;
    const isMeant = (expected: Expected, index: number) => {
      if (!("answer" in expected)) return false;
      // A dictated number has one "answer": whether it was given.
      const values = named[index]?.values ?? [];
      return values.length === 0 || values.some((value) => plain(value) === plain(expected.answer));
    };
    const right = [expect, ...accept].map((each) => {
      const index = named.findIndex((_, at) => isMeant(each, at));
      return index < 0 ? null : index;
    });
    // A value that the rules did not find is none of those that they did.
    const isFound = !("answer" in expect) || right[0] !== null;
    const { judged, type } = read;
    const row = {
      set: name,
      id: question,
      kind: openQuestion(set, question)?.node.answer,
      class: phrasing.class,
      right,
      isFound,
      type,
      ...judged,
    };
    file.write(`${JSON.stringify(row)}\n`);
  }
}
file.end();
await finished(file);
