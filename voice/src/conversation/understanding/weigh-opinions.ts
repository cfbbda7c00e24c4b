import type { AskNode } from "@parley/contract/flow-ask";
import type { AnswerOpinion } from "../../ports/answer-judge.ts";
import type { Answer, AnswerReading } from "./answer.ts";
import { WEIGHTS } from "./opinion-weights.ts";
import { parseUtterance, type SignalKind } from "./parse-utterance.ts";
import { plainWords } from "./plain-words.ts";

/**
 * What the rules found, as evidence that is weighed together with the judge's probabilities. Evidence for an answer and
 * evidence for "no answer" have separate names; each name has one weight.
 */
export interface Evidence {
  /** For each of the judged answers. */
  readonly answers: readonly Readonly<Record<string, number>>[];
  readonly none: Readonly<Record<string, number>>;
}

const SHORT_WORDS_MAX = 3;
const LONG_WORDS_MIN = 16;
const UNEXPLAINED_MAX = 4;
/** A probability of zero would outweigh everything. */
const PROBABILITY_MIN = 0.001;

const SIGNALS: readonly SignalKind[] = [
  "negation",
  "condition",
  "doubt",
  "counterfactual",
  "question",
  "polite_request",
  "part",
  "hearsay",
  "third_person",
  "contrast",
  "past",
  "fragment",
  "range",
];

/** Which of the judged answers this one is. */
export function indexOf(ask: AskNode, { value, exit }: Answer): number {
  return ask.answer === "choice" ? (exit ?? -1) : value === true ? 0 : 1;
}

/** How likely each of the judged answers is, and that none was given, when the rules and the judge are combined. */
export function weigh(reading: AnswerReading, ask: AskNode, said: string, opinion: AnswerOpinion): AnswerOpinion {
  const { answers, none } = evidenceOf(reading, ask, said, opinion);
  const sumOf = (evidence: Readonly<Record<string, number>>, weights: Readonly<Record<string, number>>) =>
    Object.entries(evidence).reduce((sum, [name, value]) => sum + value * (weights[name] ?? 0), 0);
  const odds = [...answers.map((each) => Math.exp(sumOf(each, WEIGHTS.answer))), Math.exp(sumOf(none, WEIGHTS.none))];
  const total = odds.reduce((sum, each) => sum + each, 0);
  const shares = odds.map((each) => each / total);
  return { exits: shares.slice(0, -1), none: shares.at(-1) ?? 0 };
}

export function evidenceOf(reading: AnswerReading, ask: AskNode, said: string, opinion: AnswerOpinion): Evidence {
  const { clauses, correctedFrom } = parseUtterance(said);
  const words = plainWords(said).length;
  const has = (kind: SignalKind) => clauses.some(({ signals }) => signals.some((signal) => signal.kind === kind));
  const logOf = (probability: number) => Math.log(Math.max(PROBABILITY_MIN, probability));
  const none: Record<string, number> = {
    judge: logOf(opinion.none),
    always: 1,
    [ask.answer === "choice" ? "choice" : "yes_no"]: 1,
    [`rules_${reading.type}`]: 1,
  };
  for (const kind of SIGNALS) if (has(kind)) none[kind] = 1;
  if (clauses.some(({ isContrast }) => isContrast)) none["but"] = 1;
  if (correctedFrom !== null) none["corrected"] = 1;
  if (words <= SHORT_WORDS_MAX) none["short"] = 1;
  if (words >= LONG_WORDS_MIN) none["long"] = 1;
  if (clauses.length === 0) none["no_words"] = 1;
  const grounds = reading.type === "answer" || reading.type === "unsure" ? reading.grounds : undefined;
  if (grounds !== undefined) none["unexplained"] = Math.min(UNEXPLAINED_MAX, grounds.unexplained);
  const found = findingsOf(reading, ask);
  return {
    answers: opinion.exits.map((probability, index) => ({ judge: logOf(probability), ...found(index) })),
    none,
  };
}

function findingsOf(reading: AnswerReading, ask: AskNode): (index: number) => Readonly<Record<string, number>> {
  switch (reading.type) {
    case "answer":
    case "unsure": {
      const at = indexOf(ask, reading.answer);
      const name = `${reading.type === "answer" ? "taken" : "unsure"}_${reading.grounds?.strength ?? "moment"}`;
      return (index) => (index === at ? { [name]: 1 } : { another_found: 1 });
    }
    case "doubt": {
      const [first, second] = reading.options.map((option) => indexOf(ask, option));
      return (index) =>
        index === first ? { option: 1 } : index === second ? { second_option: 1 } : { another_found: 1 };
    }
    default:
      return () => ({});
  }
}
