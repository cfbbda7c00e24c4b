import type { AskNode } from "@parley/contract/flow-ask";
import type { AnswerOpinion } from "../../ports/answer-judge.ts";
import type { AnswerReading } from "./answer.ts";
import { stemsOf } from "./match-exits.ts";
import { plainWords } from "./plain-words.ts";
import { TRUST } from "./trust-weights.ts";
import { evidenceOf, indexOf, weigh } from "./weigh-opinions.ts";

/**
 * How far the likeliest answer can be trusted. The weighed probabilities say which answer it is; whether to act on it
 * also depends on what they rest on: words of the answer that were said, a second answer, how long the utterance is, and
 * whether rules and judge agree. A small network that was fitted on lines by writers the judge had not learned from
 * weighs all of it.
 */
export interface Trusted {
  /** The likeliest of the judged answers. */
  readonly best: number;
  readonly second: number;
  readonly weighed: AnswerOpinion;
  /** How likely it is that acting on the best one is right. */
  readonly trust: number;
}

const PROBABILITY_MIN = 0.001;
const OVERLAP_MAX = 3;
const OTHER_WORDS_MAX = 6;
const SHORT_WORDS_MAX = 3;
const LONG_WORDS_MIN = 8;
const WORDS_MAX = 30;
/** A normalized finding counts no more than this, however unusual it is. */
const DEVIATION_MAX = 4;

export function trustAnswer(reading: AnswerReading, ask: AskNode, said: string, opinion: AnswerOpinion): Trusted {
  const weighed = weigh(reading, ask, said, opinion);
  const [best = 0, second = best] = weighed.exits
    .map((_, index) => index)
    .toSorted((one, other) => (weighed.exits[other] ?? 0) - (weighed.exits[one] ?? 0));
  const findings = trustFindings(reading, ask, said, opinion, { best, second, weighed });
  return { best, second, weighed, trust: network(findings) };
}

/** What the trust in an answer rests on, by name. tools/train-judge/fit_trust.py fits their weights. */
export function trustFindings(
  reading: AnswerReading,
  ask: AskNode,
  said: string,
  opinion: AnswerOpinion,
  { best, second, weighed }: Omit<Trusted, "trust">,
): Readonly<Record<string, number>> {
  const logOf = (probability = 0) => Math.log(Math.max(PROBABILITY_MIN, probability));
  const { answers, none } = evidenceOf(reading, ask, said, opinion);
  const share = weighed.exits[best] ?? 0;
  const [judgeBest, judgeNone] = [logOf(opinion.exits[best]), logOf(opinion.none)];
  const found = foundBy(reading, ask);
  const agrees = Number(found[0] === best);
  const isYesNo = Number(ask.answer === "yes_no");
  const isNo = Number(ask.answer === "yes_no" && best === 1);
  const words = plainWords(said).length;
  const stems = stemsOf(said);
  const asked = stemsOf(ask.text);
  const overlaps = opinion.exits.map((_, index) => sharedStems(stems, ask, index));
  const others = overlaps.filter((_, index) => index !== best);
  return {
    odds: Math.log((share + 1e-6) / (1 - share + 1e-6)),
    judge_best: judgeBest,
    judge_none: judgeNone,
    judge_second: opinion.exits.length > 1 ? logOf(opinion.exits[second]) : logOf(),
    weighed_second: opinion.exits.length > 1 ? logOf(weighed.exits[second]) : logOf(),
    exits: opinion.exits.length,
    asks_yes_no: isYesNo,
    is_no: isNo,
    overlap: Math.min(OVERLAP_MAX, overlaps[best] ?? 0),
    overlap_other: Math.min(OVERLAP_MAX, Math.max(0, ...others)),
    other_words: Math.min(OTHER_WORDS_MAX, [...stems].filter((stem) => !asked.has(stem)).length),
    no_content: Number(stems.size === 0),
    repeats_question: Number([...stems].some((stem) => asked.has(stem))),
    few_words: Number(words <= SHORT_WORDS_MAX),
    words: Math.min(WORDS_MAX, words) / 10,
    many_words: Math.max(0, words - LONG_WORDS_MIN) / 10,
    question_mark: Number(said.includes("?")),
    found: Number(found.includes(best)),
    agrees,
    agrees_judge: agrees * judgeBest,
    agrees_none: agrees * judgeNone,
    alone_judge: Number(reading.type === "none") * judgeBest,
    yes_no_judge: isYesNo * judgeBest,
    no_judge: isNo * judgeBest,
    ...without(answers[best]),
    ...without(none),
  };
}

/** The judge's own probabilities are counted above. */
function without({ judge: _, always: __, ...rest }: Readonly<Record<string, number>> = {}) {
  return rest;
}

function foundBy(reading: AnswerReading, ask: AskNode): readonly number[] {
  if (reading.type === "doubt") return reading.options.map((option) => indexOf(ask, option));
  return reading.type === "answer" || reading.type === "unsure" ? [indexOf(ask, reading.answer)] : [];
}

/** How many words of an answer were said. */
function sharedStems(said: ReadonlySet<string>, ask: AskNode, index: number): number {
  const when = ask.answer === "choice" ? ask.exits[index]?.when : index === 0 ? "yes" : "no";
  const exit = ask.exits.find((each) => each.when.trim().toLowerCase() === when?.trim().toLowerCase());
  const own = stemsOf([when ?? "", ...(exit?.phrases ?? [])].join(" . "));
  return [...said].filter((stem) => own.has(stem)).length;
}

/** One hidden layer over the normalized findings. */
function network(findings: Readonly<Record<string, number>>): number {
  const inputs = TRUST.names.map((name, index) => {
    const deviation = ((findings[name] ?? 0) - (TRUST.means[index] ?? 0)) / (TRUST.deviations[index] ?? 1);
    return Math.max(-DEVIATION_MAX, Math.min(DEVIATION_MAX, deviation));
  });
  const dot = (weights: readonly number[], values: readonly number[]) =>
    weights.reduce((sum, weight, index) => sum + weight * (values[index] ?? 0), 0);
  const hidden = TRUST.hidden.map(({ weights, bias }) => Math.max(0, dot(weights, inputs) + bias));
  return 1 / (1 + Math.exp(-(dot(TRUST.out, hidden) + TRUST.bias)));
}
