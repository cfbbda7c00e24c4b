import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evaluateExpression, isConditionMet } from "./evaluate.ts";
import type { Expression } from "./expression.ts";
import { parseExpression } from "./parse.ts";
import { anyExpression } from "./testing/any-expression.ts";
import { readValue, toText, type Value } from "./value.ts";

const known = new Map<string, Value>([
  ["variables.name", "Ada Lovelace"],
  ["collected.guests", 7],
  ["collected.day", readValue("2026-03-01", "date")],
  ["collected.at", readValue("09:30", "time")],
  ["collected.agreed", true],
  ["collected.nothing", null],
]);

function worthOf(text: string): Value {
  const result = parseExpression(text);
  if (!result.ok) throw new Error(result.mistake.message);
  const value = evaluateExpression(result.expression, known);
  return value !== null && typeof value === "object" ? toText(value) : value;
}

describe("the value of an expression", () => {
  it.each([
    ["collected.guests > 6", true],
    ["collected.guests >= 7 and collected.guests <= 7", true],
    ["collected.guests != 7", false],
    ["1 + 2 * 3 - 4 / 2", 5],
    ["7 % 3", 1],
    ["-collected.guests", -7],
    ['collected.day < date("2026-03-02")', true],
    ['collected.day == date("2026-03-01")', true],
    ["collected.day - 1", "2026-02-28"],
    ["collected.day + 31", "2026-04-01"],
    ['date("2028-03-01") - date("2028-02-28")', 2],
    ['collected.at < time("10:00")', true],
    ["weekday(collected.day)", "sunday"],
    ["year(collected.day) * 10000 + month(collected.day) * 100 + day(collected.day)", 20260301],
    ['contains(variables.name, "Love")', true],
    ['startsWith(variables.name, "Ada") and endsWith(variables.name, "lace")', true],
    ['lower(variables.name) == "ada lovelace"', true],
    ['upper("straße")', "STRASSE"],
    ['trim("  a ")', "a"],
    ['length("zoë🎉")', 4],
    ["collected.guests in [6, 7, 8]", true],
    ['"red" not in ["green", "blue"]', true],
    ['number(" 3.50 ") + 1', 4.5],
    ["text(collected.day)", "2026-03-01"],
    ["text(collected.at)", "09:30"],
    ["text(7.25)", "7.25"],
    ["round(2.5)", 3],
    ["not collected.agreed", false],
  ])("is plain: %s", (text, value) => expect(worthOf(text)).toBe(value));

  it.each([
    ["collected.nothing == null", true],
    ["collected.nothing != null", false],
    ["collected.never_asked == null", true],
    ['collected.nothing == ""', false],
    ["collected.nothing < 1", false],
    ["not (collected.nothing < 1)", true],
    ["collected.nothing + 1", null],
    ["collected.nothing in [null]", true],
    ["collected.nothing in [1]", false],
    ["lower(collected.nothing)", null],
    ['contains(collected.nothing, "a")', false],
    ["isEmpty(collected.nothing)", true],
    ['isEmpty("  ")', true],
    ["isEmpty(0)", false],
    ["default(collected.nothing, 3)", 3],
    ["default(collected.guests, 3)", 7],
    ["collected.nothing and true", false],
    ["collected.nothing or true", true],
    ["not collected.nothing", true],
  ])("follows one rule for what is not known: %s", (text, value) => expect(worthOf(text)).toBe(value));

  it.each([
    ['"7" == 7', false],
    ['"7" != 7', true],
    ['"10" < "9"', false],
    ["variables.name + 1", null],
    ["1 / 0", null],
    ["1 % 0", null],
    ["collected.day + 0.5", null],
    ["collected.day + 99999999", null],
    ["collected.day * 2", null],
    ["collected.at - collected.at", null],
    ["collected.day < collected.at", false],
    ['number("three")', null],
    ['number("1,5")', null],
    ['number("1e3")', null],
    ['date("2026-02-30")', null],
    ['date("1.3.2026")', null],
    ['time("24:00")', null],
    ["true < false", false],
    ["toString(1)", null],
    ["lower(1)", null],
    ['contains("a")', false],
    ["constructor", null],
  ])("is null or false where things do not fit together: %s", (text, value) => expect(worthOf(text)).toBe(value));

  it("decides a condition only when it is exactly true", () => {
    const met = (text: string) => {
      const result = parseExpression(text);
      return result.ok && isConditionMet(result.expression, known);
    };
    expect([met("collected.agreed"), met("1"), met('"true"'), met("null"), met("collected.guests")]).toEqual([
      ...[true, false, false, false, false],
    ]);
  });

  it("evaluates the right side of and, or only if the left does not decide", () => {
    expect(worthOf("collected.guests == 0 or 14 / collected.guests == 2")).toBe(true);
    expect(worthOf('false and number("x") > 1')).toBe(false);
  });

  it("is computed without throwing for any expression and any values, and is never NaN", () => {
    const anyValue = fc.oneof(
      fc.string(),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc
        .constantFrom("2026-03-01", "09:30", "7")
        .chain((text) =>
          fc.constantFrom("date" as const, "time" as const, "number" as const).map((type) => readValue(text, type)),
        ),
    );
    const paths = ["variables.name", "collected.day", "collected.guests", "call.phoneNumber", "collected.in"];
    fc.assert(
      fc.property(anyExpression, fc.array(anyValue, { minLength: 5, maxLength: 5 }), (expression, values) => {
        const scope = new Map(paths.map((path, index): [string, Value] => [path, readBack(values[index] ?? null)]));
        const value = evaluateExpression(expression, scope);
        if (typeof value === "number") expect(Number.isFinite(value)).toBe(true);
        expect(["string", "number", "boolean", "object"]).toContain(typeof value);
      }),
      { numRuns: 2000 },
    );
  });

  it("ends for an expression larger than any that can be written", () => {
    let huge: Expression = { type: "literal", value: 1, start: 0, end: 0 };
    for (let depth = 0; depth < 50_000; depth += 1) huge = { type: "negative", of: huge, start: 0, end: 0 };
    expect(evaluateExpression(huge, known)).toBeNull();
  });
});

/** Values come in through `readValue`, which lets no infinite number pass. */
function readBack(value: Value): Value {
  return typeof value === "number" ? readValue(value, "number") : value;
}

describe("a value that was collected or sent", () => {
  it.each([
    ["  7 ", "number", 7],
    [7, "text", "7"],
    [true, "text", "yes"],
    [false, "text", "no"],
    [true, "boolean", true],
    ["yes", "boolean", null],
    ["soon", "date", null],
    [7, "date", null],
    [Number.NaN, "number", null],
    [Number.POSITIVE_INFINITY, "text", null],
    [{ a: 1 }, "text", null],
    [undefined, "number", null],
  ] as const)("is taken as its declared type, or not at all: %j as %s", (raw, type, value) => {
    expect(readValue(raw, type)).toBe(value);
  });

  it("may be any day with four digits of the year", () => {
    for (const day of ["0001-01-01", "0099-12-31", "1969-12-31", "2000-02-29", "9999-12-31"]) {
      expect(toText(readValue(day, "date"))).toBe(day);
    }
    for (const day of ["0000-01-01", "1900-02-29", "2026-13-01", "2026-00-10", "10000-01-01", "2026-1-1"]) {
      expect(readValue(day, "date")).toBeNull();
    }
  });
});
