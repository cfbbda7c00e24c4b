import { expect, test } from "vitest";
import { Flow, type FlowNode } from "./flow.ts";

const request = { method: "POST", url: "https://api.example.com/slots" } as const;

/** One node of each kind, with every optional field. */
const NODES: readonly FlowNode[] = [
  { id: "start", type: "start", label: "Start", position: { x: 0, y: 0 }, next: "hello" },
  { id: "hello", type: "say", text: "Hello.", next: "day", interruptible: false },
  {
    id: "day",
    type: "ask",
    text: "Which day?",
    reworded: "On which day shall we come?",
    answer: "date",
    saveAs: "day",
    exits: [{ when: "2026-01-31", next: "bye" }],
    next: "pick",
    otherwise: "bye",
    retries: { max: 2, texts: ["Please name a day."] },
    confirm: { text: "So {{answer}}?" },
    dates: "ahead",
    patience: "patient",
  },
  {
    id: "talk",
    type: "conversation",
    text: "How can I help?",
    prompt: "Be kind.",
    model: "openai/gpt-5.4-mini",
    tools: ["find_slot"],
    exits: [{ when: "The caller wants to book.", next: "bye" }],
    saves: [{ saveAs: "topic", kind: "text", description: "What it is about." }],
    turnsMax: 10,
    otherwise: "bye",
  },
  {
    id: "pick",
    type: "branch",
    exits: [{ when: "call.date == collected.day", next: "look" }],
    prompts: [{ when: "The callee is in a hurry.", next: "bye" }],
    model: "openai-compatible/llama3.2:3b",
    otherwise: "look",
  },
  {
    id: "look",
    type: "tool",
    request: { ...request, headers: { "X-Shop": "1" }, body: { day: ["{{day}}"] }, timeoutMs: 3000 },
    filler: "One moment.",
    saves: [{ path: "slots[0].start", saveAs: "slot", kind: "time" }],
    next: "count",
    failed: "bye",
  },
  { id: "count", type: "set", values: [{ saveAs: "tries", value: "1 + 1" }], next: "keys" },
  { id: "keys", type: "dtmf", keys: "12#", next: "desk" },
  { id: "desk", type: "transfer", text: "I connect you.", to: "+15550100001", how: "auto", failed: "bye" },
  { id: "message", type: "voicemail", text: "Please call back." },
  { id: "hours", type: "say", text: "From nine to five.", global: { phrases: ["opening hours"], returns: true } },
  { id: "bye", type: "end", text: "Goodbye.", global: { phrases: ["wrong number"] }, interruptible: true },
];

test("a document with every field is read back unchanged", () => {
  const flow: Flow = {
    schemaVersion: 1,
    variables: ["first_name"],
    nodes: [...NODES],
    tools: [
      {
        name: "find_slot",
        description: "Finds a free time.",
        parameters: [{ name: "day", kind: "date", required: true }],
        request,
        filler: "Let me see.",
      },
    ],
    settings: {
      greeting: "immediate",
      disclosure: null,
      identification: "The dentist calls.",
      silence: { prompts: ["Are you there?"] },
      holdMusic: { askAfterMs: 30_000, giveUpAfterMs: 120_000 },
      voicemail: "leave_message",
      phoneMenu: "keys",
      retries: { max: 1 },
      interruptible: true,
      patience: "quick",
      fillerAfterMs: 500,
      limits: { turnsMax: 50 },
      phrases: { unclear: "Pardon?" },
    },
  };
  expect(Flow.parse(flow)).toEqual(flow);
});

test("a document from before settings and tools existed is read unchanged", () => {
  const nodes: FlowNode[] = [
    { id: "start", type: "start", next: "coming" },
    {
      id: "coming",
      type: "ask",
      text: "Are you coming?",
      answer: "yes_no",
      saveAs: "coming",
      exits: [{ when: "no", next: "bye" }],
      otherwise: "bye",
    } as FlowNode,
    { id: "bye", type: "end" },
  ];
  const flow: Flow = { schemaVersion: 1, variables: [], nodes };
  expect(Flow.parse(flow)).toEqual(flow);
});

test.each([
  ["a field nobody knows", { id: "a", type: "say", text: "Hi.", tone: "warm" }],
  ["a setting on a node it means nothing to", { id: "a", type: "branch", exits: [], patience: "quick" }],
  ["a key no telephone has", { id: "a", type: "ask", text: "?", answer: "choice", exits: [{ when: "x", key: "12" }] }],
  ["a model that no list could name", { id: "a", type: "conversation", prompt: "Talk.", model: "the quick one" }],
  ["a start the callee could jump to", { id: "a", type: "start", global: { phrases: ["again"] } }],
  ["a timeout beyond what a callee waits", { id: "a", type: "tool", request: { ...request, timeoutMs: 60_000 } }],
  ["a header that is none", { id: "a", type: "tool", request: { ...request, headers: { "X Shop": "1" } } }],
])("%s is refused", (_what, node) => {
  expect(Flow.safeParse({ schemaVersion: 1, nodes: [node] }).success).toBe(false);
});

test("an excessively nested body is rejected without recursion", () => {
  let body: unknown = "{{day}}";
  for (let depth = 0; depth < 100_000; depth += 1) body = [body];
  const node = { id: "a", type: "tool", request: { ...request, body } };
  expect(Flow.safeParse({ schemaVersion: 1, nodes: [node] }).success).toBe(false);
});
