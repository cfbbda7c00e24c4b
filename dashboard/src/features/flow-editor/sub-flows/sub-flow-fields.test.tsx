import type { Flow } from "@parley/contract/flow";
import type { SubFlowNode } from "@parley/contract/flow-sub-flow";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, test, vi } from "vitest";
import { outerNode, outerPath, titleOfId } from "./outer-node.ts";
import { SubFlowFields, withInput, withSaved, withVersion } from "./sub-flow-fields.tsx";

const VERIFY = "agt_00000000000000000000verify";
const OTHER = "agt_000000000000000000000other";
const verify: Flow = {
  schemaVersion: 1,
  variables: ["name"],
  nodes: [
    { id: "start", type: "start", next: "born" },
    {
      id: "born",
      type: "ask",
      text: "{{name}}?",
      answer: "date",
      saveAs: "born",
      exits: [],
      next: "yes",
      otherwise: "no",
    },
    { id: "yes", type: "end", outcome: "verified" },
    { id: "no", type: "end", outcome: "not verified" },
  ],
};
const agents = [
  { id: VERIFY, name: "Verify", publishedVersion: 4 },
  { id: OTHER, name: "Never published", publishedVersion: null },
  { id: "agt_this", name: "This agent", publishedVersion: 1 },
];

async function answer(input: RequestInfo | URL): Promise<Response> {
  const { pathname } = new URL(input instanceof Request ? input.url : String(input), location.href);
  const data = pathname.endsWith("/agents") ? agents : { flow: verify };
  return Response.json({ success: true, data, nextCursor: null });
}

function show(node: SubFlowNode) {
  vi.stubGlobal("fetch", answer);
  const onChange = vi.fn();
  const flow: Flow = {
    schemaVersion: 1,
    variables: [],
    nodes: [{ id: "start", type: "start", next: node.id }, node, { id: "bye", type: "end" }],
  };
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SubFlowFields flow={flow} node={node} agentId="agt_this" onChange={onChange} />
    </QueryClientProvider>,
  );
  return onChange;
}

test("only published flows of other agents can be chosen, and the node gets their exits", async () => {
  const onChange = show({ id: "check", type: "subflow", exits: [] });
  await screen.findByRole("option", { name: "Verify" });
  expect(screen.queryByRole("option", { name: "Never published" })).toBeNull();
  expect(screen.queryByRole("option", { name: "This agent" })).toBeNull();
  await userEvent.selectOptions(screen.getByLabelText("Which flow"), VERIFY);
  await vi.waitFor(() => expect(onChange).toHaveBeenCalled());
  expect(onChange.mock.calls[0]?.[0]).toEqual({
    ...{ id: "check", type: "subflow", label: "Verify", agentId: VERIFY, version: 4 },
    exits: [{ when: "verified" }, { when: "not verified" }],
  });
});

test("a newer version is offered, and exits, inputs and names are set", async () => {
  const exits = [{ when: "verified", next: "bye" }, { when: "not verified" }];
  const node: SubFlowNode = { id: "check", type: "subflow", label: "Check", agentId: VERIFY, version: 3, exits };
  const onChange = show(node);
  await userEvent.selectOptions(await screen.findByLabelText("not verified"), "Bye");
  expect(onChange.mock.lastCall?.[0].exits[1]).toEqual({ when: "not verified", next: "bye" });
  await userEvent.type(screen.getByLabelText("name"), "1");
  expect(onChange.mock.lastCall?.[0].inputs).toEqual([{ name: "name", value: "1" }]);
  await userEvent.type(screen.getByLabelText("born"), "d");
  expect(onChange.mock.lastCall?.[0].saves).toEqual([{ name: "born", saveAs: "d" }]);
  await userEvent.click(await screen.findByRole("button", { name: "Update to version 4" }));
  await vi.waitFor(() => expect(onChange.mock.lastCall?.[0]).toEqual({ ...node, version: 4 }));
});

const empty: SubFlowNode = { id: "check", type: "subflow", exits: [] };
const offered = { inputs: ["name"], exits: ["verified", "failed"], saves: ["born"] };
const chosen = { agentId: "agt_1", agentName: "Verify", version: 3, offered };

describe("choosing the flow of a node", () => {
  it("gives the node the exits and the name of the flow", () => {
    expect(withVersion(empty, chosen)).toEqual({
      id: "check",
      type: "subflow",
      label: "Verify",
      agentId: "agt_1",
      version: 3,
      exits: [{ when: "verified" }, { when: "failed" }],
    });
  });

  it("keeps what still fits when a newer version is taken", () => {
    const node: SubFlowNode = {
      ...withVersion(empty, chosen),
      label: "Who is it?",
      exits: [
        { when: "verified", next: "news" },
        { when: "gone", next: "bye" },
      ],
      inputs: [
        { name: "name", value: '"Ada"' },
        { name: "old", value: "1" },
      ],
      saves: [{ name: "gone", saveAs: "x" }],
    };
    expect(withVersion(node, { ...chosen, version: 4 })).toEqual({
      ...{ id: "check", type: "subflow", label: "Who is it?", agentId: "agt_1", version: 4 },
      exits: [{ when: "verified", next: "news" }, { when: "failed" }],
      inputs: [{ name: "name", value: '"Ada"' }],
    });
  });

  it("writes inputs and names, and removes empty ones", () => {
    const node = withSaved(withInput(empty, "name", '"Ada"'), "born", "birthday");
    expect(node).toMatchObject({
      inputs: [{ name: "name", value: '"Ada"' }],
      saves: [{ name: "born", saveAs: "birthday" }],
    });
    expect(withSaved(withInput(node, "name", ""), "born", "")).toEqual(empty);
  });
});

describe("a node in a sub-flow", () => {
  const flow = {
    nodes: [
      { id: "start", type: "start" as const, next: "check" },
      { ...empty, label: "Verify" },
    ],
  };

  it("is shown as the sub-flow, with both titles", () => {
    expect(outerNode(flow, "check__birth_date")?.id).toBe("check");
    expect(outerNode(flow, "other__birth_date")).toBeUndefined();
    expect(titleOfId(flow, "check__inner__birth_date")).toBe("Verify › Inner › Birth date");
    expect(titleOfId(flow, "start")).toBe("Start");
    expect(titleOfId(flow, "gone")).toBe("gone");
  });

  it("is one step of the path together with the others of its sub-flow", () => {
    const path = ["start", "check", "check__a", "check__b", "start"].map((nodeId) => ({ nodeId, exit: "next" }));
    // By which of its exits the sub-flow was left is not known.
    expect(outerPath(flow, path)).toEqual([
      { nodeId: "start", exit: "next" },
      { nodeId: "check", exit: "next" },
      { nodeId: "start", exit: undefined },
    ]);
  });
});
