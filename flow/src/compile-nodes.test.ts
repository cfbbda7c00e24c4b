import { Flow, type FlowNode } from "@parley/contract/flow";
import type { FlowTool } from "@parley/contract/flow-request";
import type { FlowSettings } from "@parley/contract/flow-settings";
import { describe, expect, it } from "vitest";
import { compileFlow } from "./compile.ts";
import { namesOfFlow } from "./names.ts";

const bye: FlowNode = { id: "bye", type: "end", text: "Goodbye." };
const request = { method: "POST", url: "https://api.example.com/slots" } as const;

interface Extras {
  readonly variables?: string[];
  readonly tools?: FlowTool[];
  readonly settings?: FlowSettings;
}

/** A flow of these nodes, one after the other, from a start to a goodbye. */
function flowOf(nodes: readonly FlowNode[], extras: Extras = {}): Flow {
  const first: FlowNode = { id: "begin", type: "start", next: nodes[0]?.id ?? "bye" };
  return Flow.parse({ schemaVersion: 1, nodes: [first, ...nodes, bye], ...extras });
}

function problemsOf(nodes: readonly FlowNode[], extras: Extras = {}): string[] {
  const result = compileFlow(flowOf(nodes, extras));
  return result.ok ? [] : result.problems.map(({ code, path }) => `${code} ${path}`);
}

function ask(fields: Partial<Extract<FlowNode, { type: "ask" }>> = {}): FlowNode {
  return { id: "ask", type: "ask", text: "Well?", answer: "yes_no", exits: [], otherwise: "bye", ...fields };
}

function tool(fields: Partial<Extract<FlowNode, { type: "tool" }>> = {}): FlowNode {
  return { id: "tool", type: "tool", request, next: "bye", failed: "bye", ...fields };
}

const talk = (fields: Partial<Extract<FlowNode, { type: "conversation" }>> = {}): FlowNode => ({
  id: "talk",
  type: "conversation",
  prompt: "Be kind.",
  exits: [],
  otherwise: "bye",
  ...fields,
});

describe("compiling questions", () => {
  it("refuses a field that does not apply to the kind of answer", () => {
    expect(problemsOf([ask({ range: { min: 1 } })])).toEqual(["field_does_not_fit nodes[1].range"]);
    expect(problemsOf([ask({ digits: { min: 1, max: 4 } })])).toEqual(["field_does_not_fit nodes[1].digits"]);
    expect(problemsOf([ask({ dates: "behind" })])).toEqual(["field_does_not_fit nodes[1].dates"]);
    expect(problemsOf([ask({ confirm: {} })])).toEqual(["field_does_not_fit nodes[1].confirm"]);
    const phrases = [{ when: "3", next: "bye", phrases: ["the usual"] }];
    expect(problemsOf([ask({ answer: "number", exits: phrases })])).toEqual(["field_does_not_fit nodes[1].exits"]);
  });

  it("refuses an empty range, and accepts one that is open at one end", () => {
    expect(problemsOf([ask({ answer: "number", range: { min: 5, max: 1 } })])).toEqual([
      "field_does_not_fit nodes[1].range",
    ]);
    expect(problemsOf([ask({ answer: "number", range: { min: 5 } })])).toEqual([]);
  });

  it("refuses one key for two choices", () => {
    const exits = [
      { when: "red", key: "1", next: "bye" },
      { when: "green", key: "1", next: "bye" },
    ];
    expect(problemsOf([ask({ answer: "choice", exits })])).toEqual(["duplicate_key nodes[1].exits[1].key"]);
  });

  it.each(["phone", "email", "name"] as const)(
    "refuses exits from a %s, whose answers are not known beforehand",
    (answer) => {
      expect(problemsOf([ask({ answer, exits: [{ when: "x", next: "bye" }] })])).toEqual([
        "exit_does_not_fit nodes[1].exits[0].when",
      ]);
    },
  );

  it("checks every text that may be said", () => {
    const node = ask({ reworded: "{{a}}", retries: { max: 1, texts: [" ", "{{b}}"] } });
    expect(problemsOf([node])).toEqual([
      "undeclared_variable nodes[1].reworded",
      "empty_text nodes[1].retries.texts[0]",
      "undeclared_variable nodes[1].retries.texts[1]",
    ]);
    expect(problemsOf([ask({ answer: "date", confirm: { text: "So {{answer}}?" } })])).toEqual([]);
  });

  it("follows where an understood answer leads", () => {
    expect(problemsOf([ask({ next: "nowhere" })])).toEqual(["unknown_node nodes[1].next"]);
  });
});

