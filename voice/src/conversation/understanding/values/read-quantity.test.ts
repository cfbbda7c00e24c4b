import type { AskNode } from "@parley/contract/flow-ask";
import { expect, test } from "vitest";
import type { OpenQuestion } from "../question-context.ts";
import { readQuantity } from "./read-quantity.ts";

// A Monday, nine in the morning.
const context = { nowMs: Date.UTC(2026, 2, 2, 14), timeZone: "America/New_York", isDayFirst: false };

/** The call is about an appointment on the tenth at ten. */
function read(answer: "date" | "time" | "number", asked: string, text: string, range?: AskNode["range"]) {
  const node: AskNode = { id: "ask", type: "ask", text: asked, answer, exits: [], otherwise: "bye" };
  const question: OpenQuestion = {
    ask: range === undefined ? node : { ...node, range },
    text: asked,
    known: { dates: [], times: [] },
    exitForMoment: null,
    moment: { date: "2026-03-10", time: "10:00" },
    within: null,
    dictated: "",
    calledNumber: null,
  };
  const reading = readQuantity(text, question, context);
  switch (reading.type) {
    case "answer":
      return reading.answer.value;
    case "unsure":
      return `${reading.answer.value}?`;
    case "doubt":
      return reading.options.map(({ value }) => value).join(" | ");
    case "period":
      return [`${reading.period.from}..${reading.period.to}`, reading.period.said ?? []].flat().join(" ");
    default:
      return null;
  }
}

/** A value, "a?" for one that is read back, "a | b" for a doubt, "a..b" for a part whose rest is asked for, null for nothing. */
test.each([
  ["Friday's good.", "2026-03-06"],
  ["tomorrow's fine", "2026-03-03"],
  ["the Friday after next", "2026-03-13"],
  ["Friday week", "2026-03-13"],
  ["a week later", "2026-03-17?"],
  ["a week from Thursday", "2026-03-12"],
  ["two weeks", "2026-03-16"],
  ["in two weeks' time", "2026-03-16"],
  ["in about two weeks", "2026-03-16"],
  ["next month", "2026-04-01..2026-04-30 in April"],
  ["mid December", "2026-12-01..2026-12-31 in December"],
  ["end of the month", "2026-03-31"],
  ["the end of next week", "2026-03-09..2026-03-15 next week"],
  ["early next week", "2026-03-09..2026-03-15 next week"],
  ["at the beginning of April", "2026-04-01..2026-04-30 in April"],
  ["late April", "2026-04-01..2026-04-30 in April"],
  ["the last Friday in March", "2026-03-27"],
  ["the first Monday of April", "2026-04-06"],
  ["the second Tuesday in May", "2026-05-12"],
  ["any day next week", "2026-03-09..2026-03-15 next week"],
  ["the weekend", "2026-03-07..2026-03-08 at the weekend"],
  ["this weekend", "2026-03-07..2026-03-08 at the weekend"],
  ["sometime after Easter", "2026-03-02..2027-03-02 exactly"],
  ["the twentieth or the twenty-first", "2026-03-20 | 2026-03-21"],
  ["Wednesday or Thursday, whichever", "2026-03-04 | 2026-03-05"],
  ["Monday, no, Tuesday", "2026-03-03"],
  ["the same day", "2026-03-10?"],
  ["same day next week", "2026-03-17?"],
  ["the day before", "2026-03-09?"],
  ["the tenth won't work, the twelfth will", "2026-03-12"],
  ["let's do the fifth of May", "2026-05-05"],
  ["May the fifth", "2026-05-05"],
  ["on the 3rd", "2026-03-03"],
  ["3/14", "2026-03-14"],
  ["how about the Thursday", "2026-03-05"],
  ["a fortnight on Friday", "2026-03-20"],
  ["ten days from now", "2026-03-12"],
  ["in three days", "2026-03-05"],
  ["three days from now", "2026-03-05"],
  ["the day after tomorrow", "2026-03-04"],
  ["not before the fifteenth", "2026-03-15?"],
  ["any time after the fifteenth", "2026-03-15?"],
  ["after the weekend", "2026-03-09..2026-03-15 next week"],
  ["Monday or Tuesday next week", "2026-03-09 | 2026-03-10"],
  ["Tuesday the third", "2026-03-03"],
  ["Tuesday the fourth", "2026-03-04 | 2026-03-03"],
  ["as soon as possible", null],
  ["whenever", "2026-03-02..2027-03-02 exactly"],
  ["today if you can", "2026-03-02"],
  ["tonight", "2026-03-02"],
  ["the week after next", "2026-03-16..2026-03-22 exactly"],
  ["Thursday in two weeks", "2026-03-19"],
  ["Saturday morning", "2026-03-07"],
  ["first thing Monday", "2026-03-09 | 2026-03-02"],
  ["next Friday", "2026-03-13 | 2026-03-06"],
  ["this Friday", "2026-03-06"],
  ["the following Monday", "2026-03-16?"],
  ["Christmas Eve", "2026-12-24"],
  ["the thirty-first of February", "2027-02-01..2027-02-28 in February"],
  ["in a month", "2026-04-02"],
  ["a month from today", "2026-04-02"],
  ["January", "2027-01-01..2027-01-31 in January"],
  ["the fifteenth of next month", "2026-04-15"],
  ["the 15th", "2026-03-15"],
  ["Halloween", "2026-10-31"],
  ["I don't know yet", null],
  ["what days do you have", null],
  ["not on a weekend", "2026-03-02..2027-03-02 exactly"],
  ["Thursday fortnight", "2026-03-19"],
  ["I'm away till the tenth", "2026-03-10?"],
  ["the tenth at the earliest", "2026-03-10?"],
  ["in the new year", "2027-01-01..2027-01-31 in January"],
  ["same day but a week later", "2026-03-17?"],
  ["the Friday of that week", "2026-03-13?"],
  ["the month after next", "2026-05-01..2026-05-31 in May"],
  ["the weekend after next", "2026-03-21..2026-03-22 at the weekend"],
  ["the week of the fifteenth", "2026-03-15?"],
  ["the other Tuesday", "2026-03-03?"],
  ["after Easter", "2026-03-02..2027-03-02 exactly"],
  ["in a few days", "2026-03-02..2027-03-02 exactly"],
  ["any weekday", "2026-03-02..2027-03-02 exactly"],
  ["Mondays are best", "2026-03-02..2027-03-02 exactly"],
  ["next year", "2027-01-01..2027-12-31 next year"],
  ["in the summer", "2026-03-02..2027-03-02 in the summer"],
])("the day in %j: %s", (text, value) => {
  expect(read("date", "Which day would suit you?", text)).toBe(value);
});

