import type { AskNode } from "@parley/contract/flow-ask";
import { isOnly, type YesNoHit } from "../../text/values-in-speech/find-yes-no.ts";
import { type Answer, type AnswerReading, type Finding, type Grounds, NOT_UNDERSTOOD, valueOfExit } from "./answer.ts";
import { namesOther, type Slots, saysMoment } from "./find-slots.ts";
import { type ExitMatch, matchExits, stemsOf, unexplainedWords, wordsOfOthers } from "./match-exits.ts";
import { type Clause, isHedge, type Signal, type SignalKind, type Utterance } from "./parse-utterance.ts";
import { askingSentence, type OpenQuestion } from "./question-context.ts";
import { stemOf } from "./word-forms.ts";

/**
 * Questions whose answers are known beforehand: yes or no, or one of several choices. Every clause may vote for an
 * answer; an answer is accepted directly when nothing that was said speaks against it, and asked about when something
 * does.
 */

/** What a clause says for an answer. */
interface Vote {
  readonly exit: number | "yes" | "no";
  readonly clause: number;
  readonly strength: Grounds["strength"];
  readonly unexplained: readonly string[];
  readonly isStatement: boolean;
}

/** More unexplained words than these, and the clause is about something else as well. */
const UNEXPLAINED_MAX: Readonly<Record<Vote["strength"], number>> = { explicit: 2, named: 1, scattered: 0, echoed: 0 };
/** A refusal is often explained. */
const UNEXPLAINED_NO_MAX = 6;

/** What speaks against accepting a yes or a named answer directly. */
const AGAINST: ReadonlySet<SignalKind> = new Set([
  "condition",
  "doubt",
  "counterfactual",
  "question",
  "part",
  "hearsay",
  "contrast",
  "fragment",
  "range",
]);
/** A refusal may come with its reasons. */
const AGAINST_NO: ReadonlySet<SignalKind> = new Set(["condition", "doubt", "question"]);

export function understandChoice(utterance: Utterance, question: OpenQuestion, slots: Slots): AnswerReading {
  const { ask } = question;
  // What was taken back does not count, even if nothing clear replaced it.
  const clauses = utterance.clauses.slice(utterance.correctedFrom ?? 0);
  const stems = stemsOf(question.text);
  const matches = matchExits(clauses, ask, stems);
  const votes = [
    ...matches.filter(({ isNegated }) => !isNegated).map(voteOfMatch),
    ...yesNoVotes(clauses, ask, stems, matches, question.text, utterance.text),
  ];
  const ruledOut = matches.filter(({ isNegated }) => isNegated);
  const excluded = new Set(ruledOut.map(({ exit }) => exit));
  return settle(answersOf(ask, votes, excluded), excluded, clauses, {
    ...question,
    hasOtherMoment: namesOther(slots, question.known),
    ruledOut: new Set(ruledOut.map(({ clause }) => clause)),
    excluded,
  });
}

/** A question with what was said to it. */
type Judged = OpenQuestion & {
  readonly hasOtherMoment: boolean;
  /** Clauses that say which answer it is not. */
  readonly ruledOut: ReadonlySet<number>;
  /** The exits that it is not. */
  readonly excluded: ReadonlySet<number>;
};

/** The votes for each answer, strongest answer first. Yes and no count for the exits that stand for them. */
interface Candidate {
  readonly answer: Answer;
  readonly isNo: boolean;
  readonly votes: readonly Vote[];
}

function answersOf(ask: AskNode, votes: readonly Vote[], excluded: ReadonlySet<number>): Candidate[] {
  const byKey = new Map<string, Candidate>();
  for (const vote of votes) {
    const resolved = resolve(ask, vote);
    if (
      resolved === null ||
      (resolved.answer.exit !== null && excluded.has(resolved.answer.exit) && ask.answer === "choice")
    )
      continue;
    const key = String(resolved.answer.value);
    const before = byKey.get(key);
    byKey.set(key, { ...resolved, votes: [...(before?.votes ?? []), vote] });
  }
  return [...byKey.values()];
}

