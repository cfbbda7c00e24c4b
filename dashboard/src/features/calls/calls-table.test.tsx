import type { Call } from "@parley/contract/calls";
import { act, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { createTestQueries, renderWithQueries } from "../../testing/render-with-queries.tsx";
import { agentsQuery } from "../agents/agent-list-query.ts";
import { CallsTable } from "./calls-table.tsx";

vi.mock("@tanstack/react-router", () => ({ Link: ({ children }: { children: string }) => <a href="/">{children}</a> }));

const PAGE_ROWS = 50;
const PAGES = 2000;

/** Pages that count how often their calls are read. */
function createPages() {
  let reads = 0;
  const pages = Array.from({ length: PAGES }, (_, page) =>
    Array.from({ length: PAGE_ROWS }, (_, index) => {
      const number = page * PAGE_ROWS + index;
      const call = {
        ...{ phoneNumber: `+1555${String(number).padStart(7, "0")}`, agentId: "agt_1", country: null, incidents: [] },
        ...{ createdAt: new Date(0).toISOString(), status: "completed", phase: "ended", endReason: "busy" },
        ...{ durationSeconds: 10, cost: "0.00", metadata: {}, tags: [] },
      };
      return Object.defineProperty(call, "id", {
        get: () => {
          reads += 1;
          return `call_${number}`;
        },
      }) as unknown as Call;
    }),
  );
  return { pages, countReads: () => reads };
}

test("of 100,000 loaded calls only those in sight are rendered, and no other is read", async () => {
  const queries = createTestQueries();
  queries.setQueryData(agentsQuery.queryKey, []);
  const { pages, countReads } = createPages();
  const onWantMore = vi.fn();
  renderWithQueries(
    <CallsTable
      {...{ pages, matches: new Map(), layout: { columns: [], density: "comfortable" }, sort: undefined }}
      {...{ hasMore: true, isFetchingMore: false, onSort: () => undefined, onWantMore }}
    />,
    queries,
  );
  // The place of the table is known from the next frame on.
  await act(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  const rows = within(screen.getByRole("table")).getAllByRole("row");
  expect(rows.length).toBeLessThan(60);
  expect(rows[1]?.textContent).toContain("+15550000000");
  expect(rows[1]?.getAttribute("aria-rowindex")).toBe("2");
  expect(countReads()).toBeLessThan(1000);
  expect(onWantMore).not.toHaveBeenCalled();
  const body = screen.getAllByRole("rowgroup")[1];
  expect(body?.style.height).toBe(`${PAGES * PAGE_ROWS * 60}px`);
});
