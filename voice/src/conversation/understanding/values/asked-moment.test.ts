import type { AskNode } from "@parley/contract/flow-ask";
import { describe, expect, test } from "vitest";
import type { OpenQuestion } from "../question-context.ts";
import { isDayBehind, timesMeant } from "./asked-moment.ts";

function question(answer: AskNode["answer"], text: string, fields: Partial<AskNode> = {}): OpenQuestion {
  return {
    ask: { id: "ask", type: "ask", text, answer, exits: [], otherwise: "bye", ...fields },
    text,
    known: { dates: [], times: [] },
    exitForMoment: null,
    moment: { date: null, time: null },
    within: null,
    dictated: "",
    calledNumber: null,
  };
}

describe("a day that is asked for", () => {
  const isBehind = (text: string, fields: Partial<AskNode> = {}) => {
    const { ask } = question("date", text, fields);
    return isDayBehind(ask, text);
  };

  test.each([
    "When did the leak start?",
    "What is your date of birth?",
    "Which day were you born?",
    "Thanks. And when was your last visit?",
    "Since what day has it been making that noise?",
  ])("is over: %s", (text) => expect(isBehind(text)).toBe(true));

  test.each([
    "Which day would you like?",
    "When is it due?",
    "You missed your last visit, I was told. When can we come?",
    "What day were you planning to travel?",
    "On what day?",
  ])("is ahead: %s", (text) => expect(isBehind(text)).toBe(false));

  test("is where the flow says, whatever the words are", () => {
    expect(isBehind("When did you want it?", { dates: "ahead" })).toBe(false);
    expect(isBehind("On what day?", { dates: "behind" })).toBe(true);
  });

  test("is no matter of a question for a time", () => {
    expect(isDayBehind(question("time", "When did it start?").ask, "When did it start?")).toBe(false);
  });
});

describe("the times that a question leaves", () => {
  const meant = (text: string, said = "At seven.") => {
    const period = timesMeant(question("time", text), said);
    return period === null ? null : `${period.from} to ${period.to}`;
  };

  test.each([
    ["You're dining with us tonight. When will you arrive?", "16:00 to 23:59"],
    ["What time do you get up?", "03:00 to 12:00"],
    ["At what time in the afternoon?", "12:00 to 18:30"],
    ["When will you come?", null],
    ["In the morning or in the evening, and when?", null],
  ])("%s", (text, times) => expect(meant(text)).toBe(times));

  test("are those between two that it names", () => {
    expect(meant("It can go home between three and seven. When will you come?")).toBe("15:00 to 19:00");
  });

  test("are those of the half of the day that the answer speaks of", () => {
    expect(meant("When do you leave?", "At seven, before the school run.")).toBe("03:00 to 12:00");
    expect(meant("When do you leave?", "At seven, after work.")).toBe("16:00 to 23:59");
  });

  test("are of no interest to a question for a number", () => {
    expect(timesMeant(question("number", "How many will dine with us tonight?"), "Seven.")).toBeNull();
  });
});
