import { checkCondition, checkExpression } from "@parley/flow/expression/check";
import type { DeclaredName } from "@parley/flow/expression/declared-name";
import { parseMarkup } from "@parley/flow/markup";
import { expect, test } from "vitest";
import { germanMarkupMistake, germanMistake } from "./mistakes.de.ts";

const declared: readonly DeclaredName[] = [
  { path: "variables.name", type: "text", meaning: "", values: null },
  { path: "collected.guests", type: "number", meaning: "", values: null },
  { path: "collected.day", type: "date", meaning: "", values: null },
  { path: "collected.size", type: "text", meaning: "", values: { texts: ["Large", "Small"], isAll: true } },
];

/** Words that only the English sentences have. */
const ENGLISH =
  /\b(the|this|is|write|here|stands|takes|there|missing|compares|calculates|bracket|character|without)\b/i;

test.each([
  "",
  "1 < 2 < 3",
  "1 +",
  "and true",
  "[1]",
  "(1 == 1",
  "1 == 1)",
  "min(1 2)",
  `"${"x".repeat(2100)}"`,
  "1 == 1 AND 2 == 2",
  "1 is 1",
  "1 1",
  "true && true",
  "true || true",
  "!true",
  "1 === 1",
  "1 <> 2",
  "1 => 2",
  "“a” == variables.name",
  "{{name}} == 1",
  ".day",
  "1234567890123456789 == 1",
  '"a\\x" == "b"',
  '"a',
  "1 == §",
  "rond(1) == 1",
  "nothinglikeit(1) == 1",
  "collected.gests == 1",
  "guests == 1",
  "nowhere.at.all == 1",
  "round() == 1",
  'round("a") == 1',
  'default(1, "a") == 1',
  'date("tomorrow") == collected.day',
  "collected.guests in []",
  'collected.size == "large"',
  'collected.size == "Huge"',
  "variables.name > 1",
  "true > 1",
  "collected.day * 2 == 1",
  "variables.name == 1",
  "collected.guests == true",
  "1 and true",
  "variables.name + 1 == 2",
  "true + 1 == 2",
  "1 + 1",
])("the mistake in %j is worded in German", (text) => {
  const results = [checkCondition(text, declared), checkExpression(text, declared)];
  const messages = results.flatMap((result) => (result.ok ? [] : result.mistakes.map(({ message }) => message)));
  expect(messages).not.toEqual([]);
  for (const message of messages) {
    expect(germanMistake(message)).not.toBe(message);
    expect(germanMistake(message).replaceAll(/"[^"]*"|\b(and|or|not|is) /g, "")).not.toMatch(ENGLISH);
  }
});

test.each([
  "a <br",
  '<break time="60s"/>',
  "<loud>a</loud>",
  "a</sub>",
  '<emphasis size="1">a</emphasis>',
  '<say-as interpret-as="x">a</say-as>',
  "<phoneme>a</phoneme>",
  "<sub>a</sub>",
  '<prosody rate="9">a</prosody>',
  "<emphasis/>",
  '<sub alias="b"><sub alias="c">a</sub></sub>',
  "<emphasis>a",
])("the mistake in the markup %j is worded in German", (text) => {
  const { mistakes } = parseMarkup(text);
  expect(mistakes).not.toEqual([]);
  for (const mistake of mistakes) expect(germanMarkupMistake(mistake)).not.toMatch(/^has |\bwhich\b/);
});
