import { findYesNoHits, type YesNoHit } from "../../text/values-in-speech/find-yes-no.ts";
import { isJoined, type Word } from "../../text/values-in-speech/words.ts";
import { plainTokens } from "./plain-words.ts";

/**
 * The first judge: how something was said, whatever it was about. It cuts an utterance into clauses and finds what makes a
 * clause something other than a plain statement.
 */
export interface Utterance {
  readonly text: string;
  readonly tokens: readonly Word[];
  readonly clauses: readonly Clause[];
  /** Where the last correction begins ("no wait", "I mean"): the first clause after it. Null when nothing is taken back. */
  readonly correctedFrom: number | null;
}

export interface Clause {
  /** Its words, without courtesies and idioms that say nothing about the matter. */
  readonly tokens: readonly Word[];
  /** Yes and no, in their order. */
  readonly yesNo: readonly YesNoHit[];
  readonly signals: readonly Signal[];
  /** Whether it begins with a "but". */
  readonly isContrast: boolean;
}

/** Something about a clause that keeps it from being a plain statement, and the words that show it. */
export interface Signal {
  readonly kind: SignalKind;
  readonly words: string;
  /** The token at which it begins. */
  readonly at: number;
}

export type SignalKind =
  | "negation"
  | "condition"
  | "doubt"
  | "counterfactual"
  | "question"
  | "polite_request"
  | "part"
  | "hearsay"
  | "third_person"
  | "contrast"
  | "past"
  | "fragment"
  | "range";

/** Polite phrases and fillers that change nothing. Removed before anything else is parsed. */
const COURTESIES = phraseTree(`
when i think about it|now i think about it|now that i think about it|if i am honest|if i am being honest|if i am to be honest|if you ask me|if that is okay|if that is okay with you|if that is all right|if that is fine|if that is all right with you|if you like|if you want|if you do not mind|if you please|if i may|if possible|if it is possible|if it is not too much trouble|if it is no trouble|if that works|if that works for you|if it is all the same to you|if you could|if you would|if anything|if you know what i mean|if it helps
thank you so much|thank you very much|thank you|thanks so much|thanks very much|thanks a lot|many thanks|thanks|cheers|ta|bless you|god bless|much appreciated|i appreciate it|appreciate it|i appreciate the call|thanks for calling|thank you for calling|thanks for the call|thanks for asking|thank you for asking|thanks for the reminder|thanks for letting me know|thanks for checking
you know|to be honest|to be fair|honestly|frankly|as i said|like i said|you see|i tell you what|tell you what|let us say|let me see|let me think|well now|come to think of it|now that you mention it|as it happens|as a matter of fact|in fact|by the way|for what it is worth|believe it or not|all things considered|at the end of the day|as far as i know|needless to say
sorry|i am sorry|my apologies|pardon|excuse me|please|kindly
hello|hi|hey|hiya|good morning|good afternoon|good evening|good day|how are you|oh dear|oh god|oh my god|oh my|my goodness|goodness|gosh|jeez|geez|wow|yikes|bloody hell|for god's sake|for goodness sake|for heaven's sake
have a nice day|have a good day|have a good one|take care|talk soon|see you then|see you|bye|bye bye|goodbye|cheerio`);

const FILLERS = new Set(
  "um uh er erm ah oh hm hmm mm mmm well so just then actually look listen right really basically literally simply obviously anyway anyhow ooh aha eh huh o".split(
    " ",
  ),
);

/** Forms of address at the end of a clause. Elsewhere these words carry meaning: "I'd love to", "wouldn't miss it". */
const ADDRESSES = new Set(
  "mate love dear darling sweetheart honey hon sir madam ma'am miss buddy pal man dude bro friend folks guys".split(
    " ",
  ),
);

/** What stands before a noun. */
const DETERMINERS = new Set("a an the my your his her our their this that no any some".split(" "));

/** A clause begins at these, which take something back or contrast it with what was said before. */
const CONTRASTS = new Set("but however though although except unfortunately only otherwise".split(" "));

