import { Flow, type FlowNode } from "@parley/contract/flow";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileFlow } from "./compile.ts";
import { printExpression } from "./expression/print.ts";
import { namesOfFlow } from "./names.ts";

const start: FlowNode = { id: "begin", type: "start", next: "hello" };
const hello: FlowNode = { id: "hello", type: "say", text: "Hello.", next: "bye" };
const bye: FlowNode = { id: "bye", type: "end", text: "Goodbye." };

function flowOf(nodes: readonly FlowNode[], variables: readonly string[] = []): Flow {
  return { schemaVersion: 1, variables: [...variables], nodes: [...nodes] };
}

function ask(fields: Partial<Extract<FlowNode, { type: "ask" }>>): FlowNode {
  return { id: "hello", type: "ask", text: "Well?", answer: "yes_no", exits: [], otherwise: "bye", ...fields };
}

function problemsOf(nodes: readonly FlowNode[], variables: readonly string[] = []) {
  const result = compileFlow(flowOf(nodes, variables));
  return result.ok ? [] : result.problems.map(({ code, nodeId, path }) => ({ code, nodeId, path }));
}

function exitsOf(...whens: string[]) {
  return whens.map((when) => ({ when, next: "bye" }));
}

describe("compileFlow", () => {
  it("returns a plan with the start, the nodes and the names it fills and collects", () => {
    const question = ask({ saveAs: "day", exits: exitsOf("yes", "no"), text: "Hello {{first_name}}?" });
    const end: FlowNode = { id: "bye", type: "end", text: "Until {{day}}." };
    const result = compileFlow(flowOf([start, question, end], ["first_name", "first_name"]));
    expect(result.ok && result.plan).toEqual({
      startId: "begin",
      nodes: new Map([
        ["begin", start],
        ["hello", question],
        ["bye", end],
      ]),
      variables: ["first_name"],
      collects: ["day"],
      names: namesOfFlow(flowOf([start, question, end], ["first_name"])),
      conditions: new Map(),
      expressions: new Map(),
      globalIds: [],
      voicemailId: null,
      tools: new Map(),
      settings: {},
    });
  });

  it("refuses a flow without a start", () => {
    expect(problemsOf([])).toEqual([{ code: "no_start", nodeId: null, path: "nodes" }]);
  });

  it("refuses a second start and names it", () => {
    const second: FlowNode = { id: "again", type: "start", next: "hello" };
    expect(problemsOf([start, hello, bye, second])).toEqual([
      { code: "many_starts", nodeId: "again", path: "nodes[3]" },
    ]);
  });

  it("refuses two nodes with one id", () => {
    expect(problemsOf([start, hello, bye, { ...bye }])).toEqual([
      { code: "duplicate_id", nodeId: "bye", path: "nodes[3].id" },
    ]);
  });

  it("names every dangling reference, and its field", () => {
    const question = ask({ exits: [{ when: "yes", next: "nowhere" }], otherwise: "neither" });
    expect(problemsOf([start, question, { ...bye, id: "other" }])).toEqual([
      { code: "unknown_node", nodeId: "hello", path: "nodes[1].exits[0].next" },
      { code: "unknown_node", nodeId: "hello", path: "nodes[1].otherwise" },
    ]);
  });

  it("allows a draft to leave out where a call continues, and refuses to publish it that way", () => {
    const { next: _next, ...unfinished } = hello as FlowNode & { next?: string };
    expect(problemsOf([start, unfinished as FlowNode, bye])).toEqual([
      { code: "leads_nowhere", nodeId: "hello", path: "nodes[1].next" },
    ]);
  });

  it("says in words which node is at fault and why", () => {
    const result = compileFlow(flowOf([{ ...start, next: "nowhere" }, bye]));
    expect(result.ok ? [] : result.problems.map(({ message }) => message)).toEqual([
      'The node begin leads to "nowhere", and there is no such node.',
    ]);
  });

  it("refuses a node that no call ever reaches", () => {
    const island: FlowNode = { id: "island", type: "say", text: "Anyone?", next: "bye" };
    expect(problemsOf([start, hello, bye, island])).toEqual([
      { code: "unreachable", nodeId: "island", path: "nodes[3]" },
    ]);
  });

  it("refuses a loop without a way out, and accepts one with a way out", () => {
    const round: FlowNode = { id: "round", type: "say", text: "Again.", next: "hello" };
    const stuck = problemsOf([start, { ...hello, next: "round" }, round, bye]);
    expect(stuck.map(({ code, nodeId }) => [code, nodeId])).toEqual([
      ["no_way_to_end", "begin"],
      ["no_way_to_end", "hello"],
      ["no_way_to_end", "round"],
      ["unreachable", "bye"],
    ]);
    expect(problemsOf([start, ask({ exits: [{ when: "no", next: "round" }] }), round, bye])).toEqual([]);
  });

  it("refuses a placeholder that nothing fills", () => {
    expect(problemsOf([start, { ...hello, text: "Hello {{name}}." }, bye])).toEqual([
      { code: "undeclared_variable", nodeId: "hello", path: "nodes[1].text" },
    ]);
    expect(problemsOf([start, { ...hello, text: "Hello {{name}}." }, bye], ["name"])).toEqual([]);
  });

  it("refuses a placeholder that is only asked for afterwards", () => {
    const early: FlowNode = { id: "early", type: "say", text: "So you chose {{day}}.", next: "hello" };
    expect(problemsOf([{ ...start, next: "early" }, early, ask({ saveAs: "day" }), bye])).toEqual([
      { code: "collected_later", nodeId: "early", path: "nodes[1].text" },
    ]);
  });

  it.each(["Hello {{name", "Hello name}}", "Hello {{First Name}}", "Hello {{}}", "{{{name}}}}"])(
    "refuses braces that do not form a name: %s",
    (text) => {
      expect(problemsOf([start, { ...hello, text }, bye], ["name"])).toContainEqual({
        code: "bad_placeholder",
        nodeId: "hello",
        path: "nodes[1].text",
      });
    },
  );

  it.each(["Hello [[there {{name}}.", "Hello there]] {{name}}.", "Hello [[there]] {{name}}.", "[[a|b {{name}}]]"])(
    "refuses brackets that do not form an optional part: %s",
    (text) => {
      expect(problemsOf([start, { ...hello, text }, bye], ["name"])).toContainEqual({
        code: "bad_placeholder",
        nodeId: "hello",
        path: "nodes[1].text",
      });
      expect(problemsOf([start, { ...hello, text: "Hello [[dear {{name}}|there]]." }, bye], ["name"])).toEqual([]);
    },
  );

  it("refuses a text of nothing but spaces", () => {
    expect(problemsOf([start, hello, { ...bye, text: " \n\u00a0" }])).toEqual([
      { code: "empty_text", nodeId: "bye", path: "nodes[2].text" },
    ]);
    expect(problemsOf([start, hello, { id: "bye", type: "end" }])).toEqual([]);
  });

  it.each([
    ["yes_no", "Yes", "maybe"],
    ["number", "3", "three"],
    ["date", "2026-02-28", "2026-02-30"],
    ["time", "09:30", "9.30"],
    ["choice", "Another day", "  "],
  ] as const)("takes only exits that an answer of the kind %s can have", (answer, fitting, foreign) => {
    expect(problemsOf([start, ask({ answer, exits: exitsOf(fitting) }), bye])).toEqual([]);
    expect(problemsOf([start, ask({ answer, exits: exitsOf(fitting, foreign) }), bye])).toEqual([
      { code: "exit_does_not_fit", nodeId: "hello", path: "nodes[1].exits[1].when" },
    ]);
  });

  it("refuses exits from free text, which are never taken", () => {
    expect(problemsOf([start, ask({ answer: "free_text", exits: exitsOf("hello") }), bye])).toEqual([
      { code: "exit_does_not_fit", nodeId: "hello", path: "nodes[1].exits[0].when" },
    ]);
  });

  it.each([
    ["yes_no", "yes", " YES "],
    ["number", "1", "1.0"],
    ["choice", "another day", "Another  Day"],
  ] as const)("refuses a second exit for the same answer of the kind %s", (answer, first, second) => {
    expect(problemsOf([start, ask({ answer, exits: exitsOf(first, second) }), bye])).toEqual([
      { code: "duplicate_exit", nodeId: "hello", path: "nodes[1].exits[1].when" },
    ]);
  });

  it("refuses a choice between nothing", () => {
    expect(problemsOf([start, ask({ answer: "choice" }), bye])).toEqual([
      { code: "no_choices", nodeId: "hello", path: "nodes[1].exits" },
    ]);
  });
});

