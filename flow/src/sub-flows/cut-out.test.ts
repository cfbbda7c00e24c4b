import { Flow, type FlowNode } from "@parley/contract/flow";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileFlow } from "../compile.ts";
import { type CutOut, cutOut } from "./cut-out.ts";
import { expandFlow } from "./expand-flow.ts";
import { subFlowKey } from "./sub-flow.ts";
import { type Answer, walkFlow } from "./testing/walk-flow.ts";

const NEW = "agt_00000000000000000000000cut";

function flowOf(nodes: readonly FlowNode[], rest: Partial<Flow> = {}): Flow {
  return Flow.parse({ schemaVersion: 1, variables: [], ...rest, nodes });
}

/** Asks for a day, lets the callee confirm it, and says goodbye in two ways. */
const booking = flowOf(
  [
    { id: "start", type: "start", next: "day" },
    {
      id: "day",
      type: "ask",
      text: "Which day?",
      answer: "date",
      saveAs: "day",
      exits: [],
      next: "near",
      otherwise: "bye",
    },
    {
      id: "near",
      type: "branch",
      position: { x: 720, y: 100 },
      exits: [{ when: "collected.day < call.date + 7", next: "right" }],
      otherwise: "early",
    },
    { id: "early", type: "say", position: { x: 1080, y: 200 }, text: "That is early, {{name}}.", next: "right" },
    {
      id: "right",
      type: "ask",
      position: { x: 1440, y: 100 },
      text: "{{day}}, is that right?",
      answer: "yes_no",
      saveAs: "is_right",
      exits: [
        { when: "yes", next: "booked" },
        { when: "no", next: "day" },
      ],
      otherwise: "bye",
    },
    { id: "booked", type: "say", label: "It is booked", text: "Booked: {{is_right}}.", next: "bye" },
    { id: "bye", type: "end", text: "Goodbye." },
  ],
  { variables: ["name"] },
);
const CHOSEN = new Set(["near", "early", "right"]);

function cut(flow: Flow, nodeIds: Iterable<string>, options: Partial<Parameters<typeof cutOut>[1]> = {}): CutOut {
  const found = cutOut(flow, { nodeIds: new Set(nodeIds), nodeId: "part", ...options });
  if (!found.ok) throw new Error(JSON.stringify(found));
  return found;
}

/** The flow as it is called once the part is published. */
function expanded({ flow, part, node }: CutOut, subFlows: ReadonlyMap<string, Flow> = new Map()): Flow {
  const nodes = flow.nodes.map((each) => (each.id === node.id ? { ...node, agentId: NEW, version: 1 } : each));
  const { flow: whole, problems } = expandFlow({ ...flow, nodes }, new Map([...subFlows, [subFlowKey(NEW, 1), part]]));
  expect(problems).toEqual([]);
  return whole;
}

