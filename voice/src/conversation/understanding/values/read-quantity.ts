import type { AskNode } from "@parley/contract/flow-ask";
import { dayNumberOf, formatMinute, localDateOf, parseDay, parseMinute } from "@parley/flow/calendar";
import { findNumber } from "../../../text/values-in-speech/find-number.ts";
import { findTime } from "../../../text/values-in-speech/find-time.ts";
import { asSaid } from "../../../text/values-in-speech/mishearings.ts";
import { wordsOf } from "../../../text/values-in-speech/words.ts";
import { type AnswerReading, answerOf, type Finding, NOT_UNDERSTOOD, type ReadingContext } from "../answer.ts";
import { stemsOf } from "../match-exits.ts";
import { type Clause, parseUtterance, type SignalKind, type Utterance } from "../parse-utterance.ts";
import { plainWords } from "../plain-words.ts";
import type { OpenQuestion } from "../question-context.ts";
import { stemOf } from "../word-forms.ts";
import { findMentions, hasWholeRange, type Mention } from "./find-mentions.ts";
import { findDays, findTimes, type Period } from "./find-period.ts";
import { isInRange } from "./read-value.ts";
import { foreignWords } from "./words-around.ts";

/**
 * Numbers, days and times. An utterance may name several of them, and only one that is offered is the answer: not what is
 * ruled out ("not Tuesday"), taken back ("two, no, three"), only a circumstance ("I finish at five, so six") or wondered
 * about. Where two are left, or something speaks against the one, the callee is asked.
 */

export function readQuantity(said: string, question: OpenQuestion, context: ReadingContext): AnswerReading {
  const { ask } = question;
  const text = withSharedMonth(asSaid(said));
  const utterance = parseUtterance(text);
  const all = withoutClockParts(text, findMentions(text, question, startingIn(question.within, context)));
  const standing = standingMentions(text, utterance, all, question);
  const [first] = standing;
  const last = standing.at(-1);
  if (first === undefined || last === undefined) return readWithoutMention(text, question, context);
  if (ask.answer === "time" && standing.length > 0) {
    const limits = limitsIn(text, standing, question);
    if (limits !== null) return { type: "period", period: limits };
  }
  const one = mentionForRole(text, standing, question) ?? mentionOfAsked(text, standing, question);
  if (one !== null) return settle(text, utterance, one, [one], all, question, context);
  const sum = sumOfPeople(text, standing, question);
  if (sum !== null) return sum;
  if (new Set(standing.map(({ value }) => value)).size > 1) {
    if (standing.length > 3) return NOT_UNDERSTOOD;
    const why: Finding[] = [{ judge: "match", says: `names ${standing.map(({ value }) => value).join(" and ")}` }];
    return { type: "doubt", options: [answerOf(ask, last.value), answerOf(ask, first.value)], why };
  }
  return settle(text, utterance, last, standing, all, question, context);
}

/** In "half six" and "quarter to seven" the part is not a number of its own. */
function withoutClockParts(text: string, mentions: readonly Mention[]): readonly Mention[] {
  const isPart = ({ start, end }: Mention) => /^(?:a )?(?:half|quarter)$/i.test(text.slice(start, end));
  return mentions.filter((mention, index) => {
    const next = mentions[index + 1];
    return (
      next === undefined ||
      !isPart(mention) ||
      !/^ (?:(?:to|past|after|before) )?$/i.test(text.slice(mention.end, next.start))
    );
  });
}

/** One value is left. It is taken unless something that was said speaks against it. */
function settle(
  text: string,
  utterance: Utterance,
  mention: Mention,
  standing: readonly Mention[],
  all: readonly Mention[],
  question: OpenQuestion,
  context: ReadingContext,
): AnswerReading {
  const { ask, within } = question;
  const candidates = [mention.value, ...mention.others];
  // A question that names the hours says which half of the day is meant.
  const window = within ?? (ask.answer === "time" ? (rangeIn(question.text) ?? partOfDayIn(question.text)) : null);
  const fitting = window === null ? [] : candidates.filter((each) => each >= window.from && each <= window.to);
  const [value = mention.value, other] = fitting.length > 0 ? fitting : candidates;
  const isOffer = ask.answer === "date" || (ask.answer === "number" && isOffered(text, mention));
  if (other !== undefined && isOffer) {
    return { type: "doubt", options: [answerOf(ask, value), answerOf(ask, other)] };
  }
  if (typeof value === "number" && hasWholeRange(ask) && !Number.isInteger(value)) {
    return { type: "doubt", options: [answerOf(ask, Math.floor(value)), answerOf(ask, Math.ceil(value))] };
  }
  const isCounting =
    ask.answer === "number" && standing.length > 1 && value === 1 && !standing.some(({ isGrade }) => isGrade === true);
  if (isCounting) {
    // "one in the kitchen, one in the hall" are two.
    const count = isInRange(standing.length, ask) ? standing.length : value;
    return { type: "unsure", answer: answerOf(ask, count), why: [{ judge: "match", says: "counts one by one" }] };
  }
  const why = objections(text, utterance, mention, question, context);
  const holder = clauseAt(utterance, mention.start);
  const from = all.findLast(({ end }) => end <= mention.start)?.end ?? 0;
  const foreign = holder === undefined ? [] : foreignWords(holder, text, mention, from, question.text);
  if (foreign.length > 0) why.push({ judge: "match", says: `is about ${foreign.join(", ")}` });
  const isLast = all.every(({ start }) => start <= mention.start);
  why.push(...objectionsAfter(isLast ? text.slice(mention.end) : ""));
  if (mention.isCircumstance === true && ask.answer !== "number")
    why.push({ judge: "match", says: "is a circumstance" });
  if (mention.isDerived === true) why.push({ judge: "slots", says: "counted from a day that is known" });
  const answer = answerOf(ask, value);
  return why.length === 0 ? { type: "answer", answer } : { type: "unsure", answer, why };
}

const MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december";
const ORDINAL = "(?:[a-z]+[- ])?[a-z0-9]+(?:st|nd|rd|th)";
const DAYS_OF_MONTH = new RegExp(
  `\\b((?:the )?${ORDINAL})\\s+(to|till|until|through|or|and)\\s+((?:the )?${ORDINAL})\\s+(of (?:${MONTHS}))\\b`,
  "gi",
);
const MONTH_OF_DAYS = new RegExp(
  `\\b(${MONTHS})\\s+((?:the )?${ORDINAL})\\s+(to|till|until|through|or|and)\\s+((?:the )?${ORDINAL})\\b(?! of)`,
  "gi",
);

/** "the third to the seventh of December": both are days of December. */
function withSharedMonth(text: string): string {
  return text.replaceAll(DAYS_OF_MONTH, "$1 $4 $2 $3 $4").replaceAll(MONTH_OF_DAYS, "$1 $2 $3 $1 $4");
}

const ASKS_FOR_BEGINNING =
  /\b(?:arriv\w*|start\w*|begin\w*|from (?:when|which|what)|check(?:ing)? in|first (?:day|night)|pick\w* (?:it |the \w+ )?up|move in|depart\w*)\b/i;
const ASKS_FOR_END =
  /\b(?:leav\w*|end\w*|until|till|return\w*|back|check(?:ing)? out|last (?:day|night)|go(?:ing)? home|bring\w* (?:it |the \w+ )?back)\b/i;
const BETWEEN_ENDS = /\b(?:to|till|until|through|leav\w*|return\w*|back|check\w* out|home)\b/i;

/** Of a beginning and an end, the one that is asked for: "from the third to the seventh" to "When do you arrive?". */
function mentionForRole(
  text: string,
  standing: readonly Mention[],
  { ask, text: asked }: OpenQuestion,
): Mention | null {
  const [first, second, third] = standing;
  if (ask.answer === "number" || first === undefined || second === undefined || third !== undefined) return null;
  if (first.value === second.value || !BETWEEN_ENDS.test(text.slice(first.end, second.start))) return null;
  const [isBeginning, isEnd] = [ASKS_FOR_BEGINNING.test(asked), ASKS_FOR_END.test(asked)];
  return isBeginning === isEnd ? null : isBeginning ? first : second;
}

/** Of "two adults and three children", the one that is a number of what is asked for. */
function mentionOfAsked(
  text: string,
  standing: readonly Mention[],
  { ask, text: asked }: OpenQuestion,
): Mention | null {
  if (ask.answer !== "number" || standing.length < 2) return null;
  const stems = stemsOf(asked);
  const nounAfter = ({ end }: Mention) => {
    const [next] = wordsOf(text.slice(end));
    return next === undefined || next.gap !== "space" ? null : next.text;
  };
  const counted = standing.filter((each) => stems.has(stemOf(nounAfter(each) ?? "")));
  const others = standing.filter((each) => !counted.includes(each));
  const isOther = (each: Mention) => nounAfter(each) !== null && !AFTER_NUMBER.has(nounAfter(each) ?? "");
  return counted.length === 1 && others.every(isOther) ? (counted[0] ?? null) : null;
}

const PERSON =
  /^\s*(?:adults?|kids?|child(?:ren)?|babies|baby|grown-?ups|teenagers?|men|women|seniors?|infants?|toddlers?)\b/i;

/** "two adults and three kids" are five people, which is read back. */
function sumOfPeople(
  text: string,
  standing: readonly Mention[],
  { ask, text: asked }: OpenQuestion,
): AnswerReading | null {
  const isSum = ask.answer === "number" && standing.length > 1 && ASKS_FOR_PEOPLE.test(asked);
  if (!isSum || !standing.every(({ end }) => PERSON.test(text.slice(end)))) return null;
  const sum = standing.reduce((total, { value }) => total + Number(value), 0);
  if (!isInRange(sum, ask)) return null;
  return { type: "unsure", answer: answerOf(ask, sum), why: [{ judge: "match", says: "added up" }] };
}

const PARTS_OF_DAY: readonly (readonly [pattern: RegExp, from: string, to: string])[] = [
  [/\b(?:tonight|this evening|in the evening|dinner|supper)\b/i, "16:00", "23:59"],
  [/\b(?:this afternoon|in the afternoon)\b/i, "12:00", "18:00"],
  [/\b(?:this morning|in the morning|breakfast)\b/i, "05:00", "12:00"],
];

/** "You're dining with us tonight. When will you arrive?" leaves one half of the day. */
function partOfDayIn(text: string): Period | null {
  const [only, ...others] = PARTS_OF_DAY.filter(([pattern]) => pattern.test(text));
  if (only === undefined || others.length > 0) return null;
  return { kind: "times", from: only[1], to: only[2], said: null };
}

function rangeIn(text: string): Period | null {
  const period = findTimes(text);
  return period?.said === null ? period : null;
}

function isOffered(text: string, { start, end }: Mention): boolean {
  return /\b(?:or|maybe)\b/i.test(text.slice(start, end));
}

