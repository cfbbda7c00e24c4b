import type { AskNode } from "@parley/contract/flow-ask";
import { describe, expect, it, test } from "vitest";
import type { OpenQuestion } from "./question-context.ts";
import { beginsWithCorrection, readAnswer } from "./read-answer.ts";
import { keysMaxOf, readKeys } from "./values/read-keys.ts";
import { readName } from "./values/read-name.ts";

// A Monday.
const context = { nowMs: Date.UTC(2026, 2, 2, 12), timeZone: "UTC", isDayFirst: false };

function ask(answer: AskNode["answer"], fields: Partial<AskNode> = {}): AskNode {
  return { id: "ask", type: "ask", text: "Well?", answer, exits: [], otherwise: "bye", ...fields };
}

const visit = ask("choice", {
  exits: [
    { when: "I will come", next: "a", phrases: ["yes", "I'll be there"] },
    { when: "another day", next: "b" },
    { when: "cancel", next: "c", phrases: ["I can't make it"] },
  ],
});

function open(node: AskNode, fields: Partial<OpenQuestion> = {}): OpenQuestion {
  const moment = { date: null, time: null };
  return {
    ask: node,
    text: node.text,
    known: { dates: [], times: [] },
    exitForMoment: null,
    moment,
    within: null,
    dictated: "",
    calledNumber: null,
    ...fields,
  };
}

/**
 * The reading, in short: a value, "a?" for one that is asked about, "a | b" for a doubt, "12..." for a part, null for
 * nothing.
 */
function readingOf(node: AskNode, text: string, best: Parameters<typeof readAnswer>[0]["best"] = null) {
  const reading = readAnswer({ text, best }, open(node), context);
  if (reading.type === "unsure") return `${reading.answer.value}?`;
  if (reading.type === "answer") return reading.answer.value;
  if (reading.type === "doubt") return reading.options.map(({ value }) => value).join(" | ");
  if (reading.type === "period") return `${reading.period.from}..${reading.period.to}`;
  return reading.type === "part" ? `${reading.digits}...` : null;
}

describe("what is understood by the words alone", () => {
  it.each<[AskNode, string, unknown]>([
    [ask("yes_no"), "Yes, I do.", true],
    [ask("yes_no"), "No, that's fine.", false],
    [ask("yes_no"), "Bananas.", null],
    [ask("yes_no", { exits: [{ when: "yes", phrases: ["bring it on"] }] }), "Bring it on!", true],
    [ask("number"), "About twenty five, I think.", 25],
    [ask("number", { range: { min: 1, max: 5 } }), "Four.", 4],
    [ask("number", { range: { min: 1, max: 5 } }), "Seven.", null],
    [ask("number"), "Two or three.", "2 | 3"],
    [ask("date"), "On Thursday, please.", "2026-03-05"],
    [ask("date"), "Tuesday, no wait, Thursday.", "2026-03-05"],
    [ask("date"), "Not Tuesday, Thursday.", "2026-03-05"],
    [ask("date"), "Tuesday. I mean Wednesday.", "2026-03-04"],
    [ask("date", { dates: "behind" }), "The third of May, nineteen eighty.", "1980-05-03"],
    [ask("date"), "No idea.", null],
    [ask("time"), "At half past two.", "14:30"],
    [ask("time"), "Ten, sorry, eleven in the morning.", "11:00"],
    [ask("phone"), "Five five five, zero one zero zero.", "5550100"],
    [ask("phone"), "Plus one four one five, five five five, oh one double oh.", "+14155550100"],
    [ask("phone"), "Five five five.", "555..."],
    [ask("digits", { digits: { min: 4, max: 4 } }), "Zero zero four two.", "0042"],
    [ask("digits", { digits: { min: 4, max: 4 } }), "Zero zero.", "00..."],
    [ask("digits", { digits: { min: 4, max: 4 } }), "One two three four five six", null],
    [ask("email"), "It is alex at example dot com.", "alex@example.com"],
    [ask("name"), "My name is Alex Miller.", "Alex Miller"],
    [ask("free_text"), " The people were friendly. ", "The people were friendly."],
    [ask("free_text"), "Um, well...", null],
    [visit, "Yes, I will come.", "I will come"],
    [visit, "I'd rather come another day", "another day"],
    [visit, "Cancel. No, wait, I'll be there.", "I will come"],
    [visit, "Please do not cancel it.", "I will come | another day"],
    [visit, "Another day or cancel", "another day | cancel"],
  ])("%#: %s", (node, text, value) => {
    expect(readingOf(node, text)).toBe(value);
  });
});

