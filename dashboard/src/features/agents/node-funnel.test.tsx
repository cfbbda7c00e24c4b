import type { FlowNode } from "@parley/contract/flow";
import type { NodeNumbers } from "@parley/contract/node-numbers";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { createTestQueries, renderWithQueries } from "../../testing/render-with-queries.tsx";
import { nodeNumbersQuery, publishedFlowQuery, versionsQuery } from "./agent-queries.ts";
import { NodeFunnel } from "./node-funnel.tsx";

const FLOW = {
  nodes: [
    { id: "start", type: "start", next: "hello" },
    { id: "hello", type: "say", text: "Hello.", next: "coming" },
    { id: "coming", type: "ask", text: "Will you come?", answer: "yes_no", exits: [{ when: "yes", next: "bye" }] },
    { id: "bye", type: "end", text: "Goodbye." },
  ] as FlowNode[],
};
const COUNTED: NodeNumbers = {
  mode: "test",
  calls: 8,
  nodes: [
    { nodeId: "bye", visits: 5, calls: 5, hangUps: 1, notUnderstood: 0, medianMs: 900 },
    { nodeId: "coming", visits: 9, calls: 8, hangUps: 2, notUnderstood: 3, medianMs: 6500 },
    { nodeId: "hello", visits: 8, calls: 8, hangUps: 0, notUnderstood: 0, medianMs: 2000 },
  ],
};

function show(version: string | undefined, publishedVersion: number | null = 2) {
  const queries = createTestQueries();
  const rows = publishedVersion === null ? [] : [{ version: 2 }, { version: 1 }];
  queries.setQueryData(versionsQuery("agt_1").queryKey, {
    pages: [{ rows, nextCursor: null }],
    pageParams: [undefined],
  } as never);
  for (const each of [1, 2]) queries.setQueryData(publishedFlowQuery("agt_1", each).queryKey, FLOW as never);
  queries.setQueryData(nodeNumbersQuery("test", "agt_1", 2).queryKey, COUNTED);
  queries.setQueryData(nodeNumbersQuery("test", "agt_1", 1).queryKey, { ...COUNTED, calls: 0, nodes: [] });
  const onChoose = vi.fn();
  renderWithQueries(
    <NodeFunnel agent={{ id: "agt_1", publishedVersion }} version={version} onChoose={onChoose} />,
    queries,
  );
  return onChoose;
}

test("the steps of the published version are a table in the order of the flow", () => {
  show(undefined);
  const rows = within(screen.getByRole("table", { name: "Step by step" })).getAllByRole("row");
  expect(rows.map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
    ["Step", "Calls", "Visits", "Hung up", "Not understood", "Time"],
    ["Hello Say", "8", "8", "0", "–", "2 s"],
    ["Coming Ask", "8", "9", "2 (25%)", "3", "6.5 s"],
    ["Bye End", "5", "5", "–", "–", "900 ms"],
  ]);
  expect(screen.getByText("The last 8 answered calls.")).toBeTruthy();
});

test("another version can be chosen, and one without answered calls says so", async () => {
  const onChoose = show("1");
  expect(screen.getByText("No test call with this version has been answered.")).toBeTruthy();
  const choice = screen.getByRole("combobox", { name: "Version whose steps are shown" });
  expect(
    within(choice)
      .getAllByRole("option")
      .map(({ textContent }) => textContent),
  ).toEqual(["Version 2", "Version 1", "All versions"]);
  await userEvent.selectOptions(choice, "all");
  expect(onChoose).toHaveBeenCalledWith("all");
});

test("an agent that was never published has no steps and no versions to choose", () => {
  show(undefined, null);
  expect(screen.getByText("No steps to show yet")).toBeTruthy();
  expect(screen.queryByRole("combobox")).toBeNull();
});
