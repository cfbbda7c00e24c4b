import { Flow, type FlowNode } from "@parley/contract/flow";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileFlow } from "../compile.ts";
import { expandFlow, SUB_FLOW_DEPTH_MAX } from "./expand-flow.ts";
import { interfaceOf, subFlowKey, subFlowsOf } from "./sub-flow.ts";

const VERIFY = "agt_00000000000000000000verify";
const CALLER = "agt_00000000000000000000caller";

function flowOf(nodes: readonly FlowNode[], rest: Partial<Flow> = {}): Flow {
  return Flow.parse({ schemaVersion: 1, variables: [], ...rest, nodes });
}

/** Asks for the date of birth, and compares it. */
const verify = flowOf(
  [
    { id: "start", type: "start", next: "birth" },
    {
      id: "birth",
      type: "ask",
      label: "Date of birth",
      text: "Hello {{name}}, when were you born?",
      answer: "date",
      saveAs: "born",
      exits: [],
      confirm: { text: "{{answer}}, {{name}}?" },
      next: "compare",
      otherwise: "no",
    },
    {
      id: "compare",
      type: "branch",
      exits: [{ when: "collected.born == date(variables.birth_date)", next: "yes" }],
      otherwise: "no",
    },
    { id: "yes", type: "end", text: "Thank you. Goodbye.", outcome: "verified" },
    { id: "no", type: "end", outcome: "not verified" },
    { id: "human", type: "transfer", to: "+15550100001", failed: "no", global: { phrases: ["a person"] } },
    { id: "beep", type: "voicemail", text: "Call us." },
  ],
  { variables: ["name", "birth_date"], settings: { disclosure: null } },
);

const check: FlowNode = {
  id: "check",
  type: "subflow",
  label: "Check",
  agentId: VERIFY,
  version: 3,
  inputs: [{ name: "birth_date", value: '"1980-05-03"' }],
  exits: [
    { when: "verified", next: "result" },
    { when: "not verified", next: "sorry" },
  ],
};
const caller = flowOf(
  [
    { id: "start", type: "start", next: "check" },
    check,
    { id: "result", type: "say", text: "Born on {{check__born}}.", next: "sorry" },
    { id: "sorry", type: "end", text: "Goodbye." },
  ],
  { variables: ["name"] },
);
const library = new Map([[subFlowKey(VERIFY, 3), verify]]);

function problemsOf(flow: Flow, subFlows = library) {
  const result = compileFlow(flow, { subFlows, agentId: CALLER });
  return result.ok ? [] : result.problems.map(({ code, nodeId, path }) => `${code} ${nodeId} ${path}`);
}
const withCheck = (changes: object) => ({
  ...caller,
  nodes: caller.nodes.map((node) => (node.id === "check" ? ({ ...node, ...changes } as FlowNode) : node)),
});

describe("a sub-flow", () => {
  it("says what it needs and gives", () => {
    expect(interfaceOf(verify)).toEqual({
      inputs: ["name", "birth_date"],
      exits: ["verified", "not verified"],
      saves: ["born"],
    });
    expect(subFlowsOf(caller)).toEqual([{ agentId: VERIFY, version: 3 }]);
  });

  it("is written into the flow that uses it, as it would be by hand", () => {
    const { flow, problems } = expandFlow(caller, library, CALLER);
    expect(problems).toEqual([]);
    expect(flow.nodes.map(({ id }) => id)).toEqual([
      "start",
      "check",
      "result",
      "sorry",
      "check__birth",
      "check__compare",
    ]);
    expect(flow.nodes[1]).toEqual({
      id: "check",
      type: "set",
      label: "Check",
      values: [
        { saveAs: "check__birth_date", value: 'text("1980-05-03")' },
        { saveAs: "check__name", value: "variables.name" },
      ],
      next: "check__birth",
    });
    expect(flow.nodes[4]).toEqual({
      id: "check__birth",
      type: "ask",
      label: "Check › Date of birth",
      text: "Hello {{check__name}}, when were you born?",
      answer: "date",
      saveAs: "check__born",
      exits: [],
      confirm: { text: "{{answer}}, {{check__name}}?" },
      next: "check__compare",
      otherwise: "sorry",
    });
    expect(flow.nodes[5]).toMatchObject({
      exits: [{ when: "collected.check__born == date(collected.check__birth_date)", next: "result" }],
      otherwise: "sorry",
    });
    expect(compileFlow(caller, { subFlows: library, agentId: CALLER })).toMatchObject({ ok: true });
    // What was published compiles without the sub-flows it was made of, and is a document that can be stored.
    expect(compileFlow(Flow.parse(flow))).toMatchObject({ ok: true });
  });

  it("saves under the names that its node gives", () => {
    const flow = withCheck({ saves: [{ name: "born", saveAs: "birthday" }] });
    const result = {
      ...flow,
      nodes: flow.nodes.map((node) => (node.id === "result" ? { ...node, text: "{{birthday}}" } : node)),
    };
    const compiled = compileFlow(result as Flow, { subFlows: library });
    expect(compiled.ok && compiled.plan.collects).toEqual(["check__birth_date", "check__name", "birthday"]);
  });

  it("brings its tools and translations, and keeps parameters of tools", () => {
    const used = flowOf(
      [
        { id: "start", type: "start", next: "talk" },
        {
          id: "talk",
          type: "conversation",
          prompt: "Help {{name}}.",
          tools: ["look_up"],
          exits: [{ when: "done", next: "bye" }],
          otherwise: "bye",
        },
        { id: "bye", type: "end" },
      ],
      {
        variables: ["name", "number"],
        tools: [
          {
            name: "look_up",
            description: "Finds {{number}} of {{name}}.",
            parameters: [{ name: "number", kind: "text" }],
            request: { method: "GET", url: "https://example.com/{{number}}?for={{name}}" },
          },
        ],
        settings: { translations: [{ language: "de", texts: { "Hello {{name}}": "Hallo {{name}}", Yes: "Ja" } }] },
      },
    );
    const flow = {
      ...withCheck({ inputs: [{ name: "number", value: '"7"' }], exits: [{ when: "bye", next: "sorry" }] }),
      settings: { translations: [{ language: "de", texts: { Yes: "Jawohl" } }] },
    };
    const expanded = expandFlow(flow, new Map([[subFlowKey(VERIFY, 3), used]]), CALLER);
    expect(expanded.problems).toEqual([]);
    expect(expanded.flow.tools).toEqual([
      {
        name: "check__look_up",
        description: "Finds {{number}} of {{check__name}}.",
        parameters: [{ name: "number", kind: "text" }],
        request: { method: "GET", url: "https://example.com/{{number}}?for={{check__name}}" },
      },
    ]);
    expect(expanded.flow.nodes.at(-1)).toMatchObject({ prompt: "Help {{check__name}}.", tools: ["check__look_up"] });
    expect(expanded.flow.settings?.translations).toEqual([
      { language: "de", texts: { "Hello {{check__name}}": "Hallo {{check__name}}", Yes: "Jawohl" } },
    ]);
  });
});