const CORRECTIONS = [
  "no wait",
  "wait no",
  "i mean",
  "i meant",
  "scratch that",
  "correction",
  "or rather",
  "make that",
  "make it",
  "no sorry",
  "sorry no",
  "no actually",
  "actually no",
  "no hang on",
  "hang on no",
  "on second thought",
  "on second thoughts",
  "let me rephrase",
  "strike that",
  "wait",
  "actually",
  "no no",
].map((phrase) => phrase.split(" "));

/** Words that only soften what is said with them: "I think I'll cancel" cancels, and "I might cancel" does not. */
const HEDGE = /\b(?:i (?:think|guess|suppose|believe|reckon|imagine|assume)|probably|likely|kind of|sort of)\b/;

/** Whether a doubt is no more than a softened statement. */
export function isHedge({ kind, words }: Signal): boolean {
  return kind === "doubt" && HEDGE.test(words);
}

/** Read over the words of a clause without those of its yes and no. */
const SIGNALS: readonly (readonly [SignalKind, RegExp])[] = [
  [
    "negation",
    /\b(?:not|never|none|no one|nothing|nowhere|neither|nor|without|hardly|barely|scarcely|rarely|seldom|no|anything but|anywhere but|anyone but|any day but|far from|other than|apart from|rather than|instead of|refuse|refusing|unable|impossible|unlikely|too (?:\w+ )to|forgot|fails?|failed|stop|skip|avoid|except|nix|least|last thing|let alone|out of the question|off the table|sick of|tired of)\b/,
  ],
  [
    "condition",
    /\b(?:if|unless|provided|providing|assuming|in case|as long as|so long as|on (?:the |one |that )?condition|depends|depending|whether|only when|only once|once (?:i|we|my|the|you|they|it|he|she)|when (?:it|the (?!day|time)|there) (?:is |works|suits|comes|rains|gets|wind|weather|sun)|suppose|supposing|when i (?:get|have|know|hear|am)|until i|should (?:i|we|anything|something|it)|subject to|contingent|but only|otherwise|as soon as|weather permitting|all being well|barring|given that|in that case|hinges on|up to (?:my|the|him|her|them)|see (?:if|whether|how|what)|had i|were i)\b/,
  ],
  [
    "doubt",
    /\b(?:maybe|perhaps|possibly|might|(?<!of |in |on |by |until |last |this |next )may(?! (?:\d|first|second|third|four|fif|six|seven|eigh|nin|ten|eleven|twel|thir|twent|the))|could be|unsure|uncertain|not (?:\w+ )?(?:sure|certain|convinced|decided)|do not (?:really |quite |honestly )?know|no idea|hopefully|hope|hoping|(?:we|i) will see|will see (?:how|if|what|about)|let me (?:think|check|look|ask|get back)|(?:have|need|got|want|like) to (?:think|check|see|look|ask|talk|speak|consult|sleep)|thinking (?:about|of|it)|think about|will try|try to|trying|undecided|torn|(?:in|of) two minds|second thoughts|not promise|guarantee|toss up|fifty fifty|say for sure|tell yet|ish|i doubt|doubtful|chances are|possible|in theory|theoretically|in principle|tempted|considering|consider|wondering|wonder|pencil|tentative|tentatively|leaning|on the fence|get back to you|ask (?:my|the|him|her)|check (?:my|with|the)|talk to (?:my|him|her)|speak to my|remains to be seen|who knows|mixed feelings|depends|supposed to|more or less|at some point|some ?day|one of these days|one day|eventually|getting round|getting around)\b/,
  ],
  ["doubt", HEDGE],
  [
    "counterfactual",
    /\b(?:wish|would have|could have|should have|might have|must have|was going to|were going to|was gonna|was supposed to|were supposed to|was meant to|used to|was planning|were planning|wanted to|meant to|intended to|would be(?! (?:(?:so much|much|a lot|far|even|just|absolutely|really|very) )?(?:·|better|best|good|great|fine|perfect|ideal|lovely|nice|nicer|easier|preferable|wonderful|okay|all right|brilliant|excellent|super|fantastic|more convenient))|if only|almost|nearly|normally|usually|ordinarily|last time|last year|years ago|back then|by then|will have|had been|had planned|had hoped|ideally|in a perfect world|theoretically|dream of|imagine|pretend|as though|as if|ought to|should|suppose to|thought (?:i|we|it|that|about)|would i|want(?:ed)? to (?:but|though))\b/,
  ],
  [
    "part",
    /\b(?:half|halfway|halves|part|parts|partly|partially|partial|some of|most of|bit of|quarter of|(?:a|one|two) thirds? of|not all|only some|mostly|a few of|portion|installments?|instalments?|deposit|first payment|most|majority|minus|all but|three quarters|percent)\b/,
  ],
  [
    "hearsay",
    /\b(?:(?:they|he|she|someone|somebody|bank|office|lady|guy|woman|website|app|letter|email|colleague|nurse|doctor|everyone|people|you|wife|husband|son|daughter|mother|mom|mum|father|dad|system) (?:all )?(?:told|said|says|say|claims?|claimed|thinks?|reckons?|tells?|keeps? (?:saying|telling)|insists?|swears?|wrote|mentioned)|apparently|supposedly|allegedly|according to|i (?:heard|was told|was under the impression|read|thought|assumed|figured)|so (?:they|he|she) says?)\b/,
  ],
  [
    "third_person",
    /\b(?:he|she|they|him|her|my (?:\w+ )?(?:wife|husband|partner|son|daughter|kids?|mother|mom|mum|father|dad|brother|sister|boss|roommate|flatmate|housemate|neighbor|girlfriend|boyfriend|grandson|granddaughter|mate|friend|uncle|aunt|cousin|accountant|bank|colleague|assistant|secretary|landlord|carer|nurse)|the (?:wife|husband|missus|kids|boss|neighbor|neighbors|bank|landlord|accountant))\b/,
  ],
  [
    "past",
    /\b(?:had|(?<!it |that |this |they |everything )was|were|did|bought|went|came|(?<!\b(?:have|has) (?:(?:i|you|we|they|not) )?)got|told|called|left|took|gave|said|made|saw|been|changed|wanted|asked|promised|happened|ago|yesterday|last (?:week|month|night|time|year|summer|winter)|once|before|earlier|previously|formerly|\w{3,}(?<!ne)ed)\b/,
  ],
  ["range", /\b(?:between|from \w+ to|somewhere|anywhere|anything from|at least|at most|up to|or so|any time)\b/],
  [
    "contrast",
    /\b(?:but|however|though|although|except|instead|rather than|whereas|(?<!\bnot\b.*)yet|mind you|still)\b/,
  ],
];