describe("compiling global nodes", () => {
  const hours: FlowNode = {
    id: "hours",
    type: "say",
    text: "From nine to five.",
    global: { phrases: ["opening hours"], returns: true },
  };

  it("allows them to be reached from nowhere, and to return to the question that was open", () => {
    expect(problemsOf([ask(), hours])).toEqual([]);
    const result = compileFlow(flowOf([ask(), hours]));
    expect(result.ok && result.plan.globalIds).toEqual(["hours"]);
  });

  it("allows them to say what was collected at any question before", () => {
    const recall: FlowNode = { ...hours, text: "You said {{day}}." } as FlowNode;
    expect(
      problemsOf([ask({ answer: "date", saveAs: "day", otherwise: "more" }), ask({ id: "more" }), recall]),
    ).toEqual([]);
    expect(problemsOf([ask(), recall])).toEqual(["undeclared_variable nodes[2].text"]);
  });

  it("refuses one without phrases, one that both returns and continues, and two with one phrase", () => {
    const on = { phrases: ["opening hours"], returns: true };
    expect(problemsOf([ask(), { ...hours, global: { phrases: [] }, next: "bye" } as FlowNode])).toEqual([
      "bad_global nodes[2].global",
    ]);
    expect(problemsOf([ask(), { ...hours, next: "bye", global: on } as FlowNode])).toEqual([
      "bad_global nodes[2].global",
    ]);
    const other: FlowNode = { id: "other", type: "end", global: { phrases: ["Opening  Hours"] } };
    expect(problemsOf([ask(), hours, other])).toEqual(["duplicate_phrase nodes[3].global.phrases[0]"]);
  });

  it("does not count a jump as a way out of a loop", () => {
    const loop = [ask({ otherwise: "round" }), { id: "round", type: "say", text: "Again.", next: "ask" } as FlowNode];
    const out: FlowNode = { id: "out", type: "end", global: { phrases: ["stop"] } };
    expect(problemsOf([...loop, out])).toContain("no_way_to_end nodes[1]");
  });
});

describe("compiling requests", () => {
  it.each([
    ["https://api.example.com/orders/{{number}}?day={{day}}", true],
    ["http://10.0.0.1/x", true],
    ["https://{{host}}/orders", false],
    ["https://api.{{host}}.com/orders", false],
    ["https://user:secret@api.example.com/", false],
    ["ftp://api.example.com/", false],
    ["/orders", false],
    ["", false],
  ])("of a URL such as %s says whether it can be sent", (url, isFine) => {
    const problems = problemsOf([tool({ request: { method: "GET", url } })], { variables: ["number", "day", "host"] });
    expect(problems).toEqual(isFine ? [] : ["bad_request nodes[1].request.url"]);
  });

  it("refuses a body with GET, headers that are not the author's, and line breaks in them", () => {
    const headers = { Host: "evil.example", "X-Note": "a\r\nb" };
    expect(problemsOf([tool({ request: { ...request, method: "GET", body: {}, headers } })])).toEqual([
      "bad_request nodes[1].request.body",
      "bad_request nodes[1].request.headers.Host",
      "bad_request nodes[1].request.headers.X-Note",
    ]);
  });

  it("finds placeholders however deep they are in a body", () => {
    const body = { a: [{ b: "{{number}}" }, "{{missing}}"] };
    expect(problemsOf([tool({ request: { ...request, body } })], { variables: ["number"] })).toEqual([
      "undeclared_variable nodes[1].request.body",
    ]);
  });

  it("refuses a path in the reply that could never be found", () => {
    const saves = [
      { path: "slots[0].start", saveAs: "slot" },
      { path: "slots[", saveAs: "other" },
    ];
    expect(problemsOf([tool({ saves })])).toEqual(["bad_path nodes[1].saves[1].path"]);
  });
});

