import { findSpelling } from "../../../text/values-in-speech/find-spelling.ts";

/**
 * A name in an answer. People announce it ("you can put Miller"), spell it, give it in pieces ("my surname's O'Brien,
 * first name Ann"), correct it, and say other sentences beside it. A sentence that names no one contains no name.
 */
export interface FoundName {
  readonly name: string;
  /** Whether it can hardly be anything else. What is not announced among other words is asked about. */
  readonly isSure: boolean;
}

/** One stretch of an answer between two pauses that may be a name or a part of one. */
interface Candidate {
  readonly words: readonly string[];
  readonly isAnnounced: boolean;
  readonly isSpelled: boolean;
  readonly part: "first" | "last" | null;
}

/** What is said before an answer and is no part of it. */
const OPENING =
  /^(?:(?:yes|yeah|yep|yup|sure|okay|ok|right|of course|certainly|um+|uh+|er+m?|ah|oh|well|hello|hi|hey|so|and|just|please|sorry|i guess|i suppose|i think|maybe|probably|actually|let me see|let's see|then|now|look|no problem|officially|legally|properly|thanks|thank you|good (?:morning|afternoon|evening)|the answer is)[\s,.!]+)+/i;
const NAME_WORD =
  "(?:(?:full|legal|proper|real|whole|married|maiden|middle|christian|given|first|last|second|family|official|company|business|pen) )*(?:(?:sur|fore|last|first|nick)?names?|initials?)";
/** What announces a name. */
const LEAD_INS = [
  "(?:(?:it's|for|in|under|that's|put)\\s+)*(?:my|our|his|her)\\s+(?:wife|husband|partner|son|daughter|mother|mom|mum|father|dad|brother|sister|friend|colleague|boss|boyfriend|girlfriend)(?:'s name)?(?:\\s+is|'s)?(?:\\s+(?:called|named))?[\\s,]+(?=\\p{L})",
  "call it\\s+",
  "(?:(?:put|it|book|leave)\\s+)*(?:under|in|by) the name(?: of)?\\s+",
  `(?:(?:my|the|her|his|their|our|its|with|under|in|put|use|and|as|for)\\s+)*(?:\\p{L}+'s\\s+)?${NAME_WORD}(?:'s|\\s+(?:is|was|would be|should be|will be|goes|reads))?[\\s,:]+`,
  "(?:you (?:can|could|may|might)|i'd like (?:you )?to|i would|i'd|we'd|let's|let us|just|please|go ahead and|better|kindly)\\s+(?:just\\s+)?(?:put|write|use|say|call|have|go with|take|make|do|note|enter|type)\\s+(?:down\\s+)?(?:it\\s+)?(?:me\\s+)?(?:down\\s+)?(?:as\\s+|under\\s+|to\\s+|out to\\s+|for\\s+)?",
  "(?:put|write|use|note|enter|type|book|leave|have)\\s+(?:me\\s+|it\\s+|that\\s+|this\\s+|us\\s+)?(?:down\\s+)?(?:as\\s+|under\\s+|in\\s+|to\\s+|for\\s+)?(?:the name of\\s+|the name\\s+)?",
  "(?:make|address|send)\\s+(?:it|that|this)\\s+(?:out\\s+)?(?:to|for)\\s+",
  "(?:it|that|this|there|here|name)(?:'s|\\s+is|\\s+was|\\s+would be|'d be|\\s+should be|'ll be|\\s+will be|\\s+must be|\\s+has to be)\\s+(?:for\\s+|to\\s+|under\\s+|in\\s+|on\\s+|just\\s+|actually\\s+|spelled\\s+)?",
  "(?:i am|i'm|im|we are|we're|you're (?:speaking|talking) (?:to|with)|(?:you're )?speaking (?:to|with)|you have|you've got|you got|i go by|i'm called|i am called|they call me|people call me|everyone calls me|call me|call him|call her|known as|should be|must be|would be|goes by)\\s+",
  "(?:under|for|to|in the name of|under the name of|in the name|by the name of|as|say|try|with)\\s+",
  "(?:(?:on|in|at) (?:the|my|your) \\p{L}+ )?it (?:says|reads)\\s+",
].map((pattern) => new RegExp(`^${pattern}`, "iu"));

/** What announces a name in the middle of a sentence. */
const LEAD_INSIDE =
  /^.*\b(?:it's|it is|it should be|it says|that's|that is|that would be|name is|name's|put|write|call me|known as|make it out to)\s+/i;

/** What follows a name and is no part of it. */
const TAIL =
  /[\s,]+(?:please|speaking|here|thanks|thank you|sir|madam|ma'am|on it|on there|on that|on the \p{L}+|(?:is|would be|will be|'ll be|should be|'d be) (?:fine|good|great|okay|ok|enough|best|lovely|perfect)|is (?:my|the) (?:\p{L}+ )?name|is me|is who it is|will do|'ll do|would do|should do|works|i guess|i think|i suppose|i believe|then|if (?:that|you|it|possible).*|at your service|that's (?:it|me|all|right|the name)|for short|as in .*|like the .*|from [\p{L} ]+|of [\p{Lu}][\p{L}' ]+|by the way|again|and (?:i|i'd|i'm|my|the|it|that|you|we|could|can|no|so|a|an)\b.*|because .*|with(?:out)? (?:a|an|the|one|two|three|no) .*|who .*|which .*|not .*)[\s.!]*$/iu;
const SPELLING_REMARK =
  /[\s,]+(?:(?:that's|it's|spelled|spelt|and that's|written)\s+)?(?:with|without|no)\s+(?:a|an|the|one|two|double)?\s*(?:letter\s+)?(?<letter>ph|ck|[a-z])(?:'?s)?(?:\s+(?:at the|in the|not|and)\b[^,.]*)?(?=[\s.!]*(?:[,.]|$))/i;
const BEFORE_SPELLING =
  /[\s,.]*\b(?:(?:and )?(?:it is |it's |which is |that is |that's )?(?:spelled|spelt|written)|that is|that's|it's|spelling)[\s,:]*$/i;

/** Words that are in no name. */
const NO_NAME_WORDS = new Set(
  "a an the this that these those there here i you he she it we they me him her us them my your his its our their mine yours hers ours theirs myself yourself is am are was were be been being do does did done doing have has had having can could will would shall should may might must not no nor never none nothing nobody noone someone somebody anyone anybody everyone who whom whose which what when where why how if unless whether because since while though although but or so than as at by from in into of off on onto out over to under up upon with without about after before again all another any both each either every few many more most much neither other some such too very just only even still yet already ever often soon later now then today tomorrow yesterday tonight morning afternoon evening night week month year day days time times minute moment second hour go going gone went come coming came get getting got give giving gave given make making made take taking took put say saying said tell telling told ask asking asked want wanting wanted need needing needed know knowing knew known think thinking thought see look looking like liked find found keep let leave leaving left send sent call calling called phone ring speak talk talking write writing wrote read use using used try trying forget forgot remember hold hang wait stop start begin end pay paid buy buying owe cost money bill receipt invoice card account number name names surname anonymous business company yes yeah yep no nope nah okay ok sure fine good great nice lovely bad better best well sorry please thanks thank hello hi hey bye goodbye maybe perhaps probably possibly really actually quite pretty always sometimes usually depends thing things something anything everything whatever whoever nothing way back down away one ones two three first last next same different new old right wrong true false private secret personal important necessary nope dunno idea doesn't don't won't can't isn't aren't wasn't didn't haven't hasn't wouldn't couldn't shouldn't i'm i'll i'd i've it's that's there's he's she's you're we're they're what's who's let's weather doorbell dog cat baby kids wife husband son daughter mother father mom mum dad aunt uncle brother sister friend boss neighbor man woman lady person people lot stuff hear heard listen understand repeat question answer wonder guess suppose mean meant hope feel rather instead against between during hold busy driving work working car house home door bus rain sunny hot cold speaking monday tuesday wednesday thursday friday saturday sunday zero four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand double triple half ready free perfect stuck dead alive died alone late early loose blocked problem part opinion basic impossible possible nowhere near far contact sign skip whatever whatever's doubtful midday noon midnight compulsory intermediate advanced beginner disconnect ooh class classroom climbing opposite upstairs downstairs inside outside wants wanted reads plays works waits sleeps lives likes loves hates runs sits stands heaven's god's sake treat tier bottom top middle longer shorter bigger smaller cheap cheaper fast faster fastest slow slower red blue yellow pink purple orange spanish italian german portuguese polish ukrainian russian arabic hindi mandarin cantonese expert pack mice pig checkmate grand cheers alright lad lass mommy daddy mummy kid hopeless useless careful helpful wonderful awful terrible horrible".split(
    " ",
  ),
);
/** Words that are names too. They count where another word beside them is one, or where a name was announced. */
const ALSO_WORDS = new Set(
  "will may mark art hope young long day best king price rose grace bill love wait german early noon grand".split(" "),
);
const TITLES = new Set("mr mrs ms miss mister missus dr doctor professor sir dame lady lord father sister".split(" "));
/** Small words inside names: "van der Berg", "Ana de la Cruz", "Mr and Mrs Singh". */
const PARTICLES = new Set(
  "van von der den de la le del di da dos das du bin ibn al el st saint mac mc o and y ter ten zu".split(" "),
);
const WORDS_MAX = 5;

/** Between what was said first and what counts. */
const CORRECTION =
  /(?:^|[\s,.;-]+)(?:no,? (?:wait|sorry|actually|no|hang on)|wait,? no|sorry,? no|i mean|i meant|scratch that|correction|or rather|make that|no|nope|sorry|actually|rather|strike that)(?=[\s,.])[\s,.]*/i;

/** The name in an answer to "What is your name?". Null when there is none. */
export function readName(text: string): FoundName | null {
  const parts = text.split(new RegExp(CORRECTION, "gi"));
  const [last = null, ...earlier] = parts.map((part) => candidatesOf(part)).toReversed();
  const joined = last === null ? null : joinCandidates(last.candidates);
  const letter = SPELLING_REMARK.exec(text)?.groups?.letter?.toLowerCase() ?? "";
  const isSpelledSo = /\b(?:without|no)\s/i.test(SPELLING_REMARK.exec(text)?.[0] ?? "")
    ? letter === "" || !joined?.name.toLowerCase().includes(letter)
    : joined?.name.toLowerCase().includes(letter);
  const found = joined === null ? null : { ...joined, isSure: joined.isSure && isSpelledSo === true };
  const rest = earlier.map(({ candidates }) => joinCandidates(candidates)).find((each) => each !== null) ?? null;
  if (found === null) {
    // "Miller, sorry": what was said before stands, unless it is what is taken back.
    const isTakenBack = last !== null && (last.isSentence || /\bnot\b/i.test(parts.at(-1) ?? ""));
    return rest === null ? null : { name: rest.name, isSure: rest.isSure && !isTakenBack };
  }
  const isAlone = !last?.isSentence || last.candidates.some(({ isAnnounced, isSpelled }) => isAnnounced || isSpelled);
  // Recognition writes names with a capital where it writes capitals at all: "It's complicated" names no one.
  const isCased = /^[^\p{L}]*\p{Lu}/u.test(text);
  const isSaid = last?.candidates.length === 1 && last.candidates[0]?.isSpelled === false;
  const isSmall = isCased && isSaid && !found.name.includes(" ") && !text.includes(found.name);
  const isSure = found.isSure && !isSmall && !REFUSED.test(text) && (isAlone || isWritten(found.name, text));
  if (rest === null || found.name.includes(" ") || !rest.name.includes(" ")) return { name: found.name, isSure };
  return { name: withCorrection(rest.name, found.name), isSure: false };
}

const WRITTEN_NAME =
  /\p{Lu}[\p{L}'’.-]*(?:\s+(?:(?:van|von|der|den|de|la|le|del|di|da|dos|bin|ibn|al)\s+)*\p{Lu}[\p{L}'’-]*)*/gu;

/**
 * Everything in a text that is written like a name, no matter whose: "Not me, Frank will" has one. In a text without capitals
 * there is none.
 */
export function findNames(text: string): { readonly name: string; readonly words: string }[] {
  const found = [...text.matchAll(WRITTEN_NAME)].flatMap(({ 0: words, index }) => {
    const isFirst = /(?:^|[.?!]["'’]?\s+)$/.test(text.slice(0, index));
    const all = words
      .split(/\s+/)
      .map((word) => word.replace(/['’]s$|['’](?:ll|d|ve|re|m)$/, "").replace(/[.'’-]+$/, ""));
    const isPlain = (word: string) => NO_NAME_WORDS.has(word.toLowerCase()) || /^I$|['’]/.test(word) || word === "";
    const start = all.findIndex((word) => !isPlain(word) && !/^I(?:['’]|$)/.test(word));
    const rest = start < 0 ? [] : all.slice(start);
    const end = rest.findIndex((word) => isPlain(word) && !/^O['’]\p{L}/u.test(word));
    const kept = end < 0 ? rest : rest.slice(0, end);
    // The first word of a sentence has a capital, whatever it is.
    if (kept.length === 0 || (isFirst && start === 0 && kept.length === 1 && isOpening(kept.join(" ")))) return [];
    const untitled = kept.filter((word) => !TITLES.has(word.toLowerCase()));
    const name = untitled.length >= 2 || untitled.length === 0 ? untitled.join(" ") : kept.join(" ");
    return name === "" ? [] : [{ name, words: kept.join(" ") }];
  });
  return found.filter(({ name }, index) => found.findIndex((other) => other.name === name) === index);
}

/** "no problem": what follows without a pause is rather denied than corrected. */
const REFUSED = /^\W*no\s+\p{Ll}/u;

/** Whether recognition wrote it like a name, in a text that has small letters too. */
function isWritten(name: string, text: string): boolean {
  const isCased = /^[^\p{L}]*\p{Lu}/u.test(text) || /[\p{L}][.?!,]\s+\p{Ll}/u.test(text);
  return isCased && name.split(" ").every((word) => PARTICLES.has(word) || text.includes(word));
}

/** Of a first and a last name, the one that begins alike is the one that was corrected, else the last. */
function withCorrection(name: string, corrected: string): string {
  const words = name.split(" ");
  const alike = words.findLastIndex((word) => word[0] === corrected[0]);
  return words.with(alike < 0 ? words.length - 1 : alike, corrected).join(" ");
}

interface Candidates {
  readonly candidates: readonly Candidate[];
  /** Whether more was said than a name and what goes with it. */
  readonly isSentence: boolean;
}

function candidatesOf(said: string): Candidates {
  // "Katherine with a K" spells nothing, and the dot of "Mrs." ends nothing.
  const text = said.replace(SPELLING_REMARK, "").replaceAll(/\b(mr|mrs|ms|dr|st|prof)\./gi, "$1");
  const spelled = findSpelling(text);
  const texts =
    spelled === null
      ? [{ text, isSpelled: false }]
      : [
          { text: text.slice(0, spelled.start).replace(BEFORE_SPELLING, ""), isSpelled: false },
          { text: spelled.value.toLowerCase(), isSpelled: true },
          { text: text.slice(spelled.end), isSpelled: false },
        ];
  const isCased = /^[^\p{L}]*\p{Lu}/u.test(text);
  let isSentence = false;
  let announced = false;
  const candidates = texts.flatMap(({ text: piece, isSpelled }): Candidate[] => {
    if (isSpelled) {
      return [{ words: [capital(piece)], isAnnounced: true, isSpelled, part: null }];
    }
    return piece.split(/[.?!;:]+(?=\s|$)|,(?=\s|$)|\s[-–—]+\s|\.{2,}|…|\bbut\b/u).flatMap((segment) => {
      const found = readSegment(segment, isCased, announced);
      if (found === "announcement") announced = true;
      else if (found !== null) return [found];
      else if (!isOpening(segment)) isSentence = true;
      return [];
    });
  });
  return { candidates, isSentence };
}

function isOpening(segment: string): boolean {
  return `${segment.trim()}, `.replace(OPENING, "").trim() === "";
}

/** One stretch without a pause: a name, what announces one ("the full name is"), or null. */
function readSegment(segment: string, isCased: boolean, wasAnnounced: boolean): Candidate | "announcement" | null {
  let rest = `${segment.trim()} `.replace(OPENING, "");
  if (/^(?:not|never|neither|don't|do not)\b/i.test(rest)) return null;
  const opened = rest;
  for (;;) {
    const lead = LEAD_INS.find((pattern) => pattern.test(rest));
    if (lead === undefined) break;
    rest = rest.replace(lead, "").replace(OPENING, "");
  }
  if (/\bfor short\W*$/i.test(rest)) return null;
  const isLed = rest !== opened;
  const words = nameWords(rest, isLed || wasAnnounced, isCased);
  const inside =
    words === null && LEAD_INSIDE.test(rest) ? nameWords(rest.replace(LEAD_INSIDE, ""), true, isCased) : null;
  const name = words ?? inside;
  if (name === null) return null;
  const isAnnounced = wasAnnounced || isLed || inside !== null;
  if (name.length === 0) return isAnnounced && /name/i.test(segment) ? "announcement" : null;
  return { words: name, isAnnounced, isSpelled: false, part: partNamed(segment) };
}

/** The words of a name, none where nothing is left, or null when they are no name. */
function nameWords(text: string, isAnnounced: boolean, isCased: boolean): readonly string[] | null {
  const words = withoutTail(text)
    .split(/\s+/)
    .flatMap((word) => word.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, "") || []);
  return words.length === 0 || isName(words, isAnnounced, isCased) ? words.map(spelledLikeName) : null;
}

function partNamed(segment: string): Candidate["part"] {
  if (/\b(?:sur|family |last |second )name/i.test(segment)) return "last";
  return /\b(?:first |given |christian |fore)name/i.test(segment) ? "first" : null;
}

function withoutTail(text: string): string {
  let rest = text.trim();
  for (;;) {
    const shorter = rest.replace(TAIL, "").trim();
    if (shorter === rest) return rest;
    rest = shorter;
  }
}

function isName(words: readonly string[], isAnnounced: boolean, isCased: boolean): boolean {
  const plain = words.map((word) => word.toLowerCase().replaceAll("’", "'"));
  const isSmall = (word: string) => TITLES.has(word) || PARTICLES.has(word);
  const [only] = plain;
  const isNickname = plain.length === 1 && isAnnounced && only === "al";
  if (words.length > WORDS_MAX) return false;
  if (!isNickname && (plain.every(isSmall) || PARTICLES.has(plain.at(-1) ?? ""))) return false;
  const isWritten = (word: string) => /^\p{Lu}/u.test(word);
  const isNoName = (word: string, at: number) =>
    NO_NAME_WORDS.has(word) && !isSmall(word) && !(ALSO_WORDS.has(word) && (isAnnounced || hasOther(plain, at)));
  if (plain.some(isNoName)) return false;
  // "We've" and "she'll" are sentences that go on, and a letter alone is no name.
  if (plain.some((word) => /['’](?:ve|ll|d|re|m)$|n['’]t$/.test(word)) || plain.join("").length < 2) return false;
  if (plain.some((word, at) => ALSO_WORDS.has(word) && !isAnnounced && !hasOther(plain, at))) return false;
  // Where names are written with a capital, words without one are none.
  return !isCased || isAnnounced || words.every((word) => isWritten(word) || isSmall(word.toLowerCase()));
}

function hasOther(words: readonly string[], at: number): boolean {
  return words.some((word, index) => index !== at && !NO_NAME_WORDS.has(word) && !PARTICLES.has(word));
}

/** Puts the stretches together: what repeats or completes another counts, what was spelled is how it is written. */
function joinCandidates(candidates: readonly Candidate[]): FoundName | null {
  const said = candidates.filter(({ isSpelled }) => !isSpelled);
  const spelled = candidates.filter(({ isSpelled }) => isSpelled).flatMap(({ words }) => words);
  const first = said.findLast(({ part }) => part === "first");
  const last = said.findLast(({ part }) => part === "last");
  const other = said.findLast((each) => each !== first && each !== last);
  let isSure = true;
  let words: readonly string[];
  if (first !== undefined || last !== undefined) {
    const [front, back] = [first ?? other, last ?? other];
    words = front === back ? (front?.words ?? []) : [...(front?.words ?? []), ...(back?.words ?? [])];
  } else {
    const longest = said.reduce<Candidate | null>(
      (best, each) => (best === null || isCompleted(best, each) ? each : isCompleted(each, best) ? best : null),
      said[0] ?? null,
    );
    const announced = said.filter(({ isAnnounced }) => isAnnounced).at(-1);
    const chosen = longest ?? announced ?? said.at(-1);
    words = chosen?.words ?? [];
    // Two single words may be a first and a last name.
    if (
      longest === null &&
      announced === undefined &&
      said.length === 2 &&
      said.every((each) => each.words.length === 1)
    ) {
      words = said.flatMap((each) => each.words);
    }
    isSure = longest !== null || announced !== undefined || said.length <= 1;
  }
  if (words.length === 0 && spelled.length === 0) return null;
  const name = spelled.reduce<readonly string[]>((all, word) => withSpelling(all, word), words).join(" ");
  return { name, isSure };
}

/** "Brandt, Walter Brandt": the second has all that the first has. */
function isCompleted(one: Candidate, other: Candidate): boolean {
  return one.words.every((word) => other.words.includes(word)) || isLeadIn(one, other);
}

/** "Mr Brandt, Walter Brandt". */
function isLeadIn(one: Candidate, other: Candidate): boolean {
  const names = one.words.filter((word) => !TITLES.has(word.toLowerCase()));
  return names.length < one.words.length && names.every((word) => other.words.includes(word));
}

/** What is spelled is the way to write the word that begins so; otherwise it comes after what was said. */
function withSpelling(words: readonly string[], spelled: string): readonly string[] {
  const at = words.findLastIndex((word) => word[0] === spelled[0]);
  return at < 0 ? [...words, spelled] : words.with(at, spelled);
}

function spelledLikeName(word: string, at: number): string {
  return at > 0 && PARTICLES.has(word) ? word : capital(word);
}

/** "o'neil" and "mary-jane" have a capital in the middle; "isn't" has none. */
function capital(word: string): string {
  return word
    .split(/(?<=-|(?<![\p{L}']\p{L})')/u)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");
}
