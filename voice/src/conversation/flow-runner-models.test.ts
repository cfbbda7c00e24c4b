import type { FlowNode } from "@parley/contract/flow";
import type { FlowTool } from "@parley/contract/flow-request";
import { describe, expect, it } from "vitest";
import type { PlannedReply } from "../conformance/language-model-rig.ts";
import { createFakeLanguageModel } from "../fakes/fake-language-model.ts";
import {
  createTestToolCaller,
  hear,
  listen,
  openRig,
  promisesSettle,
  type RigOptions,
  type TestToolCaller,
} from "./testing/flow-rig.ts";
import { talk } from "./testing/talk.ts";

const said = (text: string) => ({ type: "said", text, best: null }) as const;
const booked: FlowNode = { id: "booked", type: "end", text: "A table for {{guests}} on {{day}}." };
const desk: FlowNode = { id: "desk", type: "end", text: "A colleague will call you." };
const table: FlowTool = {
  ...{ name: "find_table", description: "Finds a free table.", filler: "I am looking for a table." },
  parameters: [
    { name: "guests", kind: "number", required: true },
    { name: "day", kind: "date" },
  ],
  request: { method: "POST", url: "https://api.example.com/tables", body: { guests: "{{guests}}", day: "{{day}}" } },
};
const chat: FlowNode = {
  ...{ id: "chat", type: "conversation", text: "How can I help?", prompt: "You work for {{shop}}.", otherwise: "desk" },
  tools: ["find_table"],
  exits: [{ when: "The caller has booked.", next: "booked" }],
  saves: [
    { saveAs: "guests", kind: "number" },
    { saveAs: "day", kind: "date", description: "The day of the booking." },
  ],
};
const call = { id: "c1", tool: "find_table", input: { guests: 4, day: "2026-03-05" } };

function openChat(options: RigOptions = {}, toolCaller: TestToolCaller = createTestToolCaller()) {
  const model = createFakeLanguageModel();
  const fallback = createFakeLanguageModel("fake/fallback");
  const rig = openRig([chat, booked, desk], {
    ...{ variables: { shop: "Luigi's" }, tools: [table], models: [model, fallback], toolCaller },
    ...options,
  });
  return { ...rig, model, fallback, toolCaller };
}

