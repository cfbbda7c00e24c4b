import type { Flow } from "@parley/contract/flow";
import type { SubFlowNode } from "@parley/contract/flow-sub-flow";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { SubFlowFields } from "./sub-flow-fields.tsx";

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
