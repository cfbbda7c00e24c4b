import { samplesIn } from "@parley/audio/frame";
import { LEAD_MS, TAIL_MS } from "../finish-clip.ts";

/** A clip of a joined sentence, and the pause after it. */
export interface CoverPiece {
  readonly text: string;
  readonly gapMs: number;
}

interface Word {
  /** Without the mark behind it. */
  readonly word: string;
  readonly mark: string;
  /** What stands between it and the next one: a hyphen in "twenty-one". */
  readonly glue: " " | "-";
}

/** No carrier is longer. */
const PIECE_WORDS_MAX = 30;
/** Between words that belong together, and where a comma or a full stop stood. */
const HYPHEN_GAP_MS = 10;
const WORD_GAP_MS = 30;
const COMMA_GAP_MS = 130;
const STOP_GAP_MS = 260;

/**
 * The fewest clips that say a text together, or null when there is no way: the whole text where it was rendered as it is,
 * else carriers such as "I have noted" and the words of dates, times and numbers.
 */
export function coverText(text: string, has: (text: string) => boolean): readonly CoverPiece[] | null {
  const whole = text.replace(/\s+/g, " ").trim();
  if (has(whole)) return [{ text: whole, gapMs: 0 }];
  const words = wordsOf(whole);
  // best[i] says the words before i.
  const best: (readonly CoverPiece[] | null)[] = [[], ...words.map(() => null)];
  for (let end = 1; end <= words.length; end++) {
    for (let start = Math.max(0, end - PIECE_WORDS_MAX); start < end; start++) {
      const before = best[start];
      if (before == null || (best[end]?.length ?? Number.POSITIVE_INFINITY) <= before.length + 1) continue;
      const span = words.slice(start, end);
      const piece = formsOf(span, end === words.length).find(has);
      if (piece === undefined) continue;
      const gapMs = end === words.length ? 0 : gapAfter(span.at(-1));
      best[end] = [...before, { text: piece, gapMs }];
    }
  }
  return words.length === 0 ? null : (best[words.length] ?? null);
}

/** Where a text has no words there is nothing to say, and nothing to render. */
export function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

function wordsOf(text: string): Word[] {
  return text.split(" ").flatMap((token) => {
    const [, inner = "", mark = ""] = /^["'“‘(]*(.*?)([,;:.!?…)"”’]*)$/.exec(token) ?? [];
    const parts = inner.split("-").filter((part) => part !== "");
    return parts.map((word, index): Word => {
      const isLast = index === parts.length - 1;
      return { word, mark: isLast ? mark : "", glue: isLast ? " " : "-" };
    });
  });
}

/** The ways in which a piece may have been rendered, the best first. A word that begins a sentence has a capital. */
function formsOf(span: readonly Word[], isLast: boolean): string[] {
  const inner = span
    .map(({ word, mark, glue }, index) => (index < span.length - 1 ? word + mark + glue : word))
    .join("");
  const mark = span.at(-1)?.mark ?? "";
  const isFinal = isLast || /[.!?]/.test(mark);
  return [inner, inner.charAt(0).toLowerCase() + inner.slice(1)].flatMap((words) => [
    ...(mark === "" ? [] : [words + mark]),
    ...(isFinal ? [joinableText(words, "final")] : []),
    joinableText(words, "medial"),
  ]);
}

function gapAfter(last: Word | undefined): number {
  if (last?.glue === "-") return HYPHEN_GAP_MS;
  if (last === undefined || last.mark === "") return WORD_GAP_MS;
  return /[.!?]/.test(last.mark) ? STOP_GAP_MS : COMMA_GAP_MS;
}

/** How a word of a joined sentence is rendered: with more to come, or as the last one. */
type WordPlace = "medial" | "final";

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const MONTHS = "January February March April May June July August September October November December".split(" ");
const UNITS = "zero one two three four five six seven eight nine".split(" ");
const TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const ORDINALS = (
  "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth " +
  "sixteenth seventeenth eighteenth nineteenth twentieth thirtieth"
).split(" ");

/** Said within a value and never at the end of it. */
const LINKS = ["at", "on", "the", "of", "and", "oh", "plus", "point", "hundred", "thousand"];
/** Said at the end of a value. */
const ENDS = ["A M", "P M", "noon", "midnight", "o'clock", "yes", "no"];

/**
 * The words that dates, times and numbers are made of. Joined with short gaps they make every value of these kinds, so
 * that nothing has to be rendered when a callee names one. A word that seldom ends a sentence is rendered once, and
 * sounds as if more were to come; "twenty-one" is two of them.
 */
export function joinableTexts(): readonly string[] {
  const ends = [...WEEKDAYS, ...ORDINALS, ...UNITS, ...ENDS];
  const others = [...MONTHS, ...TEENS, ...TENS, ...LINKS];
  return [
    ...[...ends, ...others].map((word) => joinableText(word, "medial")),
    ...ends.map((word) => joinableText(word, "final")),
  ];
}

/** The text under which a word is rendered for its place. A word with more to come has no full stop. */
function joinableText(words: string, place: WordPlace): string {
  return place === "final" ? `${words}.` : words;
}

/** Sound and the pause that is to follow it. */
export interface JoinedClip {
  readonly samples: Int16Array;
  readonly gapMs: number;
}

/** Clips one after the other. The silence in which each is set is cut away inside, so that the gaps are those asked for. */
export function joinClips(clips: readonly JoinedClip[], sampleRateHz: number): Int16Array {
  const lead = samplesIn(LEAD_MS, sampleRateHz);
  const tail = samplesIn(TAIL_MS, sampleRateHz);
  const pieces = clips.map(({ samples }, index) =>
    samples.subarray(
      index === 0 ? 0 : Math.min(lead, samples.length),
      index === clips.length - 1 ? samples.length : Math.max(lead, samples.length - tail),
    ),
  );
  const gaps = clips.map(({ gapMs }, index) => (index === clips.length - 1 ? 0 : samplesIn(gapMs, sampleRateHz)));
  const joined = new Int16Array(pieces.reduce((sum, { length }, index) => sum + length + (gaps[index] ?? 0), 0));
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    joined.set(piece, at);
    at += piece.length + (gaps[index] ?? 0);
  }
  return joined;
}
