import { Flow, type FlowNode } from "@parley/contract/flow";
import { compileFlow } from "@parley/flow/compile";
import { describe, expect, it } from "vitest";
import { wordNotes } from "./word-notes.ts";

const start: FlowNode = { id: "start", type: "start", next: "pizza" };
const pizza = {
  id: "pizza",
  type: "ask",
  label: "Which pizza?",
  text: "Which pizza would you like?",
  answer: "choice",
  exits: [{ when: "Margherita", next: "bye" }, { when: "Hawaii" }],
  otherwise: "bye",
} as const;
const bye: FlowNode = { id: "bye", type: "end", text: "Goodbye." };

function check(flow: object) {
  const parsed = Flow.parse({ schemaVersion: 1, ...flow });
  const result = compileFlow(parsed, { modelNames: ["one"] });
  return {
    flow: parsed,
    notes: wordNotes(parsed, { problems: result.ok ? [] : result.problems, warnings: result.warnings }),
  };
}

/** The first problem, or else the first warning. */
function first(flow: object) {
  const { notes } = check(flow);
  const [note] = [...notes.problems, ...notes.warnings];
  if (!note) throw new Error("nothing was found");
  return note;
}

describe("the words for problems", () => {
  it("name the node and the exit as they are on the canvas, and say what to do", () => {
    const note = first({ nodes: [start, pizza, bye] });
    expect(note).toMatchObject({ place: "Which pizza?", message: "Choose where “Hawaii” leads." });
    expect(note.fix).toEqual({ kind: "connect", label: "Connect…", nodeId: "pizza", exitId: "exits[1].next" });
  });

  it.each([
    [{ nodes: [] }, null, "Add a start node and connect it to the first thing the agent says."],
    [
      {
        nodes: [
          { id: "start", type: "start", next: "end" },
          { id: "end", type: "end", text: "" },
        ],
      },
      "End",
      "Write the last words, or remove them.",
    ],
    [
      { nodes: [start, { id: "pizza", type: "say", text: "", next: "bye" }, bye] },
      "Pizza",
      "Write what the agent says.",
    ],
    [
      { nodes: [start, { id: "pizza", type: "branch", exits: [{ when: "", next: "bye" }], otherwise: "bye" }, bye] },
      "Pizza",
      "Write condition 1.",
    ],
    [
      { nodes: [start, { id: "pizza", type: "transfer", to: "", failed: "bye" }, bye] },
      "Pizza",
      "Enter the phone number to connect to, such as +15550100001.",
    ],
    [
      {
        nodes: [
          start,
          { id: "pizza", type: "tool", request: { method: "POST", url: "" }, next: "bye", failed: "bye" },
          bye,
        ],
      },
      "Pizza",
      "Enter a URL such as https://api.example.com/orders/{{number}}.",
    ],
    [
      { nodes: [start, { ...pizza, exits: [{ when: "Tuna", next: "gone" }] }, bye] },
      "Which pizza?",
      "Choose where “Tuna” leads: the node it led to was deleted.",
    ],
    [
      { nodes: [start, { ...pizza, answer: "yes_no", exits: [{ when: "yes", next: "bye" }] }, bye] },
      "Which pizza?",
      "Add an answer for “no”: until then it counts as not understood.",
    ],
    [
      { variables: ["plan"], nodes: [{ ...start, next: "bye" }, bye] },
      "Variables",
      "The call variable “plan” is never used.",
    ],
  ])("are verbs for %j", (flow, place, message) => {
    expect(first(flow)).toMatchObject({ place, message });
  });

  it("never show ids, fields or other words of the document", () => {
    const { notes } = check({
      variables: ["plan"],
      settings: { voicemail: "leave_message", phoneMenu: "nowhere_at_all" },
      tools: [{ name: "look_up", description: "", request: { method: "GET", url: "x", body: {} } }],
      nodes: [
        { id: "node_a", type: "start", label: "Begin" },
        { id: "node_b", type: "start", label: "Begin again" },
        {
          id: "node_c",
          type: "ask",
          label: "Ask",
          text: "",
          answer: "yes_no",
          exits: [{ when: "blue" }, { when: "yes" }, { when: "yes" }],
        },
        {
          id: "node_d",
          type: "ask",
          label: "Ask more",
          text: "{{Odd Name}} {{",
          answer: "date",
          range: { min: 3, max: 1 },
          exits: [],
        },
        { id: "node_e", type: "branch", label: "Sort", exits: [{ when: "1 +" }] },
        { id: "node_f", type: "set", label: "Set", values: [{ saveAs: "x", value: "nope" }] },
        { id: "node_g", type: "set", label: "Set nothing", values: [] },
        { id: "node_h", type: "dtmf", label: "Press", keys: "abc", global: { phrases: [] } },
        { id: "node_i", type: "conversation", label: "Talk", prompt: "", tools: ["other_tool"], exits: [] },
        { id: "node_j", type: "say", label: "Say", text: "<loud>Hi</loud> {{first_name}}" },
      ],
    });
    expect(notes.problems.length).toBeGreaterThan(20);
    for (const { message } of [...notes.problems, ...notes.warnings]) {
      expect(message).not.toMatch(/node_[a-j]|\bexits\b|\botherwise\b|\[\d+\]|does not compile/);
      expect(message).toMatch(/^[A-Z].*[.?!]$/);
    }
  });
});

