import type { FlowNode } from "@parley/contract/flow";
import { QueryClientProvider } from "@tanstack/react-query";
import { renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { createTestQueries } from "../../../testing/render-with-queries.tsx";
import { publishedFlowQuery } from "../../agents/agent-queries.ts";
import { versionQuery } from "../../flow-editor/editor-queries.ts";
import { titleOfId } from "../../flow-editor/sub-flows/outer-node.ts";
import { useCallFlow } from "./use-call-flow.ts";

const flow = (...nodes: readonly FlowNode[]) => ({ schemaVersion: 1, variables: [], nodes });
const PUBLISHED = flow(
  { id: "start", type: "start", next: "part" },
  {
    id: "part",
    type: "subflow",
    label: "Booking",
    agentId: "agt_2",
    version: 3,
    exits: [{ when: "Done", next: "bye" }],
  },
  { id: "bye", type: "end", text: "Goodbye." },
);
const BOOKING = flow(
  { id: "start", type: "start", next: "who" },
  { id: "who", type: "say", label: "Who is coming?", text: "Hello.", next: "done" },
  { id: "done", type: "end", outcome: "Done" },
);

function flowOf(agentVersion: number) {
  vi.stubGlobal("fetch", () => new Promise<Response>(() => undefined));
  const queries = createTestQueries();
  queries.setQueryData(publishedFlowQuery("agt_1", 2).queryKey, PUBLISHED as never);
  queries.setQueryData(versionQuery("agt_2", 3).queryKey, { flow: BOOKING } as never);
  const { result } = renderHook(() => useCallFlow({ agentId: "agt_1", agentVersion }), {
    wrapper: ({ children }) => <QueryClientProvider client={queries}>{children}</QueryClientProvider>,
  });
  return { isLoading: queries.isFetching() > 0, title: (nodeId: string) => titleOfId(result.current, nodeId) };
}

test("a call has the titles of the version that it was made with, also of the nodes in its sub-flows", async () => {
  const { title } = flowOf(2);
  expect(title("part")).toBe("Booking");
  await expect.poll(() => title("part__who")).toBe("Booking › Who is coming?");
});

test("a call of a draft, or of a version that is not loaded yet, has ids", () => {
  const [draft, other] = [flowOf(0), flowOf(1)];
  expect(draft.title("part__who")).toBe("part__who");
  expect(draft.isLoading).toBe(false);
  expect(other.title("part__who")).toBe("part__who");
  expect(other.isLoading).toBe(true);
});