describe("compileFlow, for branches", () => {
  const guests = ask({ id: "guests", answer: "number", saveAs: "guests", otherwise: "sort" });
  const sort = (...whens: string[]): FlowNode => ({
    id: "sort",
    type: "branch",
    exits: exitsOf(...whens),
    otherwise: "bye",
  });
  const flow = (...whens: string[]) => [{ ...start, next: "guests" }, guests, sort(...whens), bye];

  it("returns the parsed conditions of each branch in order", () => {
    const result = compileFlow(flowOf(flow("collected.guests > 6", 'variables.plan == "gold"'), ["plan"]));
    const conditions = result.ok ? (result.plan.conditions.get("sort") ?? []) : [];
    expect(conditions.map(printExpression)).toEqual(["collected.guests > 6", 'variables.plan == "gold"']);
  });

  it("names the branch, the condition and the position of every mistake", () => {
    const result = compileFlow(flowOf(flow("collected.guests > 6", "collected.gests > 6 and variables.plan == 1")));
    expect(result.ok ? [] : result.problems).toEqual([
      {
        code: "bad_condition",
        nodeId: "sort",
        path: "nodes[2].exits[1].when",
        message:
          "The condition 2 of sort is wrong at character 1: There is no collected.gests. Did you mean collected.guests?",
        parts: {
          number: "2",
          text: "collected.gests > 6 and variables.plan == 1",
          mistake: "There is no collected.gests. Did you mean collected.guests?",
        },
      },
      {
        code: "bad_condition",
        nodeId: "sort",
        path: "nodes[2].exits[1].when",
        message: "The condition 2 of sort is wrong at character 25: There is no variables.plan.",
        parts: {
          number: "2",
          text: "collected.gests > 6 and variables.plan == 1",
          mistake: "There is no variables.plan.",
        },
      },
    ]);
  });

  it("refuses a branch without conditions, and one that is not written yet", () => {
    expect(problemsOf(flow())).toEqual([{ code: "no_conditions", nodeId: "sort", path: "nodes[2].exits" }]);
    expect(problemsOf(flow(""))).toEqual([{ code: "bad_condition", nodeId: "sort", path: "nodes[2].exits[0].when" }]);
  });

  it("refuses dangling references of a branch", () => {
    const lost: FlowNode = { id: "sort", type: "branch", exits: [{ when: "true", next: "nowhere" }] };
    expect(problemsOf([{ ...start, next: "guests" }, guests, lost, bye])).toEqual([
      { code: "unknown_node", nodeId: "sort", path: "nodes[2].exits[0].next" },
      { code: "leads_nowhere", nodeId: "sort", path: "nodes[2].otherwise" },
    ]);
  });

  it("refuses a condition about an answer that is only asked for afterwards", () => {
    const early: FlowNode = { ...sort("collected.guests > 6"), otherwise: "guests" } as FlowNode;
    const late = { ...guests, otherwise: "bye" } as FlowNode;
    expect(problemsOf([{ ...start, next: "sort" }, early, late, bye])).toEqual([
      { code: "collected_later", nodeId: "sort", path: "nodes[1].exits[0].when" },
    ]);
  });

  it("refuses branches that loop without a word, and accepts those that ask in between", () => {
    const one: FlowNode = {
      id: "one",
      type: "branch",
      exits: [{ when: 'call.mode == "test"', next: "two" }],
      otherwise: "bye",
    };
    const two: FlowNode = {
      id: "two",
      type: "branch",
      exits: [{ when: 'call.mode == "live"', next: "bye" }],
      otherwise: "one",
    };
    expect(problemsOf([{ ...start, next: "one" }, one, two, bye])).toEqual([
      { code: "endless_branching", nodeId: "one", path: "nodes[1]" },
      { code: "endless_branching", nodeId: "two", path: "nodes[2]" },
    ]);
    const asking: FlowNode = {
      ...sort("collected.guests > 6"),
      exits: [{ when: "collected.guests > 6", next: "guests" }],
    } as FlowNode;
    expect(problemsOf([{ ...start, next: "guests" }, guests, asking, bye])).toEqual([]);
  });

  it("stops explaining after a hundred mistakes, and refuses more conditions than can be kept", () => {
    const wrong = Array.from({ length: 20 }, () => "nonsense == 1");
    const nodes = Array.from({ length: 50 }, (_, index): FlowNode => {
      return {
        id: `b${index}`,
        type: "branch",
        exits: exitsOf(...wrong),
        otherwise: index < 49 ? `b${index + 1}` : "bye",
      };
    });
    expect(problemsOf([{ ...start, next: "b0" }, ...nodes, bye])).toHaveLength(100);
    const long = Array.from({ length: 20 }, () => `"${"x".repeat(990)}" == "a"`);
    const heavy = nodes.map((node): FlowNode => ({ ...node, exits: exitsOf(...long) }) as FlowNode);
    expect(problemsOf([{ ...start, next: "b0" }, ...heavy, bye])).toEqual([
      { code: "bad_condition", nodeId: "b10", path: "nodes[11].exits" },
    ]);
  });
});

