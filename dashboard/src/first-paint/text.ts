import { inLanguage } from "../languages/texts.ts";

const english = {
  // index.html
  description: "Voice agents that phone people: calls, recordings, transcripts and keys.",
  needsScript: (link: (label: string) => string) =>
    `The dashboard needs JavaScript. The API does not: ${link("read the documentation")}.`,
};

export type FirstPaintText = typeof english;

export const firstPaintText = inLanguage("first-paint", english);