test.each([
  ["the same time", "10:00?"],
  ["after lunch", "12:00..17:59 in the afternoon"],
  ["half past", "06:00..22:00 exactly"],
  ["half past nine", "09:30"],
  ["noonish", "12:00"],
  ["around noonish", "12:00"],
  ["noon-ish", "12:00"],
  ["tenish", "10:00"],
  ["quarter to", "06:00..22:00 exactly"],
  ["quarter to four", "15:45"],
  ["a quarter past ten", "10:15"],
  ["first thing", "06:00..11:59 in the morning"],
  ["first thing in the morning", "06:00..11:59 in the morning"],
  ["three's fine", "15:00"],
  ["three or four", "16:00 | 15:00"],
  ["between three and four", "15:00..16:00"],
  ["five thirty", "17:30"],
  ["half five", "17:30"],
  ["ten to six", "17:50"],
  ["twenty past", "06:00..22:00 exactly"],
  ["eight in the evening", "20:00"],
  ["midday", "12:00"],
  ["14:30", "14:30"],
  ["fifteen hundred", "15:00"],
  ["any time", "06:00..22:00 exactly"],
  ["late afternoon", "12:00..17:59 in the afternoon"],
  ["early morning", "06:00..11:59 in the morning"],
  ["around lunchtime", "06:00..22:00 exactly"],
  ["before ten", "06:00..10:00 exactly"],
  ["not before ten", "10:00..22:00 exactly"],
  ["after five", "17:00..22:00 exactly"],
  ["from two o'clock on", "14:00..22:00 exactly"],
  ["as late as possible", "06:00..22:00 exactly"],
  ["as early as you can", "06:00..11:59 in the morning"],
  ["end of the day", "06:00..22:00 exactly"],
  ["close of business", "06:00..22:00 exactly"],
  ["seven-ish", "07:00"],
  ["seven pm sharp", "19:00"],
  ["at one", "13:00"],
  ["one", "13:00"],
  ["one thirty", "13:30"],
  ["twelve", "12:00"],
  ["twelve noon", "12:00"],
  ["at midnight", "00:00"],
  ["an hour later", "11:00?"],
  ["an hour earlier", "09:00?"],
  ["half an hour later", "11:00?"],
  ["two hours later", "12:00?"],
  ["nine, no, ten", "10:00"],
  ["nine. Actually make it ten", "10:00"],
  ["not nine, ten", "10:00"],
  ["nine or ten", "10:00 | 09:00"],
  ["I'm free from nine to eleven", "09:00..11:00"],
  ["the same time as before", "10:00?"],
  ["before lunch", "06:00..11:59 in the morning"],
  ["early evening", "17:00..22:00 in the evening"],
  ["around teatime", "06:00..22:00 exactly"],
  ["a little earlier", "06:00..22:00 exactly"],
  ["thirty minutes later", "10:30?"],
  ["four at the latest", "16:00?"],
  ["ten thirtyish", "10:30"],
  ["half nine-ish", "09:30"],
  ["about three minutes", null],
])("the time in %j: %s", (text, value) => {
  expect(read("time", "At what time?", text)).toBe(value);
});

