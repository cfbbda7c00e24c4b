import type { FlowNode } from "@parley/contract/flow";
import type { Scenario, ScenarioExpectation } from "@parley/contract/scenarios";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, test, vi } from "vitest";
import { renderWithQueries } from "../../../testing/render-with-queries.tsx";
import { ToastProvider } from "../../../ui/feedback/toast.tsx";
import { smallFlow } from "../model/testing/small-flow.ts";
import { DanglingExpectations, findDangling } from "./dangling-expectations.tsx";

const ask = (id: string, saveAs: string): FlowNode => ({
  id,
  type: "ask",
  text: "Which day?",
  answer: "date",
  saveAs,
  exits: [],
  next: "bye",
  otherwise: "bye",
});
const flowWith = (...nodes: readonly FlowNode[]) => ({ ...smallFlow(), nodes: [...nodes] });
const found = (expectation: ScenarioExpectation, ...nodes: readonly FlowNode[]) =>
  findDangling({ expect: [expectation] }, flowWith(...nodes)).map(({ text }) => text);

describe("an expectation about a part of the flow", () => {
  it.each<ScenarioExpectation>([
    { type: "collected", name: "day" },
    { type: "not_collected", name: "day" },
    { type: "reached", nodeId: "when" },
    { type: "not_reached", nodeId: "when" },
  ])("is right while the part is there, or in a sub-flow, and left alone when it was cut out: %j", (expectation) => {
    expect(found(expectation, ask("when", "day"))).toEqual([]);
    expect(found(expectation, ask("booking__when", "booking__day"))).toEqual([]);
    expect(found(expectation, ask("who", "guests"))).toEqual([expect.stringContaining("remove this expectation")]);
  });

  it("is not judged while a sub-flow is not loaded", () => {
    const subFlow: FlowNode = { id: "booking", type: "subflow", exits: [] };
    expect(found({ type: "collected", name: "day" }, subFlow)).toEqual([]);
  });

  it("names a node that was deleted by the title that it has in the published version", () => {
    const published = flowWith({ ...ask("ask_2", "day"), label: "Ask for the day" });
    const texts = [undefined, published].map(
      (before) => findDangling({ expect: [{ type: "reached", nodeId: "ask_2" }] }, flowWith(), before)[0]?.text,
    );
    expect(texts).toEqual([
      expect.stringContaining("Expects to reach “ask_2”, but"),
      expect.stringContaining("Expects to reach “Ask for the day”, but"),
    ]);
  });

  it("that every call can meet without a node is left alone", () => {
    expect(found({ type: "collected", name: "callback" })).toEqual([]);
  });
});

const scenario = (expect: Scenario["expect"]): Scenario => ({
  id: "scenario_1",
  agentId: "agent_1",
  name: "Another day",
  steps: [{ say: "Tuesday" }],
  variables: {},
  toolReplies: {},
  expect,
  madeFromCallId: null,
  createdAt: "2026-01-31T09:30:00.000Z",
  updatedAt: "2026-01-31T09:30:00.000Z",
});

function show(expectations: Scenario["expect"], onEdit = vi.fn()) {
  const fetched = vi.fn(async (_address: string, _init: RequestInit) => Response.json({ data: {} }));
  vi.stubGlobal("fetch", fetched);
  renderWithQueries(
    <ToastProvider>
      <DanglingExpectations
        scenario={scenario(expectations)}
        expanded={flowWith()}
        published={undefined}
        onEdit={onEdit}
      />
    </ToastProvider>,
  );
  return { onEdit, sent: () => fetched.mock.calls.map(([, init]) => JSON.parse(String(init.body))) };
}

const ended: ScenarioExpectation = { type: "ended", reason: "agent_hangup" };
const day: ScenarioExpectation = { type: "collected", name: "day" };

test("a dangling expectation is removed by its button, and an undo puts it back where it was", async () => {
  const { sent } = show([day, ended]);
  expect(screen.getByText(/Expects to collect “day”, but nothing in the flow saves it anymore/)).toBeDefined();
  await userEvent.click(screen.getByRole("button", { name: "Remove the expectation" }));
  const undo = await screen.findByRole("button", { name: "Undo" });
  // A notification is drawn a moment before it takes clicks.
  await expect.poll(() => undo.closest('[style*="pointer-events: none"]')).toBeNull();
  await userEvent.click(undo);
  await expect.poll(sent).toEqual([{ expect: [ended] }, { expect: [day, ended] }]);
});

test("the only expectation of a scenario is not removed, but replaced in the form", async () => {
  const { onEdit } = show([day]);
  expect(screen.queryByRole("button", { name: "Remove the expectation" })).toBeNull();
  await userEvent.click(within(screen.getByRole("listitem")).getByRole("button", { name: "Choose another…" }));
  expect(onEdit).toHaveBeenCalledTimes(1);
});
