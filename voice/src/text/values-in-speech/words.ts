/** A word of a text as it was recognized, or a number that recognition wrote in digits. */
export interface Word {
  /** In lower case, with straight apostrophes. */
  readonly text: string;
  /** Its position in the text. */
  readonly start: number;
  readonly end: number;
  /** What stands before it. The end of a sentence is a stop; nothing at all is `none`. */
  readonly gap: "none" | "space" | "comma" | "stop";
}

const NUMBER = "\\d+(?:,\\d{3})*(?:[.:]\\d+)*(?:(?:st|nd|rd|th)(?![\\p{L}\\p{N}]))?";
const LETTERS = "\\p{L}+(?:['’]\\p{L}+)*";

/** "Friday's good", "three's fine": the 's is the verb and belongs to no day, time or number. */
const SHORTENED_IS =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow|noon|midday|o'clock|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirty|forty-?five|fifteen|twenty|\d+)'s$/;

/**
 * Cuts a text into words. Punctuation separates words, except signs with a meaning: "$", "€", "£", "%", "@" and "+" are
 * words, and so are the additional `signs` if they stand between letters or digits without a space.
 */
export function wordsOf(text: string, signs = ""): Word[] {
  const glued = signs === "" ? "" : `|(?<=[\\p{L}\\p{N}])[${signs.replace(/[-\]^\\]/g, "\\$&")}](?=[\\p{L}\\p{N}])`;
  const pattern = new RegExp(`${NUMBER}|${LETTERS}|[$€£%@+]${glued}`, "gu");
  const words: Word[] = [];
  let previousEnd = 0;
  for (const found of text.matchAll(pattern)) {
    const start = found.index;
    const end = start + found[0].length;
    const gap = gapOf(text.slice(previousEnd, start), text[start] ?? "");
    const word = found[0].toLowerCase().replaceAll("’", "'");
    const isShortened = SHORTENED_IS.test(word);
    words.push({ text: isShortened ? word.slice(0, -2) : word, start, end: isShortened ? end - 2 : end, gap });
    previousEnd = end;
  }
  return words;
}

function gapOf(between: string, next: string): Word["gap"] {
  if (between === "") return "none";
  // The dots of "p.m." end no sentence.
  if (/^\.$/.test(between) && /\p{L}/u.test(next)) return "none";
  if (/[.?!;:]/.test(between)) return "stop";
  return /,|\s[-–—]|[–—]/.test(between) ? "comma" : "space";
}

/** Whether a word continues from the one before it, without a pause. */
export function isJoined(word: Word | undefined): boolean {
  return word !== undefined && (word.gap === "space" || word.gap === "none");
}

/** Whether exactly these words begin at a position, without a pause between them. */
export function saysAt(words: readonly Word[], at: number, phrase: readonly string[]): boolean {
  return phrase.every((text, index) => {
    const word = words[at + index];
    return word?.text === text && (index === 0 || isJoined(word));
  });
}
