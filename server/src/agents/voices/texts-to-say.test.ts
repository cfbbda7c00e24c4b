import { Flow } from "@parley/contract/flow";
import { coverText, joinableTexts } from "@parley/providers/local/clips/cover-text";
import { speakValue } from "@parley/voice/conversation/texts/speak-value";
import { toSpeech } from "@parley/voice/text/to-speech/to-speech";
import { describe, expect, test } from "vitest";
import { RECEPTIONIST } from "../samples/receptionist.ts";
import { textsOfCall, textsOfVersion } from "./call-texts.ts";

const CALL = {
  ...({ id: "call_1", phoneNumber: "+15550100001", from: null, mode: "test", isRecorded: true } as const),
  startedAtMs: 0,
  timeZone: "UTC",
};

function flowOf(
  nodes: readonly unknown[],
  variables: readonly string[] = [],
  more: Record<string, unknown> = {},
): Flow {
  const [first] = nodes as readonly { id: string }[];
  const start = { id: "start", type: "start", next: first?.id };
  return Flow.parse({ schemaVersion: 1, variables, nodes: [start, ...nodes], ...more });
}

const planOf = (flow: Flow, variables: Readonly<Record<string, string>> = {}) => ({
  callId: "call_1",
  flow,
  language: "en-US",
  variables,
  voicemail: null,
  call: CALL,
});

const askOf = (answer: string, more: Record<string, unknown> = {}) => ({
  id: "question",
  type: "ask",
  text: "What is it?",
  answer,
  saveAs: "value",
  next: "bye",
  otherwise: "bye",
  exits: [],
  ...more,
});
const readingBack = { id: "bye", type: "end", text: "I have noted {{value}}. Goodbye." };

describe("what a version says is known at publishing", () => {
  const flow = flowOf(
    [
      { id: "hello", type: "say", text: "Hello {{name}}. This is the dentist.", next: "bye" },
      { id: "bye", type: "end", text: "Goodbye." },
    ],
    ["name"],
  );

  test("but for what the call fills in", () => {
    const { texts } = textsOfVersion(flow, "en-US");
    expect(texts).toContain("This is the dentist.");
    expect(texts.filter((text) => text.startsWith("Hello"))).toEqual([]);
  });

  test("and what the call fills in is known before it is dialed", () => {
    expect(textsOfCall(planOf(flow, { name: "Ada" })).texts).toContain("Hello Ada.");
    expect(textsOfCall(planOf(flow)).texts).toContain("Hello.");
  });

  test("with an optional part, and without it", () => {
    const text = "This is a call [[for {{name}}|for you]]. It's short.";
    const optional = flowOf([{ id: "bye", type: "end", text }], ["name"]);
    expect(textsOfVersion(optional, "en-US").texts).toEqual(
      expect.arrayContaining(["This is a call for you.", "It's short."]),
    );
    expect(textsOfCall(planOf(optional, { name: "Ada" })).texts).toContain("This is a call for Ada.");
  });

  test("whether or not the call is recorded", () => {
    const { texts } = textsOfVersion(flow, "en-US");
    expect(texts.filter((text) => text.includes("recorded"))).not.toEqual([]);
    expect(texts).toContain("I am an automated assistant.");
  });

  test("and the words of the call's own voicemail message are, too", () => {
    const voicemail = { action: "leave_message", message: "Please call {{name}} back at 9:30." } as const;
    const { texts } = textsOfCall({ ...planOf(flow, { name: "Bo" }), voicemail });
    expect(texts).toContain("Please call Bo back at nine thirty.");
  });
});

describe("what callees say back", () => {
  test.each(["free_text", "name", "email"])("cannot be known when it is a %s", (answer) => {
    const { unknowable } = textsOfCall(planOf(flowOf([askOf(answer), readingBack])));
    expect(unknowable).toBe(`question asks for ${answer.replace("_", " ")}`);
  });

  test.each(["date", "time", "number", "digits", "phone"])("is said in joinable words when it is a %s", (answer) => {
    const { texts, unknowable } = textsOfCall(planOf(flowOf([askOf(answer), readingBack])));
    expect(unknowable).toBeNull();
    expect(texts).toEqual(expect.arrayContaining(["I have noted", ...joinableTexts()]));
  });

  test("is one of the answers of the flow when it is a choice", () => {
    const exits = ["red", "blue"].map((when) => ({ when, next: "bye" }));
    const { texts, unknowable } = textsOfCall(planOf(flowOf([askOf("choice", { exits }), readingBack])));
    expect(unknowable).toBeNull();
    expect(texts).toEqual(expect.arrayContaining(["I have noted", "red", "red.", "blue", "blue."]));
  });
});

test("a language model may say anything", () => {
  expect(textsOfCall(planOf(RECEPTIONIST.flow)).unknowable).toBe("a language model speaks in it");
});

test("a language that the voices do not speak is left to others", () => {
  const flow = flowOf([{ id: "bye", type: "end", text: "Auf Wiederhören." }]);
  expect(textsOfVersion(flow, "de-DE")).toEqual({ texts: [], unknowable: "the natural voices do not speak de-DE" });
});

describe("every value of these kinds can be joined", () => {
  const words = new Set(joinableTexts());
  const canBeSaid = (value: unknown, kind: Parameters<typeof speakValue>[1], language: string) => {
    const text = `${toSpeech(speakValue(value, kind, { language, today: 0 }), language)}.`;
    return coverText(text, (piece) => words.has(piece)) !== null ? [] : [text];
  };

  test.each(["en-US", "en-GB"])("every day of four years, as in %s", (language) => {
    const days = Array.from({ length: 1_461 }, (_, day) =>
      new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10),
    );
    expect(days.flatMap((day) => canBeSaid(day, "date", language))).toEqual([]);
  });

  test("every minute of a day", () => {
    const pad = (count: number) => String(count).padStart(2, "0");
    const minutes = Array.from({ length: 1_440 }, (_, minute) => `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`);
    expect(minutes.flatMap((minute) => canBeSaid(minute, "time", "en-US"))).toEqual([]);
  });

  test("numbers, digits and phone numbers", () => {
    const numbers = [0, 1, 12, 21, 99, 100, 101, 342, 1_000, 2_500, 19_999, 3.5];
    expect(numbers.flatMap((number) => canBeSaid(number, "number", "en-US"))).toEqual([]);
    expect(["0042", "12345678"].flatMap((digits) => canBeSaid(digits, "digits", "en-US"))).toEqual([]);
    expect(["+15550100001", "911"].flatMap((digits) => canBeSaid(digits, "phone", "en-US"))).toEqual([]);
    expect([true, false].flatMap((each) => canBeSaid(each, "boolean", "en-US"))).toEqual([]);
  });
});