describe("the expected answer that recognition matched", () => {
  const sure = (answer: string) => ({ answer, score: 0.9, margin: 0.4 });

  it("outweighs the words of a short answer, but not those of a long one", () => {
    const five = ask("number", { range: { min: 1, max: 5 } });
    expect(readingOf(five, "for", sure("five"))).toBe(5);
    expect(readingOf(five, "I would say it was a four", sure("five"))).toBe(4);
  });

  it("helps if the words are none of the answers", () => {
    expect(readingOf(visit, "can sell", sure("cancel"))).toBe("cancel");
  });

  it("is not believed when it was a guess, or when much more was said", () => {
    expect(readingOf(visit, "can sell", { answer: "cancel", score: 0.4, margin: 0.4 })).toBeNull();
    expect(readingOf(visit, "can sell", { answer: "cancel", score: 0.9, margin: 0.05 })).toBeNull();
    expect(readingOf(visit, "I have no idea what you are talking about", sure("cancel"))).toBeNull();
  });
});

test("an answer takes its exit", () => {
  const rating = ask("number", { exits: [{ when: "4.0", next: "good" }] });
  expect(readAnswer({ text: "four", best: null }, open(rating), context)).toEqual({
    type: "answer",
    answer: { value: 4, exit: 0 },
  });
  expect(readAnswer({ text: "three", best: null }, open(rating), context)).toMatchObject({ answer: { exit: null } });
});

test.each([
  ["Alex", "Alex"],
  ["Yes, this is mary-jane o'neil speaking", "Mary-Jane O'Neil"],
  ["It's Smith, S M Y T H.", "Smyth"],
  ["My name is Jon Smith, that's J O N", "Jon Smith"],
  ["Call me Al, please", "Al"],
  ["I don't want to tell you", null],
  ["Why do you want to know that?", null],
  ["", null],
])("in %j the name is %j", (text, name) => {
  expect(readName(text)?.name ?? null).toBe(name);
});

describe("keys", () => {
  it.each<[AskNode, string, unknown]>([
    [ask("yes_no"), "1", true],
    [ask("yes_no"), "2", false],
    [ask("yes_no"), "3", null],
    [visit, "2", "another day"],
    [visit, "9", null],
    [ask("choice", { exits: [{ when: "desk", key: "0" }, { when: "shop" }] }), "0", "desk"],
    [ask("choice", { exits: [{ when: "desk", key: "0" }, { when: "shop" }] }), "1", null],
    [ask("number", { range: { max: 5 } }), "4", 4],
    [ask("number", { range: { max: 5 } }), "9", null],
    [ask("number"), "*", null],
    [ask("digits", { digits: { min: 2, max: 4 } }), "0042", "0042"],
    [ask("phone"), "5550100", "5550100"],
    [ask("date"), "3", null],
  ])("%#: pressing %s", (node, keys, value) => {
    const reading = readKeys(keys, node);
    expect(reading.type === "answer" ? reading.answer.value : null).toBe(value);
  });

  it("are as many as the answer requires", () => {
    expect(keysMaxOf(ask("number", { range: { min: 1, max: 5 } }))).toBe(1);
    expect(keysMaxOf(visit)).toBe(1);
    expect(keysMaxOf(ask("digits", { digits: { min: 4, max: 6 } }))).toBe(6);
    expect(keysMaxOf(ask("free_text"))).toBeNull();
  });
});

