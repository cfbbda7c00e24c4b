import type { SnippetsText } from "./text.ts";

export const german: SnippetsText = {
  // snippets.tsx
  language: "Sprache",
};
