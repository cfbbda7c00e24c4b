import { Flow } from "@parley/contract/flow";
import { describe, expect, test } from "vitest";
import { RECEPTIONIST } from "../samples/receptionist.ts";
import { textsOfVersion } from "./call-texts.ts";

function flowOf(
  nodes: readonly unknown[],
  variables: readonly string[] = [],
  more: Record<string, unknown> = {},
): Flow {
  const [first] = nodes as readonly { id: string }[];
  const start = { id: "start", type: "start", next: first?.id };
  return Flow.parse({ schemaVersion: 1, variables, nodes: [start, ...nodes], ...more });
}

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
    const texts = textsOfVersion(flow, "en-US");
    expect(texts).toContain("This is the dentist.");
    expect(texts.filter((text) => text.startsWith("Hello"))).toEqual([]);
  });

  test("and all of it for a call whose variables are known", () => {
    expect(textsOfVersion(flow, "en-US", { name: "Ada" })).toContain("Hello Ada.");
    expect(textsOfVersion(flow, "en-US", {})).toContain("Hello.");
  });

  test("with an optional part, and without it", () => {
    const text = "This is a call [[for {{name}}|for you]]. It's short.";
    const optional = flowOf([{ id: "bye", type: "end", text }], ["name"]);
    expect(textsOfVersion(optional, "en-US")).toEqual(
      expect.arrayContaining(["This is a call for you.", "It's short."]),
    );
    expect(textsOfVersion(optional, "en-US", { name: "Ada" })).toContain("This is a call for Ada.");
  });

  test("whether or not the call is recorded", () => {
    const texts = textsOfVersion(flow, "en-US");
    expect(texts.filter((text) => text.includes("recorded"))).not.toEqual([]);
    expect(texts).toContain("I am an automated assistant.");
  });
});

describe("what callees say back", () => {
  test.each(["free_text", "name", "date", "choice"])(
    "is not known in advance when it is a %s, and the rest is",
    (answer) => {
      const exits = answer === "choice" ? ["red", "blue"].map((when) => ({ when, next: "bye" })) : [];
      const texts = textsOfVersion(flowOf([askOf(answer, { exits }), readingBack]), "en-US");
      expect(texts).toEqual(expect.arrayContaining(["What is it?", "Goodbye."]));
      expect(texts.filter((text) => text.startsWith("I have noted"))).toEqual([]);
    },
  );
});

test("the fixed texts of an agent with a language model are known", () => {
  const texts = textsOfVersion(RECEPTIONIST.flow, RECEPTIONIST.language ?? "en-US");
  expect(texts.length).toBeGreaterThan(5);
});

test("a language that the voices do not speak is left to others", () => {
  const flow = flowOf([{ id: "bye", type: "end", text: "Auf Wiederhören." }]);
  expect(textsOfVersion(flow, "de-DE")).toEqual([]);
});