describe("cutting nodes out of a flow", () => {
  it("makes a flow of them, with what they need as variables and an end for each way out", () => {
    const { part } = cut(booking, CHOSEN);
    expect(part.variables).toEqual(["name", "day"]);
    expect(part.nodes.map(({ id, type }) => `${id} ${type}`)).toEqual([
      "start start",
      "near branch",
      "early say",
      "right ask",
      "end end",
      "end_2 end",
      "end_3 end",
    ]);
    expect(part.nodes[0]).toMatchObject({ next: "near", position: { x: 360, y: 100 } });
    expect(part.nodes[1]).toMatchObject({ exits: [{ when: "date(variables.day) < call.date + 7", next: "right" }] });
    expect(part.nodes[3]).toMatchObject({
      exits: [
        { when: "yes", next: "end_2" },
        { when: "no", next: "end" },
      ],
      otherwise: "end_3",
    });
    expect(part.nodes.slice(4)).toMatchObject([{ outcome: "Day" }, { outcome: "It is booked" }, { outcome: "Bye" }]);
    expect(compileFlow(part)).toMatchObject({ ok: true });
  });

  it("puts one node in their place, which is given what was collected and leads where they led", () => {
    const { node, flow } = cut(booking, CHOSEN);
    expect(node).toEqual({
      id: "part",
      type: "subflow",
      position: { x: 720, y: 100 },
      inputs: [{ name: "day", value: "collected.day" }],
      exits: [
        { when: "Day", next: "day" },
        { when: "It is booked", next: "booked" },
        { when: "Bye", next: "bye" },
      ],
      saves: [{ name: "is_right", saveAs: "is_right" }],
    });
    expect(flow.nodes.map(({ id }) => id)).toEqual(["start", "day", "part", "booked", "bye"]);
    expect(flow.nodes[1]).toMatchObject({ next: "part", otherwise: "bye" });
  });

  it("uses what was collected outside itself, so that a date is spoken as a date and can be corrected", () => {
    const right = expanded(cut(booking, CHOSEN)).nodes.find(({ id }) => id === "part__right");
    expect(right).toMatchObject({ text: "{{day}}, is that right?", saveAs: "is_right" });
  });

  it("leaves an end where it is: it ends the call, not the sub-flow", () => {
    const { part, nodeIds } = cut(booking, ["booked", "bye"]);
    expect(nodeIds).toEqual(["booked"]);
    expect(part.nodes.map(({ id }) => id)).toEqual(["start", "booked", "end"]);
  });

  it("takes comments, whole groups, tools and translations along", () => {
    const talk: FlowNode = {
      ...{ id: "talk", type: "conversation", text: "Anything else?", prompt: "Help {{name}}.", tools: ["look_up"] },
      ...{ exits: [{ when: "done", next: "bye" }], otherwise: "bye" },
    };
    const request = { method: "GET" as const, url: "https://example.com/{{number}}" };
    const tools = ["look_up", "other"].map((name) => ({
      ...{ name, description: "x", request, filler: `${name}?` },
      parameters: [{ name: "number", kind: "text" as const }],
    }));
    const flow = flowOf(
      [
        { id: "start", type: "start", next: "hello" },
        { id: "hello", type: "say", text: "Hello.", next: "talk" },
        talk,
        { id: "bye", type: "end", text: "Goodbye." },
      ],
      {
        variables: ["name"],
        tools,
        comments: ["mine", "yours"].map((id) => ({ id, text: id, position: { x: 0, y: 0 } })),
        groups: [
          { id: "all", name: "All", nodeIds: ["hello", "talk", "bye"] },
          { id: "one", name: "One", nodeIds: ["talk"] },
        ],
        settings: {
          ...{ voice: "slt", disclosure: "Hello {{name}}.", retries: { max: 2, texts: ["{{name}}?"] } },
          translations: [
            { language: "de", texts: { "Anything else?": "Sonst noch etwas?", "look_up?": "Ja?", "Hello.": "Hallo." } },
          ],
        },
      },
    );
    const { part, flow: rest } = cut(flow, ["talk"], { commentIds: new Set(["mine"]) });
    expect(part).toMatchObject({
      tools: [tools[0]],
      comments: [{ id: "mine" }],
      groups: [{ id: "one" }],
      settings: {
        ...{ voice: "slt", retries: { max: 2 } },
        translations: [{ language: "de", texts: { "Anything else?": "Sonst noch etwas?", "look_up?": "Ja?" } }],
      },
    });
    expect(rest).toMatchObject({
      tools: [tools[1]],
      comments: [{ id: "yours" }],
      groups: [{ id: "all", nodeIds: ["hello", "part", "bye"] }],
      settings: flow.settings,
    });
  });

  it("takes sub-flows along, and what they collect keeps its name", () => {
    const verify = flowOf(
      [
        { id: "start", type: "start", next: "birth" },
        {
          id: "birth",
          type: "ask",
          text: "{{who}}?",
          answer: "date",
          saveAs: "born",
          exits: [],
          next: "y",
          otherwise: "y",
        },
        { id: "y", type: "end", outcome: "done" },
      ],
      { variables: ["who"] },
    );
    const subFlows = new Map([[subFlowKey("agt_verify", 3), verify]]);
    const flow = flowOf([
      { id: "start", type: "start", next: "name" },
      {
        id: "name",
        type: "ask",
        text: "Name?",
        answer: "name",
        saveAs: "called",
        exits: [],
        next: "check",
        otherwise: "bye",
      },
      {
        ...{ id: "check", type: "subflow", agentId: "agt_verify", version: 3 },
        ...{ inputs: [{ name: "who", value: "collected.called" }], exits: [{ when: "done", next: "thanks" }] },
      } as FlowNode,
      { id: "thanks", type: "say", text: "Thank you.", next: "born" },
      { id: "born", type: "say", text: "Born on {{check__born}}.", next: "bye" },
      { id: "bye", type: "end" },
    ]);
    const made = cut(flow, ["check", "thanks"], { subFlows });
    expect(made.node).toMatchObject({
      inputs: [{ name: "called", value: "collected.called" }],
      saves: [
        { name: "check__who", saveAs: "check__who" },
        { name: "check__born", saveAs: "check__born" },
      ],
    });
    const whole = expanded(made, subFlows);
    expect(compileFlow(whole)).toMatchObject({ ok: true });
    const answers: Answer[] = [{ value: "Ada" }, { value: "1980-05-03" }];
    expect(walkFlow(whole, {}, answers).said).toEqual(walkFlow(expandFlow(flow, subFlows).flow, {}, answers).said);
    expect(walkFlow(whole, {}, answers).said).toEqual(["Name?", "Ada?", "Thank you.", "Born on 1980-05-03.", "end"]);
  });

  it("leads a phone menu to the sub-flow when it led into it", () => {
    const flow = { ...booking, settings: { phoneMenu: "near" } };
    expect(cut(flow, CHOSEN).flow.settings).toEqual({ phoneMenu: "part" });
    expect(cut(flow, CHOSEN).part.settings).toBeUndefined();
  });
});

