import { expect, test } from "vitest";
import { matchMeanings } from "./match-phrase.ts";

const VISIT = [
  { id: "come", phrases: ["I will come", "yes", "come", "I'll be there"] },
  { id: "move", phrases: ["another day", "different day", "reschedule"] },
  { id: "cancel", phrases: ["cancel", "I can't come", "not come"] },
];

const meantBy = (text: string) => matchMeanings(text, VISIT).map(({ id }) => id);

test.each([
  ["I will come.", ["come"]],
  ["Yes, I'll be there.", ["come"]],
  ["I will definitely come", ["come"]],
  ["I'd rather come another day.", ["move", "come"]],
  ["Could we do a different day?", ["move"]],
  ["Rescheduling would be good", ["move"]],
  ["Please cancel it.", ["cancel"]],
  ["I want it cancelled", ["cancel"]],
  ["I want it canceled", ["cancel"]],
  ["I cannot come.", ["cancel"]],
  ["I will not come", ["cancel"]],
  ["Please do not cancel it.", []],
  ["I never wanted to cancel", []],
  ["Is there a bus next month?", []],
  ["I will most likely be there", ["come"]],
  ["bananas", []],
  ["", []],
])("%j means %j", (text, ids) => {
  expect(meantBy(text)).toEqual(ids);
});

test("a verbatim phrase alone is more certain than one among other words", () => {
  expect(matchMeanings("another day please", VISIT)).toMatchObject([{ id: "move", strength: 3 }]);
  expect(matchMeanings("maybe another day would be good", VISIT)).toMatchObject([{ id: "move", strength: 2 }]);
  expect(matchMeanings("I will surely come", VISIT)).toMatchObject([{ id: "come" }]);
});

test("a longer phrase stands for the shorter one inside it", () => {
  const places = [
    { id: "door", phrases: ["at the door"] },
    { id: "neighbor", phrases: ["neighbor", "next door"] },
  ];
  expect(matchMeanings("with the neighbour next door", places).map(({ id }) => id)).toEqual(["neighbor"]);
  expect(matchMeanings("at the door", places).map(({ id }) => id)).toEqual(["door"]);
});
