import { Flow, FlowNode } from "@parley/contract/flow";

/** Where the tools of the flows below send their requests, unless a test has its own URL. */
const TOOL_URL = "https://tool.example/act";
const TRANSFER_TO = "+15550100099";
const KEYS = "12#";

/** Leads from a node to the next one, whatever leaves it. */
type MakeNode = (next: string, toolUrl: string) => FlowNode;

const post = (url: string) => ({ method: "POST" as const, url, body: { from: "a call" } });

/** Every type of node, with all variants of how it begins. A new type does not compile without a row. */
const NODES: Readonly<Record<FlowNode["type"], Readonly<Record<string, MakeNode>>>> = {
  start: { start: (next) => ({ id: "x", type: "start", next }) },
  // It stands for nodes of these types.
  subflow: {},
  say: { say: (next) => ({ id: "x", type: "say", text: "This is the clinic.", next }) },
  ask: {
    ask: (next) => ({
      id: "x",
      type: "ask",
      text: "Shall I cancel it?",
      answer: "choice",
      saveAs: "decision",
      exits: [
        { when: "yes", next, phrases: ["keep"] },
        { when: "cancel", next, phrases: ["can't come"] },
      ],
      otherwise: next,
    }),
  },
  conversation: {
    "conversation with a text": (next) => ({ ...CONVERSATION, text: "How can I help you?", ...leaving(next) }),
    "conversation without a text": (next) => ({ ...CONVERSATION, ...leaving(next) }),
  },
  branch: {
    "branch by a condition": (next) => ({
      id: "x",
      type: "branch",
      exits: [{ when: 'call.mode == "test"', next }],
      otherwise: next,
    }),
    "branch by a prompt": (next) => ({
      id: "x",
      type: "branch",
      exits: [],
      prompts: [{ when: "It is late.", next }],
      otherwise: next,
    }),
  },
  tool: {
    tool: (next, url) => ({
      id: "x",
      type: "tool",
      request: post(url),
      saves: [{ path: "day", saveAs: "day" }],
      next,
      failed: next,
    }),
  },
  set: { set: (next) => ({ id: "x", type: "set", values: [{ saveAs: "origin", value: '"flow"' }], next }) },
  transfer: {
    "transfer with a text": (next) => ({
      id: "x",
      type: "transfer",
      text: "One moment.",
      to: TRANSFER_TO,
      failed: next,
    }),
    "transfer without a text": (next) => ({ id: "x", type: "transfer", to: TRANSFER_TO, failed: next }),
  },
  dtmf: { dtmf: (next) => ({ id: "x", type: "dtmf", keys: KEYS, next }) },
  voicemail: { voicemail: () => ({ id: "x", type: "voicemail", text: "Please call us back." }) },
  end: {
    "end with a text": () => ({ id: "x", type: "end", text: "Goodbye." }),
    "end without a text": () => ({ id: "x", type: "end" }),
  },
};

const CONVERSATION = { id: "x", type: "conversation", prompt: "Help the caller." } as const;
const leaving = (next: string) => ({ tools: ["act"], exits: [{ when: "The caller is done.", next }], otherwise: next });

type Position = "first" | "second" | "last";

export interface NodeCase {
  /** Such as "tool as second node". */
  readonly name: string;
  readonly type: FlowNode["type"];
  readonly position: Position;
  flow(toolUrl?: string): Flow;
}

/**
 * Every type of node as first, second and last node of a flow that also sends a request, saves a value and presses
 * keys.
 */
export const NODE_CASES: readonly NodeCase[] = FlowNode.options.flatMap((option): NodeCase[] => {
  const type = option.shape.type.value;
  return Object.entries(NODES[type]).flatMap(([what, make]) =>
    // A flow has one start, and it comes first.
    (type === "start" ? (["first"] as const) : (["first", "second", "last"] as const)).map((position) => ({
      name: `${what} as ${position} node`,
      type,
      position,
      flow: (toolUrl = TOOL_URL) => flowWith(make, type, position, toolUrl),
    })),
  );
});

function flowWith(make: MakeNode, type: FlowNode["type"], position: Position, toolUrl: string): Flow {
  const isFinal = type === "end" || type === "voicemail";
  const acting: FlowNode[] = [
    { id: "keep", type: "set", values: [{ saveAs: "kept", value: '"by the flow"' }], next: "act_1" },
    { id: "act_1", type: "tool", request: post(toolUrl), next: "press", failed: "press" },
    { id: "press", type: "dtmf", keys: "9", next: position === "last" ? "x" : "bye" },
  ];
  const greeting: FlowNode = {
    id: "greeting",
    type: "say",
    text: "Good day.",
    next: position === "last" ? "keep" : "x",
  };
  const bye: FlowNode = { id: "bye", type: "end", text: "Goodbye." };
  const x = make(position === "last" ? "bye" : "keep", toolUrl);
  const before: FlowNode[] = position === "first" ? [] : [greeting];
  const start: FlowNode = { id: "start", type: "start", next: before[0]?.id ?? "x" };
  const needsActing = position === "last" || !isFinal;
  return Flow.parse({
    schemaVersion: 1,
    nodes: [
      ...(type === "start" ? [] : [start]),
      ...before,
      x,
      ...(needsActing ? acting : []),
      ...(isFinal ? [] : [bye]),
    ],
    tools: [{ name: "act", description: "Acts.", request: post(toolUrl) }],
    settings: { disclosure: null, retries: { max: 2 }, voicemail: "hang_up" },
  });
}
