import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseExpression } from "./parse.ts";
import { printExpression } from "./print.ts";
import { anyExpression, anyText, withoutPlaces } from "./testing/any-expression.ts";

function printed(text: string): string {
  const result = parseExpression(text);
  return result.ok ? printExpression(result.expression) : `${result.mistake.start}: ${result.mistake.message}`;
}

/** Every step in brackets, to show the precedence. */
function grouped(text: string): string {
  const result = parseExpression(text);
  const show = (part: Extract<typeof result, { ok: true }>["expression"]): string => {
    if (part.type === "binary") return `(${show(part.left)} ${part.operator} ${show(part.right)})`;
    if (part.type === "not") return `(not ${show(part.of)})`;
    if (part.type === "negative") return `(-${show(part.of)})`;
    if (part.type === "in")
      return `(${show(part.of)} ${part.isNegated ? "not in" : "in"} [${part.items.map(show).join(", ")}])`;
    return printExpression(part);
  };
  return result.ok ? show(result.expression) : result.mistake.message;
}

describe("an expression", () => {
  it.each([
    ["a or b and c", "(a or (b and c))"],
    ["not a and b", "((not a) and b)"],
    ["not a == b", "(not (a == b))"],
    ["a + b * c - d", "((a + (b * c)) - d)"],
    ["-a * b", "((-a) * b)"],
    ["a - b - c", "((a - b) - c)"],
    ["a + 1 < b * 2", "((a + 1) < (b * 2))"],
    ["(a or b) and c", "((a or b) and c)"],
    ["a not in [1, 2] or b", "((a not in [1, 2]) or b)"],
    ["not a in [1]", "(not (a in [1]))"],
    ["a % 2 = 0", "((a % 2) == 0)"],
    ["a-1", "(a - 1)"],
  ])("is understood as people mean it: %s", (text, meaning) => expect(grouped(text)).toBe(meaning));

  it("may be spread over lines, use either quote, and name any answer", () => {
    expect(printed('  collected.and == \'it\\\'s\'\n  and\tvariables.in != "a \\"b\\""  ')).toBe(
      'collected.and == "it\'s" and variables.in != "a \\"b\\""',
    );
  });

  it("knows the position of each of its parts", () => {
    const result = parseExpression('  lower(variables.name) == "ada" ');
    expect(result.ok && result.expression).toMatchObject({
      type: "binary",
      start: 2,
      end: 32,
      left: { type: "call", start: 2, end: 23, args: [{ type: "name", start: 8, end: 22 }] },
      right: { type: "literal", start: 27, end: 32 },
    });
  });

  it.each([
    ["", "0: There is nothing here yet; write a condition."],
    ["   ", "3: There is nothing here yet; write a condition."],
    ["a == ", "5: Something is missing at the end."],
    ["== a", "0: Something is missing before ==."],
    ["a and and b", "6: Something is missing before and."],
    ["(a == 1", "0: This bracket is never closed."],
    ["a == 1)", "6: This bracket was never opened."],
    ["lower(a", "5: This bracket is never closed."],
    ["lower(a b)", "8: Here a comma or ) is missing."],
    ["a in 1", '5: After in comes a list, such as ["red", "green"].'],
    ["a == [1]", "5: A list stands only after in: x in [1, 2]."],
    ["1 < a < 5", "6: Compare two things at a time: 1 < x and x < 5."],
    ["a b", "2: Between two things stands and, or, or a sign such as ==."],
    ["a AND b", "2: Write and in lower case."],
    ["a is b", "2: Write == to compare."],
    ["a && b", "2: Write and instead of &&."],
    ["a || b", "2: Write or instead of ||."],
    ["!a", "0: Write not instead of !."],
    ["a === b", "2: Write == or != with two signs."],
    ["a !== b", "2: Write == or != with two signs."],
    ["a <> b", "2: Write != instead of <>."],
    ["a => b", "2: Write >= or <=, with the equals sign last."],
    ["a == “b”", '5: Use straight quotes: "text".'],
    ["{{name}} == 1", "0: Write the name without braces, such as variables.first_name."],
    ['a == "b', "5: This text is never closed; add a quote at its end."],
    ['a == "\\x"', `6: After a backslash comes one of \\ " ' n t.`],
    ["a == 1234567890123456", "5: A number has at most 15 digits, and 10 after the point."],
    ["a. == 1", "1: A dot stands between the parts of a name, such as collected.day."],
    ["a # b", "2: The character # means nothing here."],
    ["a == 🎉", "5: The character 🎉 means nothing here."],
    ["in [1]", "0: Something is missing before in."],
  ])("that cannot be read is explained at its place: %j", (text, mistake) => expect(printed(text)).toBe(mistake));

  it("has limits of length, depth and parts, with readable messages", () => {
    expect(printed("a".repeat(1001))).toBe("1000: An expression has at most 1000 characters.");
    expect(printed(`${"(".repeat(29)}a${")".repeat(29)}`)).toBe("a");
    expect(printed(`${"(".repeat(30)}a${")".repeat(30)}`)).toMatch(/nested more than 30 deep/);
    expect(printed(`${"not ".repeat(200)}a`)).toMatch(/nested more than 30 deep/);
    expect(printed(`${"-".repeat(900)}1`)).toMatch(/nested more than 30 deep/);
    expect(printed(Array.from({ length: 100 }, () => "1").join("+"))).toMatch(/^1 \+ 1/);
    expect(printed(Array.from({ length: 101 }, () => "1").join("+"))).toMatch(/at most 200 parts/);
  });

  it("reads back as itself however it is written", () => {
    let readBack = 0;
    fc.assert(
      fc.property(anyExpression, (expression) => {
        const text = printExpression(expression);
        const result = parseExpression(text);
        // Only what is larger than an expression may be is not read back.
        if (!result.ok) {
          expect(result.mistake.message).toMatch(/at most|nested more/);
          return;
        }
        readBack += 1;
        expect(withoutPlaces(result.expression)).toEqual(expression);
      }),
      { numRuns: 2000 },
    );
    expect(readBack).toBeGreaterThan(1500);
  });

  it("never throws, whatever is typed, and points inside the text", () => {
    const words = [
      "and",
      "or",
      "not",
      "in",
      "(",
      ")",
      "[",
      "]",
      ",",
      "==",
      "<",
      "-",
      '"',
      "'",
      "1",
      "a.b",
      "lower",
      " ",
      "\\",
      ".",
    ];
    const typed = fc.array(fc.constantFrom(...words), { maxLength: 30 }).map((parts) => parts.join(" "));
    fc.assert(
      fc.property(fc.oneof(anyText, typed), (text) => {
        const result = parseExpression(text);
        const { start, end } = result.ok ? result.expression : result.mistake;
        expect(start).toBeGreaterThanOrEqual(0);
        expect(end).toBeGreaterThanOrEqual(start);
        expect(end).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 3000 },
    );
  });
});
