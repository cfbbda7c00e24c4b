import { useInfiniteQuery } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { ApiError } from "../../api/api-error.ts";
import type { Page } from "../../api/send.ts";
import { renderWithQueries } from "../../testing/render-with-queries.tsx";
import { PagedList } from "./paged-list.tsx";

function List({ fetchPage }: { fetchPage(cursor: string | null): Promise<Page<string>> }) {
  const list = useInfiniteQuery({
    queryKey: ["names"],
    queryFn: ({ pageParam }) => fetchPage(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });
  return (
    <PagedList list={list} label="Loading the names" empty={<p>No names yet</p>}>
      {(names) => (
        <ul>
          {names.map((name) => (
            <li key={name}>{name}</li>
          ))}
        </ul>
      )}
    </PagedList>
  );
}

const names = () => screen.getAllByRole("listitem").map(({ textContent }) => textContent);

test("while the first page is loading, screen readers are told what is loading", async () => {
  let answer: (page: Page<string>) => void = () => undefined;
  const page = new Promise<Page<string>>((resolve) => {
    answer = resolve;
  });
  renderWithQueries(<List fetchPage={() => page} />);
  expect(screen.getByRole("status").textContent).toBe("Loading the names");
  answer({ rows: ["Ada"], nextCursor: null });
  expect(await screen.findByText("Ada")).toBeDefined();
  expect(screen.queryByText("Loading the names")).toBeNull();
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
});

test("an empty list says so and shows no rows", async () => {
  renderWithQueries(<List fetchPage={async () => ({ rows: [], nextCursor: null })} />);
  expect(await screen.findByText("No names yet")).toBeDefined();
  expect(screen.queryAllByRole("listitem")).toEqual([]);
});

test("a failed request shows the error of the service, and trying again loads the list", async () => {
  const fetchPage = vi.fn<(cursor: string | null) => Promise<Page<string>>>();
  fetchPage.mockRejectedValueOnce(new ApiError(null)).mockResolvedValueOnce({ rows: ["Ada"], nextCursor: null });
  renderWithQueries(<List fetchPage={fetchPage} />);
  expect((await screen.findByRole("alert")).textContent).toContain("The service could not be reached");
  expect(screen.queryByText("No names yet")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Ada")).toBeDefined();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("the next page is fetched with the cursor of the last and added below", async () => {
  const fetchPage = vi.fn(async (cursor: string | null) =>
    cursor === null ? { rows: ["Ada", "Bob"], nextCursor: "2" } : { rows: ["Cy"], nextCursor: null },
  );
  renderWithQueries(<List fetchPage={fetchPage} />);
  await userEvent.click(await screen.findByRole("button", { name: "Show more" }));
  expect(await screen.findByText("Cy")).toBeDefined();
  expect(names()).toEqual(["Ada", "Bob", "Cy"]);
  expect(fetchPage.mock.calls).toEqual([[null], ["2"]]);
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
});
