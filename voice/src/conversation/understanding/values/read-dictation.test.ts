import type { AskNode } from "@parley/contract/flow-ask";
import { describe, expect, it, test } from "vitest";
import { readDictation } from "./read-dictation.ts";

function ask(answer: "phone" | "digits", text = "Well?", digits?: AskNode["digits"]): AskNode {
  return {
    id: "ask",
    type: "ask",
    text,
    answer,
    exits: [],
    otherwise: "bye",
    ...(digits === undefined ? {} : { digits }),
  };
}

/** The value, "12?" for one that is asked about, "12..." for the beginning of more, null for nothing. */
function read(node: AskNode, text: string, dictated = "", calledNumber: string | null = null) {
  const reading = readDictation(text, node, { dictated, calledNumber });
  if (reading.type === "answer") return reading.answer.value;
  if (reading.type === "unsure") return `${reading.answer.value}?`;
  return reading.type === "part" ? `${reading.digits}...` : null;
}

const phone = ask("phone");
const six = ask("digits", "What is your six-digit customer number?");
const four = ask("digits", "Please tell me the last four digits of your card.");
const any = ask("digits", "What is your order number?");

describe("what is dictated", () => {
  it.each([
    [phone, "two oh seven, five five five, oh one double two", "2075550122"],
    [phone, "three one two triple five zero one nine nine", "3125550199"],
    [phone, "Plus four four, twenty, seven nine four six, oh nine five eight", "+442079460958"],
    [phone, "to one too five five five oh one for three", "2125550143"],
    [phone, "It's four one five and then five five five and then oh one seven seven", "4155550177"],
    [phone, "my cell, nine one seven, five five five, zero one zero four, ask for Kim", "9175550104"],
    [six, "four eight double two nine one", "482291"],
    [six, "two fives, three sevens, one", "557771"],
    [six, "for ate two nine one six", "482916"],
    [six, "I believe that's thirty, forty-one, fifty", "304150"],
    [four, "nine nine oh two", "9902"],
    [any, "it's order eight eight one two", "8812"],
    [any, "seventeen", "17"],
  ])("%o: %s", (node, text, value) => {
    expect(read(node, text)).toBe(value);
  });
});

describe("what is taken back", () => {
  it.each([
    [six, "five six eight sorry five six zero eight three four", "560834"],
    [six, "four eight two nine one six, no, seven at the end", "482917"],
    [six, "four eight two nine one, sorry, six at the end", "482916?"],
    [six, "four eight, four eight two nine one six", "482916"],
    [six, "four eight two nine one six, four eight two nine one six", "482916"],
    [six, "four eight two nine one seven, not six", "482917"],
    [phone, "two one two, no that's the landline, six four six five five five oh one one nine", "6465550119"],
    [phone, "seven one eight, five five five, oh one three two, no, three three at the end", "7185550133"],
    [phone, "two one two, five five five, no, five six five, oh one four three", "2125650143?"],
    [phone, "four one five five five five nine seven, no sorry, nine eight", "41555598?"],
  ])("%o: %s", (node, text, value) => {
    expect(read(node, text)).toBe(value);
  });
});

describe("what comes in pieces", () => {
  it.each([
    [six, "", "four eight two", "482..."],
    [six, "482", "nine one six", "482916"],
    [six, "482", "no, four eight three", "483..."],
    [six, "482", "four eight two nine one six", "482916"],
    [phone, "", "six four six five five five", "646555..."],
    [phone, "646555", "oh one seven eight", "6465550178"],
  ])("%o after %j: %s", (node, dictated, text, value) => {
    expect(read(node, text, dictated)).toBe(value);
  });
});

test.each([
  [six, "I've been a customer for six years, I shouldn't need a number."],
  [six, "I know the last two are sixteen."],
  [six, "is that the long one on the bill"],
  [six, "six digits of what"],
  [six, "uh four... no... where's that letter"],
  [six, "one two three four five six seven eight"],
  [four, "I have three cards with you"],
  [phone, "it ends in forty three"],
  [phone, "He's my number one, that dog."],
  [phone, "I used to have a two one two number."],
  [any, "I made two orders last week"],
])("%o: no number is dictated in %j", (node, text) => {
  expect(read(node, text)).toBeNull();
});

test("'this number' is the one that was called, and is read back", () => {
  const called = "+12125550100";
  expect(read(phone, "This number is fine.", "", called)).toBe(`${called}?`);
  expect(read(phone, "the one you called me on", "", called)).toBe(`${called}?`);
  expect(read(phone, "Not this one.", "", called)).toBeNull();
  expect(read(phone, "Which number are you calling me on?", "", called)).toBeNull();
  expect(read(phone, "Not this one, use three four seven, five five five, zero one five zero.", "", called)).toBe(
    "3475550150",
  );
});
