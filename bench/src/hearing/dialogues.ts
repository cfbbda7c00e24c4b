import type { FlowNode } from "@parley/contract/flow";

/** A conversation that a callee who is understood leads to a known end. */
export interface Dialogue {
  readonly name: string;
  readonly nodes: readonly FlowNode[];
  /** What the callee answers to a sentence of the agent that matches, by the first that does. */
  readonly answers: readonly (readonly [words: RegExp, answer: string])[];
  readonly collected: Readonly<Record<string, string | number | boolean>>;
}

const end: FlowNode[] = [
  { id: "bye", type: "end", text: "Thank you, and goodbye." },
  { id: "lost", type: "end", text: "I could not understand you, sorry. Goodbye." },
];

const visit: FlowNode = {
  id: "visit",
  type: "ask",
  text: "Hello, this is the office of Doctor Bell. You have an appointment on Monday at ten. Will you come, would you like another day, or shall I cancel it?",
  answer: "choice",
  saveAs: "visit",
  exits: [
    { when: "I will come", next: "bye", phrases: ["yes", "I'll be there"] },
    { when: "another day", next: "day", phrases: ["move it", "reschedule"] },
    { when: "cancel", next: "bye", phrases: ["cancel it", "call it off"] },
  ],
  next: "bye",
  otherwise: "lost",
};
const day: FlowNode = {
  ...{ id: "day", type: "ask", text: "Which day would suit you?", answer: "date", saveAs: "day", exits: [] },
  ...{ next: "bye", otherwise: "lost" },
};
const stay: FlowNode = {
  ...{
    id: "stay",
    type: "ask",
    text: "Hello, this is the Harbor Hotel. Did you enjoy your stay with us?",
    answer: "yes_no",
  },
  ...{ saveAs: "enjoyed", exits: [], next: "rating", otherwise: "lost" },
};
const rating: FlowNode = {
  ...{ id: "rating", type: "ask", text: "From one to five, how would you rate the room?", answer: "number" },
  ...{ range: { min: 1, max: 5 }, saveAs: "rating", exits: [], next: "bye", otherwise: "lost" },
};

export const DIALOGUES: readonly Dialogue[] = [
  {
    name: "confirms",
    nodes: [visit, day, ...end],
    answers: [[/(?:)/, "Yes, I will be there."]],
    collected: { visit: "I will come" },
  },
  {
    name: "moves",
    nodes: [visit, day, ...end],
    answers: [
      [/which day|another day\?$/i, "On Thursday."],
      [/Thursday/, "Yes, that's right."],
      [/another day.*(?:right|correct)/i, "Yes, that's right."],
      [/right\?|correct\?/i, "No, on Thursday."],
      [/(?:)/, "Could we find another day, please?"],
    ],
    collected: { visit: "another day", day: "2026-03-05" },
  },
  {
    name: "rates",
    nodes: [stay, rating, ...end],
    answers: [
      // People who were not understood say more than a word.
      [/(?:sorry|didn't|couldn't|can't).*From one to five/i, "I would say four."],
      [/From one to five/, "Four."],
      [/\bfour\b|\byes\b/i, "Yes."],
      [/\b(?:one|two|three|five)\b/, "No, four."],
      [/(?:)/, "Yes."],
    ],
    collected: { enjoyed: true, rating: 4 },
  },
];