test.each([
  ["No, Thursday.", true],
  ["Oh, sorry, I meant Thursday", true],
  ["Actually Thursday", true],
  ["Thursday.", false],
  ["Thursday, I mean Friday", false],
])("whether %j takes something back: %s", (text, isCorrection) => {
  expect(beginsWithCorrection(text)).toBe(isCorrection);
});

describe("a number, a day or a time among others", () => {
  const rating = ask("number", { range: { min: 1, max: 5 } });
  it.each<[AskNode, string, unknown]>([
    [ask("time"), "I get off work at half three, so four.", "16:00"],
    [ask("time"), "Three won't do, four.", "16:00"],
    [ask("time"), "Not three, four.", "16:00"],
    [ask("time"), "Five because of the traffic.", "17:00"],
    [ask("time"), "My husband will come at six thirty.", "18:30"],
    [ask("time"), "I would come at three if I could.", "15:00?"],
    [ask("time"), "Call me at nine.", "09:00?"],
    [ask("date"), "I am away until the eighteenth, so the nineteenth.", "2026-03-19"],
    [ask("date"), "The tenth, no, eleventh, sorry.", "2026-03-11"],
    [ask("date"), "The eleventh, not the tenth.", "2026-03-11"],
    [ask("date"), "Not Thursday but the day after is fine.", "2026-03-06"],
    [ask("date"), "A fortnight today.", "2026-03-16"],
    [ask("date"), "Two weeks.", "2026-03-16"],
    [ask("date"), "In a fortnight.", "2026-03-16"],
    [ask("date"), "The end of March.", "2026-03-31"],
    [ask("date"), "Saturday the fourteenth first thing.", "2026-03-14"],
    [ask("date"), "Thursday the twelfth, if you have it.", "2026-03-12"],
    [rating, "Full marks.", 5],
    [rating, "One below the best.", 4],
    [rating, "Three and a half.", "3 | 4"],
    [rating, "Four out of five.", 4],
    [rating, "Everybody says you are five stars.", "5?"],
    [rating, "Five if you sort out my refund.", "5?"],
    [ask("number"), "Half a dozen.", 6],
    [ask("number"), "Sixty K.", 60_000],
    [ask("number"), "There are five of us.", "5?"],
  ])("%o: %s", (node, text, understood) => {
    expect(readingOf(node, text)).toBe(understood);
  });

  it.each<[AskNode, string, unknown]>([
    [ask("date"), "Some time in December.", "2026-12-01..2026-12-31"],
    [ask("date"), "Mid December.", "2026-12-01..2026-12-31"],
    [ask("date"), "Next month.", "2026-04-01..2026-04-30"],
    [ask("date"), "Next week.", "2026-03-09..2026-03-15"],
    [ask("date"), "Any day but Tuesday.", "2026-03-02..2027-03-02"],
    [ask("time"), "Between two and four.", "14:00..16:00"],
    [ask("time"), "Between eleven and one.", "11:00..13:00"],
    [ask("time"), "In the afternoon.", "12:00..17:59"],
    [ask("time"), "After lunch.", "12:00..17:59"],
    [ask("time"), "First thing.", "06:00..11:59"],
    [ask("time"), "Any time after nine.", "09:00..22:00"],
    [ask("time"), "Half past.", "06:00..22:00"],
  ])("part of one, %o: %s", (node, text, understood) => {
    expect(readingOf(node, text)).toBe(understood);
  });

  it("is counted from the day and the time that the call is about", () => {
    const moment = { date: "2026-03-10", time: "10:00" };
    const read = (node: AskNode, text: string) => {
      const reading = readAnswer({ text, best: null }, open(node, { moment }), context);
      return reading.type === "unsure" ? reading.answer.value : reading.type;
    };
    expect(read(ask("date"), "A week later.")).toBe("2026-03-17");
    expect(read(ask("date"), "The day after that.")).toBe("2026-03-11");
    expect(read(ask("time"), "The same time.")).toBe("10:00");
  });

  it("is in the half of the day that the question names", () => {
    const question = ask("time", { text: "It can go home between three and seven. When will you come?" });
    expect(readingOf(question, "At seven.")).toBe("19:00");
  });

  it("is searched for in the part that was understood before", () => {
    const within = { kind: "times", from: "06:00", to: "11:59", said: "in the morning" } as const;
    const reading = readAnswer({ text: "six", best: null }, open(ask("time"), { within }), context);
    expect(reading).toMatchObject({ type: "answer", answer: { value: "06:00" } });
  });
});

