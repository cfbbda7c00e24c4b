import type { FlowNode } from "@parley/contract/flow";
import { describe, expect, it } from "vitest";
import type { Brain, CalleeTurn, ReplyPart } from "../ports/brain.ts";
import { openRig } from "./testing/flow-rig.ts";

const SIGNAL = new AbortController().signal;
const nodes: FlowNode[] = [
  { id: "hello", type: "say", text: "Hello, this is Bright Dental. It is about your visit on Friday.", next: "q" },
  {
    id: "q",
    type: "ask",
    text: "Will you come?",
    answer: "yes_no",
    exits: [{ when: "no", next: "lost" }],
    next: "bye",
    otherwise: "lost",
  },
  { id: "bye", type: "end", text: "See you on Friday." },
  { id: "lost", type: "end", text: "Goodbye." },
];
const settings = { disclosure: "I am an automated assistant. This call is recorded." };
const OPENING =
  "Hello, this is Bright Dental. It is about your visit on Friday. I am an automated assistant. This call is recorded. Will you come?";

async function said(parts: AsyncIterable<ReplyPart>): Promise<string> {
  const texts: string[] = [];
  for await (const part of parts) if (part.type === "say") texts.push(part.text);
  return texts.join(" ");
}

/** An opening of which only the beginning was heard. */
async function cutAfter(heard: string, own: Readonly<Record<string, string>> = {}): Promise<Brain> {
  const { brain } = openRig(nodes, { settings: { ...settings, ...own } });
  expect(await said(brain.open(1, SIGNAL))).toBe(OPENING);
  brain.noteHeard(1, { text: heard, wasCut: true });
  return brain;
}

const reply = (brain: Brain, turn: CalleeTurn) => said(brain.reply(2, turn, SIGNAL));
const words = (text: string): CalleeTurn => ({ type: "said", text, best: null });

describe("a reply that was cut off by a callee who was only listening", () => {
  it.each([
    ["", OPENING],
    ["Hello, this is", OPENING],
    [
      "Hello, this is Bright Dental. It is about",
      "It is about your visit on Friday. I am an automated assistant. This call is recorded. Will you come?",
    ],
    [OPENING.slice(0, -"come?".length), "Will you come?"],
    [OPENING, ""],
  ])("after %j continues with the clause that was not heard", async (heard, rest) => {
    const brain = await cutAfter(heard);
    expect(await reply(brain, { type: "listened", text: "Okay." })).toBe(rest);
  });

  it("continues where it was cut off for the second time", async () => {
    const brain = await cutAfter("Hello, this");
    await reply(brain, { type: "listened", text: "Okay." });
    brain.noteHeard(2, { text: "Hello, this is Bright Dental. It is about your visit on Friday. I am", wasCut: true });
    expect(await said(brain.reply(3, { type: "listened", text: "Mhm." }, SIGNAL))).toBe(
      "I am an automated assistant. This call is recorded. Will you come?",
    );
  });

  it("the question then counts as heard", async () => {
    const brain = await cutAfter("Hello, this is Bright Dental. It");
    const text = await reply(brain, { type: "listened", text: "Okay." });
    brain.noteHeard(2, { text, wasCut: false });
    expect(await said(brain.reply(3, words("Yes."), SIGNAL))).toBe("See you on Friday.");
  });
});

describe("what the callee must hear", () => {
  it("is said before the answer is acted on if it was cut off, and cannot be cut off again", async () => {
    const brain = await cutAfter("Hello, this is Bright Dental. It is about");
    const parts: ReplyPart[] = [];
    for await (const part of brain.reply(2, words("No, I will not."), SIGNAL)) parts.push(part);
    const clauses = parts.filter((part) => part.type === "say");
    expect(clauses.map(({ text }) => text)).toEqual([
      "It is about your visit on Friday.",
      "I am an automated assistant.",
      "This call is recorded.",
      "Goodbye.",
    ]);
    expect(clauses.every(({ mayBeInterrupted }) => !mayBeInterrupted)).toBe(true);
  });

  it("is said from the beginning of its sentence", async () => {
    const own = { disclosure: "I am an automated assistant, and this call is being recorded for quality." };
    const { brain } = openRig(nodes, { settings: own });
    await said(brain.open(1, SIGNAL));
    const heard =
      "Hello, this is Bright Dental. It is about your visit on Friday. I am an automated assistant, and this";
    brain.noteHeard(1, { text: heard, wasCut: true });
    expect(await reply(brain, words("No, I will not."))).toBe(`${own.disclosure} Goodbye.`);
  });

  it("is said once when the reply goes on in the middle of its sentence", async () => {
    const own = { disclosure: "I am an automated assistant, and this call is being recorded for quality." };
    const { brain } = openRig(nodes, { settings: own });
    await said(brain.open(1, SIGNAL));
    const heard =
      "Hello, this is Bright Dental. It is about your visit on Friday. I am an automated assistant, and this";
    brain.noteHeard(1, { text: heard, wasCut: true });
    expect(await reply(brain, { type: "listened", text: "" })).toBe(`${own.disclosure} Will you come?`);
  });

  it("is said in the agent's short form where there is one", async () => {
    const brain = await cutAfter("Hello, this", { identification: "This is Bright Dental about Friday." });
    expect(await reply(brain, words("No, I will not."))).toBe(
      "This is Bright Dental about Friday. I am an automated assistant. This call is recorded. Goodbye.",
    );
  });

  it("is not said twice to a callee who asks for it", async () => {
    const brain = await cutAfter("Hello, this", { identification: "This is Bright Dental about Friday." });
    expect(await reply(brain, words("Who is this?"))).toBe(
      "I am an automated assistant. This call is recorded. This is Bright Dental about Friday. Will you come?",
    );
  });

  it("is not said again if it was heard or has already been repeated", async () => {
    const heard = await cutAfter(OPENING.slice(0, -"Will you come?".length));
    expect(await reply(heard, words("No, I will not."))).toBe("Goodbye.");
    const late = await cutAfter("Hello, this is Bright Dental. It is");
    const text = await reply(late, { type: "silent", count: 1 });
    expect(text).toContain("This call is recorded.");
    late.noteHeard(2, { text, wasCut: false });
    expect(await said(late.reply(3, words("No."), SIGNAL))).toBe("Goodbye.");
  });

  it("is not said to a machine", async () => {
    const brain = await cutAfter("Hello, this");
    expect(await reply(brain, { type: "machine", kind: "ivr" })).toBe("");
  });
});
