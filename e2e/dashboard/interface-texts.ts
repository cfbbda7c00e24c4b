import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { REPOSITORY } from "../harness/service-process.ts";

const SOURCES = join(REPOSITORY, "dashboard/src");

/** What only the English interface says: whole texts, and sentences around values. */
export interface EnglishTexts {
  readonly whole: ReadonlySet<string>;
  readonly parts: readonly string[];
}

/** Reads the English texts of all features whose German differs. */
export async function readEnglishTexts(): Promise<EnglishTexts> {
  const english = new Set<string>();
  const german = new Set<string>();
  for (const path of globSync("**/text.{ts,tsx}", { cwd: SOURCES })) {
    const translation = join(SOURCES, path.replace(/\.(tsx?)$/, ".de.$1"));
    const [own, translated] = await Promise.all([
      import(join(SOURCES, path)),
      existsSync(translation) ? import(translation) : { german: {} },
    ]);
    for (const text of wordsOf(Object.values(own)[0])) english.add(text);
    for (const text of wordsOf(translated.german)) german.add(text);
  }
  const only = [...english].filter((text) => !german.has(text));
  if (only.length < 1000) throw new Error(`only ${only.length} English texts were found`);
  return {
    whole: new Set(only),
    // Two words may also be a name that someone gave.
    parts: only.filter((text) => text.split(" ").length >= 3),
  };
}

/** Every text, and of functions the fixed parts of what they write. */
function wordsOf(text: unknown): string[] {
  if (typeof text === "string") return [text.trim()];
  if (typeof text === "object" && text !== null) return Object.values(text).flatMap(wordsOf);
  const literals = String(text).match(/"[^"\n]+"|`[^`]+`/g) ?? [];
  return literals
    .flatMap((literal) => literal.slice(1, -1).split(/\$\{[^}]*\}/))
    .map((part) => part.trim())
    .filter((part) => /\p{L}{2,} \p{L}{2,}/u.test(part));
}

/** What people see and what screen readers say, text by text. */
const SHOWN = `(() => {
  const shown = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) {
      const place = node.parentElement;
      if (place.closest("script, style, noscript, pre, code") === null) shown.push(node.data);
    } else for (const name of ["aria-label", "placeholder", "title", "alt"]) shown.push(node.getAttribute(name) ?? "");
  }
  return [document.title.replace(/ · Parley$/, ""), ...shown];
})()`;

/** The English of the interface that a page shows, apart from what was written by people. */
export async function findEnglish(
  page: Page,
  { whole, parts }: EnglishTexts,
  written: ReadonlySet<string>,
): Promise<string[]> {
  const shown = ((await page.evaluate(SHOWN)) as string[]).map((text) => text.replaceAll(/\s+/g, " ").trim());
  const sentences = parts.filter((part) => !written.has(part));
  const isEnglish = (text: string) => whole.has(text) || sentences.some((part) => text.includes(part));
  return [...new Set(shown)].filter((text) => text !== "" && !written.has(text) && isEnglish(text));
}
