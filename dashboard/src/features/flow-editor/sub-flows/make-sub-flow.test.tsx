import type { Agent } from "@parley/contract/agents";
import type { Flow } from "@parley/contract/flow";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { renderWithQueries } from "../../../testing/render-with-queries.tsx";
import { createEditorStore } from "../model/editor-store.ts";
import { hasNodes, MakeSubFlowDialog } from "./make-sub-flow.tsx";

const MADE = "agt_0000000000000000000000made";
const flow: Flow = {
  schemaVersion: 1,
  variables: ["name"],
  nodes: [
    { id: "start", type: "start", position: { x: 0, y: 0 }, next: "day" },
    {
      id: "day",
      type: "ask",
      text: "Which day?",
      answer: "date",
      saveAs: "day",
      exits: [],
      next: "sure",
      otherwise: "bye",
    },
    {
      ...{ id: "sure", type: "ask", position: { x: 720, y: 0 }, text: "{{day}}, {{name}}?", answer: "yes_no" },
      ...{
        saveAs: "is_sure",
        exits: [
          { when: "yes", next: "thanks" },
          { when: "no", next: "day" },
        ],
        otherwise: "bye",
      },
    },
    { id: "thanks", type: "say", label: "Thank you", text: "Thank you.", next: "bye" },
    { id: "bye", type: "end", text: "Goodbye." },
  ],
  comments: [{ id: "comment", text: "Why we ask", position: { x: 720, y: 200 } }],
};
const agent = {
  ...{ id: "agt_this", name: "Booking", engine: null, language: "de-DE", revision: 3, publishedVersion: 1, flow },
} as unknown as Agent;

type Answer = (address: string) => Response;
const answered: Answer = (address) => {
  if (address.endsWith("/publish")) return Response.json({ success: true, data: { version: 1 } });
  return Response.json({ success: true, data: address.endsWith("/agents") ? { id: MADE, revision: 1 } : [] });
};

function open(selection: readonly string[], answer: Answer = answered, edited: Flow = flow) {
  const fetched = vi.fn(async (address: string, _init: RequestInit) => answer(address));
  vi.stubGlobal("fetch", fetched);
  const store = createEditorStore(edited);
  store.select(selection);
  const onDone = vi.fn();
  const onClose = vi.fn();
  renderWithQueries(<MakeSubFlowDialog agent={agent} store={store} onDone={onDone} onClose={onClose} />);
  return { fetched, store, onDone, onClose };
}

test("the selection becomes a published agent, and one node uses it in its place", async () => {
  const { fetched, store, onDone, onClose } = open(["sure", "thanks", "comment:comment"]);
  expect(screen.getByText("Sure, Thank you")).toBeDefined();
  expect(screen.getByText("name, day")).toBeDefined();
  await userEvent.type(screen.getByLabelText("Name of the new agent"), "Is it right?");
  await userEvent.click(screen.getByRole("button", { name: "Create sub-flow" }));
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  const sent = fetched.mock.calls.filter(([, init]) => init.method === "POST");
  expect(sent.map(([address]) => address)).toEqual(["/api/v1/agents", `/api/v1/agents/${MADE}/publish`]);
  expect(JSON.parse(String(sent[0]?.[1].body))).toMatchObject({
    ...{ name: "Is it right?", language: "de-DE", engine: null },
    flow: { variables: ["name", "day"], comments: [{ id: "comment" }] },
  });
  const { flow: now, selection } = store.getSnapshot();
  expect(now.comments).toBeUndefined();
  expect(now.nodes.map(({ id }) => id)).toEqual(["start", "day", "is_it_right", "bye"]);
  expect(now.nodes[2]).toEqual({
    ...{ id: "is_it_right", type: "subflow", label: "Is it right?", position: { x: 720, y: 0 } },
    ...{ agentId: MADE, version: 1, inputs: [{ name: "day", value: "collected.day" }] },
    exits: [
      { when: "Day", next: "day" },
      { when: "Bye", next: "bye" },
    ],
    saves: [{ name: "is_sure", saveAs: "is_sure" }],
  });
  expect(selection).toEqual(["is_it_right"]);
  const [text, undo] = onDone.mock.calls[0] ?? [];
  expect(text).toContain("Undo restores the nodes; the agent is kept.");
  undo.undo();
  expect(store.getSnapshot().flow).toBe(flow);
});

test("what cannot become a sub-flow is said beforehand, and nothing is sent", async () => {
  const { fetched, onClose } = open(["start", "day"]);
  expect(screen.getByText("The start has to stay in this flow. Remove it from the selection.")).toBeDefined();
  expect(screen.queryByRole("button", { name: "Create sub-flow" })).toBeNull();
  await userEvent.click(screen.getAllByRole("button", { name: "Close" }).at(-1) as HTMLElement);
  expect(onClose).toHaveBeenCalled();
  expect(fetched).not.toHaveBeenCalled();
});

test("a part with several ways in names the nodes that they lead to", () => {
  open(["day", "thanks"]);
  expect(screen.getByText(/more than one of the selected nodes: “Day”, “Thank you”/)).toBeDefined();
});

test("a node that is not finished is to be finished first", () => {
  const nodes = flow.nodes.map((node) => (node.type === "say" ? { ...node, text: "" } : node));
  open(["thanks"], answered, { ...flow, nodes });
  expect(screen.getByText(/^Fix this first: Thank you: /)).toBeDefined();
});

test("a refused publication changes nothing here, and the same agent is published when it is tried again", async () => {
  const error = { code: "unavailable", message: "Later.", retryable: true, requestId: "req_1", details: [] };
  let isRefused = true;
  const { fetched, store, onClose } = open(["thanks"], (address) =>
    address.endsWith("/publish") && isRefused
      ? Response.json({ success: false, error }, { status: 503 })
      : answered(address),
  );
  await userEvent.type(screen.getByLabelText("Name of the new agent"), "Thanks");
  const make = screen.getByRole("button", { name: "Create sub-flow" });
  await userEvent.click(make);
  await expect.poll(() => fetched.mock.calls.filter(([address]) => address.endsWith("/publish")).length).toBe(1);
  await expect.poll(() => make.getAttribute("aria-disabled") ?? make.getAttribute("aria-busy")).not.toBe("true");
  expect(store.getSnapshot().flow).toBe(flow);
  isRefused = false;
  await userEvent.click(make);
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  const keys = fetched.mock.calls
    .filter(([address, init]) => init.method === "POST" && address.endsWith("/agents"))
    .map(([, init]) => new Headers(init.headers).get("idempotency-key"));
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
});

test("it is offered for nodes and groups, not for comments alone", () => {
  const grouped = { ...flow, groups: [{ id: "group", name: "", nodeIds: ["sure", "thanks"] }] };
  expect(hasNodes(grouped, ["group:group"])).toBe(true);
  expect(hasNodes(grouped, ["comment:comment"])).toBe(false);
  expect(hasNodes(grouped, [])).toBe(false);
});
