import { readdirSync } from "node:fs";
import { join } from "node:path";
import { connectRanker, startRankerThread } from "@parley/providers/local/intents/ranker-thread";
import { connectJudge, startJudgeThread } from "@parley/providers/local/judge/judge-thread";
import { loadRanker } from "@parley/providers/local/testing/load-ranker";
import type { Goal } from "../goals.ts";
import { isQuick } from "../quick.ts";
import { plainWords } from "../speech/plain-words.ts";
import { percentile } from "../statistics.ts";
import { type Heard, hearPhrasings, samplePhrasings } from "./hear-phrasings.ts";
import { type Phrasing, type PhrasingSet, readPhrasingSet } from "./phrasing-set.ts";
import { expectedAt, type Opinions, type Understood, understandPhrasings } from "./understand-phrasings.ts";
import { type UnderstoodSlot, understandSlots } from "./understand-slots.ts";

/** In the quick form, one of this many phrasings of the development set. */
const QUICK_STEP = 40;
/** `--heard`: the same with what the recognizer makes of a sample of the phrasings, spoken over the telephone. */
const isHeard = process.argv.includes("--heard");
/** `--count=150`: this many of each set. */
const HEARD = Number(process.argv.find((each) => each.startsWith("--count="))?.slice(8) ?? 600);
const QUICK_HEARD = 3;
/** `--rules`: without the judge, as the figures of the judge have to be better to ship it. */
const isRulesOnly = process.argv.includes("--rules");
/** `--set=test`: only this set. */
const onlySet = process.argv.find((each) => each.startsWith("--set="))?.slice(6);
/** `--languages`: phrasings in other languages, by rules alone. Nothing was learned from them. */
const isForeign = process.argv.includes("--languages");
const LANGUAGE_SETS = ["german", "spanish", "french"];

/**
 * How agents handle phrasings written by other people: what they accept directly, confirm, ask for again, and
 * misunderstand. The goals are for the test set, which is not read while the rules are changed.
 */
export async function benchUnderstanding(): Promise<Goal[]> {
  if (isForeign) return benchLanguages();
  if (isRulesOnly) return benchRules();
  const onFailure = (reason: string) => console.error(reason);
  const [intents, judges] = [startRankerThread({ onFailure }), startJudgeThread({ onFailure })];
  const [ranker, judge] = [connectRanker(intents.connect()), connectJudge(judges.connect())];
  try {
    await Promise.all([loadRanker(ranker), judges.ready]);
    const opinions = { ranker, judge, models: [] };
    const development = readPhrasingSet("development");
    if (isHeard) {
      const hear = async (set: PhrasingSet) => {
        const heard = await hearPhrasings(set, (phrasing) => expectedAt(set, phrasing));
        const results = await understandPhrasings(set, opinions, heard);
        const unchanged = set.phrasings.filter((each) => plain(each.say) === plain(heard.get(each)?.text ?? "")).length;
        console.log(`${set.name}: recognized word for word ${((100 * unchanged) / results.length).toFixed(1)} %`);
        // The test set is not read while the rules are changed.
        if (set.name === "development") showWrong(results, heard);
        return reportHeard(set.name, results);
      };
      await hear(samplePhrasings(development, isQuick ? QUICK_HEARD : HEARD));
      return isQuick ? [] : await hear(samplePhrasings(readPhrasingSet("test"), HEARD));
    }
    if (isQuick) return await measureSet(everyOther(development), opinions);
    return await measureSets(opinions);
  } finally {
    await Promise.all([ranker.close(), judge.close()]);
    await Promise.all([intents.stop(), judges.stop()]);
  }
}

async function measureSet(set: PhrasingSet, opinions: Opinions): Promise<Goal[]> {
  const results = await understandPhrasings(set, opinions);
  const goals = report(set.name, results);
  reportSlots(await understandSlots(set, opinions));
  if (set.name === "test") reportUnseen(results);
  return goals;
}

/** The goals are those of the last set, the test set. */
async function measureSets(opinions: Opinions): Promise<Goal[]> {
  let goals: Goal[] = [];
  for (const name of onlySet === undefined ? ["development", "values", "unseen", "test"] : [onlySet]) {
    goals = await measureSet(readPhrasingSet(name), opinions);
  }
  return goals;
}

/** The rules and the sentence encoder alone. */
async function benchRules(): Promise<Goal[]> {
  const intents = startRankerThread({ onFailure: (reason) => console.error(reason) });
  const ranker = connectRanker(intents.connect());
  try {
    await loadRanker(ranker);
    const opinions = { ranker, judge: null, models: [] };
    return await measureSets(opinions);
  } finally {
    await ranker.close();
    await intents.stop();
  }
}

const TRAINING_FOLDER = join(import.meta.dirname, "../../../tools/train-judge/data");

/** The judge may remember what it has read word for word, such as "yes" and "who is this". */
function reportUnseen(results: readonly Understood[]): void {
  const sets = readdirSync(TRAINING_FOLDER).map((name) => readPhrasingSet(name, TRAINING_FOLDER));
  const trained = new Set(sets.flatMap(({ phrasings }) => phrasings.map(({ say }) => plain(say))));
  const unseen = results.filter(({ phrasing }) => !trained.has(plain(phrasing.say)));
  const figures = SUMMARY.map(([name, of]) => `${name} ${percentOf(of(unseen))}`).join(", ");
  console.log(`without ${results.length - unseen.length} that occur in training word for word: ${figures}`);
}