describe("fixes", () => {
  it.each([
    ["a missing start", { nodes: [{ ...pizza, exits: [{ when: "Tuna", next: "bye" }] }, bye] }],
    ["an empty flow", { nodes: [] }],
    ["a node that no call reaches", { nodes: [{ ...start, next: "bye" }, bye, { ...bye, id: "lost" }] }],
    [
      "an undeclared variable",
      {
        nodes: [
          { ...start, next: "bye" },
          { ...bye, text: "Bye {{first_name}}." },
        ],
      },
    ],
    ["an unused variable", { variables: ["plan"], nodes: [{ ...start, next: "bye" }, bye] }],
    [
      "an answer that does not fit",
      {
        nodes: [
          start,
          {
            ...pizza,
            answer: "yes_no",
            exits: [
              { when: "yes", next: "bye" },
              { when: "no", next: "bye" },
              { when: "blue", next: "bye" },
            ],
          },
          bye,
        ],
      },
    ],
    [
      "a missing answer",
      { nodes: [start, { ...pizza, answer: "yes_no", exits: [{ when: "yes", next: "bye" }] }, bye] },
    ],
    ["two nodes with one id", { nodes: [{ ...start, next: "bye" }, bye, bye] }],
    [
      "a voicemail message that is missing",
      { settings: { voicemail: "leave_message" }, nodes: [{ ...start, next: "bye" }, bye] },
    ],
  ])("take away %s with one click", (_, broken) => {
    const { flow } = check(broken);
    const note = first(broken);
    if (note.fix?.kind !== "edit") throw new Error("there is no fix");
    const { notes } = check(note.fix.apply(flow));
    expect([...notes.problems, ...notes.warnings].map(({ code, path }) => `${code} ${path}`)).not.toContain(
      `${note.code} ${note.path}`,
    );
  });
});

it("an answer that hides the machine is explained in the settings", () => {
  const nodes = [{ ...start, next: "bye" }, bye];
  const note = first({ settings: { phrases: { machine: "I'm Emma." } }, nodes });
  expect(note.code).toBe("hidden_machine");
  expect(note.message).toBe(
    "Say here that a machine is speaking. Callees who ask must be told, so calls also say the standard sentence.",
  );
});

describe("a sub-flow that does not fit", () => {
  const flow = Flow.parse({ schemaVersion: 1, nodes: [start, bye] });
  const conflict = (code: string) => ({
    code: "sub_flow_conflict" as const,
    nodeId: null,
    path: "nodes[1]",
    message: "In the sub-flow of check: The sentence of the API.",
    parts: { mistake: "The sentence of the API.", code, name: "plan" },
  });

  it("is explained in the words of the builder where these need no place, otherwise in those of the compiler", () => {
    const { problems } = wordNotes(flow, {
      problems: [conflict("collected_later"), conflict("duplicate_id")],
      warnings: [],
    });
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^The sub-flow does not fit here: .*plan/),
      "The sub-flow does not fit here: The sentence of the API.",
    ]);
    expect(problems[0]?.message).not.toContain("The sentence of the API");
  });
});
