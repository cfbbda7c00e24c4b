import type { SpeechRule } from "./speech-rule.ts";

/** Signs that stand for a word when they stand alone. */
export const SIGNS: readonly SpeechRule[] = [
  { pattern: /&(?=\s|[A-Za-z0-9])/y, say: ({ before }) => `${/\s$/.test(before) ? "" : " "}and ` },
  { pattern: /@(?=\s)/y, say: () => "at" },
  { pattern: /\+(?=\s?\d)/y, say: () => "plus " },
  { pattern: /=(?=\s)/y, say: () => "equals" },
  { pattern: /[–—]/y, say: () => ", " },
];