describe("what cannot be cut out is refused", () => {
  const changed = (id: string, changes: object, rest: Partial<Flow> = {}): Flow => ({
    ...booking,
    ...rest,
    nodes: booking.nodes.map((node) => (node.id === id ? ({ ...node, ...changes } as FlowNode) : node)),
  });
  it.each<[string, Flow, string[], object]>([
    ["nothing", booking, [], { reason: "nothing" }],
    ["ends alone", booking, ["bye"], { reason: "nothing" }],
    ["the start", booking, ["start", "day"], { reason: "start" }],
    [
      "the message for a voicemail",
      flowOf([...booking.nodes, { id: "beep", type: "voicemail", text: "Call us." }], { variables: ["name"] }),
      ["early", "beep"],
      { reason: "voicemail" },
    ],
    [
      "a node that callees can jump to",
      changed("early", { global: { phrases: ["early"] } }),
      ["near", "early", "right"],
      { reason: "global", nodeId: "early" },
    ],
    [
      "a part with two ways into it",
      booking,
      ["early", "right"],
      { reason: "many_entries", nodeIds: ["early", "right"] },
    ],
    [
      "a part that nothing leads to",
      flowOf([...booking.nodes, { id: "lost", type: "say", text: "x", next: "bye" }], { variables: ["name"] }),
      ["lost"],
      { reason: "no_entry" },
    ],
    [
      "a name that the call brings and a node saves",
      changed("day", { saveAs: "name" }),
      ["early"],
      { reason: "two_sources", name: "name" },
    ],
    [
      "a value that is used before it changes",
      changed("early", { type: "set", text: undefined, values: [{ saveAs: "day", value: "call.date" }] }),
      ["near", "early"],
      { reason: "two_sources", name: "day" },
    ],
    [
      "a yes or no in a condition",
      flowOf([
        { id: "start", type: "start", next: "free" },
        { id: "free", type: "set", values: [{ saveAs: "is_free", value: "1 == 1" }], next: "which" },
        { id: "which", type: "branch", exits: [{ when: "collected.is_free", next: "bye" }], otherwise: "bye" },
        { id: "bye", type: "end" },
      ]),
      ["which"],
      { reason: "not_a_text", name: "is_free" },
    ],
    [
      "a part that is not finished",
      changed("early", { next: undefined }),
      ["early"],
      { reason: "problem", problem: { code: "leads_nowhere", nodeId: "early" } },
    ],
    [
      "a part that collects more than a sub-flow can",
      changed("early", {
        type: "set",
        text: undefined,
        values: Array.from({ length: 20 }, (_, index) => ({ saveAs: `v${index}`, value: "1" })),
      }),
      [...CHOSEN],
      { reason: "too_many", of: "saves", max: 20 },
    ],
  ])("%s", (_, flow, ids, expected) => {
    expect(cutOut(flow, { nodeIds: new Set(ids), nodeId: "part" })).toMatchObject({ ok: false, ...expected });
  });

  it("an id that is too long for the names inside", () => {
    const found = cutOut(booking, { nodeIds: CHOSEN, nodeId: "p".repeat(60) });
    expect(found).toMatchObject({ ok: false, problem: { code: "sub_flow_too_large" } });
  });
});

