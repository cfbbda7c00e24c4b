import type { FirstPaintText } from "./text.ts";

export const german: FirstPaintText = {
  // index.html
  description: "Sprachagenten, die Menschen anrufen: Anrufe, Aufnahmen, Transkripte und Schlüssel.",
  needsScript: (link) => `Das Dashboard benötigt JavaScript. Die API nicht: ${link("Dokumentation lesen (englisch)")}.`,
};
