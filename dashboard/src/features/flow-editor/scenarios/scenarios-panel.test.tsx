import type { Scenario, ScenarioResult } from "@parley/contract/scenarios";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { createTestQueries, renderWithQueries } from "../../../testing/render-with-queries.tsx";
import { createEditorStore } from "../model/editor-store.ts";
import { smallFlow } from "../model/testing/small-flow.ts";
import { scenariosQuery } from "./scenario-queries.ts";
import { ScenariosPanel } from "./scenarios-panel.tsx";

const SCENARIO: Scenario = {
  id: "scenario_1",
  agentId: "agent_1",
  name: "Says no",
  steps: [{ say: "No" }],
  variables: {},
  toolReplies: {},
  expect: [{ type: "not_reached", nodeId: "coming" }],
  madeFromCallId: null,
  createdAt: "2026-01-31T09:30:00.000Z",
  updatedAt: "2026-01-31T09:30:00.000Z",
};
const FAILED: ScenarioResult = {
  scenarioId: "scenario_1",
  name: "Says no",
  status: "failed",
  failure: {
    expectation: { type: "not_reached", nodeId: "coming" },
    message: "Expected the call never to reach coming, but it did. That was after step 1 (No) at the node coming.",
    step: 1,
    nodeId: "coming",
    said: null,
  },
  callId: null,
  lines: [],
  path: ["start", "coming"],
  collected: {},
  endReason: null,
};

test("a failed scenario and the button to its node have the title of the node, not its id", async () => {
  const run = { id: "run_1", agentId: "agent_1", on: "text", status: "done", passed: 0, failed: 1, results: [FAILED] };
  vi.stubGlobal("fetch", async () => Response.json({ data: run }));
  const queries = createTestQueries();
  queries.setQueryData(scenariosQuery("agent_1").queryKey, [SCENARIO]);
  const store = createEditorStore(smallFlow());
  renderWithQueries(<ScenariosPanel agentId="agent_1" publishedVersion={null} store={store} />, queries);
  await userEvent.click(screen.getByRole("button", { name: "Run all" }));
  expect(await screen.findByText("Not met: Never reaches “Will you come?”.")).toBeDefined();
  await userEvent.click(screen.getByRole("button", { name: "After step 1: go to “Will you come?”" }));
  expect(store.getSnapshot().selection).toEqual(["coming"]);
});
