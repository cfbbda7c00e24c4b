import { cardinalWords } from "@parley/voice/text/to-speech/number-words";

/** The words of a text as they are compared: lower case, no punctuation, numbers in words. */
export function plainWords(text: string): readonly string[] {
  return text
    .toLowerCase()
    .replace(/\d+/g, (digits) => ` ${cardinalWords(Number(digits))} `)
    .replace(/[’]/g, "'")
    .replace(/[^a-z' ]+/g, " ")
    .split(/\s+/)
    .filter((word) => /[a-z]/.test(word));
}