test.each([
  ["a couple", 2],
  ["half a dozen", 6],
  ["none", 0],
  ["three or four", "3 | 4"],
  ["no, three", 3],
  ["two adults and two kids", "4?"],
  ["two adults, two kids", "4?"],
  ["just me", 1],
  ["just the two of us", 2],
  ["both of us", "2?"],
  ["me and my wife", "2?"],
  ["four of us", 4],
  ["there's five of us", 5],
  ["a dozen", 12],
  ["about ten", 10],
  ["at least ten", "10?"],
  ["no more than ten", "10?"],
  ["up to ten", "10?"],
  ["ten or so", 10],
  ["ten-ish", 10],
  ["maybe a dozen or so", 12],
  ["the four of us", 4],
  ["a few", null],
  ["several", null],
  ["lots", null],
  ["twenty odd", "20?"],
  ["zero", 0],
  ["nobody", 0],
  ["one", 1],
  ["only one", 1],
  ["single", null],
  ["a pair", 2],
  ["eleven. No wait, twelve", 12],
  ["twelve, not eleven", 12],
  ["four plus me", "4?"],
  ["five including me", 5],
  ["three of them", "3?"],
  ["3", 3],
  ["thirty-five", 35],
  ["a hundred and five", 105],
  ["ten to twelve", "12 | 10"],
  ["between ten and twelve", "12 | 10"],
  ["we are six", 6],
])("how many come by %j: %s", (text, value) => {
  expect(read("number", "How many people will come?", text)).toBe(value);
});

test.each([
  ["eleven", null],
  ["a solid eight", 8],
  ["ten out of ten", 10],
  ["eight and a half", "8 | 9"],
  ["seven or eight", "7 | 8"],
  ["somewhere around seven", "7?"],
  ["not a ten but a nine", 9],
  ["a nine", 9],
  ["full marks", 10],
  ["zero", null],
  ["minus five", null],
  ["I'd say six", 6],
  ["six, maybe seven", "6 | 7"],
  ["between six and seven", "7 | 6"],
  ["it was okay", null],
])("the rating in %j: %s", (text, value) => {
  expect(read("number", "From one to ten, how was it?", text, { min: 1, max: 10 })).toBe(value);
});

test.each([
  ["my aunt visits on Thursday", "2026-03-05?"],
  ["my aunt will bring it on Thursday", "2026-03-05"],
  ["my husband and I are free on Thursday", "2026-03-05"],
  ["the Tuesday after Easter", "2026-03-03?"],
  ["some Friday", "2026-03-06?"],
  ["Friday, so long as it is early", "2026-03-06?"],
  ["Friday when my papers arrive", "2026-03-06?"],
  ["Thursday the twelfth in the morning", "2026-03-12"],
])("a day that is no plain answer is asked about: %j is %s", (text, value) => {
  expect(read("date", "Which day would suit you?", text)).toBe(value);
});

test.each([
  ["my aunt arrives at four", "16:00?"],
  ["I have a three o'clock appointment", "15:00?"],
  ["four, provided you're open", "16:00?"],
  ["three, no, better four", "16:00"],
  ["not before four", "16:00..22:00 exactly"],
])("a time that is no plain answer is asked about: %j is %s", (text, value) => {
  expect(read("time", "We are open from eight to six. What time would you like to come?", text)).toBe(value);
});

