import type { FlowNode } from "@parley/contract/flow";
import { expect, it } from "vitest";
import { createTestToolCaller, openRig, type RigOptions } from "./testing/flow-rig.ts";
import { talk } from "./testing/talk.ts";

const bye: FlowNode = { id: "bye", type: "end", text: "Goodbye." };
const ask: FlowNode = {
  ...{ id: "coming", type: "ask", text: "Will you come?", answer: "yes_no", saveAs: "comes" },
  exits: [
    { when: "yes", next: "bye" },
    { when: "no", next: "bye" },
  ],
  otherwise: "bye",
};

/** Every node that a call came to, with the exit that led there. */
async function pathOf(nodes: readonly FlowNode[], lines: readonly string[], options: RigOptions = {}) {
  const { parts } = await talk(openRig(nodes, options).brain, lines);
  return parts.flatMap((part) => (part.type === "entered" ? [`${part.exit ?? "-"} > ${part.nodeId}`] : []));
}

it.each([
  ["the first answer", "yes", "exits[0].next"],
  ["the second answer", "no", "exits[1].next"],
])("a node that all exits lead to is entered by that of %s", async (_, line, exit) => {
  expect(await pathOf([ask, bye], [line])).toEqual(["- > start", "next > coming", `${exit} > bye`]);
});

it("a question that is not understood is left by its way out, and one without an own exit by its next", async () => {
  const retries = { max: 0 };
  const given = await pathOf([ask, bye], ["[mumbles]", "[mumbles]", "[mumbles]"], { settings: { retries } });
  expect(given.at(-1)).toBe("otherwise > bye");
  const day: FlowNode = {
    id: "day",
    type: "ask",
    text: "Which day?",
    answer: "date",
    exits: [],
    next: "bye",
    otherwise: "bye",
  };
  expect((await pathOf([day, bye], ["Thursday"])).at(-1)).toBe("next > bye");
});

it("a branch is left by the condition that holds, or otherwise", async () => {
  const branch: FlowNode = {
    ...{ id: "sort", type: "branch", otherwise: "bye" },
    exits: [
      { when: "variables.age == '1'", next: "bye" },
      { when: "variables.age == '2'", next: "bye" },
    ],
  };
  const exitFor = async (age: string) => (await pathOf([branch, bye], [], { variables: { age } })).at(-1);
  expect(await exitFor("1")).toBe("exits[0].next > bye");
  expect(await exitFor("2")).toBe("exits[1].next > bye");
  expect(await exitFor("3")).toBe("otherwise > bye");
});

it.each([
  ["answers", 200, "next"],
  ["fails", 500, "failed"],
])("a request that %s takes its exit for that", async (_, status, exit) => {
  const request = { method: "GET" as const, url: "https://api.example.com" };
  const look: FlowNode = { id: "look", type: "tool", request, next: "bye", failed: "bye" };
  const toolCaller = createTestToolCaller(() => ({ status, body: null }));
  expect((await pathOf([look, bye], [], { toolCaller })).at(-1)).toBe(`${exit} > bye`);
});

it("a transfer to no number is left as failed", async () => {
  const transfer: FlowNode = { id: "person", type: "transfer", to: "{{to}}", failed: "bye" };
  expect((await pathOf([transfer, bye], [], { variables: { to: "" } })).at(-1)).toBe("failed > bye");
});

it("a jump takes no exit", async () => {
  const help: FlowNode = {
    id: "help",
    type: "end",
    text: "I will get help.",
    global: { phrases: ["operator please"] },
  };
  expect((await pathOf([ask, bye, help], ["operator please"])).at(-1)).toBe("- > help");
});