test("a word that sounds more like another answer than like the one it was written as is read back", () => {
  const rating = ask("number", { range: { min: 1, max: 5 } });
  const five = { answer: "five", score: 0.75, margin: 0.7 };
  expect(readingOf(rating, "Four.", five)).toBe("4?");
  expect(readingOf(rating, "Four.", { ...five, answer: "four" })).toBe(4);
  expect(readingOf(rating, "Four.", { ...five, score: 0.3 }), "too little like it").toBe(4);
  expect(readingOf(ask("yes_no"), "Yeah.", { answer: "no", score: 0.7, margin: 0.7 })).toBe("true?");
  expect(readingOf(rating, "I would say that it is a four.", five), "a sentence").toBe(4);
});

test("a word that sounds like two answers is read back", () => {
  const rating = ask("number", { range: { min: 1, max: 5 } });
  expect(readingOf(rating, "Vaughan.", { answer: "one", score: 0.82, margin: 0.25 })).toBe("1?");
  expect(readingOf(rating, "Vaughan.", { answer: "one", score: 0.82, margin: 0.75 })).toBe(1);
});

test("another date is another day", () => {
  expect(readingOf(visit, "another date")).toBe("another day");
});

describe("what has not been said whole is not taken", () => {
  const mind = ask("yes_no", { text: "Do you mind if we park in your drive?" });
  it.each<[AskNode, string, unknown]>([
    [ask("yes_no", { text: "Will you be at home?" }), "I'll", null],
    [ask("yes_no", { text: "Would you like a copy?" }), "Well, I'd...", null],
    [ask("yes_no", { text: "Is it ready?" }), "it's", null],
    [ask("yes_no", { text: "Will you be at home?" }), "I will", true],
    [ask("date"), "Saturday if it's sunny", "2026-03-07?"],
    [ask("date"), "Saturday if that's okay", "2026-03-07"],
    [ask("date"), "Tomorrow would be good but the doctor wants him home.", "2026-03-03?"],
    [ask("number"), "Is two weeks normal?", "2?"],
    [ask("date"), "Good Friday", "2026-04-03"],
    [mind, "Go ahead.", false],
    [mind, "No worries.", false],
    [mind, "No, not at all.", false],
    [mind, "Sure.", "false | true"],
  ])("%# %s", (node, text, expected) => expect(readingOf(node, text)).toBe(expected));
});

describe("a yes or no that answers something else, or may mean either, is not taken", () => {
  const coming = ask("yes_no", { text: "Are you still able to make it on Friday?" });
  it.each<[AskNode, string, unknown]>([
    [coming, "Yes, speaking.", null],
    [ask("yes_no", { text: "Am I speaking with Ada?" }), "Yes, speaking.", true],
    [coming, "yes, well", "true?"],
    [coming, "yeah so", "true?"],
    [coming, "I would if I could.", null],
    [ask("yes_no", { text: "You're still coming, aren't you?" }), "Yes, I am.", true],
  ])("%# %s", (node, text, expected) => expect(readingOf(node, text)).toBe(expected));
});
