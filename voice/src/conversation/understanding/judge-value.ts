import type { AskNode } from "@parley/contract/flow-ask";
import type { AnswerOpinion, JudgedAnswer } from "../../ports/answer-judge.ts";
import { type AnswerReading, answerOf, type CollectedValue, type Finding, type ReadingContext } from "./answer.ts";
import { parseUtterance, type SignalKind } from "./parse-utterance.ts";
import type { OpenQuestion } from "./question-context.ts";
import { findNames, readName } from "./values/read-name.ts";
import { namedValues } from "./values/read-quantity.ts";

/**
 * Values as the local judge sees them. At a question for a number, a day or a time, each value that was named is put to it
 * in the callee's words, as if it were one of several answers: it says which of them is offered, if any. Of what was
 * dictated it says whether it is an answer. It never reads a value itself.
 */

/** A value that was named. */
export interface NamedValue {
  /** As it was said. */
  readonly words: string;
  /** What it may mean, likeliest first. */
  readonly values: readonly CollectedValue[];
}

export interface JudgedValue {
  readonly judged: JudgedAnswer;
  /** What the judged answers stand for, in their order. */
  readonly named: readonly NamedValue[];
}

/** The judge's capacity. */
const NAMED_MAX = 8;
/** What a dictated number is put to the judge as. */
const ANY_ANSWER = "an answer";

const JUDGED_KINDS: ReadonlySet<AskNode["answer"]> = new Set(["number", "date", "time", "name", "phone", "digits"]);
/** Read as a whole, rather than named among other words. */
const WHOLE_KINDS: ReadonlySet<AskNode["answer"]> = new Set(["phone", "digits"]);

function isWhole({ answer }: AskNode): boolean {
  return WHOLE_KINDS.has(answer);
}

export function isValueJudged({ answer }: AskNode): boolean {
  return JUDGED_KINDS.has(answer);
}

/** What the judge is asked about an answer to such a question. Null if there is nothing to ask. */
export function judgedValue(
  question: OpenQuestion,
  asked: string,
  said: string,
  context: ReadingContext,
): JudgedValue | null {
  if (!isValueJudged(question.ask)) return null;
  if (isWhole(question.ask)) {
    const named = [{ words: ANY_ANSWER, values: [] }];
    return { judged: judgedAs(asked, named, said), named };
  }
  const { text, named } = question.ask.answer === "name" ? peopleIn(said) : valuesIn(said, question, context);
  if (named.length === 0 || named.length > NAMED_MAX) return null;
  return { judged: judgedAs(asked, named, text), named };
}

function valuesIn(said: string, question: OpenQuestion, context: ReadingContext) {
  const { text, mentions } = namedValues(said, question, context);
  const named: NamedValue[] = [];
  for (const { value, others, start, end } of mentions) {
    if (named.some(({ values }) => values[0] === value)) continue;
    named.push({ words: text.slice(start, end).trim(), values: [value, ...others] });
  }
  return { text, named };
}

/** Names as they are written, and the one that was read, which may have been spelled or put together. */
function peopleIn(said: string) {
  const read = readName(said)?.name;
  const named: NamedValue[] = findNames(said).map(({ name, words }) => ({ words, values: [name] }));
  if (read !== undefined && !named.some(({ values }) => values.includes(read))) {
    named.push({ words: read, values: [read] });
  }
  return { text: said, named };
}

function judgedAs(question: string, named: readonly NamedValue[], said: string): JudgedAnswer {
  const exits = named.map(({ words }) => ({ when: words, phrases: [] }));
  return { question, answerKind: "choice", exits, said };
}

/**
 * How likely a value must be meant as the answer. Chosen by what a judge said of the lines of writers that it had not learned
 * from.
 */
const LIMITS = {
  /** To act on a value that the rules have doubts about, or on one of two. */
  act: 0.9,
  /** Below this a number, a day or a time that the rules would take is read back. */
  confirm: 0.5,
  /** The same of a name and of what was dictated, where the judge is less certain. */
  confirmWritten: 0.2,
  /** To read back a value that the rules have ruled out, or a name that they did not find. */
  suppose: 0.85,
} as const;

const QUANTITIES: ReadonlySet<AskNode["answer"]> = new Set(["number", "date", "time"]);

/** A condition or hearsay stands against a value, however sure the judge is. */
const RESERVED: ReadonlySet<SignalKind> = new Set(["condition", "hearsay", "fragment"]);

/** How the rules say that the callee asks something ("five is the best, right?"), or repeats what someone else says. */
const NOT_OWN = ["question", "hearsay"];

/** The reading once the judge has said which of the named values is offered. */
export function withValueOpinion(
  reading: AnswerReading,
  ask: AskNode,
  said: string,
  named: readonly NamedValue[],
  opinion: AnswerOpinion,
): AnswerReading {
  const indexOf = (value: CollectedValue) => named.findIndex(({ values }) => values.includes(value));
  const scoreOf = (value: CollectedValue) => opinion.exits[indexOf(value)] ?? 0;
  const says = (text: string, score: number): Finding => ({
    judge: "opinion",
    says: `${text} (${score.toFixed(2)})`,
  });
  const why = "why" in reading ? (reading.why ?? []) : [];
  switch (reading.type) {
    case "answer": {
      const score = isWhole(ask) ? (opinion.exits[0] ?? 0) : scoreOf(reading.answer.value);
      const limit = QUANTITIES.has(ask.answer) ? LIMITS.confirm : LIMITS.confirmWritten;
      if (score >= limit || (!isWhole(ask) && indexOf(reading.answer.value) < 0)) return reading;
      return { ...reading, type: "unsure", why: [...why, says("the judge has doubts", score)] };
    }
    case "unsure": {
      const score = scoreOf(reading.answer.value);
      const isOwn = !why.some(({ says: each }) => NOT_OWN.some((objection) => each.startsWith(objection)));
      if (isWhole(ask) || reading.isDerived === true || !isOwn || score < LIMITS.act || isReserved(said))
        return reading;
      const by = { evidence: "judge", score } as const;
      return { type: "answer", answer: reading.answer, by, why: [...why, says("the judge confirms", score)] };
    }
    case "doubt": {
      const [one, other] = reading.options;
      if (isWhole(ask)) return reading;
      // "Seven" may be either half of the day: that is not for the judge to say.
      if (indexOf(one.value) === indexOf(other.value)) return reading;
      const best = scoreOf(other.value) > scoreOf(one.value) ? other : one;
      const score = scoreOf(best.value);
      if (score < LIMITS.act || isReserved(said)) return reading;
      const by = { evidence: "judge", score } as const;
      return { type: "answer", answer: best, by, why: [...why, says("the judge confirms", score)] };
    }
    case "none": {
      const index = opinion.exits.findIndex((score) => score >= LIMITS.suppose);
      const value = named[index]?.values[0];
      if (value === undefined || value === null) return reading;
      const score = opinion.exits[index] ?? 0;
      const by = { evidence: "judge", score } as const;
      return { type: "unsure", answer: answerOf(ask, value), by, why: [says("the judge finds it", score)] };
    }
    case "period":
    case "part":
      return reading;
  }
}

function isReserved(said: string): boolean {
  return parseUtterance(said).clauses.some(({ signals }) => signals.some(({ kind }) => RESERVED.has(kind)));
}