describe("what is wrong with a sub-flow is reported", () => {
  it.each<[string, object, string[]]>([
    ["none is chosen", { agentId: undefined }, ["no_sub_flow check nodes[1].agentId"]],
    [
      "the version does not exist, or is another account's",
      { version: 4 },
      ["unknown_sub_flow check nodes[1].agentId"],
    ],
    ["it is the flow itself", { agentId: CALLER, version: 1 }, ["sub_flow_cycle check nodes[1].agentId"]],
    ["an exit is missing", { exits: [{ when: "verified", next: "result" }] }, ["missing_exit check nodes[1].exits"]],
    [
      "an exit leads nowhere",
      { exits: [{ when: "verified", next: "result" }, { when: "not verified" }] },
      ["leads_nowhere check nodes[1].exits[1].next"],
    ],
    [
      "an exit does not exist, or twice",
      { exits: [...check.exits, { when: "maybe", next: "sorry" }, { when: "verified", next: "sorry" }] },
      ["unknown_exit check nodes[1].exits[2].when", "duplicate_exit check nodes[1].exits[3].when"],
    ],
    ["an input is missing", { inputs: [] }, ["missing_input check nodes[1].inputs"]],
    [
      "an input does not exist",
      { inputs: [...(check.inputs ?? []), { name: "shoe_size", value: "43" }] },
      ["unknown_input check nodes[1].inputs[1].name"],
    ],
    [
      "an input is wrong",
      { inputs: [{ name: "birth_date", value: "collected.nothing" }] },
      ["bad_expression check nodes[1].inputs[0].value"],
    ],
    [
      "it saves no such thing",
      { saves: [{ name: "shoe_size", saveAs: "size" }] },
      ["unknown_output check nodes[1].saves[0].name"],
    ],
  ])("when %s", (_, changes, expected) => {
    expect(problemsOf(withCheck(changes))).toEqual(expected);
  });

  it("with the place of a mistake in an input as it was written", () => {
    const result = compileFlow(withCheck({ inputs: [{ name: "birth_date", value: "collected.nothing" }] }), {
      subFlows: library,
    });
    expect(!result.ok && result.problems[0]?.message).toMatch(/^The input 1 of check is wrong at character 1: /);
  });

  it("at its node when its nodes do not fit the flow", () => {
    const taken: FlowNode = { id: "check__birth", type: "say", text: "Taken.", next: "sorry" };
    const flow = {
      ...caller,
      nodes: [...caller.nodes.map((node) => (node.id === "start" ? { ...node, next: taken.id } : node)), taken],
    };
    expect(problemsOf(flow as Flow)).toContain("sub_flow_conflict check nodes[1]");
  });

  it("when names become too long, or the flow too large", () => {
    const longId = `c${"x".repeat(60)}`;
    const long = JSON.parse(
      JSON.stringify(caller).replaceAll('"check"', `"${longId}"`).replace("{{check__born}}", "x"),
    ) as Flow;
    expect(problemsOf(long)).toEqual([`sub_flow_too_large ${longId} nodes[1]`]);
    const says = Array.from(
      { length: 499 },
      (_, index): FlowNode => ({ id: `s${index}`, type: "say", text: "x", next: `s${index + 1}` }),
    );
    const large = flowOf([
      { id: "start", type: "start", next: "s0" },
      ...says.slice(0, 497),
      { id: "s497", type: "end" },
    ]);
    const uses = withCheck({ inputs: [], exits: [{ when: "s497", next: "sorry" }] });
    expect(problemsOf(uses, new Map([[subFlowKey(VERIFY, 3), large]]))).toContain("sub_flow_too_large check nodes[1]");
  });

  it("when flows contain each other, whichever versions they use", () => {
    const other = "agt_000000000000000000000other";
    const using = (agentId: string, version: number) =>
      flowOf([
        { id: "start", type: "start", next: "part" },
        { id: "part", type: "subflow", agentId, version, exits: [{ when: "bye", next: "bye" }] },
        { id: "bye", type: "end" },
      ]);
    const simple = flowOf([
      { id: "start", type: "start", next: "hello" },
      { id: "hello", type: "say", text: "Hello.", next: "bye" },
      { id: "bye", type: "end" },
    ]);
    const flows = new Map([
      [subFlowKey(other, 2), using(VERIFY, 1)],
      [subFlowKey(VERIFY, 1), using(CALLER, 1)],
      [subFlowKey(CALLER, 1), simple],
    ]);
    expect(problemsOf(using(other, 2), flows)).toEqual(["sub_flow_cycle part nodes[1].agentId"]);
    expect(compileFlow(using(other, 2), { subFlows: flows, agentId: "agt_0000000000000000000another" }).ok).toBe(true);
    const deep = new Map(
      Array.from({ length: SUB_FLOW_DEPTH_MAX + 1 }, (_, index): [string, Flow] => [
        subFlowKey(`${other}${index}`, 1),
        index === 0 ? simple : using(`${other}${index - 1}`, 1),
      ]),
    );
    expect(problemsOf(using(`${other}${SUB_FLOW_DEPTH_MAX - 1}`, 1), deep)).toEqual([]);
    expect(problemsOf(using(`${other}${SUB_FLOW_DEPTH_MAX}`, 1), deep)).toEqual([
      "sub_flow_too_deep part nodes[1].agentId",
    ]);
  });
});

