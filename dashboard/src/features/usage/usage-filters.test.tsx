import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { createTestQueries, renderWithQueries } from "../../testing/render-with-queries.tsx";
import { agentsQuery, enginesQuery } from "../agents/agent-list-query.ts";
import { versionsQuery } from "../agents/agent-queries.ts";
import { UsageFilters } from "./usage-filters.tsx";
import { usageNumbersQuery } from "./usage-queries.ts";

const namesOf = (select: HTMLElement) =>
  within(select)
    .getAllByRole("option")
    .map(({ textContent }) => textContent);

function openFilters(search: Parameters<typeof UsageFilters>[0]["search"]) {
  const queries = createTestQueries();
  queries.setQueryData(agentsQuery.queryKey, [
    { id: "agt_1", name: "Ada" },
    { id: "agt_2", name: "Bob" },
  ] as never);
  queries.setQueryData(enginesQuery.queryKey, [{ name: "local" }, { name: "cloud" }] as never);
  queries.setQueryData(versionsQuery("agt_1").queryKey, {
    pages: [{ rows: [{ version: 2 }, { version: 1 }], nextCursor: null }],
    pageParams: [undefined],
  } as never);
  const onChange = vi.fn();
  renderWithQueries(<UsageFilters search={search} onChange={onChange} />, queries);
  return onChange;
}

test("usage is limited to a version of the chosen agent, and another agent begins with all of its versions", async () => {
  const onChange = openFilters({ agentId: "agt_1", agentVersion: "2" });
  const versions = screen.getByRole<HTMLSelectElement>("combobox", { name: "Version" });
  expect(namesOf(versions)).toEqual(["All versions", "Version 2", "Version 1", "Draft"]);
  expect(versions.value).toBe("2");
  await userEvent.selectOptions(versions, "Version 1");
  expect(onChange).toHaveBeenLastCalledWith({ agentVersion: "1" });
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Agent" }), "Bob");
  expect(onChange).toHaveBeenLastCalledWith({ agentId: "agt_2", agentVersion: undefined });
});

test("usage is limited to an engine, also to one that is no longer installed, and without an agent to no version", async () => {
  const onChange = openFilters({ engine: "retired" });
  const engines = screen.getByRole<HTMLSelectElement>("combobox", { name: "Engine" });
  expect(namesOf(engines)).toEqual(["All engines", "local", "cloud", "retired"]);
  expect(engines.value).toBe("retired");
  await userEvent.selectOptions(engines, "local");
  expect(onChange).toHaveBeenLastCalledWith({ engine: "local" });
  expect(screen.queryByRole("combobox", { name: "Version" })).toBeNull();
});

test("the figures and those of the period before are asked for with the same limits", async () => {
  const asked: URLSearchParams[] = [];
  vi.stubGlobal("fetch", async (input: string | URL | Request) => {
    asked.push(new URL(input instanceof Request ? input.url : String(input), "http://localhost").searchParams);
    return Response.json({ success: true, data: { total: {}, rows: [] } });
  });
  const limits = { agentId: "agt_1", agentVersion: "2", engine: "local" };
  await createTestQueries().fetchQuery(usageNumbersQuery("test", { ...limits, by: "hour" }));
  expect(asked.map((query) => query.get("by"))).toEqual(["hour", "outcome"]);
  for (const query of asked) expect(Object.fromEntries(query)).toMatchObject(limits);
});

test("calls can be grouped by day, which begins without the order of the table before", async () => {
  const onChange = openFilters({ measure: "cost", sort: "-cost" });
  const groupings = screen.getByRole<HTMLSelectElement>("combobox", { name: "Group by" });
  expect(namesOf(groupings)).toContain("By day");
  await userEvent.selectOptions(groupings, "By day");
  expect(onChange).toHaveBeenLastCalledWith({ by: "day", sort: undefined });
});
