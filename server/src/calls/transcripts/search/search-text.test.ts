import { AppError } from "@parley/contract/errors";
import { describe, expect, test } from "vitest";
import { foldWords, readSearch } from "./search-text.ts";

describe("a text as search sees it", () => {
  test.each([
    ["Zoë Müller, ČAPEK", "zoe muller capek"],
    ["Straße in Łódź; Ærø, œuvre", "strasse in lodz aero oeuvre"],
    ["555-0100, or +1 (555) 010.0", "555 0100 or 1 555 010 0"],
    ["anna@example.com's", "anna example com s"],
    ["ＦＵＬＬ ① ²", "full 1 2"],
    ["Привет, Ёлка", "привет елка"],
    ["नमस्ते दुनिया", "नमस्ते दुनिया"],
    ["東京の天気は晴れ ok", "東 京 の 天 気 は 晴 れ ok"],
    ["👍 !!! \u0000 --", ""],
  ])("%j is %j", (text, folded) => {
    expect(foldWords(text)).toBe(folded);
  });
});

const shown = (text: string) => readSearch(text).map(({ words, isExcluded }) => (isExcluded ? `not ${words}` : words));

describe("the text of a search box", () => {
  test.each([
    ["cancel my appointment", ["cancel", "my", "appointment"]],
    ['"call me back" anna', ["call me back", "anna"]],
    ["„rufen Sie an“ Zoë", ["rufen sie an", "zoe"]],
    ["order -refund", ["order", "not refund"]],
    ['order -"no refund"', ["order", "not no refund"]],
    ["half-past 555-0100", ["half past", "555 0100"]],
    ['he said "never closed', ["he", "said", "never closed"]],
    ["don't & | ! ( ) : * 'x", ["don t", "x"]],
  ])("%s is read as %j", (text, terms) => {
    expect(shown(text)).toEqual(terms);
  });

  test.each(["!!!", "-refund", '""', "👍", '- "'])("%s names nothing that could be found, and is refused", (text) => {
    expect(() => readSearch(text)).toThrow(AppError);
  });
});
