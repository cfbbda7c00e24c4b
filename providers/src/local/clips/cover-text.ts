import { joinableText } from "./joinable-words.ts";

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
