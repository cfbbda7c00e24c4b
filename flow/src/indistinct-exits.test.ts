import { Flow } from "@parley/contract/flow";
import type { AskNode } from "@parley/contract/flow-ask";
import { describe, expect, it } from "vitest";
import { compileFlow } from "./compile.ts";

/** What is warned about a question with these exits: each a name and its phrases. */
function warningsOf(exits: Readonly<Record<string, readonly string[]>>, answer: AskNode["answer"] = "choice") {
  const listed = Object.entries(exits).map(([when, phrases]) => ({ when, next: "bye", phrases }));
  const result = compileFlow(
    Flow.parse({
      schemaVersion: 1,
      nodes: [
        { id: "start", type: "start", next: "plan" },
        { id: "plan", type: "ask", text: "What would you like?", answer, exits: listed, otherwise: "bye" },
        { id: "bye", type: "end", text: "Goodbye." },
      ],
    }),
  );
  expect(result.ok).toBe(true);
  return result.warnings;
}

const messagesOf = (...given: Parameters<typeof warningsOf>) => warningsOf(...given).map(({ message }) => message);

describe("indistinguishable exits", () => {
  it("are reported when they share a phrase, with the words that would distinguish them", () => {
    expect(warningsOf({ "pay now": ["pay it", "today"], "pay later": ["next month", "pay it"] })).toEqual([
      {
        code: "indistinct_exits",
        nodeId: "plan",
        path: "nodes[1].exits[0].phrases[0]",
        message:
          'The node plan cannot tell the exits "pay now" and "pay later" apart: both have "pay it". Use "now" or "today" for "pay now", and use "later" or "next" or "month" for "pay later".',
        parts: {
          one: '"pay now"',
          two: '"pay later"',
          clash: 'both have "pay it"',
          advice: 'Use "now" or "today" for "pay now", and use "later" or "next" or "month" for "pay later".',
          whole: "pay it",
          inner: "pay it",
          wordsOfOne: "now today",
          wordsOfTwo: "later next month",
        },
      },
    ]);
  });

  it.each([
    ["case, punctuation and articles", "Leave the parcel!", "leave parcel"],
    ["short forms", "I'll wait", "I will wait"],
    ["politeness", "cancel please", "Cancel"],
  ])("are named when only %s differ", (_how, one, other) => {
    expect(messagesOf({ first: [one], second: [other] })[0]).toContain("are the same words");
  });

  it("are reported when a phrase of one contains a phrase of the other", () => {
    expect(messagesOf({ "keep it": ["leave it"], "end it": ["leave"] })[0]).toContain('"leave it" contains "leave"');
    expect(messagesOf({ pay: [], "pay later": [] })[0]).toContain('"pay later" contains "pay"');
  });

  it("are reported once for two exits, however many words they share", () => {
    expect(warningsOf({ red: ["a", "b", "wine"], white: ["b", "wine"] })).toHaveLength(1);
  });

  it("need words of their own if they have none", () => {
    expect(messagesOf({ book: ["a table"], reserve: ["book", "table"] })[0]).toContain(
      'Give "book" phrases with words of its own, and use "reserve" for "reserve".',
    );
  });

  it("are compared by their phrases for a yes-or-no question, which needs none", () => {
    expect(warningsOf({ yes: ["that works"], no: ["that works"] }, "yes_no")).toMatchObject([
      { code: "indistinct_exits" },
    ]);
    expect(warningsOf({ yes: [], no: [] }, "yes_no")).toEqual([]);
  });
});

describe("distinguishable exits", () => {
  it("may be opposites with the same words", () => {
    expect(
      warningsOf({ come: ["I can make it", "that works"], cancel: ["I can't make it", "it never works"] }),
    ).toEqual([]);
  });

  it("may share words that stand in different phrases", () => {
    expect(warningsOf({ neighbor: ["with the neighbor"], door: ["leave it at the door"] })).toEqual([]);
  });
});

describe("a choice that callees do not name", () => {
  it("gets examples of what they say", () => {
    expect(warningsOf({ billing: [], other: [] })).toEqual([
      {
        code: "vague_exit",
        nodeId: "plan",
        path: "nodes[1].exits[1]",
        message:
          'The node plan has an exit "other" without phrases, and callees rarely say that. Add what they say, such as "something different", "none of those", "it\'s about something else".',
        parts: { exit: '"other"', examples: '"something different", "none of those", "it\'s about something else"' },
      },
    ]);
    expect(warningsOf({ Maybe: [], "I will come": [] })).toMatchObject([{ code: "vague_exit" }]);
  });

  it("is not reported once it has phrases of its own", () => {
    expect(warningsOf({ billing: [], other: ["something different"] })).toEqual([]);
  });
});

it("compares the longest possible lists of phrases without delay", () => {
  const phrases = (exit: number) =>
    Array.from({ length: 50 }, (_, at) => `phrase ${exit} number ${at} of many words here`);
  const exits = Object.fromEntries(Array.from({ length: 20 }, (_, exit) => [`choice ${exit}`, phrases(exit)]));
  expect(warningsOf(exits)).toEqual([]);
});