/** A sentence does not end with these. */
const UNFINISHED = new Set(
  "to the a an of with at for and or my is but really just we your our because if would will can could by from into than as his their so very some any".split(
    " ",
  ),
);

/** Ends that look unfinished and are not: "that has been dealt with", and the short "yes, would". */
const STRANDED =
  /\b(?:(?:care|rid|heard|fond|sick|tired|proud) of|(?:over|done|dealt|fine|okay|happy|happier) with|(?:paid|asked|waiting|looking) for|(?:come|coming|stop|stopping|drop|dropping|swing) by)$|^· (?:would|will|can|could|is)$/;

/** A tag asks for agreement: "we'd better, hadn't we". */
const TAG_END = /\b(?:do|did|have|had|can|could|will|would|shall|should|are|were|must|need) (?:not )?we$/;

function isComplete(text: string): boolean {
  return STRANDED.test(text) || TAG_END.test(text);
}

/** Nor with a short form of a verb: "I'll" and "it's" need what follows, where "I will" and "it is" may answer. */
const SHORT_FORM_END = /(?:['’](?:ll|d|m|ve|re)|\b(?:it|that|he|she|there|who|what|where|this)['’]s)\W*$/i;
/** The voice trailed off. */
const TRAILS_OFF = /(?:\.{2,}|…)["'”’)\s]*$/;
/**
 * What announces more than was said: "no, it's just that", "I've already". Alone, or after little else, they end no
 * sentence.
 */
const BEGINS_MORE =
  /(?:\b(?:it is|it was) (?:just|only) that|\b(?:the thing|the problem|the trouble|the point|what i mean) is|\b(?:but|and|so|or) (?:like|listen|look|see|you know|i mean|if|when|because)|^(?:yes|yeah|no|well|okay|so|look)(?: (?:yes|yeah|no|well|okay|so))* (?:see|listen|look|like)|\b(?:i|we|he|she|they|it) (?:have|had|am|are|is|was|were|will|would|can|could) (?:already|just|always|also|only|really|even|probably|still|kind of|sort of))$/;
/** "I'd like to" agrees only after a yes; alone it begins what the callee wants. */
const WISH_END = /^(?:(?:i|we) would |would )like to$/;
/** What a sentence about something begins with after one of these: "I guess you", "yes it". */
const PLAIN_YES_NO =
  /^(?:yes|yeah|yep|yup|no|nope|nah|sure|okay|ok|all right|i (?:guess|think|suppose|reckon|believe)(?: so)?)$/;
const BEGUN_SUBJECTS = new Set(["you", "it", "that", "this", "there"]);

const WH = "(?:what|who|whom|whose|where|when|why|how|which)";
const AUX = "(?:do|does|did|is|are|am|was|were|have|has|had|can|could|will|would|shall|should|may|might|must)";
const SUBJECT =
  "(?:i|you|we|it|he|she|they|this|that|there|the|my|your|someone|somebody|anyone|anybody|any|these|those|a)";
const LEAD = "(?:(?:and|but|so|or|yes|yeah|no|okay|wait|sorry|well|oh|hang on|hold on|what) )*";
/** A sentence that had just begun: "after lunch they". Not "so did I", "will we" and "you and I". */
const NEW_SUBJECT = new RegExp(
  `\\b(?!${AUX} |and |or |than |like |as |not |only |but |nor |neither )\\S+ (?:i|we|he|she|they)$`,
);
const QUESTION_START = new RegExp(`^${LEAD}(?:${WH}\\b(?! not\\b)|${AUX} (?:not )?${SUBJECT}\\b|any chance|any way)`);
/** A verb comes first in questions only, if they are heard as questions: "Is two weeks normal?" */
const VERB_FIRST = new RegExp(`^${LEAD}${AUX} `);
const POLITE_START = new RegExp(
  `^${LEAD}(?:(?:can|could|may|might|would|will|shall) (?:i|we|you|he|she|they|it be)\\b|is it (?:possible|okay|all right)|is there (?:any |a )?(?:chance|way)|any chance|any way|how about|what about|what if|do you mind|would you mind|are you able|do you think (?:i|we|you) (?:can|could))`,
);

/** A question that is put last: "go ahead with what", "one more day costs how much". */
const QUESTION_END = /\S (?:what|where|whom|how much|how many|which one)$/;
const NOT_ASKED = /\b(?:no matter|know|say|guess|tell you|so) (?:what|where|how much)$/;

/** "Yeah, no, that's perfect": this no takes nothing back, it waves a worry aside. */
const EASY_NO =
  /\b(ya|yah|yeah|yep|yes|yup)([\s,.]+)(no(?:[\s,.]+no)*)(?=[\s,.]+(?:(?:it|that|this)(?:['’]s| is| was| will be|['’]ll be| would be| sounds?) (?:(?:absolutely|all|just|really|totally|quite|more than) )?(?:brilliant|excellent|fine|good|grand|great|ideal|lovely|okay|ok|perfect|right|wonderful)\b|that works\b|(?:absolutely|definitely|for sure|of course|totally)(?! not\b)))/gi;

/** The same text with spaces in place of what means nothing, so that positions stay the same. */
function withoutEasyNo(text: string): string {
  return text.replace(EASY_NO, (_, yes: string, between: string, no: string) => yes + between + " ".repeat(no.length));
}

export function parseUtterance(text: string): Utterance {
  const tokens = plainTokens(withoutEasyNo(text));
  const groups = splitIntoGroups(tokens);
  const correctedFrom = lastCorrection(groups);
  const clauses = groups.flatMap((group): Clause[] => {
    const clause = isBareCorrection(group) ? null : parseClause(group, isFollowedByQuestionMark(text, group.at(-1)));
    return clause === null ? [] : [clause];
  });
  const lastSaid = clauses.findLastIndex(({ tokens: own, signals }) => own.length > 0 || signals.length > 0);
  const isBrokenOff =
    SHORT_FORM_END.test(text) ||
    BEGINS_MORE.test(tokens.map(({ text: word }) => word).join(" ")) ||
    (TRAILS_OFF.test(text) && !isWholeYesNo(clauses[lastSaid])) ||
    isBareWish(clauses);
  const dropped =
    correctedFrom === null
      ? null
      : groups.slice(0, correctedFrom).filter((group) => !isBareCorrection(group) && parseClause(group, false) !== null)
          .length;
  return {
    text,
    tokens,
    clauses: clauses.map((clause, index) => {
      if (index < lastSaid) return withoutBreak(clause);
      return isBrokenOff && index === lastSaid ? withBreak(clause) : clause;
    }),
    correctedFrom: dropped === null || dropped >= clauses.length ? null : dropped,
  };
}

/** Nothing but a yes or a no, which is complete however slowly it was said. */
function isWholeYesNo(clause: Clause | undefined): boolean {
  if (clause === undefined) return false;
  const { tokens, yesNo } = clause;
  return tokens.every((_, at) => yesNo.some(({ start, end }) => at >= start && at < end));
}

/** Whether a wish without its object is all that was said. */
function isBareWish(clauses: readonly Clause[]): boolean {
  const [hit, ...others] = clauses.flatMap(({ yesNo }) => yesNo);
  return hit !== undefined && others.length === 0 && WISH_END.test(hit.phrase.words.join(" "));
}

/** A hesitation or a break that the speaker got over: "no, um, yes" and "send the, sorry, keep it" are whole sentences. */
function withoutBreak(clause: Clause): Clause {
  return { ...clause, signals: clause.signals.filter(({ kind }) => kind !== "fragment") };
}

/** Its short form at the end agrees to nothing. */
function withBreak(clause: Clause): Clause {
  const end = clause.tokens.length;
  const words = clause.tokens.map(({ text }) => text).join(" ");
  return {
    ...clause,
    yesNo: clause.yesNo.filter((hit) => hit.end !== end || !hit.phrase.isFinal),
    signals: [...clause.signals, { kind: "fragment", words, at: end - 1 }],
  };
}

const RESERVATIONS: ReadonlySet<SignalKind> = new Set([
  "negation",
  "condition",
  "doubt",
  "counterfactual",
  "question",
  "part",
  "hearsay",
  "third_person",
  "contrast",
  "past",
  "fragment",
  "range",
]);

export function hasReservations({ clauses }: Utterance, allowed: readonly SignalKind[] = []): boolean {
  const isReservation = (kind: SignalKind) => RESERVATIONS.has(kind) && !allowed.includes(kind);
  return clauses.some(({ signals, isContrast }) => isContrast || signals.some(({ kind }) => isReservation(kind)));
}

function isFollowedByQuestionMark(text: string, last: Word | undefined): boolean {
  return last !== undefined && /^["')\]]*\s*\?/.test(text.slice(last.end));
}

/** At pauses, and before contrasting words. */
function splitIntoGroups(tokens: readonly Word[]): (readonly Word[])[] {
  const groups: Word[][] = [];
  for (const [index, token] of tokens.entries()) {
    const previous = tokens[index - 1];
    const isPause = token.gap === "comma" || token.gap === "stop";
    const isContrast =
      CONTRASTS.has(token.text) && !isExclusion(tokens, index) && !isAfterthought(token, tokens[index + 1], previous);
    const isCorrection =
      index > 0 &&
      CORRECTIONS.some((phrase) => phrase.length > 1 && phrase[0] !== "make" && startsWith(tokens, index, phrase));
    const isNewStatement =
      (token.text === "and" || token.text === "because" || token.text === "so" || token.text === "cause") &&
      /^(?:i|we|you|he|she|they|it|there|my|the|can|could|no|yes|please|then|that)$/.test(
        tokens[index + 1]?.text ?? "",
      );
    if (previous === undefined || isPause || isContrast || isCorrection || isNewStatement) groups.push([]);
    groups.at(-1)?.push(token);
  }
  return groups;
}

/** "anywhere but the door" names what is excluded, and continues. */
function isExclusion(tokens: readonly Word[], at: number): boolean {
  const before = tokens[at - 1]?.text ?? "";
  return /^(?:anything|anywhere|anyone|anybody|any|day|time|nothing|all|everything|everyone|everywhere|everybody|not|if|no one)$/.test(
    before,
  );
}

/** "Yes, unfortunately" and "the small one only" contrast with nothing that follows. "Yes, only" was broken off. */
function isAfterthought(word: Word | undefined, next: Word | undefined, previous: Word | undefined): boolean {
  if (isJoined(next)) return false;
  if (word?.text === "unfortunately") return true;
  return word?.text === "only" && isJoined(word) && previous !== undefined && !PLAIN_YES_NO.test(previous.text);
}

function startsWith(tokens: readonly Word[], at: number, phrase: readonly string[]): boolean {
  return phrase.every((word, index) => tokens[at + index]?.text === word);
}

function isBareCorrection(group: readonly Word[]): boolean {
  return CORRECTIONS.some(
    (phrase) => phrase.length === group.length && phrase.length > 1 && startsWith(group, 0, phrase),
  );
}

/** The index of the first group after the last correction, or null. */
function lastCorrection(groups: readonly (readonly Word[])[]): number | null {
  let found: number | null = null;
  for (const [index, group] of groups.entries()) {
    if (index === 0) continue;
    const phrase = CORRECTIONS.find((each) => startsWith(group, 0, each));
    // A correction that stands alone belongs to what follows.
    if (phrase !== undefined) found = group.length === phrase.length ? index + 1 : index;
    // "No, sorry, keep it": the pauses within it do not matter.
    else if (isPausedCorrection(group, groups[index + 1])) found = index + 2;
  }
  return found !== null && found < groups.length ? found : null;
}

function isPausedCorrection(group: readonly Word[], next: readonly Word[] = []): boolean {
  const words = [...group, ...next].map(({ text }) => text).join(" ");
  return group.length === 1 && next.length === 1 && CORRECTIONS.some((phrase) => phrase.join(" ") === words);
}

const HESITATIONS = new Set(["hmm", "hm", "uh", "um", "er", "erm", "mm"]);
/** Alone at the end, these begin what was not said: "cancel, well". */
const OPENINGS = new Set(["well", "so", "and", "or", "because", "you see", "the thing is"]);

function parseClause(group: readonly Word[], hasQuestionMark: boolean): Clause | null {
  const isContrast = CONTRASTS.has(group[0]?.text ?? "") && !isAfterthought(group[0], group[1], undefined);
  const tokens = withoutFillers(withoutAddress(withoutCourtesies(isContrast ? group.slice(1) : group)));
  if (tokens.length === 0) {
    const isOpening = OPENINGS.has(group.map(({ text }) => text).join(" "));
    const isHesitation =
      group.length > 0 && (isOpening || group.every(({ text }) => HESITATIONS.has(text))) && group[0]?.gap !== "none";
    const signals: Signal[] = isHesitation ? [{ kind: "fragment", words: group[0]?.text ?? "", at: 0 }] : [];
    return isContrast || isHesitation ? { tokens, yesNo: [], signals, isContrast } : null;
  }
  const yesNo = findYesNoHits(tokens);
  const signals = findSignals(tokens, yesNo, hasQuestionMark);
  const last = group.at(-1)?.text ?? "";
  // "I'd just", without what it was about.
  const isOpened = last === "so" && yesNo.some(({ end }) => end === group.length - 1);
  if (HESITATIONS.has(last) || last === "just" || isOpened || hasBegun(tokens, yesNo))
    signals.push({ kind: "fragment", words: last, at: tokens.length });
  return { tokens, yesNo, signals, isContrast };
}

/** A yes or a no with the subject of a sentence that was not said. */
function hasBegun(tokens: readonly Word[], yesNo: readonly YesNoHit[]): boolean {
  const last = tokens.at(-1);
  if (last === undefined || !BEGUN_SUBJECTS.has(last.text) || !isJoined(last)) return false;
  return yesNo.some(({ end, phrase }) => end === tokens.length - 1 && PLAIN_YES_NO.test(phrase.words.join(" ")));
}

function withoutCourtesies(tokens: readonly Word[]): readonly Word[] {
  const kept: Word[] = [];
  for (let at = 0; at < tokens.length; ) {
    const length = (COURTESIES.get(tokens[at]?.text ?? "") ?? []).find((phrase) =>
      startsWith(tokens, at, phrase),
    )?.length;
    const token = tokens[at];
    if (length === undefined && token !== undefined) kept.push(token);
    at += length ?? 1;
  }
  return kept;
}

/** "Yes, love" and "my dear" speak to someone; "it is for a friend" speaks about someone. */
function withoutAddress(tokens: readonly Word[]): readonly Word[] {
  if (!ADDRESSES.has(tokens.at(-1)?.text ?? "")) return tokens;
  const before = tokens.at(-2)?.text ?? "";
  if (before === "my" && tokens.length === 2) return [];
  return DETERMINERS.has(before) ? tokens : tokens.slice(0, -1);
}

/** Within a yes or a no they are words like others: "I'm afraid so", "might as well", "not just yet". */
function withoutFillers(tokens: readonly Word[]): readonly Word[] {
  if (!tokens.some(({ text }) => FILLERS.has(text))) return tokens;
  const phrases = findYesNoHits(tokens).filter(({ start, end }) => end - start > 1);
  const isWithin = (at: number) => phrases.some(({ start, end }) => at >= start && at < end);
  return tokens.filter(({ text }, at) => !FILLERS.has(text) || isWithin(at) || isAnswering(tokens, at));
}

/** A filler that is the whole utterance counts: "Right." */
function isAnswering(tokens: readonly Word[], at: number): boolean {
  const text = tokens[at]?.text ?? "";
  return (text === "right" || text === "really" || text === "obviously") && tokens.length - at <= 1 && at <= 2;
}

function findSignals(tokens: readonly Word[], yesNo: readonly YesNoHit[], hasQuestionMark: boolean): Signal[] {
  const isTaken = (at: number) =>
    yesNo.some(({ start, end, phrase }) => phrase.meaning !== "neither" && at >= start && at < end);
  const words = tokens.map(({ text }, at) => (isTaken(at) ? "·" : text));
  const text = words.join(" ");
  const found = SIGNALS.flatMap(([kind, pattern]): Signal[] => {
    const match = pattern.exec(text);
    return match === null ? [] : [{ kind, words: match[0], at: text.slice(0, match.index).split(" ").length - 1 }];
  });
  const isShort = words.filter((word) => word !== "·").length === 0;
  if (!isTaken(tokens.length - 1) && UNFINISHED.has(tokens.at(-1)?.text ?? "") && !isComplete(text)) {
    found.push({ kind: "fragment", words: text, at: tokens.length - 1 });
  }
  const plain = tokens.map((token) => token.text).join(" ");
  if (NEW_SUBJECT.test(plain)) found.push({ kind: "fragment", words: plain, at: tokens.length - 1 });
  if (POLITE_START.test(plain)) found.push({ kind: "polite_request", words: plain, at: 0 });
  else if ((QUESTION_START.test(plain) || (hasQuestionMark && VERB_FIRST.test(plain))) && !isShort)
    found.push({ kind: "question", words: plain, at: 0 });
  else if (QUESTION_END.test(plain) && !NOT_ASKED.test(plain)) found.push({ kind: "question", words: plain, at: 0 });
  else if (hasQuestionMark) found.push({ kind: "question", words: "?", at: 0 });
  return found;
}

function phraseTree(list: string): ReadonlyMap<string, readonly (readonly string[])[]> {
  const phrases = list
    .trim()
    .split(/[|\n]/)
    .map((phrase) => phrase.split(" "))
    .toSorted((one, other) => other.length - one.length);
  return Map.groupBy(phrases, ([first]) => first ?? "");
}
