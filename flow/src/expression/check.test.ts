import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkCondition } from "./check.ts";
import type { DeclaredName } from "./declared-name.ts";
import { evaluateExpression } from "./evaluate.ts";
import { printExpression } from "./print.ts";
import { anyExpression } from "./testing/any-expression.ts";
import { readValue, typeOfValue, type Value, type ValueType } from "./value.ts";

const name = (path: string, type: ValueType, values: DeclaredName["values"] = null): DeclaredName => ({
  path,
  type,
  values,
  meaning: "",
});
const declared = [
  name("variables.name", "text"),
  name("variables.age", "text"),
  name("collected.guests", "number"),
  name("collected.day", "date"),
  name("collected.at", "time"),
  name("collected.agreed", "boolean"),
  name("collected.coming", "text", { texts: ["yes", "no"], isAll: true }),
  name("collected.size", "text", { texts: ["small", "Very large"], isAll: false }),
  name("call.phoneNumber", "text"),
  name("collected.in", "text"),
];

function mistakesOf(text: string): string[] {
  const result = checkCondition(text, declared);
  return result.ok ? [] : result.mistakes.map(({ start, end, message }) => `${text.slice(start, end)}: ${message}`);
}

describe("a condition", () => {
  it.each([
    "collected.guests > 6 and not isEmpty(variables.name)",
    'collected.coming == "yes"',
    'collected.size in ["small", "Very large", "enormous"]',
    'collected.day >= date("2026-01-31") or collected.day == null',
    "collected.day - 1 > collected.day",
    'collected.at < time("12:00")',
    "number(variables.age) >= 18",
    "default(collected.guests, 1) == 1",
    'startsWith(call.phoneNumber, "+49")',
    "collected.agreed",
    "text(collected.day) == variables.name",
    "default(null, collected.agreed)",
  ])("whose parts fit together is fine: %s", (text) => expect(mistakesOf(text)).toEqual([]));

  it.each([
    ["collected.gests > 6", "collected.gests: There is no collected.gests. Did you mean collected.guests?"],
    ["guests > 6", "guests: There is no guests; write collected.guests."],
    ["weather == 1", "weather: There is no weather."],
    ["collected > 6", "collected: There is no collected."],
    ["lenght(variables.name) > 1", "lenght(variables.name): There is no function lenght. Did you mean length?"],
    ["eval(variables.name)", "eval(variables.name): There is no function eval."],
    ["constructor == 1", "constructor: There is no constructor."],
    [
      "variables.age > 18",
      "variables.age > 18: > compares numbers, dates and times, and not a text; write number(...), date(...) or time(...) around texts.",
    ],
    [
      "variables.age == 18",
      "variables.age == 18: A text cannot be compared with a number. Write number(variables.age).",
    ],
    ["18 in [variables.age]", "variables.age: A number cannot be compared with a text. Write number(variables.age)."],
    ["collected.day > collected.at", "collected.day > collected.at: A date cannot be compared with a time."],
    ["collected.agreed == 1", "collected.agreed == 1: True or false cannot be compared with a number."],
    ["collected.guests < null", "collected.guests < null: < compares numbers, dates and times, and not null."],
    ["collected.guests", "collected.guests: This is a number, not a condition; compare it with something."],
    ['"yes"', '"yes": This is a text, not a condition; compare it with something.'],
    ["null", "null: This is null, not a condition; compare it with something."],
    ["collected.coming and true", "collected.coming: Beside and stands a condition, and this is a text."],
    ["not collected.guests", "collected.guests: Beside not stands a condition, and this is a number."],
    [
      "variables.age + 1 > 2",
      "variables.age: + calculates with numbers, and this is a text. Write number(variables.age).",
    ],
    [
      "-variables.name == 1",
      "variables.name: - calculates with numbers, and this is a text. Write number(variables.name).",
    ],
    [
      "collected.day * 2 == 4",
      "collected.day * 2: To a date days can be added or taken away, and one date be taken from another.",
    ],
    ['lower(collected.guests) == "a"', "collected.guests: lower takes a text here, and this is a number."],
    ["number(collected.day) == 1", "collected.day: number takes a text or a number here, and this is a date."],
    ["contains(variables.name)", "contains(variables.name): Write it as contains(text, part)."],
    [
      'default(collected.guests, "a") == 1',
      'default(collected.guests, "a"): Both must be of one kind; these are a number and a text.',
    ],
    ['collected.day < date("31.1.2026")', '"31.1.2026": This is no date; write it as "2026-01-31".'],
    ['collected.at < time("9:30")', '"9:30": This is no time; write it as "09:30".'],
    ['number("three") == 3', '"three": This is no number; write it as "2.5".'],
    ["collected.guests in []", "collected.guests in []: This list is empty, so nothing is ever in it."],
    ['collected.coming == "maybe"', '"maybe": collected.coming is one of "yes", "no".'],
    ['"Yes" != collected.coming', '"Yes": collected.coming is written "yes".'],
    ['collected.size in ["very  large"]', '"very  large": collected.size is written "Very large".'],
    ["a &&", "&&: Write and instead of &&."],
  ])("that could never work is explained: %s", (text, mistake) => expect(mistakesOf(text)).toEqual([mistake]));

  it("reports several mistakes at once, from left to right, each only once", () => {
    expect(mistakesOf('gests > 1 and collected.coming == "maybe" and lenght("a") == 1')).toEqual([
      "gests: There is no gests.",
      '"maybe": collected.coming is one of "yes", "no".',
      'lenght("a"): There is no function lenght. Did you mean length?',
    ]);
    expect(mistakesOf("gests in [1, 2, 3]")).toHaveLength(1);
    expect(mistakesOf(Array.from({ length: 20 }, (_, index) => `x${index} == 1`).join(" or "))).toHaveLength(5);
  });

  it("that passes evaluates to true, false or null with any known values", () => {
    const texts: Readonly<Record<ValueType, readonly unknown[]>> = {
      text: ["", "7", "Ada", "2026-01-31"],
      number: [0, -1, 2.5, 1e300],
      boolean: [true, false],
      date: ["0001-01-01", "2026-01-31", "9999-12-31"],
      time: ["00:00", "23:59"],
    };
    const scope = fc
      .tuple(...declared.map(({ type }) => fc.constantFrom(null, ...texts[type])))
      .map(
        (values) =>
          new Map(declared.map(({ path, type }, index): [string, Value] => [path, readValue(values[index], type)])),
      );
    let passed = 0;
    fc.assert(
      fc.property(anyExpression, scope, (expression, known) => {
        const result = checkCondition(printExpression(expression), declared);
        if (!result.ok) return;
        passed += 1;
        expect(["boolean", "null"]).toContain(typeOfValue(evaluateExpression(result.expression, known)));
      }),
      { numRuns: 5000 },
    );
    expect(passed).toBeGreaterThan(50);
  });
});
