import type { AskNode } from "@parley/contract/flow-ask";
import type { AnswerOpinion, JudgedAnswer } from "../../ports/answer-judge.ts";
import { type Answer, type AnswerReading, type Finding, NOT_UNDERSTOOD, valueOfExit } from "./answer.ts";
import { stemsOf, unexplainedWords } from "./match-exits.ts";
import { type Clause, parseUtterance, type SignalKind } from "./parse-utterance.ts";
import { indexOf, weigh } from "./weigh-opinions.ts";
import { stemOf } from "./word-forms.ts";

/**
 * The fourth judge: how another model reads the same words. It can resolve or raise a doubt of the rules; it never adds
 * an answer that the question does not have.
 */
export interface SecondOpinions {
  /** The local judge. */
  readonly judge: AnswerOpinion | null;
  /** A configured language model: one of the exits, or null for none of them. Undefined when it was not asked or failed. */
  readonly model: number | null | undefined;
}

/**
 * How likely an answer must be when the rules and the judge are weighed together. Lower acts on more answers directly,
 * including more wrong ones.
 */
const LIMITS = {
  /** To act on it. Of lines by writers whom the judge had not learned from, 0.7 % are then acted on wrongly. */
  act: 0.88,
  /** The same of several choices, of which the judge mistakes one for another more often than a yes for a no. */
  actChoice: 0.92,
  /** The same where the rules found nothing and the words suggest another answer. */
  actUnsupported: 0.94,
  /** To ask about it; below this the question is asked again. */
  ask: 0.4,
  /** A second answer that is this likely is named too in the confirmation question. */
  other: 0.25,
  /** Below this an answer of the rules is not even asked about. */
  drop: 0.1,
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

/** What the journal says when the judge agrees with the rules. */
export const JUDGE_CONFIRMS = "the judge confirms";

/** The decision on an answer once the other opinions are known. */
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
  if (reading.type === "part" || reading.type === "period" || isPlain(reading, ask, said)) return reading;
  const { exits, none } = weigh(reading, ask, said, opinion);
  const [best = 0, second = best] = exits
    .map((_, index) => index)
    .toSorted((one, other) => at(exits, other) - at(exits, one));
  const score = at(exits, best);
  const found = foundBy(reading, ask);
  const says = (text: string): Finding => ({ judge: "opinion", says: `${text} (${score.toFixed(2)})` });
  const why = "why" in reading ? (reading.why ?? []) : [];
  const by = { evidence: "judge", score } as const;
  if (score > none && score >= limitFor(reading, ask, said, best) && !isReserved(reading, said)) {
    const isRead = reading.type === "answer" && found[0] === best;
    // Words that are not explicit count as said by two judges only if this one, alone, has understood the same.
    if (isRead && (reading.grounds?.strength ?? "explicit") === "explicit") return reading;
    if (isRead) return isFavourite(opinion, best) ? { ...reading, why: [...why, says(JUDGE_CONFIRMS)] } : reading;
    const text = found.includes(best) ? JUDGE_CONFIRMS : "the judge finds it";
    return { type: "answer", answer: answerAt(ask, best), by, why: [...why, says(text)] };
  }
  if (score >= LIMITS.ask || (found[0] === best && score >= LIMITS.drop)) {
    const isEven = at(exits, second) >= LIMITS.other;
    const options = [answerAt(ask, best), answerAt(ask, second)] as const;
    if (isEven) return { type: "doubt", options, by, why: [...why, says("the judge is undecided")] };
    if (reading.type === "unsure" && found[0] === best) return reading;
    const text = reading.type === "answer" && found[0] === best ? "the judge has doubts" : "the judge thinks so";
    return { type: "unsure", answer: options[0], by, why: [...why, says(text)] };
  }
  if (found.some((index) => at(exits, index) >= LIMITS.drop) && reading.type === "doubt") return reading;
  // "I'll come if I can" is no answer, but the callee was understood: asking about it helps more than asking again.
  if (reading.type === "unsure" && hasSignal(said, HEDGES)) return reading;
  return NOT_UNDERSTOOD;
}

function at(exits: readonly number[], index: number): number {
  return exits[index] ?? 0;
}

function isFavourite({ exits, none }: AnswerOpinion, index: number): boolean {
  return [...exits, none].every((each) => each <= at(exits, index));
}