/** Within a month that is known, "the tenth" is the one of that month. */
function startingIn(within: Period | null, context: ReadingContext): ReadingContext {
  const day = within?.kind === "days" ? parseDay(within.from) : null;
  const noonMs = day === null ? 0 : day * DAY_MS + DAY_MS / 2;
  return noonMs > context.nowMs ? { ...context, nowMs: noonMs } : context;
}

const DAY_MS = 24 * 60 * 60 * 1000;

const NEGATED_BEFORE =
  /(?:\bnot|n't|\bcannot|\bcant|\bdont|\bwont|\bnever|\bexcept(?: for)?|\bbesides|\brather than|\binstead of|\bother than|\bapart from|\b(?:anything|any day|any time|anyday) but|\bavoid|\bneither|\bnor|\bskip|\bnobody|\bno ?one|\bnothing|\bno can do)\b[^,.;]*$/i;
const POLITE_NEGATION =
  /\b(?:why (?:don't|do not|not)|(?:don't|do not|wouldn't|would not) mind|can't wait|not (?:too )?bad|not (?:before|until|till)|not (?:a )?problem)\b/i;
const NEGATED_AFTER =
  /^\s*(?:(?:is|are|was|will|would|does|do|can|could)\s*(?:not|n't)\b|'s not\b|(?:won|doesn|isn|can|wouldn|couldn|don)'?t\b|(?:is|['’]s|are|was) (?:no (?:good|use|go)|never|out|impossible|full|taken|bad|terrible|awful|hopeless|useless|tricky|tough|busy|booked|packed|too (?:early|late)|a holiday|my)|never\b)/i;
/** What follows a value and takes it back, where no other value follows: "Thursday, no, that's my night shift". */
const TAKEN_BACK_AFTER =
  /(?:^|[\s,.?!])(?:no|nope|nah)\b(?!['’]| (?:problem|worries|bother|trouble|need|rush|hurry|later|earlier|sooner|more|less|matter|doubt|question|thanks|thank you|particular|preference|objections?))|\b(?:that|it|which)(?:['’]s| is| would be| will be|['’]ll be) (?:impossible|no good|no use|out|too (?:late|early|many|few|much|little|long|short|soon))\b|\bscrap that\b/i;
const GOES_ON_THINKING =
  /\b(?:let me|(?:i|we)(?:['’]d| would|['’]ll| will)? (?:need|have|want|got) to|i(?:['’]d)? better) (?:just )?(?:think|see|look|check|ask)\b/i;

/** What the callee does then instead: "Saturday I'm on a plane". */
const AWAY_AFTER =
  /^\s+(?:i['’]m|im|i am|we['’]re|we are)\s+(?:away|out\b(?! of)|busy|working|abroad|travell?ing|on (?:a|the|my)\b|in \p{Lu})/iu;

function objectionsAfter(after: string): Finding[] {
  const found: Finding[] = [];
  if (AWAY_AFTER.test(after)) found.push({ judge: "parse", says: "is away" });
  if (TAKEN_BACK_AFTER.test(after)) found.push({ judge: "parse", says: "taken back" });
  if (GOES_ON_THINKING.test(after)) found.push({ judge: "parse", says: "goes on thinking" });
  return found;
}

/** Between two values, these take back the first or draw a conclusion from it. */
const TAKEN_BACK =
  /\b(?:no|nope|not|wait|sorry|i mean|i meant|actually|scratch that|correction|rather|make (?:it|that)|hang on|hmm|what am i saying|let's say|let us say|on second thoughts?|when i think|come to think|instead|oh|so|but|well|then|better)\b/i;
/** What happens at a time that is no appointment. */
const CIRCUMSTANCE =
  /\b(?:until|till|gets? off|finish(?:es)?|knock off|off work|off (?=at\b)|(?:'ve|have|got) (?:got )?work|must go|(?:have|got) to (?:go|leave|be)|set(?:ting)? off|shift|away|busy|booked|close[sd]?|opens?|school|class(?:es)?|meeting|lunch break|break|train|flight|back|working|at work|starts?|drop(?:ping)?|pay ?day|paid on|they pay|wages|salary|owes?|bringing|boiler man|we're at|i'm at|i'm in)\b/i;

function standingMentions(
  text: string,
  utterance: Utterance,
  mentions: readonly Mention[],
  question: OpenQuestion,
): Mention[] {
  const ruledOut = new Set<Mention>();
  let seenTo = 0;
  for (const [index, mention] of mentions.entries()) {
    const previous = mentions[index - 1];
    const clauseStart = clauseAt(utterance, mention.start)?.tokens[0]?.start ?? 0;
    const from = Math.max(previous?.end ?? 0, seenTo, Math.min(clauseStart, mention.start));
    const before = text.slice(Math.min(from, mention.start), mention.start);
    const isJoined = /^\s*,?\s*(?:or|and|nor)\s+(?:on |the |at )*$/i.test(before);
    if (previous !== undefined && ruledOut.has(previous) && isJoined) ruledOut.add(mention);
    if (/\bout of\s+(?:a )?(?:possible )?$/i.test(before) && question.ask.answer === "number") ruledOut.add(mention);
    if (NEGATED_BEFORE.test(before) && !POLITE_NEGATION.test(before)) ruledOut.add(mention);
    const negation = NEGATED_AFTER.exec(text.slice(mention.end));
    if (negation !== null) ruledOut.add(mention);
    seenTo = mention.end + (negation?.[0].length ?? 0);
  }
  let left: Mention[] = [];
  for (const mention of mentions) {
    const previous = mentions[mentions.indexOf(mention) - 1];
    const between = text.slice(previous?.end ?? mention.start, mention.start);
    if (previous !== undefined && TAKEN_BACK.test(between) && !ruledOut.has(mention)) left = [];
    if (!ruledOut.has(mention)) left.push(mention);
  }
  const isAskedUntil = /\b(?:until|till|by)\b/i.test(question.text);
  const final = left.at(-1);
  // "Saturday, then" is what is left of everything before it.
  if (final !== undefined && /^\s*,?\s*then\b(?!\s+\w)/i.test(text.slice(final.end))) left = [final];
  const offered = left.filter((mention) => {
    const { tokens } = clauseAt(utterance, mention.start) ?? { tokens: [] };
    const previous = mentions[mentions.indexOf(mention) - 1];
    const from = Math.max(previous?.end ?? 0, Math.min(tokens[0]?.start ?? 0, mention.start));
    const before = text.slice(from, mention.start);
    return !CIRCUMSTANCE.test(isAskedUntil ? before.replaceAll(/\b(?:until|till)\b/gi, "") : before);
  });
  return offered.length > 0 ? offered : left.map((mention) => ({ ...mention, isCircumstance: true }));
}

function clauseAt({ clauses }: Utterance, at: number): Clause | undefined {
  return clauses.findLast(({ tokens }) => (tokens[0]?.start ?? Number.POSITIVE_INFINITY) <= at) ?? clauses[0];
}

/** "after nine", "before five", "between two and four" leave the time itself open. */
function limitsIn(text: string, mentions: readonly Mention[], question: OpenQuestion): Period | null {
  const [first, second] = mentions;
  if (first === undefined) return null;
  const before = text.slice(0, first.start);
  if (/\b(?:between|from)\s*(?:about |at )?$/i.test(before) || /^\s*to\b/i.test(text.slice(first.end))) {
    const range = rangeIn(text);
    if (range !== null) return range;
  }
  if (second !== undefined) return null;
  const limit = /\b(after|before|from|until|till|past|not before)\s*(?:about |at )?$/i.exec(before)?.[1]?.toLowerCase();
  const asked = question.text.split(/(?<=[.!?])\s+/).at(-1) ?? "";
  if (limit === undefined || /\b(?:until|till|from)\b/i.test(asked)) return null;
  const isFrom = limit !== "before" && limit !== "until" && limit !== "till";
  const value = String(first.value);
  return { kind: "times", from: isFrom ? value : "06:00", to: isFrom ? "22:00" : value, said: "exactly" };
}

// What speaks against it.

const AGAINST_VALUE: ReadonlySet<SignalKind> = new Set([
  "condition",
  "counterfactual",
  "question",
  "hearsay",
  "doubt",
  "past",
  "fragment",
]);
/** Anywhere in the sentence, not only in the clause with the value. */
const AGAINST_ANYWHERE: ReadonlySet<SignalKind> = new Set(["condition", "hearsay", "fragment", "range", "doubt"]);
/** So little doubt is said out of politeness, and so are some conditions. */
const HARMLESS =
  /^(?:i think|i guess|i suppose|i believe|i reckon|i imagine|probably|maybe|perhaps|let us say|possible|would be|should|ought to|got|hundred|as soon as|once|before|will have|\?|when (?:i|we|you) .*)$/;
const POLITE_CONDITION =
  /\bif (?:(?:that|it|there)(?: works| suits| fits|(?:'s| is) (?:still |really |quite |all |not )?(?:okay|ok|all right|alright|right|fine|good|possible|convenient|free|available|open|easier|easy|best|better|no trouble|no bother|a (?:space|slot|place|gap)|space|room|any|one|a problem|too (?:late|early|soon|much)|the same|cool))|you(?:'ve| have| can| could| like| want| don't mind)|possible|available|i may|they(?:'ve| have)|any(?:thing|one)? )\b[^,.;]{0,24}[.!?]*$/i;

/** "I could be with you at nine" is an offer. */
const COULD_BE_THERE = /\b(?:i|we|he|she|they) could be (?:with|there|here|in|over|round|around|at)\b/i;

function objections(
  text: string,
  utterance: Utterance,
  mention: Mention,
  question: OpenQuestion,
  context: ReadingContext,
): Finding[] {
  const holder = clauseAt(utterance, mention.start);
  const found = utterance.clauses.flatMap((clause): Finding[] =>
    clause.signals
      .filter(({ kind, words }) => {
        if (HARMLESS.test(words)) return false;
        if (kind === "condition") return false;
        if (kind === "question" && /^may (?:the )?\w+/i.test(words) && question.ask.answer === "date") return false;
        if (words === "could be" && COULD_BE_THERE.test(text)) return false;
        // "The tenth won't do, the twelfth will."
        if (kind === "fragment" && /\b(?:will|would|can|could)$/.test(words)) return false;
        if (kind === "fragment" && /\b(?:is|does)$/.test(words) && /\b(?:not|never|no)\b|n['’]t\b/i.test(text))
          return false;
        if (kind === "fragment") return clause === utterance.clauses.at(-1) && isLastWord(text, words);
        return AGAINST_ANYWHERE.has(kind) || (clause === holder && AGAINST_VALUE.has(kind));
      })
      .map(({ kind, words }): Finding => ({ judge: "parse", says: `${kind}: ${words}` })),
  );
  const condition =
    /\b(?:if|unless|provided|assuming|depending|depends|whether|(?:as|so) long as|in case|only when|when (?:it|the|there|i get|my (?!\w+ finish))\b|with(?:out)? the \w+ (?:a|an|it))\b.*$/i.exec(
      text,
    )?.[0];
  if (condition !== undefined && !POLITE_CONDITION.test(condition)) {
    found.push({ judge: "parse", says: `condition: ${condition}` });
  }
  const contrast = utterance.clauses.find(
    ({ isContrast, tokens: [next] }) => isContrast && next !== undefined && next.start > mention.end,
  );
  if (contrast !== undefined) {
    found.push({ judge: "parse", says: `contrast: ${contrast.tokens.map((token) => token.text).join(" ")}` });
  }
  const before = text.slice(Math.min(holder?.tokens[0]?.start ?? 0, mention.start), mention.start);
  const after = text.slice(mention.end);
  if (question.ask.answer === "date" && /\bfor (?:about |around |maybe |roughly |at least )?$/i.test(before)) {
    if (
      /^(?:a|an|one|two|three|four|five|six|\d)\b.*\b(?:days?|weeks?|months?)$/i.test(
        text.slice(mention.start, mention.end),
      )
    )
      found.push({ judge: "match", says: "is a length of time" });
  }
  found.push(...objectionsToMoment(text, mention, before, question, context));
  const reported = /\b(\w+) (?:says?|said|told|claims?|reckons?)\b/i.exec(before)?.[1]?.toLowerCase();
  if (reported !== undefined && !/^(?:i|we|us|let|to|would|will|should|d|ll)$/.test(reported)) {
    found.push({ judge: "parse", says: `hearsay: ${reported}` });
  }
  if (
    /^\W*(?:(?:and|so|but|or|well|oh|sorry|wait)\W+)*(?:is|are|was|were|does|do|did|will)\s+(?:the\s+)?$/i.test(before)
  )
    found.push({ judge: "parse", says: "question" });
  if (/\b(?:brought|paid|drove|arrived|waited|rang|phoned)\b/i.test(before))
    found.push({ judge: "parse", says: "past" });
  if (/^[^,.]*\b(?:right|isn't it|is it|correct|innit)\s*\??$/i.test(after)) {
    found.push({ judge: "parse", says: "question at the end" });
  }
  if (
    question.ask.answer === "date" &&
    /\b(?:not before|no earlier than|any ?time after|after|earliest(?: is)?)\s+(?:the )?$/i.test(before)
  ) {
    found.push({ judge: "parse", says: "only a limit" });
  } else if (/^\s*at the (?:very )?(?:earliest|latest)\b/i.test(after)) {
    found.push({ judge: "parse", says: "only a limit" });
  }
  if (/(?:\.\.\.|…)\s*$/.test(text)) found.push({ judge: "parse", says: "goes on thinking" });
  if (
    /\b(?:call|ring|phone|try|text|reach|get|catch) (?:me|us|back)\b/i.test(before) ||
    /\b(?:call|ring|phone)(?: again)?(?: on| at)?\s*$/i.test(before)
  ) {
    found.push({ judge: "match", says: "is when to call" });
  }
  if (question.ask.answer === "number") {
    const [someone] =
      holder?.signals.filter(({ kind, words }) => kind === "third_person" && /^(?:my|the)\b/.test(words)) ?? [];
    if (someone !== undefined && /\bmy\b|\bthe\b/i.test(before))
      found.push({ judge: "parse", says: `third_person: ${someone.words}` });
    if (mention.isGrade !== true) found.push(...objectionsToNumber(text, mention, question));
  }
  return found;
}

const OTHERS =
  "(?:my|our|his|her|their|the) (?:\\w+ )?(?:wife|husband|partner|son|daughter|sister|brother|mother|father|mom|mum|dad|boss|friend|colleague|neighbou?r|flatmate|roommate|cousin|aunt|uncle|kids?|boys?|girls?)";
/** Someone else does something then, unless they will do what the callee is asked for. "We" and "I" before it make it the callee's own. */
const OF_OTHERS = new RegExp(
  `^(?!.*\\b(?:i|i'm|i'll|i'd|we|we're|we'll|we'd|me|us)\\b).*\\b${OTHERS}\\b(?! and\\b)`,
  "i",
);
/** "They're coming on Monday". */
const OF_THEM =
  /^\W*(?:(?:and|but|so|because|yes|no|well|oh|once)\W+)*(?:he|she|they)\b(?! (?:can|could|may|might|should))/i;
const ABOUT_OTHERS = /\b(?:he|she|they|him|her|them|his|their|someone|anyone|who)\b/i;
/** Another time than the one that is asked about. */
const OTHER_TIME =
  /\b(?:(?:next|last|this coming) (?:week|month|year|summer|winter|time|job)|(?:the|my|our) (?:last|previous|other) (?:one|job|time|house|place)|the one before|by (?:tonight|tomorrow|then)|used to|back then|years ago)\b/i;
const HOLIDAY =
  /^\s*(?:after|before|following) (?:easter|christmas|new year|the (?:bank )?holidays?|thanksgiving|carnival|pentecost|whitsun)\b/i;
/** "A two o'clock dentist": the time of something else. */
const OF_A_THING =
  /^\s*(?:dentist|doctor|meeting|appointment|flight|train|bus|class|lesson|call|show|film|shift|start|finish|job|delivery|slot|service|game|match)\b/i;
const WHOSE = /\b(?:a|an|my|our|the|his|her|their|your)\s+(?:\w+ )?$/i;

/** What speaks against a day, a time or a number of which more was said than the value. */
function objectionsToMoment(
  text: string,
  mention: Mention,
  before: string,
  { ask, text: asked }: OpenQuestion,
  context: ReadingContext,
): Finding[] {
  const found: Finding[] = [];
  const isDay = ask.answer === "date";
  const { start, end } = mention;
  if (isDay) found.push(...objectionsToDay(text, mention, before, ask, context));
  const isSent = /\b(?:will|would|could|going to)\b|['’](?:ll|d)\b/i.test(before);
  if (
    ask.answer !== "number" &&
    !isSent &&
    (OF_OTHERS.test(before) || OF_THEM.test(before)) &&
    !ABOUT_OTHERS.test(asked)
  )
    found.push({ judge: "parse", says: "is about someone else" });
  if (ask.answer === "number" && OTHER_TIME.test(before) && !OTHER_TIME.test(asked))
    found.push({ judge: "parse", says: "is about another time" });
  if (ask.answer === "number" && isTimeOfDay(text, mention, before, asked))
    found.push({ judge: "match", says: "is a time" });
  if (isDay && HOLIDAY.test(text.slice(end))) found.push({ judge: "match", says: "counted from a holiday" });
  if (isDay && /\b(?:an?|any|every|some)\s+$/i.test(text.slice(0, start)))
    found.push({ judge: "match", says: "any such day" });
  if (isDay && /\b(?:(?:week|weekend|month) of|other)\s+(?:the\s+)?$/i.test(text.slice(0, start)))
    found.push({ judge: "match", says: "is near that day" });
  if (isDay && /\b(?:couple|few|several)\b/i.test(text.slice(start, end)))
    found.push({ judge: "match", says: "about that many days" });
  if (ask.answer === "time" && WHOSE.test(text.slice(0, start)) && OF_A_THING.test(text.slice(end)))
    found.push({ judge: "match", says: "is the time of something else" });
  return found;
}

/** "At four", "half six", "seven o'clock": the number of a clock. */
function isTimeOfDay(text: string, { start, end }: Mention, before: string, asked: string): boolean {
  const isPlaced =
    /\b(?:put|set|rate|leave|keep|stands?|sits?|start|cap|stay|remain|be|it|him|her|them|that|this)\s+at\s+$/i;
  if (/\bat\s+$/i.test(before) && (/\bhow many\b/i.test(asked) || !isPlaced.test(before))) return true;
  const from = Math.max(0, start - CLOCK_WORDS_LENGTH);
  const nearby = text.slice(from, end + CLOCK_WORDS_LENGTH);
  const time = findTime(nearby);
  const isNear = time !== null && from + time.start < end && from + time.end > start;
  return (
    isNear && /\b(?:half (?!a\b)|quarter|past|o['’]?clock|[ap]\.?m\b|to)/i.test(nearby.slice(time.start, time.end))
  );
}

/** As far from a number as the words of a clock may be: "a quarter to", "o'clock". */
const CLOCK_WORDS_LENGTH = 14;

/** A length of time alone: "a week". */
const SPAN =
  /^(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d+)\s+(?:couple of )?(?:days?|weeks?|fortnights?|months?|years?)$/i;
/** What may stand before one that is counted from today. */
const BEFORE_SPAN =
  /(?:^|[,.;]|\b(?:in|about|say|maybe|another|need|needs|take|want|me|us|be|within|it['’]s|around|like|next|least|more|perhaps|probably|then|so|just|than|from|on|after|till|until|for|roughly|give|of|is|yes|no|uh|um|er|well|okay|ok))\s*$/i;
/** What may stand after a day of the month: other words are what is counted ("the second time"). */
const AFTER_ORDINAL = new Set(
  "of in is was please would will at then works suits if for or and to but i i'm i'll i'd we we'll we're it it's that that's because so sounds looks should might may could can as when on a about around from till until before after morning afternoon evening night noon around sorry not no yes maybe perhaps thanks thank uh um if works fine good great okay ok by the my he she they you there too though although instead with he'll she'll they'll january february march april june july august september october november december one".split(
    " ",
  ),
);

function objectionsToDay(
  text: string,
  { value, start, end }: Mention,
  before: string,
  ask: AskNode,
  { nowMs, timeZone }: ReadingContext,
): Finding[] {
  const found: Finding[] = [];
  const said = text.slice(start, end);
  if (SPAN.test(said) && (!BEFORE_SPAN.test(before) || /\b(?:times|once|twice|every)\b[^,.]*$/i.test(before)))
    found.push({ judge: "match", says: "is a length of time" });
  const [next, afterNext] = wordsOf(text.slice(end));
  const isOpen = next !== undefined && (next.gap === "space" || (next.gap === "none" && text[end] !== "'"));
  const isCount =
    isOpen &&
    (!AFTER_ORDINAL.has(next.text) ||
      (next.text === "of" && /^(?:the|those|these|them|us|it)$/.test(afterNext?.text ?? "")));
  if (/^(?:the )?[a-z-]*(?:first|second|third|(?<!mon|fri|sun)[a-z]+th)$/i.test(said) && isCount)
    found.push({ judge: "match", says: `counts ${next.text}` });
  const today = dayNumberOf(localDateOf(nowMs, timeZone));
  const distance = (parseDay(String(value)) ?? today) - today;
  if (ask.dates === "behind") return found;
  if (distance < 0) found.push({ judge: "match", says: "is over" });
  if (distance > YEARLESS_DAYS_MAX && !/\b(?:\d{4}|twenty[- ]\w+|year|next)\b/i.test(said))
    found.push({ judge: "match", says: "is most of a year away" });
  return found;
}

/** A day without its year that is further away may be one that is over. */
const YEARLESS_DAYS_MAX = 300;

/** Whether nothing was said after these words. */
function isLastWord(text: string, words: string): boolean {
  const last = words.split(" ").at(-1) ?? "";
  return plainWords(text).at(-1) === last;
}

const ASKS_FOR_PEOPLE =
  /\b(?:how many (?:people|persons?|guests|of you|adults|children|seats|places|tickets|will (?:be|come)|are coming|are you)|for how many|how big is (?:the|your) (?:party|group))\b/i;

/** Words after a number that do not make it the number of something else. */
const AFTER_NUMBER = new Set(
  "including altogether total out stars star points point please thanks thank and or is was would should will i i'm i'd i'll you'll he she they we it it's for from definitely because since but percent maybe maximum tops exactly sharp about then if so no yes probably overall really at on in to the its that that's you honestly right my as easily solid say said hundred thousand bucks quid dollar's dollars euros pounds when not all sorry uh um".split(
    " ",
  ),
);
/** Words before a number that leave it what was asked for. */
const BEFORE_NUMBER = new Set(
  "solid strong good clear definite firm straight a an about around the is are it's that's that i'd i say give make it them you of at around for to have has i've we've they've got there are there's was were be and or so then like maybe probably just only perhaps guess think suppose with not no sorry mean uh um er well by on in put me us down weigh weighs roughly exactly approximately he's she's let's call pay do offer my from saying up he she they's we're total altogether reads shows says said single been yes yeah sure okay now $ € £ all".split(
    " ",
  ),
);

/** What is asked for by "how much". */
const ASKS_FOR_AMOUNT = /\b(?:how much|what (?:amount|price|sum|budget))\b/i;
/** Time that is counted in, which is no amount. */
const TIME_UNIT = /^\s*(?:days?|weeks?|fortnights?|months?|years?|hours?|minutes?)\b/i;
/** Questions that a percentage, an age or a year can answer. */
const [ASKS_FOR_SHARE, ASKS_FOR_AGE, ASKS_FOR_YEAR] = [
  /\b(?:per ?cent|percentage|%|rate|discount|share)\b/i,
  /\b(?:old|age|aged)\b/i,
  /\b(?:year|when|old|since)\b/i,
];

function objectionsToNumber(text: string, { value, start, end }: Mention, { text: asked }: OpenQuestion): Finding[] {
  const found: Finding[] = [];
  const [before, after, said] = [text.slice(0, start), text.slice(end), text.slice(start, end)];
  const says = (what: string) => found.push({ judge: "match", says: what });
  if (ASKS_FOR_AMOUNT.test(asked) && TIME_UNIT.test(after)) says("is a length of time");
  const isMoney =
    /^\s*(?:dollars?|bucks|euros?|pounds?|quid|cents?|pence|grand)\b/i.test(after) || /[$€£]\s*$/.test(before);
  if (isMoney && /\bhow many (?!dollars?|euros?|pounds?|cents?)/i.test(asked)) says("is an amount of money");
  if (
    /^\s*(?:per ?cent\b|%)/i.test(after) &&
    !ASKS_FOR_SHARE.test(asked) &&
    !/\bzero to (?:a |one )?hundred\b/i.test(asked)
  )
    says("is a percentage");
  const isOfThem =
    /\b(?:he|she|they)(?:['’](?:s|re)| is| are| was| were| only| just)*\s+(?:only |just |about |nearly |almost )?$/i.test(
      before,
    );
  if (isOfThem && !ABOUT_OTHERS.test(asked) && !/\b(?:weigh|age|old|tall)\w*\b/i.test(asked))
    says("is about someone else");
  if (/^\s*(?:months?|weeks?|years?|days?)[- ]old\b/i.test(after) && !ASKS_FOR_AGE.test(asked)) says("is an age");
  if (
    Number(value) >= 1900 &&
    Number(value) < 2100 &&
    /\b(?:in|from|since)\s+$/i.test(before) &&
    !ASKS_FOR_YEAR.test(asked)
  )
    says("is a year");
  if (/^(?:a |one )?(?:half|quarter)$/i.test(said)) says("is a part");
  if (
    /^one$/i.test(said) &&
    (/\bgood\s+$/i.test(before) || /^\s*of (?:us|you|them|yours|mine|ours|his|hers|theirs|these|those)\b/i.test(after))
  )
    says("counts nothing");
  const stems = stemsOf(asked);
  const [next] = wordsOf(text.slice(end));
  const isNextOpen = next !== undefined && next.gap !== "stop" && next.gap !== "comma";
  if (isNextOpen && ASKS_FOR_PEOPLE.test(asked) && /^\s*of us\b/i.test(after)) return found;
  if (
    isNextOpen &&
    !/^(?:a|one) (?:pair|couple|dozen)$/i.test(said) &&
    /^\s*(?:grand )?of (?!(?:\d|one|two|three|four|five|six|seven|eight|nine|ten|twenty|a hundred|course)\b)\w/i.test(
      text.slice(end),
    )
  ) {
    found.push({ judge: "match", says: "counts part of something" });
  } else if (isNextOpen && next.text !== "of" && !AFTER_NUMBER.has(next.text) && !stems.has(stemOf(next.text))) {
    found.push({ judge: "match", says: `counts ${next.text}` });
  }
  const previous = wordsOf(text.slice(0, start)).at(-1);
  const isPreviousOpen =
    previous !== undefined && /^\s*$/.test(text.slice(previous.end, start)) && !isNumberWord(previous.text);
  if (isPreviousOpen && !BEFORE_NUMBER.has(previous.text) && !stems.has(stemOf(previous.text))) {
    found.push({ judge: "match", says: `follows ${previous.text}` });
  }
  if (
    /\b(?:double|twice|triple|half) (?:what|that|the|of|as)\b|\bin (?:every|each)\b|\bevery\b/i.test(text) ||
    /\bgive me\s*$/i.test(text.slice(0, start))
  ) {
    found.push({ judge: "match", says: "is not the number itself" });
  }
  return found;
}

function isNumberWord(word: string): boolean {
  return /^(?:hundred|thousand|million)$/.test(word) || findNumber(word) !== null;
}

/** What a number at the end of an answer is taken for: "I would say to". */
const ALIKE_AT_END =
  /\b(?:say|give(?: it| them)? a|be|is|it's|a|have|got|about|around) (to|too|for|won|ate)(?: of them)?\W*$/i;

function readWithoutNumber(text: string, { ask, text: asked }: OpenQuestion): AnswerReading {
  if (
    /^\W*(?:(?:um|uh|oh|er|well|none|i have|we have|there are|there's)\W+)*(?:none|zero|not any|nothing|nobody|no one|not a single one|not one)\b(?=\W*(?:[,.]|$))/i.test(
      text,
    ) &&
    isInRange(0, ask)
  ) {
    const answer = answerOf(ask, 0);
    if (/\bhow many\b/i.test(asked)) return { type: "answer", answer };
    return { type: "unsure", answer, why: [{ judge: "match", says: "none" }] };
  }
  if (ASKS_FOR_PEOPLE.test(asked)) {
    if (
      /^\W*(?:(?:it's|it is|that's|oh|um|well|yes|no)\W+)*(?:just|only) (?:me|myself|the one of us)\b[^,]{0,12}$/i.test(
        text,
      )
    ) {
      return { type: "answer", answer: answerOf(ask, 1) };
    }
    const isPair =
      /\bboth of us\b|\b(?:me|myself) and (?:my|a) (?!(?:two|three|four|five)\b)\w+\W*$|\bmy \w+ and (?:me|i|myself)\W*$/i.test(
        text,
      );
    if (isPair && isInRange(2, ask))
      return { type: "unsure", answer: answerOf(ask, 2), why: [{ judge: "match", says: "two people" }] };
  }
  const alike = ALIKE_AT_END.exec(text)?.[1];
  const value = alike === undefined ? undefined : findNumber(alike)?.value;
  if (value === undefined || !isInRange(value, ask)) return NOT_UNDERSTOOD;
  return { type: "unsure", answer: answerOf(ask, value), why: [{ judge: "match", says: `sounds like ${value}` }] };
}

const SHIFT =
  /^(?!.*(?:\?|\bwould\b|\bif\b|n't\b|\bnot\b)).*\b(half an|an?|one|two|three|four|[a-z-]+(?= minutes)|\d+(?= minutes)) (?:hours?|(minutes))(?: and a (half))? (later|after that|after|earlier|before that|sooner)\b/i;

/** "an hour later" than the time that the call is about. */
function shiftedTime(text: string, known: string | null): string | null {
  const found = SHIFT.exec(text);
  const from = known === null ? null : parseMinute(known);
  if (found === null || from === null) return null;
  const [, count = "", isMinutes, half, direction = ""] = found;
  const number = /^half/i.test(count) ? 0.5 : /^an?$/i.test(count) ? 1 : (findNumber(count)?.value ?? null);
  if (number === null) return null;
  const minutes = isMinutes === undefined ? 60 * (number + (half === undefined ? 0 : 0.5)) : number;
  const minute = /^(?:earlier|before|sooner)/i.test(direction) ? from - minutes : from + minutes;
  return minute < 0 || minute >= 24 * 60 ? null : formatMinute(minute);
}

/** These say what comes first, also of what is ahead: "before lunch". */
const OF_THE_ORDER = /^(?:before|earlier|once)$/;

/** Nothing is named. It may be the day or time that is known, or a part of one. */
function readWithoutMention(text: string, question: OpenQuestion, context: ReadingContext): AnswerReading {
  const { ask, moment } = question;
  const { clauses } = parseUtterance(text);
  if (ask.answer === "number") {
    return readWithoutNumber(text, question);
  }
  const shifted = ask.answer === "time" ? shiftedTime(text, moment.time) : null;
  if (shifted !== null) {
    return {
      type: "unsure",
      answer: answerOf(ask, shifted),
      why: [{ judge: "slots", says: "counted from the time that is known" }],
    };
  }
  const isOpen = clauses.some(({ signals }) =>
    signals.some(
      ({ kind, words }) =>
        (kind === "question" && words !== "?") ||
        kind === "condition" ||
        (kind === "past" && !OF_THE_ORDER.test(words)) ||
        kind === "hearsay",
    ),
  );
  if (isOpen) return NOT_UNDERSTOOD;
  if (ask.answer === "time" && moment.time !== null && /\bsame (?:time|hour)\b/i.test(text)) {
    return {
      type: "unsure",
      answer: answerOf(ask, moment.time),
      why: [{ judge: "slots", says: "the time that is known" }],
    };
  }
  const period = ask.answer === "time" ? findTimes(text) : ask.dates === "behind" ? null : findDays(text, context);
  return period === null ? NOT_UNDERSTOOD : { type: "period", period };
}
