import { inLanguage } from "../../languages/texts.ts";

const english = {
  // snippets.tsx
  language: "Language",
};

export type SnippetsText = typeof english;

export const snippetsText = inLanguage("snippets", english);
