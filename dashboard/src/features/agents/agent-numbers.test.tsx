import type { BreakdownRow, UsageBreakdown } from "@parley/contract/usage";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { renderWithQueries } from "../../testing/render-with-queries.tsx";
import { AgentNumbers } from "./agent-numbers.tsx";

vi.mock("@tanstack/react-router", () => ({
  Link: ({ search, children }: { readonly search: object; readonly children: unknown }) => (
    <a href={`?${new URLSearchParams(search as Record<string, string>)}`}>{children as string}</a>
  ),
}));

const row = (key: string, more: Partial<BreakdownRow>): BreakdownRow => ({
  ...{ key, calls: 10, answered: 8, failed: 2, talkSeconds: 480, spend: "0.50", turns: 40, interruptions: 4 },
  ...{ incidents: 0, responseMsP50: 640, responseMsP95: 1430, ...more },
});

/** Answers as the API does, and returns what was asked. */
function serve(rows: readonly BreakdownRow[]): URLSearchParams[] {
  const asked: URLSearchParams[] = [];
  vi.stubGlobal("fetch", async (input: string | URL | Request) => {
    const { searchParams } = new URL(input instanceof Request ? input.url : String(input), "http://localhost");
    asked.push(searchParams);
    const { key: _, ...total } = rows[0] ?? row("", { calls: 0, turns: 0, responseMsP50: null, responseMsP95: null });
    const data: UsageBreakdown = {
      ...{
        mode: "test",
        by: searchParams.get("by") as UsageBreakdown["by"],
        from: "2026-06-01T00:00:00.000Z",
        to: "2026-06-15T00:00:00.000Z",
      },
      ...{ total, rows: [...rows] },
    };
    return Response.json({ success: true, data });
  });
  return asked;
}

test("an agent has its own figures, and its versions are compared, each with a way to its calls", async () => {
  const asked = serve([row("2", {}), row("1", { responseMsP50: 900, responseMsP95: null, turns: 0 })]);
  renderWithQueries(<AgentNumbers agentId="agt_1" period="week" by="version" onChoose={() => undefined} />);
  const figures = await screen.findByRole("region", { name: "Figures" });
  expect(figures.textContent).toContain("Response time640 msMedian; 95% within 1.4 s");
  expect(figures.textContent).toContain("Interrupted10%4 of 40 replies");
  const table = screen.getByRole("table", { name: "Version" });
  const headings = within(table)
    .getAllByRole("columnheader")
    .map(({ textContent }) => textContent);
  expect(headings).toContain("Response");
  const rows = within(table).getAllByRole("row").slice(1);
  expect(rows.map((each) => [...each.children].map(({ textContent }) => textContent))).toEqual([
    ["Version 2", "10", "80%", "80%", "8", "$0.50", "640 ms", "1.4 s", "10%", "0"],
    ["Version 1", "10", "80%", "80%", "8", "$0.50", "900 ms", "–", "–", "0"],
  ]);
  const calls = new URL(
    within(table).getByRole("link", { name: "Version 2" }).getAttribute("href") ?? "",
    location.href,
  );
  expect(Object.fromEntries(calls.searchParams)).toMatchObject({ agentId: "agt_1", agentVersion: "2", phase: "ended" });
  expect(asked.map((query) => [query.get("by"), query.get("agentId")])).toEqual([
    ["version", "agt_1"],
    ["outcome", "agt_1"],
  ]);
});

test("an agent's calls are grouped by engine, each row with the calls of that engine and this agent", async () => {
  const asked = serve([row("local", {})]);
  const onChoose = vi.fn();
  renderWithQueries(<AgentNumbers agentId="agt_1" period="week" by="engine" onChoose={onChoose} />);
  const table = await screen.findByRole("table", { name: "Engine" });
  const address = within(table).getByRole("link", { name: "local" }).getAttribute("href") ?? "";
  expect(Object.fromEntries(new URL(address, location.href).searchParams)).toMatchObject({
    ...{ agentId: "agt_1", engine: "local", phase: "ended" },
  });
  expect(asked.map((query) => query.get("by"))).toEqual(["engine", "outcome"]);
  const grouping = screen.getByRole<HTMLSelectElement>("combobox", { name: "Group by" });
  expect([...grouping.options].map(({ text }) => text)).toEqual([
    ...["By version", "By outcome", "By engine", "By hour of the day"],
  ]);
  await userEvent.selectOptions(grouping, "By hour of the day");
  expect(onChoose).toHaveBeenCalledWith({ by: "hour" });
});

test("replies that were not measured are not called fast, and an agent without calls says so", async () => {
  serve([row("1", { responseMsP50: null, responseMsP95: null })]);
  const { unmount } = renderWithQueries(
    <AgentNumbers agentId="agt_1" period="week" by="version" onChoose={() => undefined} />,
  );
  expect((await screen.findByRole("region", { name: "Figures" })).textContent).toContain(
    "Response time–Not measured for these calls",
  );
  unmount();
  serve([]);
  const onChoose = vi.fn();
  renderWithQueries(<AgentNumbers agentId="agt_1" period="week" by="version" onChoose={onChoose} />);
  expect(await screen.findByText("No test calls of this agent ended in the last 7 days.")).toBeTruthy();
  await userEvent.click(screen.getByRole("radio", { name: "90 d" }));
  expect(onChoose).toHaveBeenCalledWith({ period: "quarter" });
});