describe("a conversation by a language model", () => {
  it("is spoken clause by clause while it is being written, in spoken form", async () => {
    const { brain, model } = openChat();
    model.plan({ type: "reply", texts: ["Sure, we have", " room at 7 pm. Shall", " I book?"] });
    const { parts, replies } = await talk(brain, ["A table please"]);
    expect(replies.at(-1)).toBe("Sure, we have room at seven P M. Shall I book?");
    const clauses = parts.flatMap((part) => (part.type === "say" ? [part.text] : []));
    expect(clauses.slice(1)).toEqual(["Sure, we have room at seven P M.", "Shall I book?"]);
  });

  it("receives the prompt, the values, its tools and its exits", async () => {
    const { brain, model } = openChat();
    model.plan({ type: "reply", texts: ["Yes."] });
    await talk(brain, ["Hello?"]);
    const [request] = model.requests;
    expect(request?.instructions).toContain("You work for Luigi's.");
    expect(request?.instructions).toContain("variables.shop: Luigi's");
    expect(request?.instructions).toContain("EXIT_1: The caller has booked.");
    expect(request?.messages).toEqual([
      { role: "agent", text: "How can I help?" },
      { role: "callee", text: "Hello?" },
    ]);
    expect(request?.tools).toMatchObject([
      { name: "find_table", inputSchema: { required: ["guests"], properties: { guests: { type: "number" } } } },
      { name: "EXIT_1", inputSchema: { properties: { day: { type: "string" } } } },
    ]);
  });

  it("remembers only what was heard", async () => {
    const { brain, model } = openChat();
    model.plan({ type: "reply", texts: ["We have a table at seven. And one at nine."] });
    await hear(brain, 1, null);
    const reply = listen(brain, 2, said("A table"));
    await promisesSettle();
    reply.cut("We have a table");
    model.plan({ type: "reply", texts: ["Seven it is."] });
    await hear(brain, 3, said("Seven is good"));
    expect(model.requests[1]?.messages.slice(1)).toEqual([
      { role: "callee", text: "A table" },
      { role: "agent", text: "We have a table" },
      { role: "callee", text: "Seven is good" },
    ]);
  });

  it("leaves by an exit with the values it collected, of the declared kinds", async () => {
    const { brain, model } = openChat();
    const exit = { id: "e1", tool: "EXIT_1", input: { guests: "4", day: "2026-03-05", other: "x" } };
    model.plan({ type: "reply", texts: ["Very well."], calls: [exit] });
    const held = await talk(brain, ["Book it"]);
    expect(held.collected).toEqual({ guests: 4, day: "2026-03-05" });
    expect(held.replies.at(-1)).toBe("Very well. A table for four on Thursday, March fifth.");
    expect(held.ended).toBe("finished");
  });

  it("starts without a turn of the callee if the flow has no first words for it", async () => {
    const model = createFakeLanguageModel();
    model.plan({ type: "reply", texts: ["Hello, Luigi here."] });
    const { text: _text, ...silent } = chat as Extract<FlowNode, { type: "conversation" }>;
    const rig = openRig([silent, booked, desk], { variables: { shop: "" }, tools: [table], models: [model] });
    expect((await talk(rig.brain, [])).replies).toEqual(["Hello, Luigi here."]);
  });

  it("ends after the maximum number of turns", async () => {
    const { brain, model } = openChat();
    const limited = { ...chat, turnsMax: 1 } as FlowNode;
    const rig = openRig([limited, booked, desk], { variables: { shop: "" }, tools: [table], models: [model] });
    model.plan({ type: "reply", texts: ["I see."] });
    expect((await talk(rig.brain, ["Well"])).replies.at(-1)).toBe("I see. A colleague will call you.");
    expect(brain.expectation.kind).toBe("nothing");
  });

  it("never stands in the way of a request not to be called", async () => {
    const { brain, model } = openChat();
    const held = await talk(brain, ["Stop calling me"]);
    expect(held.parts.some(({ type }) => type === "suppress")).toBe(true);
    expect(model.requests).toEqual([]);
  });

  it("is not asked when the callee is silent or cannot be heard", async () => {
    const { brain, model } = openChat();
    expect((await talk(brain, ["[silence]", "[mumbles]"])).replies.slice(1)).toEqual([
      "Are you still there?",
      "Sorry, I couldn't hear you well.",
    ]);
    expect(model.requests).toEqual([]);
  });
});

describe("the model that a node requests", () => {
  const wishing = { ...chat, model: "fake/fallback" } as FlowNode;
  const openWishing = (node: FlowNode) => {
    const [first, other] = [createFakeLanguageModel(), createFakeLanguageModel("fake/fallback")];
    const options = { variables: { shop: "" }, tools: [table], models: [first, other] };
    return { brain: openRig([node, booked, desk], options).brain, first, other };
  };

  it("is asked before the others, turn after turn, and its name goes with the request", async () => {
    const { brain, first, other } = openWishing(wishing);
    other.plan({ type: "reply", texts: ["One."] }, { type: "reply", texts: ["Two."] });
    expect((await talk(brain, ["Hi", "And?"])).replies.slice(1)).toEqual(["One.", "Two."]);
    expect(other.requests.map((request) => request.model)).toEqual(["fake/fallback", "fake/fallback"]);
    expect(first.requests).toEqual([]);
  });

  it("is replaced by the others when it fails", async () => {
    const { brain, first, other } = openWishing(wishing);
    other.plan({ type: "overloaded" });
    first.plan({ type: "reply", texts: ["I am here instead."] });
    expect((await talk(brain, ["Hi"])).replies.at(-1)).toBe("I am here instead.");
  });

  it("is the first one if none has its name, or if the node requests none", async () => {
    for (const node of [{ ...chat, model: "fake/gone" } as FlowNode, chat]) {
      const { brain, first, other } = openWishing(node);
      first.plan({ type: "reply", texts: ["Hello."] });
      expect((await talk(brain, ["Hi"])).replies.at(-1)).toBe("Hello.");
      expect(other.requests).toEqual([]);
      expect(Object.hasOwn(first.requests[0] ?? {}, "model")).toBe(node !== chat);
    }
  });
});

