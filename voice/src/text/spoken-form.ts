import type { Pronunciation } from "@parley/contract/pronunciations";
import { hasMarkup, type MarkupTag, parseMarkup, type SayAs } from "@parley/flow/markup";
import { fillText } from "@parley/flow/placeholders";
import { emphasized, hasMarks, mapPlain, pace, pause, saidAs, withoutMarks } from "../ports/speech-notation.ts";
import { digitsIn, phoneWordsIn, writtenWordsOf } from "./to-speech/languages/say-in-language.ts";
import { digitWords } from "./to-speech/number-words.ts";
import { phoneWords } from "./to-speech/phone-numbers.ts";
import { toSpeech } from "./to-speech/to-speech.ts";

/** How an agent speaks. */
export interface SpeakingStyle {
  /** A BCP 47 tag. */
  readonly language: string;
  readonly pronunciations?: readonly Pronunciation[] | undefined;
  /** 1 is normal. */
  readonly pace?: number | undefined;
}

/**
 * A text of a flow as it is spoken: values filled in, markup turned into marks, listed words with their pronunciation, numbers and
 * the like as words. Markup in values is not read: they come from outside.
 */
export function spokenForm(text: string, values: Readonly<Record<string, string>>, style: SpeakingStyle): string {
  const clean = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, withoutMarks(value)]));
  const marked = hasMarkup(text) ? markupToMarks(withoutMarks(text), style) : withoutMarks(text);
  return finish(interpret(fillText(marked, clean), style), style);
}

/** A text without placeholders and without markup, such as the reply of a language model. */
export function spokenReply(text: string, style: SpeakingStyle): string {
  return finish(withoutMarks(text), style);
}

function finish(text: string, style: SpeakingStyle): string {
  const pronounced = pronounce(text, style.pronunciations ?? []);
  const spoken = mapPlain(pronounced, (plain) => toSpeech(plain, style.language));
  const base = style.pace ?? 1;
  return base === 1 || spoken.trim() === "" ? spoken : pace(base) + spoken;
}

/** Marks that exist only while values are filled in: what stands between them is interpreted afterwards. */
const SAY_AS = "\uE110";
const WITH_IPA = "\uE111";
const STRESSED = "\uE112";
const INNER = "\uE113";
const CLOSE = "\uE114";
/** An innermost one. */
const REGION = new RegExp(`([\uE110-\uE112])([^\uE110-\uE114]*)${INNER}([^\uE110-\uE114]*)${CLOSE}`, "g");

function markupToMarks(text: string, { pace: base = 1 }: SpeakingStyle): string {
  const open: MarkupTag[] = [];
  let marked = "";
  for (const token of parseMarkup(text).tokens) {
    if (token.type === "text") marked += open.some(({ name }) => name === "sub") ? "" : token.text;
    else if (token.type === "break") marked = marked.trimEnd() + pause(token.ms);
    else if (token.type === "open") {
      open.push(token.tag);
      marked += opening(token.tag, base);
    } else {
      open.pop();
      marked += token.name === "prosody" ? pace(base) : token.name === "sub" ? "" : CLOSE;
    }
  }
  return marked;
}

function opening(tag: MarkupTag, base: number): string {
  switch (tag.name) {
    case "say-as":
      return SAY_AS + tag.as + INNER;
    case "phoneme":
      return WITH_IPA + tag.ipa + INNER;
    case "emphasis":
      return STRESSED + INNER;
    case "sub":
      return tag.alias;
    case "prosody":
      return pace(tag.rate * base);
  }
}

/** Says what stands between marks as they demand. */
function interpret(text: string, style: SpeakingStyle): string {
  if (!hasMarks(text)) return text;
  let current = text;
  for (let before = ""; before !== current; ) {
    before = current;
    current = current.replace(REGION, (_, mark: string, detail: string, inner: string) => {
      if (inner.trim() === "") return "";
      if (mark === SAY_AS) return sayAs(inner, detail as SayAs, style);
      return mark === WITH_IPA ? saidAs(inner, detail) : emphasized(inner);
    });
  }
  return current;
}

function sayAs(text: string, as: SayAs, { language }: SpeakingStyle): string {
  switch (as) {
    case "digits":
      return (text.match(/\d{1,4}/g) ?? []).map((digits) => sayDigits(digits, language)).join(", ");
    case "characters":
      return Array.from(text.matchAll(/[\p{L}]|\d/gu), ([sign]) =>
        /\d/.test(sign) ? sayDigits(sign, language) : sign.toUpperCase(),
      ).join(", ");
    case "telephone":
      return sayPhone(text, language);
    case "currency":
      if (!isEnglish(language)) return toSpeech(text, language);
      // The currency is named: "US$12.50" is never shortened to "twelve fifty".
      return toSpeech(text.replace(/^\s*\$?(?=\d[\d.,]*\s*$)/, "US$$"), language);
    case "date":
    case "time":
      return toSpeech(text, language);
  }
}

function isEnglish(language: string): boolean {
  return /^en(?:-|$)/i.test(language);
}

/** In a language without rules, the digits stand apart, so that the voice reads them one by one. */
function sayDigits(digits: string, language: string): string {
  if (isEnglish(language)) return digitWords(digits);
  const words = writtenWordsOf(language);
  return words === null ? [...digits].join(" ") : digitsIn(words, digits);
}

function sayPhone(text: string, language: string): string {
  if (isEnglish(language)) return phoneWords(text) ?? digitWords(text);
  const words = writtenWordsOf(language);
  if (words === null) return text;
  return (text.trim().startsWith("+") ? `${words.words.plus} ` : "") + phoneWordsIn(words, text);
}

/** Marks the listed words, in any case, as whole words and with or without a possessive. */
function pronounce(text: string, list: readonly Pronunciation[]): string {
  if (list.length === 0) return text;
  const byWord = new Map(list.toReversed().map(({ written, spoken }) => [keyOf(written), spoken]));
  const words = [...byWord.keys()].sort((a, b) => b.length - a.length).map(escapeWord);
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${words.join("|")})(['’]s)?(?![\\p{L}\\p{N}])`, "giu");
  return mapPlain(text, (plain) =>
    plain.replace(pattern, (whole: string, word: string, owner: string | undefined) => {
      const spoken = byWord.get(keyOf(word));
      if (spoken === undefined) return whole;
      return saidAs(whole, owner === undefined ? spoken : possessive(spoken));
    }),
  );
}

function keyOf(written: string): string {
  return written.toLowerCase().replaceAll("’", "'").replace(/\s+/g, " ");
}

function escapeWord(word: string): string {
  return word
    .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll("'", "['’]")
    .replaceAll(" ", "\\s+");
}

function possessive(spoken: string): string {
  if (!spoken.startsWith("/")) return `${spoken}'s`;
  const ipa = spoken.slice(1, -1);
  return `/${ipa}${/[szʃʒʧʤ]$/.test(ipa) ? "ɪz" : /[ptkfθ]$/.test(ipa) ? "s" : "z"}/`;
}
