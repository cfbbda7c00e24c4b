import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { createTestQueries, renderWithQueries } from "../../testing/render-with-queries.tsx";
import { agentsQuery } from "../agents/agent-list-query.ts";
import type { CallFilter } from "./call-filter.ts";
import { CallFilters, countInWords, endOfDay, periodOf, startOfDay } from "./call-filters.tsx";

function renderFilters(filter: CallFilter = {}) {
  const queries = createTestQueries();
  queries.setQueryData(agentsQuery.queryKey, []);
  const onChange = vi.fn();
  const onClear = vi.fn();
  renderWithQueries(<CallFilters filter={filter} onChange={onChange} onClear={onClear} />, queries);
  return { onChange, onClear };
}

test("choosing a status narrows the list and keeps the other filters", async () => {
  const { onChange } = renderFilters({ search: "tuesday" });
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Status" }), "failed");
  expect(onChange.mock.calls).toEqual([[{ search: "tuesday", status: "failed" }]]);
});

test("choosing any status takes that filter away", async () => {
  const { onChange } = renderFilters({ status: "failed" });
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Status" }), "");
  expect(onChange.mock.calls).toEqual([[{}]]);
});

test("typing searches without Enter, and once for a word rather than for each letter", async () => {
  const { onChange } = renderFilters({ status: "failed" });
  await userEvent.type(screen.getByRole("searchbox", { name: "Search calls" }), "(555) 299");
  await expect.poll(() => onChange.mock.calls).toEqual([[{ search: "(555) 299", status: "failed" }]]);
});

test("custom dates include the first and the last day", async () => {
  const first = startOfDay("2026-03-01");
  const { onChange } = renderFilters({ createdAfter: first, createdBefore: endOfDay("2026-03-02") });
  expect((screen.getByLabelText("From") as HTMLInputElement).value).toBe("2026-03-01");
  expect((screen.getByLabelText("to") as HTMLInputElement).value).toBe("2026-03-02");
  expect(new Date(Date.parse(first) + 1).getHours()).toBe(0);
  await userEvent.clear(screen.getByLabelText("From"));
  expect(onChange).toHaveBeenCalledWith({ createdBefore: endOfDay("2026-03-02") });
});

test("a period is shown as the span it was chosen as, and everything else as custom dates", () => {
  const nowMs = Date.parse("2026-03-08T10:00:00Z");
  expect(periodOf({}, nowMs)).toBe("");
  expect(periodOf({ createdAfter: "2026-03-01T10:00:00Z" }, nowMs)).toBe("7");
  expect(periodOf({ createdAfter: "2026-03-04T10:00:00Z" }, nowMs)).toBe("custom");
  expect(periodOf({ createdBefore: "2026-03-04T10:00:00Z" }, nowMs)).toBe("custom");
});

test("a filter that only a link sets is named, and can be removed", async () => {
  const { onChange } = renderFilters({ agentId: "agt_1", agentVersion: "3", hourOfDay: "9", timeZone: "UTC" });
  await userEvent.click(screen.getByRole("button", { name: "Remove filter: Version 3" }));
  expect(onChange).toHaveBeenLastCalledWith({ agentId: "agt_1", hourOfDay: "9", timeZone: "UTC" });
  await userEvent.click(screen.getByRole("button", { name: /^Remove filter: 9/ }));
  expect(onChange).toHaveBeenLastCalledWith({ agentId: "agt_1", agentVersion: "3" });
});

test("choosing another agent takes the version of the first one away", async () => {
  const { onChange } = renderFilters({ agentId: "agt_1", agentVersion: "3" });
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Agent" }), "");
  expect(onChange.mock.calls).toEqual([[{}]]);
});

test("the filters can be cleared only while there are some", async () => {
  renderFilters({ sort: "createdAt" });
  expect(screen.queryByRole("button", { name: "Clear" })).toBeNull();
});

test("clearing asks for the whole list", async () => {
  const { onClear } = renderFilters({ status: "failed" });
  await userEvent.click(screen.getByRole("button", { name: "Clear" }));
  expect(onClear).toHaveBeenCalledOnce();
});

test.each([
  [{ count: 0, isExact: true }, false, "0 calls"],
  [{ count: 1, isExact: true }, false, "1 call"],
  [{ count: 1, isExact: true }, true, "1 match"],
  [{ count: 302, isExact: true }, true, "302 matches"],
  [{ count: 10_000, isExact: false }, false, "10,000+ calls"],
])("%j is announced as %s %s", (count, isSearch, words) => {
  expect(countInWords(count, isSearch)).toBe(words);
});
