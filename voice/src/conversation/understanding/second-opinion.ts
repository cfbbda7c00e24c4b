import type { AskNode } from "@parley/contract/flow-ask";
import type { AnswerOpinion, JudgedAnswer } from "../../ports/answer-judge.ts";
import { type Answer, type AnswerReading, type Finding, valueOfExit } from "./answer.ts";
import { hasReservations, parseUtterance } from "./parse-utterance.ts";

/**
 * The fourth judge: what another model makes of the same words. It can resolve a doubt of the rules and it can raise one;
 * it never adds an answer that the question does not have.
 */
export interface SecondOpinions {
  /** The local judge. */
  readonly judge: AnswerOpinion | null;
  /** A configured language model: one of the exits, or null for none of them. Undefined when it was not asked or failed. */
  readonly model: number | null | undefined;
}

/**
 * How sure the local judge must be. Lower confirms more answers at once, and more wrong ones; a higher veto asks back more
 * answers that were right.
 */
const JUDGE = {
  /** To take an answer that the rules would ask about. */
  confirm: 0.75,
  /** To take one that the rules found nothing of. */
  find: 0.9,
  /** To ask about an answer that the rules found nothing of. */
  ask: 0.6,
  /** Below this an answer of the rules is asked about. */
  veto: 0.3,
} as const;

/** The exits of a question as second opinions see them. A yes-or-no question has both, whether or not it has exits for them. */
export function judgedAnswer(ask: AskNode, question: string, said: string): JudgedAnswer | null {
  if (ask.answer === "choice") {
    const exits = ask.exits.map(({ when, phrases = [] }) => ({ when, phrases }));
    return { question, answerKind: "choice", exits, said };
  }
  if (ask.answer !== "yes_no") return null;
  const exits = (["yes", "no"] as const).map((when) => ({ when, phrases: exitFor(ask, when)?.phrases ?? [] }));
  return { question, answerKind: "yes_no", exits, said };
}

function exitFor(ask: AskNode, when: string) {
  return ask.exits.find((exit) => exit.when.trim().toLowerCase() === when);
}

/** The answer that one of the judged exits stands for. */
function answerAt(ask: AskNode, index: number): Answer {
  if (ask.answer === "choice") return { value: valueOfExit(ask, index), exit: index };
  const at = ask.exits.findIndex(({ when }) => when.trim().toLowerCase() === (index === 0 ? "yes" : "no"));
  return { value: index === 0, exit: at < 0 ? null : at };
}

function indexOf(ask: AskNode, { value, exit }: Answer): number {
  return ask.answer === "choice" ? (exit ?? -1) : value === true ? 0 : 1;
}

/** What is made of an answer when the other opinions are known. */
export function withOpinions(
  reading: AnswerReading,
  ask: AskNode,
  said: string,
  opinions: SecondOpinions,
): AnswerReading {
  const byJudge = opinions.judge === null ? reading : withJudge(reading, ask, said, opinions.judge);
  return opinions.model === undefined ? byJudge : withModel(byJudge, ask, opinions.model);
}

function withJudge(reading: AnswerReading, ask: AskNode, said: string, opinion: AnswerOpinion): AnswerReading {
  const [best, score] = bestOf(opinion);
  const says = (text: string): Finding => ({ judge: "opinion", says: `${text} (${score.toFixed(2)})` });
  const by = { evidence: "judge", score } as const;
  switch (reading.type) {
    case "answer": {
      const own = opinion.exits[indexOf(ask, reading.answer)] ?? 0;
      if (own >= JUDGE.veto) return reading;
      return { type: "unsure", answer: reading.answer, why: [...(reading.why ?? []), says("the judge disagrees")] };
    }
    case "unsure":
      if (best !== indexOf(ask, reading.answer) || score < JUDGE.confirm || isReserved(reading.why)) return reading;
      return { type: "answer", answer: reading.answer, by, why: [...(reading.why ?? []), says("the judge confirms")] };
    case "doubt": {
      const confirmed = reading.options.find((option) => indexOf(ask, option) === best);
      if (confirmed === undefined || score < JUDGE.confirm) return reading;
      return { type: "answer", answer: confirmed, by, why: [...(reading.why ?? []), says("the judge decides")] };
    }
    case "none":
      if (best === null || score < JUDGE.ask) return reading;
      if (score >= JUDGE.find && !hasReservations(parseUtterance(said))) {
        return { type: "answer", answer: answerAt(ask, best), by, why: [says("the judge finds it")] };
      }
      return { type: "unsure", answer: answerAt(ask, best), by, why: [says("the judge thinks so")] };
    case "part":
    case "period":
      return reading;
  }
}

/** A condition, hearsay or a sentence that was broken off stands against an answer, however sure another judge is. */
const RESERVED = /^(?:condition|hearsay|fragment)/;

function isReserved(why: readonly Finding[] = []): boolean {
  return why.some(({ says }) => RESERVED.test(says));
}

/** The likeliest exit; null when none of them is likelier than no answer. */
function bestOf({ exits, none }: AnswerOpinion): readonly [index: number | null, score: number] {
  const score = Math.max(...exits);
  return score > none ? [exits.indexOf(score), score] : [null, none];
}

function withModel(reading: AnswerReading, ask: AskNode, chosen: number | null): AnswerReading {
  const by = { evidence: "model", score: null } as const;
  const agrees: Finding = { judge: "opinion", says: "the language model agrees" };
  const disagrees: Finding = { judge: "opinion", says: "the language model disagrees" };
  const why = "why" in reading ? (reading.why ?? []) : [];
  switch (reading.type) {
    case "answer":
      if (chosen !== null && chosen === indexOf(ask, reading.answer)) return reading;
      return { type: "unsure", answer: reading.answer, why: [...why, disagrees] };
    case "unsure":
      if (chosen === indexOf(ask, reading.answer))
        return { type: "answer", answer: reading.answer, by, why: [...why, agrees] };
      return chosen === null
        ? reading
        : { type: "doubt", options: [answerAt(ask, chosen), reading.answer], why: [...why, disagrees] };
    case "doubt": {
      const option = chosen === null ? undefined : reading.options.find((each) => indexOf(ask, each) === chosen);
      return option === undefined ? reading : { type: "answer", answer: option, by, why: [...why, agrees] };
    }
    case "none":
      return chosen === null
        ? reading
        : {
            type: "unsure",
            answer: answerAt(ask, chosen),
            by,
            why: [{ judge: "opinion", says: "the language model thinks so" }],
          };
    case "part":
    case "period":
      return reading;
  }
}