describe("tools of a language model", () => {
  it("are sent, awaited and shown to the model, with everything in the journal", async () => {
    const caller = createTestToolCaller(() => ({ status: 200, body: { free: true } }));
    const { brain, model } = openChat({}, caller);
    model.plan(
      { type: "reply", texts: ["Let me see."], calls: [call] },
      { type: "reply", texts: ["There is a table."] },
    );
    const held = await talk(brain, ["A table for four"]);
    expect(held.replies.at(-1)).toBe("Let me see. There is a table.");
    expect(JSON.parse(caller.requests[0]?.body ?? "")).toEqual({ guests: 4, day: "2026-03-05" });
    expect(model.requests[1]?.messages.slice(1)).toEqual([
      { role: "callee", text: "A table for four" },
      { role: "tool_call", callId: "c1", tool: "find_table", input: call.input },
      { role: "tool_result", callId: "c1", tool: "find_table", output: { free: true } },
      { role: "agent", text: "Let me see." },
    ]);
    expect(held.parts.filter(({ type }) => type.startsWith("tool_"))).toEqual([
      { type: "tool_call", id: "c1", name: "find_table", input: call.input },
      { type: "tool_result", id: "c1", name: "find_table", output: { free: true }, ok: true },
    ]);
  });

  it("and the model itself are announced before they are awaited, so that the delay of a reply can be explained", async () => {
    const caller = createTestToolCaller(() => ({ status: 200, body: { free: true } }));
    const { brain, model } = openChat({}, caller);
    model.plan({ type: "reply", texts: [], calls: [call] }, { type: "reply", texts: ["There is a table."] });
    await hear(brain, 1, null);
    const { parts } = await hear(brain, 2, said("A table for four"));
    expect(parts.map((part) => (part.type === "waits" ? `waits on ${part.on}` : part.type))).toEqual([
      "waits on model",
      "tool_call",
      "waits on tool",
      "tool_result",
      "waits on model",
      "say",
      "model_asked",
    ]);
  });

  it("have a filler said to the callee when they take long", async () => {
    const { brain, model, timers, toolCaller } = openChat();
    model.plan({ type: "reply", texts: [], calls: [call] }, { type: "reply", texts: ["Yes."] });
    await hear(brain, 1, null);
    const reply = listen(brain, 2, said("A table"));
    await timers.advance(900);
    expect(reply.text()).toBe("I am looking for a table.");
    toolCaller.answer({ status: 200, body: {} });
    await reply.over;
    expect(reply.text()).toBe("I am looking for a table. Yes.");
  });

  it("keep their result when the callee interrupts, and are not run twice", async () => {
    const { brain, model, toolCaller } = openChat();
    model.plan({ type: "reply", texts: ["One moment."], calls: [call] });
    await hear(brain, 1, null);
    const reply = listen(brain, 2, said("A table"));
    await promisesSettle();
    reply.cut("One");
    model.plan({ type: "reply", texts: ["It is free."] });
    const next = listen(brain, 3, said("At the window please"));
    await promisesSettle();
    expect(model.requests).toHaveLength(1);
    toolCaller.answer({ status: 200, body: { free: true } });
    await next.over;
    expect(toolCaller.requests).toHaveLength(1);
    expect(next.parts).toContainEqual(expect.objectContaining({ type: "tool_result", id: "c1", ok: true }));
    expect(model.requests[1]?.messages.slice(1)).toEqual([
      { role: "callee", text: "A table" },
      { role: "tool_call", callId: "c1", tool: "find_table", input: call.input },
      { role: "tool_result", callId: "c1", tool: "find_table", output: { free: true } },
      { role: "agent", text: "One" },
      { role: "callee", text: "At the window please" },
    ]);
  });

  it("are not run again for the same request after the turn was taken back, and the model knows about them", async () => {
    const { brain, model, toolCaller } = openChat();
    model.plan({ type: "reply", texts: [], calls: [call] });
    await hear(brain, 1, null);
    const reply = listen(brain, 2, said("A table for four"));
    await promisesSettle();
    reply.cut("");
    brain.undo(2);
    toolCaller.answer({ status: 200, body: { free: true } });
    model.plan({ type: "reply", texts: [], calls: [{ ...call, id: "c2" }] }, { type: "reply", texts: ["Free."] });
    const again = await hear(brain, 3, said("A table for four on Thursday"));
    expect(again.text()).toBe("Free.");
    expect(toolCaller.requests).toHaveLength(1);
    expect(model.requests[1]?.messages).toContainEqual(expect.objectContaining({ role: "tool_call", callId: "c1" }));
    expect(model.requests[2]?.messages).toContainEqual({
      ...{ role: "tool_result", callId: "c2", tool: "find_table", output: { free: true } },
    });
  });

  it("that do not exist or fail are reported to the model as such", async () => {
    const caller = createTestToolCaller(() => ({ status: 404, body: "no" }));
    const { brain, model } = openChat({}, caller);
    model.plan(
      { type: "reply", texts: [], calls: [call, { id: "c9", tool: "fly", input: {} }] },
      { type: "reply", texts: ["Sorry."] },
    );
    await talk(brain, ["A table"]);
    const outputs = model.requests[1]?.messages.flatMap((each) => (each.role === "tool_result" ? [each.output] : []));
    expect(outputs).toEqual([
      { error: "the reply had the status 404", body: "no" },
      { error: "there is no such function" },
    ]);
    expect(caller.requests).toHaveLength(1);
  });

  it("are stopped when the model calls them endlessly", async () => {
    const caller = createTestToolCaller(() => ({ status: 200, body: {} }));
    const { brain, model } = openChat({}, caller);
    model.plan(
      ...Array.from({ length: 9 }, (_, index) => ({
        type: "reply" as const,
        texts: ["Hm."],
        calls: [{ ...call, id: `c${index}`, input: { guests: index } }],
      })),
    );
    const held = await talk(brain, ["A table"]);
    expect(caller.requests).toHaveLength(5);
    expect(held.ended).toBeNull();
  });
});