it("any part that can be cut out is one that calls go through as before", () => {
  const COUNT = 7;
  const NAMES = ["one", "two"];
  const target = fc.integer({ min: 0, max: COUNT + 1 }).map((index) => `n${index}`);
  const node = fc.record({
    type: fc.constantFrom("say", "ask", "branch", "set"),
    // Most lines lead to the following node, as in flows that people draw.
    next: fc.option(target, { nil: null, freq: 1 }),
    otherwise: fc.option(target, { nil: null, freq: 2 }),
    name: fc.constantFrom(...NAMES),
    saved: fc.constantFrom(...NAMES),
  });
  const answer: fc.Arbitrary<Answer> = fc.oneof(
    fc.integer({ min: 0, max: 5 }).map((value) => ({ value })),
    fc.constant({ value: null }),
  );
  let cuts = 0;
  fc.assert(
    fc.property(
      fc.array(node, { minLength: COUNT, maxLength: COUNT }),
      fc.tuple(fc.integer({ min: 0, max: COUNT - 1 }), fc.integer({ min: 1, max: 5 })),
      fc.array(answer, { minLength: 8, maxLength: 8 }),
      (shapes, [from, length], answers) => {
        const chosen = shapes.map((_, index) => `n${index}`).slice(from, from + length);
        const flow = flowOf(
          [
            { id: "start", type: "start", next: "first" },
            {
              id: "first",
              type: "ask",
              text: "How many?",
              answer: "number",
              saveAs: "one",
              exits: [],
              next: "n0",
              otherwise: "n0",
            },
            ...shapes.map(({ type, name, saved, ...to }, index): FlowNode => {
              const id = `n${index}`;
              const next = to.next ?? `n${index + 1}`;
              const otherwise = to.otherwise ?? `n${index + 1}`;
              if (type === "say") return { id, type, text: `${id}: {{who}} {{${name}}}.`, next };
              if (type === "set")
                return { id, type, values: [{ saveAs: saved, value: `default(collected.${name}, 0) + 1` }], next };
              if (type === "ask") {
                const text = `${id}: {{${name}}}?`;
                return { id, type, text, answer: "number", saveAs: saved, exits: [], next, otherwise };
              }
              return {
                ...{ id, type: "branch", otherwise },
                exits: [{ when: `collected.${name} > 2 or variables.who == "Bo"`, next }],
              };
            }),
            { id: `n${COUNT}`, type: "end", text: "Good {{one}}." },
            { id: `n${COUNT + 1}`, type: "end", text: "Bad {{two}}." },
          ],
          { variables: ["who"] },
        );
        const made = cutOut(flow, { nodeIds: new Set(chosen), nodeId: "part" });
        if (!made.ok) return;
        cuts += 1;
        const whole = expanded(made);
        for (const who of ["Ada", "Bo"]) {
          const before = walkFlow(flow, { who }, answers);
          const after = walkFlow(whole, { who }, answers);
          expect(after.said).toEqual(before.said);
          const collected = Object.entries(after.collected).filter(([name]) => !name.startsWith("part__"));
          expect(Object.fromEntries(collected)).toEqual(before.collected);
        }
      },
    ),
    { seed: 7, numRuns: 200 },
  );
  // Many have several ways in, or use a name before it changes. Enough of them must not.
  expect(cuts).toBeGreaterThan(50);
});
