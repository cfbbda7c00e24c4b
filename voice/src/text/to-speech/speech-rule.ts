/** What differs between people who speak the same language. */
export interface SpeechStyle {
  /** Whether 3/4/2026 is the third of April, and is said that way round. */
  readonly isDayFirst: boolean;
}

/** How one kind of writing is said. */
export interface SpeechRule {
  /** Sticky, so that it is tried at one position only: where a word may begin. */
  readonly pattern: RegExp;
  /** The words, or null if the match is something else after all. */
  readonly say: (found: Written, style: SpeechStyle) => string | null;
}

/** What a pattern found, and where. */
interface Written {
  readonly groups: readonly (string | undefined)[];
  /** The text before and after it. */
  readonly before: string;
  readonly after: string;
}

/** What must follow a number or an abbreviation to terminate it. For use in patterns. */
export const WORD_END = "(?![A-Za-z0-9])";

/**
 * A full stop that an abbreviation ends with ends the sentence too when nothing follows, or a new sentence does.
 * Removing it would make the voice run on.
 */
export function sentenceEnd(written: string, after: string): string {
  return written.endsWith(".") && /^(?:\s*$|\s+["'(]?[A-Z])/.test(after) ? "." : "";
}