function resolve(ask: AskNode, { exit }: Vote): { readonly answer: Answer; readonly isNo: boolean } | null {
  if (typeof exit === "number") {
    const value = valueOfExit(ask, exit);
    return { answer: { value, exit }, isNo: value === false };
  }
  if (ask.answer === "yes_no") {
    const at = ask.exits.findIndex(({ when }) => when.trim().toLowerCase() === exit);
    return { answer: { value: exit === "yes", exit: at < 0 ? null : at }, isNo: exit === "no" };
  }
  // A choice is meant by a plain yes or no if its phrases say so.
  const at = exitForYesNo(ask, exit);
  return at === null ? null : { answer: { value: valueOfExit(ask, at), exit: at }, isNo: exit === "no" };
}

/** What agrees or refuses whatever is asked. "Okay" and "all good" may also describe something. */
const PLAIN = /^(?:yes|yeah|yep|yup|aye|sure|of course|certainly|absolutely|definitely|no|nope|nah)\b/i;

/** The choice that a plain yes or no means: the one that has this very word, or else the only one with another form of it. */
function exitForYesNo({ exits }: AskNode, said: "yes" | "no"): number | null {
  const at = exits.findIndex(({ phrases = [] }) => phrases.some((phrase) => phrase.trim().toLowerCase() === said));
  if (at >= 0) return at;
  const alike = exits.flatMap(({ phrases = [] }, index) =>
    phrases.some((each) => PLAIN.test(each.trim()) && isOnly(said, each)) ? [index] : [],
  );
  return alike.length === 1 ? (alike[0] ?? null) : null;
}

function voteOfMatch({ exit, clause, strength, unexplained, isStatement }: ExitMatch): Vote {
  return {
    exit,
    clause,
    strength: strength === "whole" ? "explicit" : strength === "phrase" ? "named" : "scattered",
    unexplained,
    isStatement,
  };
}

/** What may stand before a yes or no that answers. */
const LEAD_INS = new Set("i mean meant say said and but then that would be think my answer is the a".split(" "));

/** "I don't think that's right" denies it. */
const NOT_THOUGHT = /\bnot (?:really |quite )?(?:think|believe|suppose|say)$/;

