import { FRENCH } from "./french/french.ts";
import { GERMAN } from "./german/german.ts";
import { SPANISH } from "./spanish/spanish.ts";

/**
 * How a language other than English is understood. What the callee said is glossed: its words are replaced by the
 * English ones that mean the same, as far as the pack knows them, and the rules of understanding read the gloss. Words
 * that are not in the pack stay as they are, so that they match the same words in a flow and count as unexplained
 * everywhere else.
 */
export interface LanguagePack {
  /** The primary subtag of its BCP 47 tags. */
  readonly code: string;
  /** In English, for people who configure agents. */
  readonly name: string;
  /**
   * Whole expressions and what they mean, looked for before anything else, in this order, in text in lower case. For
   * what cannot be glossed word by word: requests, idioms, times.
   */
  readonly expressions: readonly (readonly [expression: RegExp, meaning: string])[];
  /** Words and short phrases; the longest that fits is taken. */
  readonly words: Readonly<Record<string, string>>;
  /** Reads a number in words from a position on: its value, and how many words it has. */
  readNumber(words: readonly string[], at: number): { readonly value: number; readonly length: number } | null;
  /** Put the glossed words in the order in which English has them. Applied in this order. */
  readonly rewrites: readonly (readonly [found: RegExp, replacement: string | ((...groups: string[]) => string)])[];
  /** What may be said to common questions, for recognizers that can favor it. */
  readonly expected: {
    readonly yesNo: readonly string[];
    readonly days: readonly string[];
    readonly places: readonly [first: string, second: string];
  };
  /** "Yes" and "no" as the agent says them. */
  readonly spoken: { readonly yes: string; readonly no: string };
}

const PACKS: readonly LanguagePack[] = [GERMAN, SPANISH, FRENCH];

/** The pack of a language, by its BCP 47 tag; null for English, which needs none, and for languages without one. */
export function packOf(language: string): LanguagePack | null {
  const code = language.toLowerCase().split("-")[0];
  return PACKS.find((pack) => pack.code === code) ?? null;
}
