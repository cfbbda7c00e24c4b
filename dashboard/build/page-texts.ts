import { german } from "../src/first-paint/text.de.ts";
import { firstPaintText as english } from "../src/first-paint/text.ts";

const DOCUMENTATION = (label: string) => `<a href="/docs">${label}</a>`;

/** What is written into the page itself. It has both languages where no script can choose one. */
const TEXTS: Readonly<Record<string, string>> = {
  "{{description}}": english.description,
  "{{needsScript}}": `<p>${english.needsScript(DOCUMENTATION)}</p><p lang="de">${german.needsScript(DOCUMENTATION)}</p>`,
};

/** Fills the places for texts in `index.html`, which has none of its own. */
export function fillInTexts(html: string): string {
  return html.replaceAll(/\{\{\w+\}\}/g, (place) => {
    const text = TEXTS[place];
    if (text === undefined) throw new Error(`index.html has a place for a text that there is not: ${place}`);
    return text;
  });
}
