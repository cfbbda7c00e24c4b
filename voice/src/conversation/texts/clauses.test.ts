import fc from "fast-check";
import { expect, test } from "vitest";
import { ClauseCutter, splitClauses, splitSlowly } from "./clauses.ts";

test("the first clause is short, so that it is heard soon", () => {
  expect(splitClauses("Hello Ada, this is the dentist. You have an appointment, and we look forward to it.")).toEqual([
    "Hello Ada,",
    "this is the dentist.",
    "You have an appointment, and we look forward to it.",
  ]);
});

test.each([
  ["Doctor J. Smith is in.", ["Doctor J. Smith is in."]],
  ["That is 3.5 percent. Fine?", ["That is 3.5 percent.", "Fine?"]],
  ["At 10 a.m. we open. Come!", ["At 10 a.m. we open.", "Come!"]],
  ['He said "yes." Then he left.', ['He said "yes."', "Then he left."]],
  ["Really?! Yes...", ["Really?!", "Yes..."]],
  ["So, yes.", ["So, yes."]],
  ["One\nTwo", ["One", "Two"]],
  ["", []],
  [" . ", ["."]],
])("%j is cut where a voice would stop", (text, clauses) => {
  expect(splitClauses(text)).toEqual(clauses);
});

test("a sentence without an end is still cut, between words", () => {
  const clauses = splitClauses("word ".repeat(200));
  expect(Math.max(...clauses.map(({ length }) => length))).toBeLessThanOrEqual(220);
  expect(clauses.join(" ").trim()).toBe("word ".repeat(200).trim());
});

test("text that arrives in pieces is cut like complete text, and a clause is returned as soon as it is complete", () => {
  const cutter = new ClauseCutter();
  expect(cutter.push("Sure")).toEqual([]);
  expect(cutter.push(", I can do")).toEqual([]);
  expect(cutter.push(" that. When")).toEqual(["Sure, I can do that."]);
  expect(cutter.push(" would you")).toEqual([]);
  expect(cutter.end()).toEqual(["When would you"]);
  const words = fc.constantFrom("Hello", " ", ",", ".", "?", " Mr.", "\n", "a", "and so on ", "3.5", "—", "p.m.");
  fc.assert(
    fc.property(fc.array(words, { maxLength: 60 }), (pieces) => {
      const streamed = new ClauseCutter();
      const clauses = [...pieces.flatMap((piece) => streamed.push(piece)), ...streamed.end()];
      const squeeze = (text: string) => text.replaceAll(/\s+/g, "");
      expect(squeeze(clauses.join(""))).toBe(squeeze(pieces.join("")));
      expect(clauses).toEqual(splitClauses(pieces.join("")));
    }),
    // The end of a line is a boundary, whatever the next line begins with.
    { examples: [[["Hello", "\n", "—", "\n"]]] },
  );
});

test("what is repeated slowly comes in small pieces, none of them a single word", () => {
  const pieces = splitSlowly("Will you come on Tuesday at ten, or would you rather come another day?");
  expect(pieces).toEqual(["Will you come", "on Tuesday", "at ten,", "or would you rather come another day?"]);
  expect(splitSlowly("Yes, or no?")).toEqual(["Yes, or no?"]);
});