it("writes any flow into another so that every end is left by its exit, and nothing else changes", () => {
  const COUNT = 6;
  const target = fc.integer({ min: 0, max: COUNT + 1 }).map((index) => `n${index}`);
  const node = fc.tuple(fc.constantFrom("say", "ask", "branch"), target, target);
  fc.assert(
    fc.property(fc.array(node, { minLength: COUNT, maxLength: COUNT }), (shapes) => {
      const inner = flowOf(
        [
          { id: "start", type: "start", next: "n0" },
          ...shapes.map(([type, next, otherwise], index): FlowNode => {
            const id = `n${index}`;
            if (type === "say") return { id, type, text: "Hello {{name}}.", next };
            if (type === "ask")
              return { id, type, text: "Well?", answer: "free_text", saveAs: "said", exits: [], next, otherwise };
            return { id, type: "branch", exits: [{ when: 'variables.name == "Ada"', next }], otherwise };
          }),
          { id: `n${COUNT}`, type: "end", outcome: "good" },
          { id: `n${COUNT + 1}`, type: "end", outcome: "bad" },
        ],
        { variables: ["name"] },
      );
      const { exits } = interfaceOf(inner);
      const outer = flowOf(
        [
          { id: "start", type: "start", next: "part" },
          {
            id: "part",
            type: "subflow",
            agentId: VERIFY,
            version: 1,
            exits: exits.map((when) => ({ when, next: when })),
          },
          { id: "good", type: "end" },
          { id: "bad", type: "end" },
        ],
        { variables: ["name"] },
      );
      const { flow, problems } = expandFlow(outer, new Map([[subFlowKey(VERIFY, 1), inner]]), CALLER);
      expect(problems).toEqual([]);
      // By hand: ids and names with the prefix, ends as the nodes behind the exits.
      const written = JSON.stringify(inner.nodes.slice(1, COUNT + 1))
        .replaceAll(/"n(\d)"/g, (_, digit: string) =>
          Number(digit) === COUNT ? '"good"' : Number(digit) > COUNT ? '"bad"' : `"part__n${digit}"`,
        )
        .replaceAll("{{name}}", "{{part__name}}")
        .replaceAll("variables.name", "collected.part__name")
        .replaceAll('"said"', '"part__said"');
      const byHand = new Map((JSON.parse(written) as FlowNode[]).map((each) => [each.id, each]));
      const reached = flow.nodes.slice(4);
      for (const { label: _, ...each } of reached) expect(each).toEqual(byHand.get(each.id));
      const again = compileFlow(flow);
      expect(
        again.ok ? [] : again.problems.filter(({ code }) => code === "unknown_node" || code === "leads_nowhere"),
      ).toEqual([]);
    }),
  );
});