describe("a language model that fails", () => {
  it.each([{ type: "overloaded" }, { type: "rejected" }] as const)(
    "is replaced by the next one before anything was said: %j",
    async (plan) => {
      const { brain, model, fallback } = openChat();
      model.plan(plan);
      fallback.plan({ type: "reply", texts: ["I am here instead."] });
      expect((await talk(brain, ["Hi"])).replies.at(-1)).toBe("I am here instead.");
    },
  );

  it("is awaited only for a limited time, with a filler for the callee, and leaves nothing behind", async () => {
    const { brain, model, fallback, timers } = openChat();
    model.plan({ type: "silence" });
    fallback.plan({ type: "reply", texts: ["I am here instead."] });
    await hear(brain, 1, null);
    const reply = listen(brain, 2, said("Hi"));
    await timers.advance(2000);
    expect(reply.text()).toBe("One moment, please.");
    await timers.advance(2000);
    await reply.over;
    expect(reply.text()).toBe("One moment, please. I am here instead.");
    expect([model.underWay(), fallback.underWay(), timers.pendingTimers()]).toEqual([0, 0, 0]);
  });

  it("in the middle of a sentence is not replaced, and the callee is asked to say it again", async () => {
    const { brain, model, fallback } = openChat();
    model.plan({ type: "cut", texts: ["We have a table. And then"] });
    expect((await talk(brain, ["Hi"])).replies.at(-1)).toBe(
      "We have a table. I'm sorry, something went wrong on my side. Could you say that again?",
    );
    expect(fallback.requests).toEqual([]);
  });

  it("that stops in the middle is abandoned", async () => {
    const { brain, model, timers } = openChat();
    model.plan({ type: "stall", texts: ["We have a table. "] });
    await hear(brain, 1, null);
    const reply = listen(brain, 2, said("Hi"));
    await timers.advance(5000);
    await reply.over;
    expect(reply.text()).toContain("We have a table. I'm sorry");
    expect(model.underWay()).toBe(0);
  });

  it("twice in a row leads where the flow says", async () => {
    const { brain, faults } = openChat();
    const held = await talk(brain, ["Hi", "Hello?"]);
    expect(held.replies.slice(1)).toEqual([
      "I'm sorry, something went wrong on my side. Could you say that again?",
      "A colleague will call you.",
    ]);
    expect(faults.length).toBeGreaterThan(0);
  });

  it("has the same effect as no model", async () => {
    const { brain } = openChat({ models: [] });
    expect((await talk(brain, ["Hi", "Hello?"])).replies.at(-1)).toBe("A colleague will call you.");
  });
});