/** "You don't need one, do you?" */
const NEGATED_WITH_TAG =
  /(?:\bnot\b|n['’]t\b)[^.?!]*,\s*(?:do|does|did|is|are|was|were|have|has|had|will|would|can|could|need|shall|should) (?:i|you|we|it|he|she|they|there)\s*\?\s*$/i;

/** Questions to which no means that it is all right. */
const ASKS_FOR_OBJECTION =
  /\b(?:(?:do|would|does|will|did) (?:you|anyone|anybody|he|she|they) mind|mind if|any objections?|(?:have|got) (?:any |a |an )?(?:objections?|problems?|issues?) (?:if|with|to)|a problem if|object (?:if|to)|bother you if)\b/i;

/** What allows something, whatever was asked. */
const PERMISSION =
  /^(?:go ahead|go for it|go on then|please do|please go ahead|be my guest|fire away|by all means|with pleasure|no objections?|i have no objections?|no problem|no worries|not a problem|fine by me|fine with me|okay by me|okay with me|good with me|that is fine|that is okay|that is all right|i do not mind|do not mind|i would not mind|nothing against it|works for me|suits me|suits me fine|all good)$/;

/** To an offer, being all set declines it; to anything else it agrees. */
const ALL_SET = /^(?:all set|all good|you are grand|grand|good|fine|no problem|no worries|not a problem|perfect)$/;
const OFFERS =
  /\b(?:would you like|do you (?:still )?(?:want|need)|do you require|can (?:we|i) (?:get|offer|bring|send|add)|(?:shall|should|will) we (?:add|send|bring|leave|put|include)|are you (?:still )?looking|interested in|anything else|any help)\b/i;

/**
 * Questions that propose something or ask for leave: "okay" agrees to them. To a question about a fact it may only say that the
 * callee listens.
 */
const PROPOSES =
  /\b(?:(?:may|can|could|shall|should) (?:i|we)|(?:do you have|have you got) (?:\w+ ){0,3}(?:time|minutes?|moments?|seconds?)|would you (?:be willing|be able|like)|will you (?:let|give|tell))\b|\b(?:okay|ok|all right|alright|fine|convenient|suit you|work for you|(?:with|by) you)\?\s*$/i;
const AGREEMENT = /^(?:ok|okay|okey dokey|okie dokie|all right|righto|right oh|very well|fair enough)$/;

/** Yes and no in a clause, and for a yes-or-no question its own words said back. */
function yesNoVotes(
  clauses: readonly Clause[],
  ask: AskNode,
  stems: ReadonlySet<string>,
  matches: readonly ExitMatch[],
  questionText: string,
  text: string,
): Vote[] {
  const hasStrong = clauses.some(({ yesNo }) =>
    yesNo.some(({ phrase }) => phrase.meaning !== "neither" && phrase.intensity === "strong"),
  );
  // "Yes, speaking" says who it is.
  const says = clauses.map(({ tokens }) => tokens.map((token) => token.text).join(" ")).join(", ");
  if ((SAYS_WHO.test(says) || PICKS_UP.test(text)) && !ASKS_WHO.test(questionText)) return [];
  return clauses.flatMap((clause, index): Vote[] => {
    if (ask.answer === "yes_no" && saysThatIsAll(clause) && ASKS_FOR_MORE.test(questionText)) {
      return [{ exit: "no", clause: index, strength: "explicit", unexplained: [], isStatement: true }];
    }
    const hits = clause.yesNo.filter(
      ({ phrase }) =>
        phrase.meaning !== "neither" &&
        (!hasStrong || phrase.intensity === "strong") &&
        // "I will" answers the question it was asked with, and a choice was not asked so.
        (ask.answer === "yes_no" || !phrase.isFinal),
    );
    const strong = hits.filter(({ phrase }) => phrase.intensity === "strong");
    const [first] = strong.length > 0 ? strong : hits;
    if (first !== undefined && !isStartedAgain(clause, clauses[index + 1])) {
      const unexplained = unexplainedWords(clause, () => false, stems);
      // Several in one clause: "no no", or "no yes"; the last one counts, as the lexicon knows the mixed idioms.
      const last = (strong.length > 0 ? strong : hits).at(-1) ?? first;
      // "I don't think I would" refuses.
      const before = clause.tokens.slice(0, last.start).map(({ text }) => text);
      const isDenied =
        NOT_THOUGHT.test(before.join(" ")) ||
        (last.phrase.isFinal && clause.signals.some(({ kind, at }) => kind === "negation" && at < last.start));
      const isYes = (last.phrase.meaning === "yes") !== isDenied;
      // To "Do you mind?", "go ahead" says no, and "sure" may say either.
      if (ASKS_FOR_OBJECTION.test(questionText) && isYes && !isDenied) {
        return PERMISSION.test(last.phrase.words.join(" "))
          ? [{ exit: "no", clause: index, strength: "explicit", unexplained, isStatement: true }]
          : (["no", "yes"] as const).map((each) => ({
              exit: each,
              clause: index,
              strength: "scattered",
              unexplained,
              isStatement: true,
            }));
      }
      // "All set" to an offer, or "right" to "You don't need one, do you?", may mean either.
      const isEither =
        (isYes && !isDenied && NEGATED_WITH_TAG.test(questionText)) ||
        (isYes && ALL_SET.test(last.phrase.words.join(" ")) && OFFERS.test(questionText));
      if (isEither && unexplained.length === 0 && ask.answer === "yes_no") {
        return (["yes", "no"] as const).map((each) => ({
          exit: each,
          clause: index,
          strength: "scattered",
          unexplained,
          isStatement: true,
        }));
      }
      const exit = isYes ? "yes" : "no";
      const isLeading = clause.tokens.slice(0, first.start).every(({ text }) => LEAD_INS.has(text));
      // A "right" or "okay" opens many sentences that answer nothing.
      const agrees = clauses.length === 1 && AGREEMENT.test(last.phrase.words.join(" ")) && PROPOSES.test(questionText);
      const isStrong =
        (last.phrase.intensity === "strong" || agrees) &&
        isLeading &&
        !isDenied &&
        !isNegated(questionText) &&
        fitsQuestion(last, questionText);
      const strength = isStrong ? "explicit" : "scattered";
      return [{ exit, clause: index, strength, unexplained, isStatement: true }];
    }
    if (ask.answer !== "yes_no" || matches.some(({ clause: at, isNegated }) => at === index && !isNegated)) return [];
    const echoed = echo(clause, stems, questionText);
    return echoed === null ? [] : [{ ...echoed, clause: index, isStatement: true }];
  });
}

/** "That's all": there is nothing more, where more was asked for. Elsewhere "that's it" agrees. */
function saysThatIsAll({ tokens }: Clause): boolean {
  return THAT_IS_ALL.test(tokens.map(({ text }) => text).join(" "));
}

const THAT_IS_ALL =
  /^(?:(?:i think|i believe|i guess|well|okay|ok|then|so|really) )*(?:that|this) (?:is|was|will be|would be|should be)(?: (?:really|about|pretty much|basically))? (?:all|it|everything|the lot)(?: (?:i (?:need|needed|have|had|wanted)|for (?:now|today|me)|from me|really|then|i think))*$/;
const ASKS_FOR_MORE =
  /\b(?:any (?:\w+ ){0,2}questions?|anything (?:else|more|further|(?:that )?you(?: would|['’]d| want| wanted| wish)|(?:i|we) can)|something (?:else|more)|(?:what|who|where) else|more (?:questions?|i can|we can))\b/i;

/** "I do, I do worry": what looked like an answer was the beginning of a sentence. */
function isStartedAgain({ tokens, yesNo }: Clause, next: Clause | undefined): boolean {
  const [only] = yesNo;
  if (only === undefined || !only.phrase.isFinal || only.end - only.start !== tokens.length) return false;
  const continued = next?.tokens ?? [];
  return continued.length > tokens.length && tokens.every(({ text }, at) => continued[at]?.text === text);
}

const SAYS_WHO =
  /^(?:(?:yes|yeah|yep|hello|hi),? )*(?:speaking|(?:this|it) is (?:he|she|him|her|me)(?: speaking)?|(?:he|she) is speaking|that is me|you are audible|i can hear you|i am (?:listening|here)|how (?:can|may) i help(?: you)?)$/;
/** Answering the telephone: "Yes, hello?" */
const PICKS_UP =
  /^\W*(?:yes|yeah|yep|yes yes)[\s,.!?]+(?:(?:hello|hi|hallo|good (?:morning|afternoon|evening))[\s,.!?]*)+(?:there|madam|sir|ma'am)?\W*$/i;
const ASKS_WHO =
  /\b(?:speak|talk)(?:ing)? (?:to|with)\b|\b(?:[Ii]s (?:this|that)|[Aa]re you) (?:the|still the|\p{Lu}\p{L}*)\b|\b[Aa]m I\b|\byour name\b/u;

const NEGATION_IN_QUESTION = /\b(?:nobody|no one|nothing|never|none|not|no)\b|n['’]t\b/i;
const TAG = /,?\s*(?:\w+n['’]t (?:i|you|we|it|he|she|they|there)|(?:right|correct|yes|no|okay))\s*\?*\s*$/i;
const NEGATED_START = /(?:^|[.!?]\s+)(?:and |so |but )?\w+n['’]t (?:you|we|it|he|she|they|there|that)\b/i;

/**
 * Whether a yes or no to a question may mean either: "And nobody is coming with you?" A negation in a tag ("aren't you?") or
 * of the verb that comes first ("Don't you want it?") changes nothing.
 */
function isNegated(questionText: string): boolean {
  const last = askingSentence(questionText);
  return NEGATION_IN_QUESTION.test(last.replace(TAG, "").replace(NEGATED_START, ""));
}

/** Verbs by which a short answer takes up those of the question: "Have you paid?" "I have", or "I did". */
const VERBS: readonly (readonly [answer: RegExp, question: RegExp])[] = [
  [/\b(?:was|were)\b/, /\b(?:was|were|been)\b/i],
  [/\bdid\b/, /\b(?:did|have|has|had|\w{3,}ed)\b|'ve\b/i],
];

/** Whether a short answer in the past answers this question: "it was" says nothing about whether it is. */
function fitsQuestion({ phrase }: YesNoHit, questionText: string): boolean {
  if (!phrase.isFinal) return true;
  const said = phrase.words.join(" ");
  return VERBS.every(([answer, question]) => !answer.test(said) || question.test(questionText));
}

/** The question's own words said back, with or without a "not": "Will someone be there?" "Somebody will be there." */
function echo(
  clause: Clause,
  stems: ReadonlySet<string>,
  questionText: string,
): Pick<Vote, "exit" | "strength" | "unexplained"> | null {
  const said = clause.tokens.filter(({ text }) => stems.has(stemOf(text)));
  if (said.length === 0 || !isSentence(clause)) return null;
  const isDenied = clause.signals.some(({ kind }) => kind === "negation");
  // A question that is itself negated or about a choice cannot be echoed safely.
  if (/\bnot\b|n't\b|\bor\b/i.test(questionText)) return null;
  const unexplained = unexplainedWords(clause, () => false, stems).filter(
    (word) => !/^(?:not|no|never|one|anyone|anybody|someone|somebody|everyone|everybody)$/.test(word),
  );
  return { exit: isDenied ? "no" : "yes", strength: "echoed", unexplained };
}

/** Whether a clause has a subject and something said about it. */
function isSentence({ tokens }: Clause): boolean {
  const [first] = tokens;
  return (
    tokens.length >= 3 &&
    /^(?:i|we|you|he|she|they|it|there|that|this|someone|somebody|everyone|everybody|no|my|our|the|please|do|not)$/.test(
      first?.text ?? "",
    )
  );
}

/** Decides between the votes. */
function settle(
  candidates: readonly Candidate[],
  excluded: ReadonlySet<number>,
  clauses: readonly Clause[],
  question: Judged,
): AnswerReading {
  const moved = anotherMoment(candidates, excluded, clauses, question);
  if (moved !== null) return moved;
  const [only] = candidates;
  if (only === undefined) return withoutVotes(excluded, question);
  if (candidates.length === 1) return take(only, clauses, question);
  const preferred = prefer(candidates, clauses);
  if (preferred !== null) return take(preferred, clauses, question);
  const [first, second] = candidates.toSorted((one, other) => weightOf(other) - weightOf(one));
  if (first === undefined || second === undefined) return NOT_UNDERSTOOD;
  return {
    type: "doubt",
    options: [first.answer, second.answer],
    why: [{ judge: "match", says: `may be ${first.answer.value} or ${second.answer.value}` }],
  };
}

/** Words that ask for something else than what was proposed. */
const INSTEAD =
  /\b(?:instead|rather|better|suits?|prefer|(?:can|could|may) (?:we|i|you)|any chance|how about|what about|move|change|push|swap|switch|different|works?|free|available|do)\b/;

/**
 * Another day or time was named, and one of the answers leads to a question for it: "Can I come on Friday instead?" means
 * that one, whatever other words it has.
 */
function anotherMoment(
  candidates: readonly Candidate[],
  excluded: ReadonlySet<number>,
  clauses: readonly Clause[],
  { ask, hasOtherMoment, exitForMoment }: Judged,
): AnswerReading | null {
  if (!hasOtherMoment || exitForMoment === null || excluded.has(exitForMoment)) return null;
  // If that answer or another request was named, it is judged like any other.
  const isNamed = candidates.some(
    ({ answer, votes }) =>
      answer.exit === exitForMoment || votes.some(({ exit, isStatement }) => typeof exit === "number" && !isStatement),
  );
  if (isNamed) return null;
  const answer = { value: valueOfExit(ask, exitForMoment), exit: exitForMoment };
  const says = clauses.map(({ tokens }) => tokens.map(({ text }) => text).join(" ")).join(" ");
  const isReserved = clauses.some(({ signals }) =>
    signals.some(
      ({ kind }) => kind === "condition" || kind === "hearsay" || kind === "third_person" || kind === "fragment",
    ),
  );
  const why: Finding[] = [{ judge: "slots", says: "names another day or time" }];
  return INSTEAD.test(says) && !isReserved ? { type: "answer", answer, why } : { type: "unsure", answer, why };
}

const WEIGHTS: Readonly<Record<Vote["strength"], number>> = { explicit: 4, named: 3, scattered: 2, echoed: 1 };

function weightOf({ votes }: Candidate): number {
  return Math.max(...votes.map(({ strength }) => WEIGHTS[strength]));
}

/**
 * Of two answers in one utterance: what is named outranks a bare yes or no before it ("Yes, another day please"), and what
 * is asked for outranks the reason for it ("I can't come, can we find another day?").
 */
function prefer(candidates: readonly Candidate[], clauses: readonly Clause[]): Candidate | null {
  if (candidates.length !== 2) return null;
  const isOffer = clauses.some(({ tokens }) => tokens.some(({ text }) => text === "or"));
  if (isOffer) return null;
  const corrected = afterTakingBack(candidates, clauses);
  if (corrected !== null) return corrected;
  const isBare = ({ votes }: Candidate) => votes.every(({ exit }) => typeof exit === "string");
  const [bare] = candidates.filter(isBare);
  const [named] = candidates.filter((each) => !isBare(each));
  if (bare !== undefined && named !== undefined && candidates.filter(isBare).length === 1) {
    return typeof named.answer.value === "boolean" ? null : named;
  }
  const wishes = candidates.filter(({ votes }) => votes.some(({ clause }) => isWish(clauses[clause])));
  const [wish] = wishes;
  return wishes.length === 1 && wish !== undefined ? wish : null;
}

const TAKES_BACK =
  /^(?:(?:ah|oh|ach|well|er|um|hmm) )*(?:no|nah|nope|actually|wait|forget|scratch|rather|hang on|hold on|sorry)\b/;

/** "Another day, ah no, the neighbor will have it": what comes after the "no" counts, and what was before does not. */
function afterTakingBack(candidates: readonly Candidate[], clauses: readonly Clause[]): Candidate | null {
  // A bare no between two answers takes the first one back rather than naming one itself.
  const placesOf = ({ votes }: Candidate) => {
    const named = votes.filter(({ exit }) => typeof exit === "number");
    return (named.length > 0 ? named : votes).map(({ clause }) => clause);
  };
  const lastOf = (candidate: Candidate) => Math.max(...placesOf(candidate));
  const firstOf = (candidate: Candidate) => Math.min(...placesOf(candidate));
  const [early, late] = candidates.toSorted((one, other) => lastOf(one) - lastOf(other));
  if (early === undefined || late === undefined || firstOf(late) <= lastOf(early)) return null;
  const between = clauses.slice(lastOf(early) + 1, lastOf(late) + 1);
  // A plain no is outweighed by a yes, but not by an explanation of it: "No, you're speaking with her assistant."
  const isAlike = ({ votes }: Candidate) => votes.some(({ exit }) => typeof exit === "string");
  const isRepeated = late.votes.length > 1 && early.votes.length === 1 && (isAlike(late) || !isAlike(early));
  const isTakenBack =
    isRepeated || between.some(({ tokens }) => TAKES_BACK.test(tokens.map(({ text }) => text).join(" ")));
  const isNamed = late.votes.some(({ exit, strength }) => typeof exit === "number" || strength === "explicit");
  return isTakenBack && isNamed ? late : null;
}

const WISH =
  /\b(?:can|could|may|would) (?:i|we|you)\b|\b(?:want|would like|need|prefer|rather|please|let us|like to)\b/;

function isWish(clause: Clause | undefined): boolean {
  return clause !== undefined && WISH.test(clause.tokens.map(({ text }) => text).join(" "));
}

/** Accepts an answer, or asks about it when something that was said speaks against it. */
function take(candidate: Candidate, clauses: readonly Clause[], question: Judged): AnswerReading {
  const { answer, votes, isNo } = candidate;
  const [best] = votes.toSorted((one, other) => WEIGHTS[other.strength] - WEIGHTS[one.strength]);
  const why: Finding[] = objections(candidate, clauses, question);
  const isPlainNo = isNo && best?.strength === "explicit";
  // A bare yes rarely names a choice, so any words after it matter more.
  const isBareYes = question.ask.answer === "choice" && !isNo && votes.every(({ exit }) => typeof exit === "string");
  const usual = isPlainNo ? UNEXPLAINED_NO_MAX : UNEXPLAINED_MAX[best?.strength ?? "echoed"];
  const limit = isBareYes ? 0 : usual;
  const said = [...(best?.unexplained ?? []), ...strayWords(clauses, votes, question)];
  // A day or a time is explained by the question that comes next.
  const leadsToMoment = answer.exit !== null && answer.exit === question.exitForMoment;
  const unexplained = leadsToMoment ? said.filter((word) => !saysMoment(word)) : said;
  if (unexplained.length > limit) why.push({ judge: "match", says: `not explained: ${unexplained.join(" ")}` });
  const others = wordsOfAnother(answer, votes, clauses, question);
  if (others.length > 0) why.push({ judge: "match", says: `also of another: ${others.join(" ")}` });
  const grounds: Grounds = { strength: best?.strength ?? "echoed", unexplained: unexplained.length };
  return why.length === 0 ? { type: "answer", answer, grounds } : { type: "unsure", answer, grounds, why };
}

/** "The terrace room" names the terrace, and a word of the garden room. */
function wordsOfAnother(
  { exit }: Answer,
  votes: readonly Vote[],
  clauses: readonly Clause[],
  { ask, excluded }: Judged,
): readonly string[] {
  if (ask.answer !== "choice" || exit === null || !votes.some((vote) => typeof vote.exit === "number")) return [];
  const voting = clauses.filter((_, index) => votes.some(({ clause }) => clause === index));
  return wordsOfOthers(voting, ask, exit, (other) => excluded.has(other));
}

/** Content words of the clauses that do not vote. */
function strayWords(clauses: readonly Clause[], votes: readonly Vote[], { text }: Judged): string[] {
  const stems = stemsOf(text);
  return clauses.flatMap((clause, index) =>
    votes.some((vote) => vote.clause === index) ? [] : unexplainedWords(clause, () => false, stems),
  );
}

function objections({ answer, isNo, votes }: Candidate, clauses: readonly Clause[], question: Judged): Finding[] {
  const against = isNo && votes.some(({ strength }) => strength === "explicit") ? AGAINST_NO : AGAINST;
  const lastVote = Math.max(...votes.map(({ clause }) => clause));
  const found = clauses.flatMap((clause, index): Finding[] => {
    const own = votes.filter((vote) => vote.clause === index);
    const signals = clause.signals.filter((signal) => isAgainst(signal, against, own));
    // What comes after it may change an answer; what was set against something before leads up to it.
    const contrast: Finding[] =
      clause.isContrast && !isNo && index > lastVote ? [{ judge: "parse", says: "contrast: but" }] : [];
    // A "not" in a clause that does not vote sets something against the answer.
    const negated: Finding[] =
      !isNo &&
      own.length === 0 &&
      !question.ruledOut.has(index) &&
      clause.signals.some(({ kind }) => kind === "negation")
        ? [{ judge: "parse", says: "negation beside the answer" }]
        : [];
    return [
      ...signals.map(({ kind, words }): Finding => ({ judge: "parse", says: `${kind}: ${words}` })),
      ...contrast,
      ...negated,
      ...(isTakenBack(clauses, index, votes) ? [{ judge: "parse", says: "is taken back" } as const] : []),
      ...(own.some(({ exit }) => typeof exit === "number") ? amounts(clause, question) : []),
    ];
  });
  const isMomentExit = answer.exit !== null && answer.exit === question.exitForMoment;
  const isExplicit = votes.some(({ strength }) => strength === "explicit");
  const wording = wordingOf(answer, question);
  if (!isExplicit && isToCallee(question.text) && hasSignal(clauses, "third_person", wording)) {
    found.push({ judge: "parse", says: "is about someone else" });
  }
  if (!isExplicit && !isAboutPast(answer, question) && hasSignal(clauses, "past", wording)) {
    found.push({ judge: "parse", says: "is about the past" });
  }
  if (question.hasOtherMoment && !isNo && !isMomentExit)
    found.push({ judge: "slots", says: "names another day or time" });
  return found;
}

/** "The basket, no, I'd have it tied by hand": something else comes after the no, whatever it is. */
function isTakenBack(clauses: readonly Clause[], index: number, votes: readonly Vote[]): boolean {
  const isAfterAnswer = votes.some(({ exit, clause }) => typeof exit === "number" && clause < index);
  const isVoting = votes.some(({ exit, clause }) => typeof exit === "number" && clause >= index);
  const said = clauses[index]?.tokens.map(({ text }) => text).join(" ") ?? "";
  const isFollowed = /\s/.test(said) || index < clauses.length - 1;
  return isAfterAnswer && !isVoting && isFollowed && TAKES_BACK.test(said);
}

const AMOUNT =
  /^(?:(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d+|several|few|both) .*|one of (?:us|them|the) .*|.* for one(?: of .*)?)$/;

/** "Two minis" wants more than one of what was offered, and "a refund for one of the four" less. */
function amounts({ tokens }: Clause, { ask, text }: Judged): Finding[] {
  const said = tokens.map((token) => token.text).join(" ");
  const offered = [text, ...ask.exits.flatMap(({ when, phrases = [] }) => [when, ...phrases])].join(" ").toLowerCase();
  const [first = ""] = said.split(" ");
  if (!AMOUNT.test(said) || offered.includes(first)) return [];
  return [{ judge: "match", says: `amount: ${first}` }];
}

const PAST = /\b(?:have|has|had|did|was|were|been|already|paid|\w{3,}ed)\b/i;

/** Whether the answer itself lies in the past: "already paid", or a yes to "Have you eaten?" */
function isAboutPast({ exit, value }: Answer, { ask, text }: Judged): boolean {
  const { when = "", phrases = [] } = (exit === null ? undefined : ask.exits[exit]) ?? {};
  return PAST.test([when, ...phrases, ...(typeof value === "boolean" ? [text] : [])].join(" "));
}

function isToCallee(text: string): boolean {
  return /\byou\b/i.test(text) && !/\b(?:someone|somebody|anyone|anybody)\b/i.test(text);
}

/** The words of an answer, which are no objection to it: "my neighbor lets you in" at "the neighbor opens". */
function wordingOf({ exit }: Answer, { ask }: Judged): ReadonlySet<string> {
  const { when = "", phrases = [] } = (exit === null ? undefined : ask.exits[exit]) ?? {};
  return stemsOf([when, ...phrases].join(" . "));
}

/** These only look like verbs in the past. */
const NOT_PAST = new Set(["hundred", "indeed", "speed", "heated"]);

function hasSignal(clauses: readonly Clause[], wanted: SignalKind, wording: ReadonlySet<string>): boolean {
  const isExplained = (word: string) => wording.has(stemOf(word)) || NOT_PAST.has(word);
  return clauses.some(({ signals }) =>
    signals.some(({ kind, words }) => kind === wanted && !words.split(" ").some(isExplained)),
  );
}

function isAgainst(signal: Signal, against: ReadonlySet<SignalKind>, own: readonly Vote[]): boolean {
  const { kind } = signal;
  // "I think another day" names one. Without a vote in the clause, nothing says what is thought.
  if (isHedge(signal) && own.length > 0) return false;
  if (kind === "polite_request") return own.some(({ isStatement, exit }) => isStatement && typeof exit === "number");
  return against.has(kind);
}

/** Nothing was named. What was ruled out, or a day that was named, may still tell. */
function withoutVotes(excluded: ReadonlySet<number>, { ask, hasOtherMoment, exitForMoment }: Judged): AnswerReading {
  if (hasOtherMoment && exitForMoment !== null && !excluded.has(exitForMoment)) {
    const answer = { value: valueOfExit(ask, exitForMoment), exit: exitForMoment };
    return { type: "unsure", answer, why: [{ judge: "slots", says: "names a day or a time" }] };
  }
  const left = ask.exits.flatMap((_, exit) => (excluded.has(exit) ? [] : [{ value: valueOfExit(ask, exit), exit }]));
  const [first, second] = left;
  if (excluded.size === 0 || first === undefined || ask.answer !== "choice") return NOT_UNDERSTOOD;
  const why: Finding[] = [
    { judge: "match", says: `not ${[...excluded].map((exit) => ask.exits[exit]?.when).join(", ")}` },
  ];
  if (second === undefined) return { type: "unsure", answer: first, why };
  return left.length === 2 ? { type: "doubt", options: [first, second], why } : NOT_UNDERSTOOD;
}
