import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { createTestQueries, renderWithQueries } from "../../testing/render-with-queries.tsx";
import { agentsQuery } from "../agents/agent-list-query.ts";
import type { CallFilter } from "./call-filter.ts";
import { CallFilters } from "./calls-page.tsx";

function renderFilters(filter: CallFilter = {}) {
  const queries = createTestQueries();
  queries.setQueryData(agentsQuery.queryKey, []);
  const onChange = vi.fn();
  const onClear = vi.fn();
  renderWithQueries(<CallFilters filter={filter} onChange={onChange} onClear={onClear} />, queries);
  return { onChange, onClear };
}

test("choosing a status narrows the list and keeps the other filters", async () => {
  const { onChange } = renderFilters({ q: "tuesday" });
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Status" }), "failed");
  expect(onChange.mock.calls).toEqual([[{ q: "tuesday", status: "failed" }]]);
});

test("choosing any status takes that filter away", async () => {
  const { onChange } = renderFilters({ status: "failed" });
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Status" }), "");
  expect(onChange.mock.calls).toEqual([[{}]]);
});

test("a number is searched for on Enter, not with every digit", async () => {
  const { onChange } = renderFilters();
  const field = screen.getByRole("searchbox", { name: "Phone number" });
  await userEvent.type(field, "+1 555");
  expect(onChange).not.toHaveBeenCalled();
  await userEvent.type(field, "{Enter}");
  expect(onChange.mock.calls).toEqual([[{ phoneNumber: "+1 555" }]]);
});

test("a number that cannot be searched for stays in its field and is marked", () => {
  renderFilters({ phoneNumber: "Ada" });
  const field = screen.getByRole("searchbox", { name: "Phone number" }) as HTMLInputElement;
  expect(field.value).toBe("Ada");
  expect(field.getAttribute("aria-invalid")).toBe("true");
});

test("the filters can be cleared only while there are some", async () => {
  renderFilters();
  expect(screen.queryByRole("button", { name: "Clear" })).toBeNull();
});

test("clearing asks for the whole list", async () => {
  const { onClear } = renderFilters({ status: "failed" });
  await userEvent.click(screen.getByRole("button", { name: "Clear" }));
  expect(onClear).toHaveBeenCalledOnce();
});
