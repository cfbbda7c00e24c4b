/** It was trained to write sentences, so it ends most of its output like one, but not all. */
const ENDINGS = ["", ".", "?", "!", ","];

/** How the recognizer might write an answer: with a capital or without, numbers in words or in figures, any ending. */
export function writtenForms(answer: string): readonly string[] {
  const plain = answer.trim().replace(/[.!?,]+$/, "");
  if (plain === "") return [];
  const numerals = writeNumerals(plain);
  const stems = [plain, capital(plain), ...(numerals === null ? [] : [numerals, capital(numerals)])];
  return [...new Set(stems)].flatMap((stem) => ENDINGS.map((ending) => stem + ending));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const UNITS = [
  ..."zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split(" "),
  ..."seventeen eighteen nineteen".split(" "),
];
const TENS = " ten twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const IRREGULAR_ORDINALS: Readonly<Record<string, string>> = {
  first: "one",
  second: "two",
  third: "three",
  fifth: "five",
  eighth: "eight",
  ninth: "nine",
  twelfth: "twelve",
};

interface NumberWord {
  readonly value: number;
  readonly isOrdinal: boolean;
}

/**
 * A text with figures for its number words, as a recognizer trained on subtitles writes them: "25", "5th". Null when it
 * has none. Words that follow each other without making one number are figures one after the other.
 */
export function writeNumerals(text: string): string | null {
  const words = text.trim().split(/[\s-]+/);
  const written: string[] = [];
  let run: NumberWord[] = [];
  let hasNumber = false;
  const endRun = () => {
    if (run.length > 0) written.push(...figuresOf(run));
    run = [];
  };
  for (const word of words) {
    const read = readNumberWord(word.toLowerCase());
    if (read === null) {
      endRun();
      written.push(word);
    } else {
      run.push(read);
      hasNumber = true;
    }
  }
  endRun();
  return hasNumber ? written.join(" ") : null;
}

function readNumberWord(word: string): NumberWord | null {
  const cardinal = valueOfWord(word);
  if (cardinal !== null) return { value: cardinal, isOrdinal: false };
  const base = IRREGULAR_ORDINALS[word] ?? word.replace(/ieth$/, "y").replace(/th$/, "");
  const ordinal = base === word ? null : valueOfWord(base);
  return ordinal === null ? null : { value: ordinal, isOrdinal: true };
}

function valueOfWord(word: string): number | null {
  if (word === "hundred") return 100;
  if (word === "thousand") return 1_000;
  const unit = UNITS.indexOf(word);
  if (unit >= 0) return unit;
  const ten = TENS.indexOf(word);
  return ten > 0 ? 10 * ten : null;
}

function figuresOf(run: readonly NumberWord[]): readonly string[] {
  const figures: string[] = [];
  let total: number | null = null;
  let last = 0;
  for (const { value, isOrdinal } of run) {
    const joined: number | null = total === null ? value : join(total, last, value);
    if (joined === null) figures.push(String(total));
    total = joined ?? value;
    last = value;
    if (!isOrdinal) continue;
    figures.push(`${total}${ordinalEnding(total)}`);
    total = null;
  }
  if (total !== null) figures.push(String(total));
  return figures;
}

/** What two number words make together, null when they are two numbers. */
function join(total: number, last: number, value: number): number | null {
  if (value === 100 || value === 1_000) return total < value ? total * value : null;
  if (last >= 100 && value < last) return total + value;
  return last >= 20 && last < 100 && value > 0 && value < 10 ? total + value : null;
}

function ordinalEnding(value: number): string {
  const isTeen = Math.floor(value / 10) % 10 === 1;
  return isTeen ? "th" : (["th", "st", "nd", "rd"][value % 10] ?? "th");
}