describe("a branch that a language model judges", () => {
  const sort: FlowNode = {
    ...{ id: "sort", type: "branch", otherwise: "desk" },
    exits: [{ when: 'variables.plan == "gold"', next: "gold" }],
    prompts: [
      { when: "The callee is angry.", next: "angry" },
      { when: "The callee is in a hurry.", next: "hurry" },
    ],
  };
  const ends = ["gold", "angry", "hurry"].map((id): FlowNode => ({ id, type: "end", text: `It is ${id}.` }));
  const judged = async (plan: string, ...replies: readonly PlannedReply[]) => {
    const model = createFakeLanguageModel();
    model.plan(...replies);
    const rig = openRig([sort, ...ends, desk], { variables: { plan }, models: [model] });
    return { said: (await talk(rig.brain, [])).replies.at(-1), model };
  };

  it("evaluates conditions first, and then asks no model", async () => {
    const { said: text, model } = await judged("gold");
    expect(text).toBe("It is gold.");
    expect(model.requests).toEqual([]);
  });

  it.each([
    ["2", "It is hurry."],
    ["It is number 1.", "It is angry."],
    ["0", "A colleague will call you."],
    ["7", "A colleague will call you."],
    ["None of them.", "A colleague will call you."],
  ])("goes by its answer: %s", async (answer, text) => {
    expect((await judged("none", { type: "reply", texts: [answer] })).said).toBe(text);
  });

  it("asks the requested model", async () => {
    const wished = createFakeLanguageModel("fake/judge");
    wished.plan({ type: "reply", texts: ["1"] });
    const models = [createFakeLanguageModel(), wished];
    const rig = openRig([{ ...sort, model: "fake/judge" }, ...ends, desk], { variables: { plan: "" }, models });
    expect((await talk(rig.brain, [])).replies.at(-1)).toBe("It is angry.");
    expect(wished.requests[0]?.model).toBe("fake/judge");
  });

  it("continues at otherwise when no model is available", async () => {
    expect((await judged("none", { type: "overloaded" })).said).toBe("A colleague will call you.");
  });
});

it("a reply that is cut off aborts the model immediately", async () => {
  const { brain, model, timers } = openChat();
  model.plan({ type: "silence" });
  await hear(brain, 1, null);
  const reply = listen(brain, 2, said("Hi"));
  await promisesSettle();
  expect(model.underWay()).toBe(1);
  reply.cut("");
  await reply.over;
  await promisesSettle();
  expect([model.underWay(), timers.pendingTimers()]).toEqual([0, 0]);
});
