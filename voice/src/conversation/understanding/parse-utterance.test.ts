import { describe, expect, it, test } from "vitest";
import { hasReservations, isHedge, parseUtterance, type SignalKind } from "./parse-utterance.ts";

const signalsOf = (text: string) =>
  new Set(parseUtterance(text).clauses.flatMap(({ signals }) => signals.map(({ kind }) => kind)));
const clausesOf = (text: string) =>
  parseUtterance(text).clauses.map(({ tokens }) => tokens.map((token) => token.text).join(" "));

describe("what keeps a sentence from being a plain statement", () => {
  it.each<[text: string, kind: SignalKind]>([
    ["Nobody is going to be in.", "negation"],
    ["I hardly ever go there.", "negation"],
    ["Put it anywhere but the porch.", "negation"],
    ["I'm too busy to come.", "negation"],
    ["I'll do it if they let me off early.", "condition"],
    ["As long as it stays free.", "condition"],
    ["That depends on my shift.", "condition"],
    ["We might be around.", "doubt"],
    ["I'd have to ask my sister.", "doubt"],
    ["I'm in two minds about it.", "doubt"],
    ["I would have paid it last week.", "counterfactual"],
    ["I wish I could.", "counterfactual"],
    ["Did I sign anything?", "question"],
    ["what happens if I don't", "question"],
    ["Could we move it to the morning?", "polite_request"],
    ["I paid half of it.", "part"],
    ["They told me it was settled.", "hearsay"],
    ["My brother wants to keep it.", "third_person"],
    ["I had that plan last year.", "past"],
    ["leave it with the", "fragment"],
    ["We've already", "fragment"],
    ["No, it's just that", "fragment"],
    ["Yeah, but like", "fragment"],
    ["No, see", "fragment"],
    ["I'd just", "fragment"],
    ["After the summer we", "fragment"],
    ["I would, um", "fragment"],
    ["The blue one, maybe with...", "fragment"],
    ["I'd like to", "fragment"],
    ["I suppose you", "fragment"],
    ["Somewhere between two and four.", "range"],
  ])("%s: %s", (text, kind) => {
    expect(signalsOf(text)).toContain(kind);
    expect(hasReservations(parseUtterance(text), ["polite_request"])).toBe(kind !== "polite_request");
  });

  it.each([
    ["Yeah, no, that's perfect.", "yes"],
    ["yes no it's all good", "yes"],
    ["Yeah no problem", "yes"],
    ["Yeah, no, I can't.", "no"],
    ["Yeah no, that's not good.", "no"],
    ["Yeah, no, definitely not.", "no"],
    ["No, no, that's wrong.", "no"],
  ])("a no that only waves a worry aside is none: %s", (text, meaning) => {
    const meanings = parseUtterance(text).clauses.flatMap(({ yesNo }) => yesNo.map(({ phrase }) => phrase.meaning));
    expect(meanings.includes("no")).toBe(meaning === "no");
    if (meaning === "yes") expect(meanings).toContain("yes");
  });

  it.each([
    ["The day after tomorrow would be better.", false],
    ["Four would be a lot easier.", false],
    ["That would be lovely.", false],
    ["It would be a pity.", true],
    ["Friday would be a problem.", true],
  ])("a wish is not contrary to fact: %s", (text, isCounterfactual) => {
    expect([...signalsOf(text)].includes("counterfactual")).toBe(isCounterfactual);
  });

  it.each([
    "Yes, I'll be there.",
    "No doubt about it.",
    "I wouldn't hesitate.",
    "Sure, if you like.",
    "Yes please, if that's okay.",
    "I'm coming on the third of May.",
    "Cancel, um, keep it.",
    "Put the, sorry, keep it.",
    "That is dealt with.",
    "It is for a friend.",
    "Yes, my dear.",
    "Yes, if I'm honest.",
    "Yes, now that I think about it.",
    "Yes...",
    "Yes, I'd like to.",
    "Yes, unfortunately.",
    "The evening course only, please.",
  ])("there is none in: %s", (text) => {
    expect(hasReservations(parseUtterance(text))).toBe(false);
  });
});

test("a softened statement is told apart from a doubt", () => {
  const hedges = (text: string) => parseUtterance(text).clauses.flatMap(({ signals }) => signals.map(isHedge));
  expect(hedges("I think we keep it")).toEqual([true]);
  expect(hedges("We will probably keep it")).toEqual([true]);
  expect(hedges("I think we might keep it")).toContain(false);
  expect(hedges("Perhaps we keep it")).toEqual([false]);
});

test("a sentence is cut at pauses and at contrasting words", () => {
  expect(clausesOf("Well, I would like to, but the car is in the shop")).toEqual([
    "i would like to",
    "the car is in the shop",
  ]);
  expect(clausesOf("anywhere but the door")).toEqual(["anywhere but the door"]);
  expect(clausesOf("Thanks so much, bye bye")).toEqual([]);
});

test("what follows a correction is separated from what was taken back", () => {
  const { clauses, correctedFrom } = parseUtterance("Keep it. No wait, cancel it.");
  expect(correctedFrom).toBe(1);
  expect(clauses).toHaveLength(2);
  const paused = parseUtterance("End it. No, sorry, keep it.");
  expect(
    paused.clauses.slice(paused.correctedFrom ?? 0).map(({ tokens }) => tokens.map(({ text }) => text).join(" ")),
  ).toEqual(["keep it"]);
  expect(parseUtterance("I can make it.").correctedFrom).toBeNull();
});