describe("compiling conversations", () => {
  const find: FlowTool = {
    name: "find",
    description: "Finds a slot.",
    parameters: [{ name: "day", kind: "date" }],
    request: { ...request, body: { day: "{{day}}", who: "{{nobody}}" } },
  };

  it("knows the tools of the flow and their parameters", () => {
    expect(problemsOf([talk({ tools: ["find", "book"] })], { tools: [find] })).toEqual([
      "undeclared_variable tools[0].request.body",
      "unknown_tool nodes[1].tools[1]",
    ]);
  });

  it("refuses two tools of one name", () => {
    const plain = { ...find, request };
    expect(problemsOf([talk()], { tools: [plain, plain] })).toEqual(["duplicate_tool tools[1]"]);
  });

  it("refuses a model without a prompt, and an exit without a condition", () => {
    expect(problemsOf([talk({ prompt: "", exits: [{ when: " ", next: "bye" }] })])).toEqual([
      "empty_text nodes[1].prompt",
      "empty_text nodes[1].exits[0].when",
    ]);
  });

  it("warns of nodes that need a model when none is configured, but publishes them", () => {
    const sort: FlowNode = {
      id: "sort",
      type: "branch",
      exits: [],
      otherwise: "bye",
      prompts: [{ when: "The callee is in a hurry.", next: "bye" }],
    };
    const flow = flowOf([talk({ otherwise: "sort" }), sort]);
    const warned = compileFlow(flow, { modelNames: [] });
    expect(warned).toMatchObject({
      ok: true,
      warnings: [
        { code: "no_model", nodeId: "talk", path: "nodes[1]" },
        { code: "no_model", nodeId: "sort", path: "nodes[2]" },
      ],
    });
    expect(compileFlow(flow, { modelNames: ["openai/quick"] }).warnings).toEqual([]);
    expect(compileFlow(flow).warnings).toEqual([]);
    expect(compileFlow(flowOf([ask({ saveAs: "well" })]), { modelNames: [] }).warnings).toEqual([]);
  });

  it("warns of a node that requests a model which is not configured, and names the one asked instead", () => {
    const sort: FlowNode = {
      id: "sort",
      type: "branch",
      exits: [],
      otherwise: "bye",
      model: "google/gone",
      prompts: [{ when: "The callee is in a hurry.", next: "bye" }],
    };
    const flow = flowOf([talk({ otherwise: "sort", model: "anthropic/wise" }), sort]);
    const modelNames = ["openai/quick", "anthropic/wise"];
    const warned = compileFlow(flow, { modelNames });
    expect(warned).toMatchObject({
      ok: true,
      warnings: [{ code: "unknown_model", nodeId: "sort", path: "nodes[2].model" }],
    });
    expect(warned.warnings[0]?.message).toMatch(/wants the language model google\/gone.*calls ask openai\/quick/);
    // A node that asks no model has no request that could fail.
    const { prompts: _prompts, ...asksNobody } = { ...sort, exits: [{ when: "1 < 2", next: "bye" }] };
    const quiet = flowOf([talk({ otherwise: "sort" }), asksNobody]);
    expect(compileFlow(quiet, { modelNames }).warnings).toEqual([]);
    // While there is none at all, that is what matters.
    expect(compileFlow(flow, { modelNames: [] }).warnings.map(({ code }) => code)).toEqual(["no_model", "no_model"]);
  });

  it("warns of a question whose answer is unused, and of a yes or a no without an exit", () => {
    const warnings = (fields: Parameters<typeof ask>[0]) =>
      compileFlow(flowOf([ask(fields)])).warnings.map(({ code, nodeId, message }) => `${code} ${nodeId} ${message}`);
    expect(warnings({})).toEqual([expect.stringMatching(/^missing_answer ask .*neither keeps the answer/)]);
    expect(warnings({ exits: [{ when: "Yes", next: "bye" }] })).toEqual([
      expect.stringMatching(/^missing_answer ask .*no exit for no;/),
    ]);
    expect(warnings({ exits: [{ when: "Yes", next: "bye" }], next: "bye" })).toEqual([]);
    expect(warnings({ answer: "number", exits: [{ when: "3", next: "bye" }] })).toEqual([]);
    expect(warnings({ answer: "free_text", saveAs: "words" })).toEqual([]);
  });

  it("warns once of a loop in which the callee is never asked, but not if a callee is asked", () => {
    const sorry: FlowNode = { id: "sorry", type: "say", text: "One moment.", next: "tool" };
    const looping = compileFlow(flowOf([tool({ failed: "sorry" }), sorry]));
    expect(looping).toMatchObject({ ok: true, warnings: [{ code: "loop_without_question", nodeId: "tool" }] });
    const again = ask({ text: "Shall I try again?", exits: [{ when: "yes", next: "tool" }], next: "bye" });
    expect(compileFlow(flowOf([tool({ failed: "ask" }), again])).warnings).toEqual([]);
    const two = [tool({ failed: "other" }), tool({ id: "other", failed: "tool" })];
    expect(compileFlow(flowOf(two)).warnings).toHaveLength(1);
  });

  it("warns once if callees who are not understood are offered nothing before the call ends, unless that is decided", () => {
    const asking = (settings: FlowSettings) =>
      compileFlow(
        flowOf([ask({ saveAs: "one", retries: { max: 2 } }), ask({ id: "other", saveAs: "two" })], { settings }),
      ).warnings.filter(({ code }) => code === "nothing_offered");
    expect(asking({})).toMatchObject([{ nodeId: null, path: "settings.callback", parts: { node: "ask" } }]);
    expect(asking({ callback: { offer: true } })).toEqual([]);
    expect(asking({ callback: { offer: false } })).toEqual([]);
    expect(asking({ callback: { redial: true } })).toEqual([]);
    expect(asking({ connectAfterFailures: false })).toEqual([]);
    const once = flowOf([ask({ saveAs: "one" })]);
    expect(compileFlow(once).warnings).toEqual([]);
  });

  it("warns of unused variables and tools, but publishes them", () => {
    const find: FlowTool = { name: "find", description: "Finds it.", request };
    const fork: FlowNode = {
      id: "fork",
      type: "branch",
      otherwise: "talk",
      exits: [{ when: 'variables.city == "Rome"', next: "bye" }],
    };
    const extras = { variables: ["name", "city", "street"], tools: [find] };
    const warned = compileFlow(flowOf([fork, talk({ text: "Hello {{name}}." })], extras));
    expect(warned).toMatchObject({
      ok: true,
      warnings: [
        { code: "unused_variable", nodeId: null, path: "variables[2]", message: expect.stringContaining("street") },
        { code: "unused_tool", nodeId: null, path: "tools[0]", message: expect.stringContaining("find") },
      ],
    });
  });
});

