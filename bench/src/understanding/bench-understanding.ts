import { connectRanker, startRankerThread } from "@parley/providers/local/intents/ranker-thread";
import { connectJudge, startJudgeThread } from "@parley/providers/local/judge/judge-thread";
import { loadRanker } from "@parley/providers/local/testing/load-ranker";
import type { Goal } from "../goals.ts";
import { isQuick } from "../quick.ts";
import { plainWords } from "../speech/plain-words.ts";
import { percentile } from "../statistics.ts";
import { type Heard, hearPhrasings, samplePhrasings } from "./hear-phrasings.ts";
import { type Phrasing, type PhrasingSet, readPhrasingSet } from "./phrasing-set.ts";
import { expectedAt, type Understood, understandPhrasings } from "./understand-phrasings.ts";

/** In the quick form, one of this many phrasings of the development set. */
const QUICK_STEP = 40;
/** `--heard`: the same with what the recognizer makes of a sample of the phrasings, spoken over the telephone. */
const isHeard = process.argv.includes("--heard");
/** `--count=50`: this many of each set. */
const HEARD = Number(process.argv.find((each) => each.startsWith("--count="))?.slice(8) ?? 150);
const QUICK_HEARD = 3;
/** `--languages`: phrasings in other languages, by rules alone. Nothing was learned from them. */
const isForeign = process.argv.includes("--languages");
const LANGUAGE_SETS = ["german", "spanish", "french"];

/**
 * How agents handle phrasings written by other people: what they accept directly, confirm, ask for again, and
 * misunderstand. The goals are for the test set, which is not read while the rules are changed.
 */
export async function benchUnderstanding(): Promise<Goal[]> {
  if (isForeign) return benchLanguages();
  const onFailure = (reason: string) => console.error(reason);
  const [intents, judges] = [startRankerThread({ onFailure }), startJudgeThread({ onFailure })];
  const [ranker, judge] = [connectRanker(intents.connect()), connectJudge(judges.connect())];
  try {
    await Promise.all([loadRanker(ranker), judges.ready]);
    const measure = async (set: PhrasingSet) =>
      report(set.name, await understandPhrasings(set, { ranker, judge, models: [] }));
    const development = readPhrasingSet("development");
    if (isHeard) {
      const hear = async (set: PhrasingSet) => {
        const heard = await hearPhrasings(set, (phrasing) => expectedAt(set, phrasing));
        const results = await understandPhrasings(set, { ranker, judge, models: [] }, heard);
        const unchanged = set.phrasings.filter((each) => plain(each.say) === plain(heard.get(each)?.text ?? "")).length;
        console.log(`${set.name}: recognized word for word ${((100 * unchanged) / results.length).toFixed(1)} %`);
        // The test set is not read while the rules are changed.
        if (set.name === "development") showWrong(results, heard);
        return reportHeard(set.name, results);
      };
      await hear(samplePhrasings(development, isQuick ? QUICK_HEARD : HEARD));
      return isQuick ? [] : await hear(samplePhrasings(readPhrasingSet("test"), HEARD));
    }
    if (isQuick) return await measure(everyOther(development));
    await measure(development);
    return await measure(readPhrasingSet("test"));
  } finally {
    await Promise.all([ranker.close(), judge.close()]);
    await Promise.all([intents.stop(), judges.stop()]);
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

function report(name: string, results: readonly Understood[]): Goal[] {
  const kindOf = ({ phrasing: { expect } }: Understood) =>
    "answer" in expect ? "an answer" : "none" in expect ? "no answer" : "a request";
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
