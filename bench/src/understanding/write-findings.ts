import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { openReader } from "@parley/voice/conversation/testing/read-by-rules";
import { type Expected, readPhrasingSet } from "./phrasing-set.ts";
import { factsFor, openQuestion } from "./understand-phrasings.ts";

/**
 * Writes what the rules find in each line of a set at questions with exits, for tools/train-judge/fit_weights.py:
 *
 *     node tools/run.mjs bench/src/understanding/write-findings.ts FOLDER SET OUT.jsonl [EVERY]
 */
const [folder = "", name = "", out = "", every = "1"] = process.argv.slice(2);
const set = readPhrasingSet(name, folder);
const file = createWriteStream(out);
const readers = new Map<string, ReturnType<typeof readerOf>>();

function readerOf(path: string) {
  const opened = openQuestion(set, path);
  if (opened === null || (opened.node.answer !== "yes_no" && opened.node.answer !== "choice")) return null;
  const { flow, node } = opened;
  const answers = node.answer === "yes_no" ? ["true", "false"] : node.exits.map(({ when }) => when);
  return { answers, read: openReader({ ...factsFor(path, opened), flow, nodeId: node.id }) };
}

for (const [line, { question, say, expect, accept = [], ...phrasing }] of set.phrasings.entries()) {
  if (line % Number(every) !== 0) continue;
  if (!readers.has(question)) readers.set(question, readerOf(question));
  const reader = readers.get(question) ?? null;
  if (reader === null) continue;
  const indexOf = (each: Expected) => ("answer" in each ? reader.answers.indexOf(String(each.answer)) : null);
  const right = [expect, ...accept].map(indexOf);
  const read = reader.read(say);
  file.write(`${JSON.stringify({ set: name, line, question, class: phrasing.class, right, say, ...read })}\n`);
}
file.end();
await finished(file);