/** The judged answers that the rules found. */
function foundBy(reading: AnswerReading, ask: AskNode): readonly number[] {
  if (reading.type === "doubt") return reading.options.map((option) => indexOf(ask, option));
  return reading.type === "answer" || reading.type === "unsure" ? [indexOf(ask, reading.answer)] : [];
}

/** A yes or no, or the words of an answer, and nothing else: no model makes that doubtful. */
export function isPlain(reading: AnswerReading, ask: AskNode, said: string): boolean {
  if (reading.type !== "answer" || reading.grounds?.strength !== "explicit") return false;
  if (reading.grounds.isPhrase) return true;
  if (reading.grounds.unexplained > 0) return false;
  const { clauses } = parseUtterance(said);
  // "Yes, I'll keep it" takes the question up; "yes, it's a boat" repeats a word of it, and need not answer it.
  const asked = stemsOf(ask.text);
  const isBare = ask.answer === "choice" || clauses.every((clause) => takesUp(clause) || repeats(clause, asked));
  return isBare && clauses.every(({ signals }) => signals.length === 0);
}

/** Nothing but a yes or a no, or what the callee says of themselves. */
function takesUp(clause: Clause): boolean {
  const { tokens, yesNo } = clause;
  const rest = tokens.filter((_, index) => !yesNo.some(({ start, end }) => index >= start && index < end));
  return /^(?:i|we)$/.test(rest[0]?.text ?? "") || unexplainedWords(clause, NEVER, NO_WORDS).length === 0;
}

/** Words of the question that an answer must repeat, and no others, to be about it as a whole. */
const REPEATED_MIN = 2;

/** "Yes, there's a smell of gas": nothing but what was asked. */
function repeats(clause: Clause, asked: ReadonlySet<string>): boolean {
  const words = new Set(unexplainedWords(clause, NEVER, NO_WORDS).map(stemOf));
  return words.size >= REPEATED_MIN && [...words].every((word) => asked.has(word));
}

const NEVER = () => false;
const NO_WORDS: ReadonlySet<string> = new Set();

/** A condition, hearsay or a sentence that was broken off stands against an answer, however sure the judge is. */
const RESERVED: ReadonlySet<SignalKind> = new Set(["condition", "hearsay", "fragment"]);

/**
 * A contrast that the rules object to often changes what was agreed to: "yes, but not at that price".
 */
function isReserved(reading: AnswerReading, said: string): boolean {
  const isContrasted = reading.type === "unsure" && (reading.why ?? []).some(({ says }) => says.startsWith("contrast"));
  return isContrasted || hasSignal(said, RESERVED);
}

function limitFor(reading: AnswerReading, ask: AskNode, said: string, best: number): number {
  if (reading.type === "none" && suggestsAnother(ask, said, best)) return LIMITS.actUnsupported;
  return ask.answer === "choice" ? LIMITS.actChoice : LIMITS.act;
}

const NEGATED: ReadonlySet<SignalKind> = new Set(["negation"]);

/** A "not" in what is taken for a yes, or words of another choice: the judge has mistaken such sentences for their opposite. */
function suggestsAnother(ask: AskNode, said: string, best: number): boolean {
  if (ask.answer === "yes_no") return best === 0 && hasSignal(said, NEGATED);
  const stems = stemsOf(said);
  const isSaid = ({ when, phrases = [] }: AskNode["exits"][number]) =>
    [...stemsOf([when, ...phrases].join(" . "))].some((stem) => stems.has(stem));
  return ask.exits.some((exit, index) => index !== best && isSaid(exit));
}

const HEDGES: ReadonlySet<SignalKind> = new Set(["condition", "hearsay", "doubt"]);

function hasSignal(said: string, kinds: ReadonlySet<SignalKind>): boolean {
  return parseUtterance(said).clauses.some(({ signals }) => signals.some(({ kind }) => kinds.has(kind)));
}

/** An answer among commands to the language model is read back. */
export function withCaution(reading: AnswerReading): AnswerReading {
  if (reading.type !== "answer") return reading;
  const why: Finding = { judge: "opinion", says: "the words give commands to the language model" };
  return { ...reading, type: "unsure", why: [...(reading.why ?? []), why] };
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
