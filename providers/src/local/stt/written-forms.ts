import { writeNumerals } from "./write-numerals.ts";

/** It was taught to write sentences, so it ends most of what it hears like one, but not all. */
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