test.each([
  ["You have a table tonight. What time will you arrive?", "quarter past eight", "20:15"],
  ["When would you like breakfast in the morning?", "half past seven", "07:30"],
  ["What time this afternoon?", "two", "14:00"],
])("the question says which half of the day: %s", (asked, text, value) => {
  expect(read("time", asked, text)).toBe(value);
});

test.each([
  ["next year it'll be five", "5?"],
  ["at the last place it was five", "5?"],
  ["we'd be there at five", "5?"],
  ["five if it rains", "5?"],
])("a number of another time or under a condition is asked about: %j is %s", (text, value) => {
  expect(read("number", "How many people live with you?", text)).toBe(value);
});

const WHEN = ["date", "Which day would suit you?"] as const;
const AT_WHAT_TIME = ["time", "What time would suit you?"] as const;
const HOW_MANY = ["number", "How many people are coming?"] as const;

test.each([
  [...WHEN, "Thursday, no, that's my night shift", "2026-03-05?"],
  [...WHEN, "tomorrow, ah no", "2026-03-03?"],
  [...WHEN, "Friday, let me check with the office", "2026-03-06?"],
  [...WHEN, "Tuesday's bingo", "2026-03-03?"],
  [...WHEN, "Saturday I'm on a plane", "2026-03-07?"],
  [...WHEN, "I sent it on Saturday", "2026-03-07?"],
  [...WHEN, "they're coming on Monday", "2026-03-09 | 2026-03-02"],
  [...WHEN, "it was off last Monday", "2026-02-23?"],
  [...WHEN, "is Saturday extra", "2026-03-07?"],
  [...WHEN, "call me on Friday", "2026-03-06?"],
  [...WHEN, "I can't wait a week", "2026-03-09?"],
  [...WHEN, "I've only got a week", "2026-03-09?"],
  [...WHEN, "I go twice a week", "2026-03-09?"],
  [...WHEN, "the first two", "2026-04-01?"],
  [...WHEN, "the third of February", "2027-02-03?"],
  [...WHEN, "no can do on Wednesday", null],
  [...WHEN, "Friday's never going to work", null],
  [...WHEN, "well the twentieth is", "2026-03-20?"],
  [...AT_WHAT_TIME, "the wedding's at one", "13:00?"],
  [...AT_WHAT_TIME, "I fly to Oslo at six", "18:00?"],
  [...AT_WHAT_TIME, "I've got work at six", "18:00?"],
  [...AT_WHAT_TIME, "so half past four I've", "16:30?"],
  [...HOW_MANY, "she's three", "3?"],
  [...HOW_MANY, "half six", "6?"],
  [...HOW_MANY, "I start at four", "4?"],
  [...HOW_MANY, "twelve bucks", "12?"],
  [...HOW_MANY, "it was two of the staff", "2?"],
  [...HOW_MANY, "one of the best", null],
  [...HOW_MANY, "two thumbs up", null],
  [...HOW_MANY, "give me a second", null],
  [...HOW_MANY, "have a good one", "1?"],
  [...HOW_MANY, "on second thought, three", 3],
])("a sentence with another meaning is asked about: %s, %s: %j is %s", (answer, asked, text, value) => {
  expect(read(answer, asked, text)).toBe(value);
});

test.each([
  ["three months", "3?"],
  ["forty percent", "40?"],
  ["we bought it in 1988", "1988?"],
  ["three hundred dollars", 300],
])("how much %j is: %s", (text, value) => {
  expect(read("number", "How much would you like to pay?", text)).toBe(value);
});

test.each([
  [...WHEN, "Friday, no problem", "2026-03-06"],
  [...WHEN, "I could pop in on Thursday", "2026-03-05"],
  [...WHEN, "Friday's wide open for me", "2026-03-06"],
  [...WHEN, "my husband will bring it on Thursday", "2026-03-05"],
  [...AT_WHAT_TIME, "I'm off work by then, so half past five", "17:30"],
  [...AT_WHAT_TIME, "nine o'clock, once the kids are at school", "09:00"],
  [...HOW_MANY, "there's nine of us", 9],
  [...HOW_MANY, "just the two of us, thanks", 2],
])("a plain answer is taken at once: %s, %s: %j", (answer, asked, text, value) => {
  expect(read(answer, asked, text)).toBe(value);
});