describe("compiling values", () => {
  const set = (id: string, next: string, ...values: (readonly [string, string])[]): FlowNode => ({
    id,
    type: "set",
    next,
    values: values.map(([saveAs, value]) => ({ saveAs, value })),
  });
  const typesOf = (flow: Flow) =>
    Object.fromEntries(namesOfFlow(flow).map(({ path, type }) => [path.replace("collected.", ""), type]));

  it("infers the type of a value, from others and from itself", () => {
    const flow = flowOf([
      set("count", "sum", ["tries", "default(collected.tries, 0) + 1"]),
      set("sum", "bye", ["double", "collected.half * 2"], ["half", "collected.tries / 2"], ["due", "call.date + 7"]),
    ]);
    expect(typesOf(flow)).toMatchObject({ tries: "number", double: "number", half: "number", due: "date" });
    const greeting = flowOf([set("greet", "bye", ["greeting", 'default(collected.greeting, "hello")'])]);
    expect(typesOf(greeting)).toMatchObject({ greeting: "text" });
  });

  it("refuses an invalid expression, names it, and refuses a node that sets nothing", () => {
    const result = compileFlow(flowOf([set("one", "two", ["a", "collected.guests + 1"]), set("two", "bye")]));
    expect(result.ok ? [] : result.problems.map(({ message }) => message)).toEqual([
      "The value 1 of one is wrong at character 1: There is no collected.guests.",
      "The node two sets nothing.",
    ]);
  });

  it("refuses a value that is calculated from what comes later, but not from the line above", () => {
    expect(problemsOf([set("one", "two", ["a", "collected.b + 1"]), set("two", "bye", ["b", "2"])])).toEqual([
      "collected_later nodes[1].values[0].value",
    ]);
    expect(problemsOf([set("one", "bye", ["b", "2"], ["a", "collected.b + 1"])])).toEqual([]);
  });

  it("refuses a circle of sets and branches", () => {
    const circle: FlowNode = {
      id: "turn",
      type: "branch",
      otherwise: "bye",
      exits: [{ when: "collected.a > 1", next: "one" }],
    };
    expect(problemsOf([set("one", "turn", ["a", "1"]), circle])).toEqual([
      "endless_branching nodes[1]",
      "endless_branching nodes[2]",
    ]);
  });

  it("responds quickly for the largest possible flow of names", () => {
    const saves = (index: number) =>
      Array.from({ length: 20 }, (_, place) => ({ path: "$", saveAs: `v${index}_${place}` }));
    const nodes = Array.from({ length: 490 }, (_, index) =>
      tool({ id: `t${index}`, saves: saves(index), next: index < 489 ? `t${index + 1}` : "sort" }),
    );
    const exits = Array.from({ length: 20 }, (_, index) => ({ when: `collected.v${index}_1 == "x"`, next: "bye" }));
    const sort: FlowNode = { id: "sort", type: "branch", exits, otherwise: "bye" };
    expect(problemsOf([...nodes, sort])).toEqual([]);
  });
});

