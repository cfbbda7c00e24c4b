import type { Usage, UsageBreakdown } from "@parley/contract/usage";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { createTestQueries, renderWithQueries } from "../../testing/render-with-queries.tsx";
import { agentsQuery } from "../agents/agent-list-query.ts";
import { versionsQuery } from "../agents/agent-queries.ts";
import { OverviewFilters } from "./overview-filters.tsx";
import { Groups, UsageCharts } from "./overview-page.tsx";
import { usageQuery } from "./usage-queries.ts";

vi.mock("@tanstack/react-router", () => ({
  getRouteApi: () => ({}),
  Link: ({ search, children }: { readonly search: object; readonly children: unknown }) => (
    <a href={`?${new URLSearchParams(search as Record<string, string>)}`}>{children as string}</a>
  ),
}));

const FROM = "2026-06-13T00:00:00.000Z";
const figures = {
  ...{ calls: 3, answered: 2, failed: 1, talkSeconds: 60, spend: "0.10", turns: 20 },
  ...{ responseMsP50: 640, responseMsP95: 1430 },
};
const bucket = (start: string, interruptions: number) => ({ ...figures, start, interruptions, incidents: 0 });
const BUCKETS = [bucket(FROM, 4), bucket("2026-06-14T00:00:00.000Z", 1)];

function serve(data: Usage | UsageBreakdown): URL[] {
  const asked: URL[] = [];
  vi.stubGlobal("fetch", async (input: string | URL | Request) => {
    asked.push(new URL(input instanceof Request ? input.url : String(input), "http://localhost"));
    return Response.json({ success: true, data });
  });
  return asked;
}

const rowsOf = (name: string) =>
  within(screen.getByRole("table", { name, hidden: true }))
    .getAllByRole("row", { hidden: true })
    .slice(1)
    .map(({ textContent }) => textContent);

test("the figures of all calls have interruptions over time, and a dash where they were not counted", async () => {
  const [first, second] = BUCKETS;
  const of = ({ incidents: _, ...more }: (typeof BUCKETS)[number]) => more;
  const asked = serve({
    ...{ mode: "test", from: FROM, to: "2026-06-15T00:00:00.000Z", granularity: "day", timeZone: "UTC" },
    total: { ...figures, interruptions: null },
    buckets: [first && { ...of(first), interruptions: null }, second && of(second)].filter(
      (each) => each !== undefined,
    ),
    endReasons: [{ endReason: "busy", calls: 1 }],
  });
  const numbers = await createTestQueries().fetchQuery(usageQuery("test", {}));
  expect(asked[0]?.pathname).toBe("/api/v1/usage");
  renderWithQueries(<UsageCharts usage={numbers} />);
  expect(rowsOf("Interruptions").map((text) => text?.slice(-1))).toEqual(["–", "1"]);
  expect(screen.getByText("They were not counted for the whole period")).toBeTruthy();
});

test("the figures of a version are those of its ended calls, and each outcome leads to its calls", async () => {
  const asked = serve({
    ...{ mode: "test", from: FROM, to: "2026-06-15T00:00:00.000Z", by: "outcome" },
    total: { ...figures, interruptions: 5, incidents: 0, buckets: BUCKETS },
    rows: [{ ...figures, key: "confirmed", calls: 2, interruptions: 5, incidents: 0 }],
  });
  const numbers = await createTestQueries().fetchQuery(usageQuery("test", { agentId: "agt_1", agentVersion: "2" }));
  expect(asked[0]?.pathname).toBe("/api/v1/usage/breakdown");
  expect(Object.fromEntries(asked[0]?.searchParams ?? [])).toMatchObject({ agentId: "agt_1", agentVersion: "2" });
  renderWithQueries(<UsageCharts usage={numbers} />);
  expect(screen.getByText("Callees interrupted 5 of 20 replies")).toBeTruthy();
  expect(rowsOf("Interruptions").map((text) => text?.slice(-1))).toEqual(["4", "1"]);
  expect(rowsOf("Response time").map((text) => text?.endsWith("640 ms1.4 s"))).toEqual([true, true]);
  const link = new URL(screen.getByRole("link", { name: /^Confirmed/ }).getAttribute("href") ?? "", location.href);
  expect(Object.fromEntries(link.searchParams)).toEqual({
    ...{ agentId: "agt_1", agentVersion: "2", outcome: "confirmed", phase: "ended" },
    createdAfter: FROM,
  });
});

test("the overview groups ended calls by engine, each row with the calls of that engine", async () => {
  const asked = serve({
    ...{ mode: "test", from: FROM, to: "2026-06-15T00:00:00.000Z", by: "engine" },
    total: { ...figures, interruptions: 5, incidents: 0 },
    rows: [{ ...figures, key: "local", interruptions: 5, incidents: 0 }],
  });
  const onChange = vi.fn();
  renderWithQueries(<Groups search={{ by: "engine" }} onChange={onChange} />);
  const table = await screen.findByRole("table", { name: "Engine" });
  const link = new URL(within(table).getByRole("link", { name: "local" }).getAttribute("href") ?? "", location.href);
  expect(Object.fromEntries(link.searchParams)).toMatchObject({ engine: "local", phase: "ended" });
  expect(asked[0]?.searchParams.get("by")).toBe("engine");
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Group by" }), "By hour of the day");
  expect(onChange).toHaveBeenCalledWith({ by: "hour" });
});

test("a version is chosen within an agent, and another agent begins with all of its versions", async () => {
  const queries = createTestQueries();
  queries.setQueryData(agentsQuery.queryKey, [
    { id: "agt_1", name: "Ada" },
    { id: "agt_2", name: "Bob" },
  ] as never);
  queries.setQueryData(versionsQuery("agt_1").queryKey, {
    pages: [{ rows: [{ version: 2 }, { version: 1 }], nextCursor: null }],
    pageParams: [undefined],
  } as never);
  const onChange = vi.fn();
  renderWithQueries(<OverviewFilters search={{ agentId: "agt_1" }} onChange={onChange} />, queries);
  const versions = screen.getByRole("combobox", { name: "Version" });
  expect(
    within(versions)
      .getAllByRole("option")
      .map(({ textContent }) => textContent),
  ).toEqual([...["All versions", "Version 2", "Version 1", "Draft"]]);
  await userEvent.selectOptions(versions, "2");
  expect(onChange).toHaveBeenLastCalledWith({ agentId: "agt_1", agentVersion: "2" });
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Agent" }), "agt_2");
  expect(onChange).toHaveBeenLastCalledWith({ agentId: "agt_2" });
});
