import type { LanguagePack } from "./language-pack.ts";

/** A stretch of text that is either still in the other language, or already English. */
interface Piece {
  readonly text: string;
  readonly isEnglish: boolean;
}

const TOKENS = /[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*['’]?|\d+(?:[.:]\d+)*|[^\s\p{L}\p{M}\d]+/gu;
const WORDS_MAX = 5;

/** What was said, in the English words by which it is understood, as far as the pack knows them. */
export function gloss(text: string, pack: LanguagePack): string {
  const english = expressionsOf(text, pack).map((piece) =>
    piece.isEnglish ? piece.text : glossWords(piece.text, pack),
  );
  return pack.rewrites
    .reduce<string>(
      (done, [found, replacement]) =>
        typeof replacement === "string" ? done.replace(found, replacement) : done.replace(found, replacement),
      tidy(english.join(" ")),
    )
    .trim();
}

function expressionsOf(text: string, pack: LanguagePack): readonly Piece[] {
  return pack.expressions.reduce<readonly Piece[]>(
    (pieces, [expression, meaning]) =>
      pieces.flatMap((piece) => (piece.isEnglish ? [piece] : splitBy(piece.text, expression, meaning))),
    [{ text, isEnglish: false }],
  );
}

function splitBy(text: string, expression: RegExp, meaning: string): Piece[] {
  const found = expression.exec(text.toLowerCase().replaceAll("’", "'"));
  if (found === null) return [{ text, isEnglish: false }];
  const groups = found.slice(1);
  const english = meaning.replace(/\$(\d)/g, (_, group: string) => groups[Number(group) - 1] ?? "");
  const [before, after] = [text.slice(0, found.index), text.slice(found.index + found[0].length)];
  return [
    ...(before.trim() === "" ? [] : [{ text: before, isEnglish: false }]),
    // What an expression captured is still in the other language.
    { text: english, isEnglish: groups.length === 0 },
    ...(after.trim() === "" ? [] : splitBy(after, expression, meaning)),
  ];
}

function glossWords(text: string, pack: LanguagePack): string {
  const written = text.match(TOKENS) ?? [];
  const words = written.map((word) => word.toLowerCase().replaceAll("’", "'"));
  const known = lexiconOf(pack);
  const glossed: string[] = [];
  for (let at = 0; at < words.length; ) {
    const phrase = longestPhrase(known, words, at);
    const number = pack.readNumber(words, at);
    if (number !== null && number.length >= (phrase?.length ?? 0)) {
      glossed.push(String(number.value));
      at += number.length;
    } else if (phrase !== null) {
      glossed.push(phrase.english);
      at += phrase.length;
    } else {
      glossed.push(written[at] ?? "");
      at += 1;
    }
  }
  return glossed.join(" ");
}

function longestPhrase(known: ReadonlyMap<string, string>, words: readonly string[], at: number) {
  for (let length = Math.min(WORDS_MAX, words.length - at); length > 0; length -= 1) {
    const said = words.slice(at, at + length).join(" ");
    const english = known.get(said) ?? known.get(withoutAccents(said));
    if (english !== undefined) return { english, length };
  }
  return null;
}

const lexicons = new WeakMap<LanguagePack, ReadonlyMap<string, string>>();

/** The words of a pack, also without their accents where those distinguish nothing. */
function lexiconOf(pack: LanguagePack): ReadonlyMap<string, string> {
  const kept = lexicons.get(pack);
  if (kept !== undefined) return kept;
  const entries = Object.entries(pack.words);
  const lexicon = new Map([...entries.map(([word, english]) => [withoutAccents(word), english] as const), ...entries]);
  lexicons.set(pack, lexicon);
  return lexicon;
}

function withoutAccents(text: string): string {
  return text.normalize("NFD").replace(/\p{M}+/gu, "");
}

/** No space before punctuation, and one between words. */
function tidy(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/ (?=[,.;:!?…)]+(?: |$))/g, "")
    .replace(/[¿¡]\s*/g, "")
    .trim();
}

const MONTHS = "january february march april may june july august september october november december".split(" ");

/** The months as one group of a pattern. */
export const ENGLISH_MONTH = `(${MONTHS.join("|")})`;

/** "3rd". */
export function ordinal(day: string): string {
  const value = Number(day);
  const ending = value % 100 >= 11 && value % 100 <= 13 ? "th" : (["th", "st", "nd", "rd"][value % 10] ?? "th");
  return `${value}${ending}`;
}

/** "15:05" of hours and minutes, as English times are written. */
export function clock(hour: string | number, minute: string | number): string {
  return `${Number(hour)}:${String(Number(minute)).padStart(2, "0")}`;
}
