import { dayNumberOf, localDateOf, parseDay } from "@parley/flow/calendar";
import { findNumber } from "../../../text/values-in-speech/find-number.ts";
import { findTime } from "../../../text/values-in-speech/find-time.ts";
import { wordsOf } from "../../../text/values-in-speech/words.ts";
import type { Finding, ReadingContext } from "../answer.ts";
import { stemsOf } from "../match-exits.ts";
import type { Clause, SignalKind, Utterance } from "../parse-utterance.ts";
import { plainWords } from "../plain-words.ts";
import type { OpenQuestion } from "../question-context.ts";
import { stemOf } from "../word-forms.ts";
import { isDayBehind } from "./asked-moment.ts";
import type { Mention } from "./find-mentions.ts";

/**
 * What speaks against a number, a day or a time that was named: a condition, a doubt, someone else's plans, another time,
 * or that it counts something else. A value with an objection is read back, not taken.
 */

/** What follows a value and takes it back, where no other value follows: "Thursday, no, that's my night shift". */
const TAKEN_BACK_AFTER =
  /(?:^|[\s,.?!])(?:no|nope|nah)\b(?!['’]| (?:problem|worries|bother|trouble|need|rush|hurry|later|earlier|sooner|more|less|matter|doubt|question|thanks|thank you|particular|preference|objections?))|\b(?:that|it|which)(?:['’]s| is| would be| will be|['’]ll be) (?:impossible|no good|no use|out|too (?:late|early|many|few|much|little|long|short|soon))\b|\bscrap that\b/i;
const GOES_ON_THINKING =
  /\b(?:let me|(?:i|we)(?:['’]d| would|['’]ll| will)? (?:need|have|want|got) to|i(?:['’]d)? better) (?:just )?(?:think|see|look|check|ask)\b/i;

/** What the callee does then instead: "Saturday I'm on a plane". */
const AWAY_AFTER =
  /^\s+(?:i['’]m|im|i am|we['’]re|we are)\s+(?:away|out\b(?! of)|busy|working|abroad|travell?ing|on (?:a|the|my)\b|in \p{Lu})/iu;

export function objectionsAfter(after: string): Finding[] {
  const found: Finding[] = [];
  if (AWAY_AFTER.test(after)) found.push({ judge: "parse", says: "is away" });
  if (TAKEN_BACK_AFTER.test(after)) found.push({ judge: "parse", says: "taken back" });
  if (GOES_ON_THINKING.test(after)) found.push({ judge: "parse", says: "goes on thinking" });
  return found;
}

/** Objections that say that another value may be meant, rather than none. */
export const CHANGES_VALUE: ReadonlySet<string> = new Set([
  "is not the number itself",
  "is in another unit",
  "is near that day",
  "about that many days",
  "is a part",
]);

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

export function objections(
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
  question: OpenQuestion,
  context: ReadingContext,
): Finding[] {
  const found: Finding[] = [];
  const { ask, text: asked } = question;
  const isDay = ask.answer === "date";
  const { start, end } = mention;
  if (isDay) found.push(...objectionsToDay(text, mention, before, question, context));
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
  { ask, text: asked }: OpenQuestion,
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
  if (isDayBehind(ask, asked)) return found;
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

export const ASKS_FOR_PEOPLE =
  /\b(?:how many (?:people|persons?|guests|of you|adults|children|seats|places|tickets|will (?:be|come)|are coming|are you)|for how many|how big is (?:the|your) (?:party|group))\b/i;

/** Words after a number that do not make it the number of something else. */
export const AFTER_NUMBER = new Set(
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

/** Units of which a question asks for one, if it names any. */
const UNIT =
  /^\s*(?:kilos?|kilograms?|kgs?|grams?|pounds?|lbs?|ounces?|stone|tons?|tonnes?|feet|foot|inch(?:es)?|met(?:er|re)s?|centimet(?:er|re)s?|kilomet(?:er|re)s?|miles?|lit(?:er|re)s?|gallons?|pints?|hours?|minutes?|seconds?|days?|weeks?|months?|years?)\b/i;

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

/** A question that names the unit. */
const UNIT_ASKED = new RegExp(UNIT.source.replace("^\\s*", "\\b"), "i");

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
  const unit = UNIT.exec(after)?.[0].trim();
  if (unit !== undefined && UNIT_ASKED.test(asked) && !stems.has(stemOf(unit.toLowerCase())))
    says("is in another unit");
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

export function clauseAt({ clauses }: Utterance, at: number): Clause | undefined {
  return clauses.findLast(({ tokens }) => (tokens[0]?.start ?? Number.POSITIVE_INFINITY) <= at) ?? clauses[0];
}