describe("compileFlow, for any flow the schema accepts", () => {
  const name = fc.constantFrom("a", "b", "c", "d", "constructor", "first_name");
  const text = fc.oneof(
    fc.constantFrom("Hello.", "Hello {{a}}.", "{{first_name}}", "{{", " ", "{{constructor}} }}", "🎉 \u202e"),
    fc.string({ minLength: 1, maxLength: 40 }),
  );
  const when = fc.oneof(fc.constantFrom("yes", "no", "1", "09:30"), fc.string({ minLength: 1, maxLength: 20 }));
  const node: fc.Arbitrary<FlowNode> = fc.oneof(
    fc.record({ id: name, type: fc.constant("start" as const), next: name }),
    fc.record({ id: name, type: fc.constant("say" as const), text, next: name }),
    fc.record(
      {
        id: name,
        type: fc.constant("ask" as const),
        text,
        answer: fc.constantFrom("yes_no", "number", "date", "time", "choice", "free_text"),
        saveAs: name,
        exits: fc.array(fc.record({ when, next: name }), { maxLength: 5 }),
        otherwise: name,
      },
      { requiredKeys: ["id", "type", "text", "answer", "exits", "otherwise"] },
    ),
    fc.record({
      id: name,
      type: fc.constant("branch" as const),
      exits: fc.array(fc.record({ when: fc.oneof(when, fc.constantFrom("collected.a == null", "a &&")), next: name }), {
        maxLength: 3,
      }),
      otherwise: name,
    }),
    fc.record({ id: name, type: fc.constant("end" as const), text }, { requiredKeys: ["id", "type"] }),
  );
  const anyFlow = fc.record({
    schemaVersion: fc.constant(1 as const),
    variables: fc.array(name, { maxLength: 4 }),
    nodes: fc.oneof(fc.array(node, { maxLength: 8 }), fc.uniqueArray(node, { maxLength: 8, selector: ({ id }) => id })),
  });

  it("answers without throwing, and a refusal has a reason", () => {
    fc.assert(
      fc.property(anyFlow, (flow) => {
        const result = compileFlow(Flow.parse(flow));
        if (!result.ok) expect(result.problems.length).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });

  it("accepts every flow whose steps lead to an end, however they branch, and refuses it once a step is missing", () => {
    const steps = fc.array(fc.record({ isAsk: fc.boolean(), jump: fc.nat() }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(steps, fc.nat(), (choices, lost) => {
        const ids = choices.map((_, index) => `step_${index}`);
        const inner = choices.map(({ isAsk, jump }, index): FlowNode => {
          const id = `step_${index}`;
          const next = ids[index + 1] ?? "bye";
          if (!isAsk) return { id, type: "say", text: "Hello {{a}}.", next };
          const exits = [{ when: "no", next: ids[jump % ids.length] ?? "bye" }];
          return { id, type: "ask", text: "Well?", answer: "yes_no", saveAs: id, exits, otherwise: next };
        });
        const nodes = [{ ...start, next: "step_0" }, ...inner, bye];
        expect(problemsOf(nodes, ["a"])).toEqual([]);
        expect(problemsOf(nodes.toSpliced(lost % nodes.length, 1), ["a"])).not.toEqual([]);
      }),
    );
  });

  it("compiles the largest possible flow", () => {
    const ids = Array.from({ length: 500 }, (_, index) => `n${index}`);
    const nodes = ids.map((id, index): FlowNode => {
      if (index === 0) return { id, type: "start", next: "n1" };
      if (index === 499) return { id, type: "end", text: "Goodbye {{n1}}." };
      const exits = Array.from({ length: 20 }, (_, exit) => ({
        when: `choice ${exit}`,
        next: `n${(index + exit) % 500}`,
      }));
      return { id, type: "ask", text: "Which?", answer: "choice", saveAs: id, exits, otherwise: `n${index + 1}` };
    });
    expect(compileFlow(flowOf(nodes)).ok).toBe(true);
  });
});
