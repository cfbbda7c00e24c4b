import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { completeExpression } from "./complete.ts";
import type { DeclaredName } from "./declared-name.ts";
import { anyText } from "./testing/any-expression.ts";

const declared: DeclaredName[] = [
  { path: "variables.first_name", type: "text", meaning: "brought by the call", values: null },
  {
    path: "collected.size",
    type: "text",
    meaning: "the answer to size",
    values: { texts: ["small", "large"], isAll: false },
  },
  { path: "collected.day", type: "date", meaning: "the answer to day", values: null },
];

/** The options at the bar, and what each would replace. */
function offered(textWithBar: string): { texts: string[]; replaces: string } {
  const cursor = textWithBar.indexOf("|");
  const text = textWithBar.replace("|", "");
  const { start, end, options } = completeExpression(text, cursor, declared);
  return { texts: options.map((option) => option.text), replaces: text.slice(start, end) };
}

describe("an editor", () => {
  it("is offered names, functions and words where a value must stand", () => {
    for (const text of ["|", "collected.day == null and |", "not |", "(|", "lower(|"]) {
      expect(offered(text).texts).toEqual(expect.arrayContaining(["collected.day", "lower(", "not", "null"]));
    }
  });

  it("is offered operators where something must be compared", () => {
    for (const text of ["collected.day |", "lower(collected.size) |", '"a" |', "collected.size in [1] |"]) {
      expect(offered(text).texts).toEqual(expect.arrayContaining(["==", "and", "not in"]));
      expect(offered(text).texts).not.toContain("collected.day");
    }
  });

  it("is offered what continues the letters before the cursor, in place of the whole word", () => {
    expect(offered("coll|")).toEqual({ texts: ["collected.size", "collected.day"], replaces: "coll" });
    expect(offered("collected.|")).toEqual({ texts: ["collected.size", "collected.day"], replaces: "collected." });
    expect(offered("collected.d|ax == null")).toEqual({ texts: ["collected.day"], replaces: "collected.dax" });
    expect(offered("1 == 1 an|")).toEqual({ texts: ["and"], replaces: "an" });
    expect(offered("STARTS|")).toEqual({ texts: ["startsWith("], replaces: "STARTS" });
  });

  it("is offered the known answers first, where an answer is compared", () => {
    for (const text of [
      "collected.size == |",
      "collected.size = |",
      'collected.size in ["small", |',
      "collected.size not in [|",
    ]) {
      expect(offered(text).texts.slice(0, 2)).toEqual(['"small"', '"large"']);
    }
    expect(offered("collected.size in |").texts).not.toContain('"small"');
    expect(offered("collected.day == |").texts).not.toContain('"small"');
  });

  it("is offered nothing inside a text", () => {
    expect(offered('collected.size == "sm|').texts).toEqual([]);
  });

  it("gets for each name its type and where it comes from", () => {
    const { options } = completeExpression("collected.d", 11, declared);
    expect(options).toEqual([{ text: "collected.day", kind: "name", detail: "date: the answer to day" }]);
  });

  it("gets an answer for any text and any cursor position", () => {
    fc.assert(
      fc.property(anyText, fc.nat({ max: 40 }), (text, at) => {
        const cursor = Math.min(at, text.length);
        const { start, end } = completeExpression(text, cursor, declared);
        expect(start).toBeLessThanOrEqual(cursor);
        expect(end).toBeGreaterThanOrEqual(cursor);
        expect(end).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 1000 },
    );
  });
});
