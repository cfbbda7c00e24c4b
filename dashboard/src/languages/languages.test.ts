import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fillInTexts } from "../../build/page-texts.ts";
import { findVisibleMarkup, findVisibleStrings } from "../testing/visible-strings.ts";
import { languageOf } from "./language.ts";

const root = join(import.meta.dirname, "..");
const sources = globSync("**/*.{ts,tsx}", { cwd: root }).filter(
  (path) => !/\.test\.tsx?$|^testing\/|\/text(\.de)?\.tsx?$/.test(path),
);
const texts = globSync("**/text.{ts,tsx}", { cwd: root });

/** What looks like text and is not: names of things that are the same in every language. */
const NAMES = new Set(["English", "Deutsch"]);

/**
 * UTF-8 that was read as Latin-1 or Windows-1252: control characters of the C1 range, the first byte of a character as a
 * letter before what its second byte looks like, or the character that replaces unreadable bytes.
 */
const MISDECODED = /[\u0080-\u009f\ufffd]|â€|[ÂÃ][\u00a0-\u00bf]/;

describe("the texts of the interface", () => {
  it.each(sources)("are not written in %s, but in the text file of its feature", (path) => {
    const found = findVisibleStrings(path, readFileSync(join(root, path), "utf8"));
    expect(found.filter(({ value }) => !NAMES.has(value)).map(({ line, value }) => `${line}: ${value.trim()}`)).toEqual(
      [],
    );
  });

  it("are not written in index.html, but filled in from a text file in both languages", () => {
    const html = readFileSync(join(root, "../index.html"), "utf8");
    expect(findVisibleMarkup(html)).toEqual([]);
    const filled = fillInTexts(html);
    expect(filled).not.toContain("{{");
    expect(findVisibleMarkup(filled)).toEqual(
      expect.arrayContaining([
        expect.stringContaining("needs JavaScript"),
        expect.stringContaining("benötigt JavaScript"),
      ]),
    );
  });

  it.each([
    "<p>Hello there</p>",
    '<img alt="A cat">',
    '<meta name="description" content="Calls">',
    "<title>Calls</title>",
  ])("would be found in %s", (html) => {
    expect(findVisibleMarkup(html)).toHaveLength(1);
  });

  it.each(texts)("of %s are also in German, and no sentence was left in English", async (path) => {
    const english = await import(join(root, path));
    const german = await import(join(root, path.replace(/\.(tsx?)$/, ".de.$1")));
    const sentences = flatten(Object.values(english)[0]);
    const translated = flatten(german.german);
    expect([...translated.keys()]).toEqual([...sentences.keys()]);
    const same = [...sentences].filter(([key, text]) => wordsIn(text) >= 3 && translated.get(key) === text);
    expect(same).toEqual([]);
  });

  // The API calls a comment on the canvas a note, which people write about versions and calls.
  it.each([
    ["flow-editor", "text.ts", /\bedges?\b|\bnote for your team/i],
    ["flow-editor", "text.de.ts", /\bkanten?\b|\blinien?\b|\bknoten\b|notiz für/i],
  ])("of %s (%s) call a comment, a connection and a node by one word each", async (feature, name, otherWord) => {
    const paths = globSync(`features/${feature}/**/${name}{,x}`, { cwd: root });
    const found = await Promise.all(
      paths.map(async (path) => {
        const text = Object.values(await import(join(root, path)))[0];
        return [...flatten(text)].filter(([, sentence]) => otherWord.test(sentence)).map(([key]) => `${path}: ${key}`);
      }),
    );
    expect(paths.length).toBeGreaterThan(5);
    expect(found.flat()).toEqual([]);
  });

  const written = globSync("**/{text,german,*-sentences}{,.de}.{ts,tsx}", { cwd: root });

  it.each(written)("of %s have no characters that were decoded wrongly", (path) => {
    const lines = readFileSync(join(root, path), "utf8").split("\n");
    expect(lines.filter((line) => MISDECODED.test(line))).toEqual([]);
  });

  it.each(["calleeâ\u0080\u0099s", "calleeâ€™s", "fÃ¼r", "2Â\u00a0%", "f\uFFFDr"])("would not pass with %j", (text) => {
    expect(MISDECODED.test(text)).toBe(true);
  });

  const german = globSync("**/*.de.{ts,tsx}", { cwd: root });

  it.each(german)("of %s load nothing that could read texts before they are translated", (path) => {
    const loaded = [...readFileSync(join(root, path), "utf8").matchAll(/^import (?!type ).*? from "([^"]+)";$/gms)];
    const others = loaded.filter(([, from = ""]) => !/\.de\.tsx?$|\/languages\/language\.ts$/.test(from));
    expect(others.map(([line]) => line)).toEqual([]);
  });

  it("all belong to the German that is loaded", () => {
    const features = texts.map((path) => /inLanguage\("([^"]+)"/.exec(readFileSync(join(root, path), "utf8"))?.[1]);
    const loaded = readFileSync(join(root, "languages/german.ts"), "utf8");
    const missing = features.filter((feature) => !new RegExp(`^  (${feature}|"${feature}")[:,]`, "m").test(loaded));
    expect(missing).toEqual([]);
  });
});

describe("the language", () => {
  it.each([
    [["de-AT", "en"], "de"],
    [["en-GB", "de"], "en"],
    [["fr-FR", "de-CH", "en"], "de"],
    [["fr-FR"], "en"],
    [[], "en"],
  ] as const)("of a browser that prefers %j is %s", (tags, language) => {
    expect(languageOf(tags)).toBe(language);
  });
});

/** The words of a text, without the parameters and values of a function. */
function wordsIn(text: string): number {
  return text.replaceAll(/^\(.*?\) =>|\$\{[^}]*\}/gs, "").match(/\p{L}{2,}/gu)?.length ?? 0;
}

/** Every text by its path, functions by their source. */
function flatten(text: unknown, path = ""): ReadonlyMap<string, string> {
  if (typeof text !== "object" || text === null) return new Map([[path, String(text)]]);
  return new Map(Object.entries(text).flatMap(([key, value]) => [...flatten(value, path ? `${path}.${key}` : key)]));
}