describe("compiling the rest", () => {
  it("accepts a number or a name to transfer to, and keys or a name to press", () => {
    const transfer = (to: string): FlowNode => ({ id: "desk", type: "transfer", to, failed: "bye" });
    const press = (keys: string): FlowNode => ({ id: "keys", type: "dtmf", keys, next: "bye" });
    const variables = ["desk_number"];
    expect(problemsOf([transfer("+15550100001")])).toEqual([]);
    expect(problemsOf([transfer("{{desk_number}}")], { variables })).toEqual([]);
    expect(problemsOf([transfer("15550100001")])).toEqual(["bad_number nodes[1].to"]);
    expect(problemsOf([press("12#")])).toEqual([]);
    expect(problemsOf([press("{{desk_number}}#")], { variables })).toEqual([]);
    expect(problemsOf([press("press 1")])).toEqual(["bad_keys nodes[1].keys"]);
  });

  it("needs no path to the message for a voicemail, but only one message, without the callee's answers", () => {
    const message: FlowNode = { id: "message", type: "voicemail", text: "Please call back." };
    expect(problemsOf([ask(), message])).toEqual([]);
    expect(problemsOf([ask(), message, { ...message, id: "second" }])).toEqual(["many_voicemails nodes[3]"]);
    const personal: FlowNode = { ...message, text: "You said {{day}}." };
    expect(problemsOf([ask({ answer: "date", saveAs: "day" }), personal])).toEqual(["collected_later nodes[2].text"]);
    expect(problemsOf([ask()], { settings: { voicemail: "leave_message" } })).toEqual([
      "no_voicemail settings.voicemail",
    ]);
  });

  it("checks the settings too", () => {
    const settings: FlowSettings = {
      phoneMenu: "nowhere",
      disclosure: "{{day}}",
      phrases: { confirm: "{{answer}}?", unclear: "{{answer}}?" },
    };
    expect(problemsOf([ask({ answer: "date", saveAs: "day" })], { settings })).toEqual([
      "unknown_node settings.phoneMenu",
      "undeclared_variable settings.disclosure",
      "undeclared_variable settings.phrases.unclear",
    ]);
  });

  it("allows a phone menu to lead to keys that nothing else leads to", () => {
    const press: FlowNode = { id: "keys", type: "dtmf", keys: "1", next: "ask" };
    expect(problemsOf([ask(), press], { settings: { phoneMenu: "keys" } })).toEqual([]);
    expect(problemsOf([ask(), press])).toEqual(["unreachable nodes[2]"]);
  });
});