const ofKind = (kind: string) => (results: readonly Understood[]) => results.filter((each) => kindOf(each) === kind);
const SUMMARY: readonly (readonly [string, (results: readonly Understood[]) => Share])[] = [
  ["wrong", (results) => shareOf(results, "wrong")],
  ["no answer taken", (results) => shareOf(ofKind("no answer")(results), "wrong")],
  ["right at once", (results) => shareOf(ofKind("an answer")(results), "right")],
];

interface Share {
  readonly found: number;
  readonly count: number;
}

function shareOf(results: readonly Understood[], verdict: Understood["verdict"]): Share {
  return { found: results.filter((each) => each.verdict === verdict).length, count: results.length };
}

/** With its 95 % interval (Wilson). */
function percentOf({ found, count }: Share): string {
  if (count === 0) return "none";
  const z = 1.96;
  const share = found / count;
  const middle = (share + z ** 2 / (2 * count)) / (1 + z ** 2 / count);
  const half = (z / (1 + z ** 2 / count)) * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2));
  const percent = (value: number) => (100 * Math.min(1, Math.max(0, value))).toFixed(1);
  return `${percent(share)} % (${percent(middle - half)} to ${percent(middle + half)} %)`;
}

const SLOT_VERDICTS = ["right", "missing", "wrong"] as const;

function reportSlots(slots: readonly UnderstoodSlot[]): void {
  if (slots.length === 0) return;
  console.log(["values volunteered", "count", ...SLOT_VERDICTS].join("\t"));
  for (const [kind, found] of [["all", slots] as const, ...Map.groupBy(slots, (each) => each.kind)]) {
    const shares = SLOT_VERDICTS.map((verdict) =>
      ((100 * found.filter((each) => each.verdict === verdict).length) / found.length).toFixed(1),
    );
    console.log([kind.padEnd(18), found.length, ...shares].join("\t"));
  }
}

/** Acting wrongly is as bad in any language; what is not understood costs a question. */
async function benchLanguages(): Promise<Goal[]> {
  const goals: Goal[] = [];
  for (const name of LANGUAGE_SETS) {
    const results = await understandPhrasings(readPhrasingSet(name), { ranker: null, judge: null, models: [] });
    report(name, results);
    goals.push({ name: `${name}.wrong`, value: share(results, "wrong"), max: 2, unit: " %" });
  }
  return goals;
}

function plain(text: string): string {
  return plainWords(text).join(" ");
}

function showWrong(results: readonly Understood[], heard: ReadonlyMap<Phrasing, Heard>): void {
  for (const { phrasing, decision, verdict } of results) {
    if (verdict !== "wrong") continue;
    const { question, say, class: kind } = phrasing;
    console.log(
      `wrong: ${question}, ${kind}: "${say}", heard "${heard.get(phrasing)?.text}", taken for ${decision?.result}`,
    );
  }
}

/** Of spoken phrasings the goal is for what is acted on wrongly; what was not understood is asked again. */
function reportHeard(name: string, results: readonly Understood[]): Goal[] {
  report(name, results);
  return [{ name: "heard.wrong", value: share(results, "wrong"), max: 2, unit: " %" }];
}

function everyOther(set: PhrasingSet): PhrasingSet {
  return { ...set, phrasings: set.phrasings.filter((_, index) => index % QUICK_STEP === 0) };
}

const VERDICTS = ["right", "asked_back", "asked_again", "wrong"] as const;

function kindOf({ phrasing: { expect } }: Understood): string {
  return "answer" in expect ? "an answer" : "none" in expect ? "no answer" : "a request";
}

function report(name: string, results: readonly Understood[]): Goal[] {
  const rows = [
    ["all", results] as const,
    ...Map.groupBy(results, kindOf),
    ...[...Map.groupBy(results, ({ phrasing }) => phrasing.class)].toSorted(([one], [other]) =>
      one.localeCompare(other),
    ),
  ];
  console.log(`\n${name}: ${results.length} phrasings, in percent`);
  console.log(["".padEnd(16), "count", ...VERDICTS].join("\t"));
  for (const [row, found] of rows) {
    const shares = VERDICTS.map((verdict) => share(found, verdict).toFixed(1));
    console.log([row.padEnd(16), found.length, ...shares].join("\t"));
  }
  const wrong = results.filter(({ verdict }) => verdict === "wrong");
  const sourceOf = ({ answerKind, decision }: Understood) =>
    `${answerKind} by ${decision?.evidence ?? "nothing"} (${decision?.taken ?? "not decided"})`;
  const sources = [...Map.groupBy(wrong, sourceOf)].toSorted(([, one], [, other]) => other.length - one.length);
  console.log(`wrong: ${sources.map(([source, found]) => `${found.length} ${source}`).join(", ")}`);
  const answers = results.filter((each) => kindOf(each) === "an answer");
  const none = results.filter((each) => kindOf(each) === "no answer");
  console.log(SUMMARY.map(([figure, of]) => `${figure} ${percentOf(of(results))}`).join(", "));
  const p95 = (of: (each: Understood) => number) => percentile(results.map(of), 95);
  console.log(`95 % within ${p95(({ ms }) => ms).toFixed(1)} ms, ${p95(({ cpuMs }) => cpuMs).toFixed(1)} ms of a core`);
  return [
    { name: "wrong", value: share(results, "wrong"), max: 1, unit: " %" },
    { name: "taken_without_answer", value: share(none, "wrong"), max: 2, unit: " %" },
    { name: "right_at_once", value: share(answers, "right"), min: 90, unit: " %" },
    { name: "chain_p95", value: p95(({ cpuMs }) => cpuMs), max: 25, unit: " ms" },
  ];
}

function share(results: readonly Understood[], verdict: Understood["verdict"]): number {
  if (results.length === 0) return 0;
  return (100 * results.filter((each) => each.verdict === verdict).length) / results.length;
}
