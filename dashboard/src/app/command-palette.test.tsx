import { readFileSync } from "node:fs";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { meQuery } from "../api/sign-in-state.ts";
import { agentsQuery } from "../features/agents/agent-list-query.ts";
import { createTestQueries, renderWithQueries } from "../testing/render-with-queries.tsx";
import { CommandPalette } from "./command-palette.tsx";
import { findPlaces, pagePlaces } from "./palette-places.ts";

const find = (text: string, isOperator = false) => findPlaces(pagePlaces(isOperator), text).map(({ label }) => label);

test("a page is found by the beginning of its name before others that merely contain it", () => {
  expect(find("ca")[0]).toBe("Calls");
  expect(find("web")).toEqual(["Webhooks"]);
});

test("a page is found by other words for it, and by several words in any order", () => {
  expect(find("2fa")).toEqual(["Security settings"]);
  expect(find("list suppression")).toEqual(["Suppression list"]);
});

test("a page is found by what it is", () => {
  expect(find("settings")).toContain("Billing");
  expect(find("operator", true)).toContain("Rates");
});

test("only operators are offered the pages for operators", () => {
  expect(find("trunks")).toEqual([]);
  expect(find("trunks", true)).toEqual(["Trunks"]);
});

test("nothing typed offers everything, and nonsense nothing", () => {
  expect(find("").length).toBeGreaterThan(10);
  expect(find("zeppelin")).toEqual([]);
});

test("every page of the settings and of operators is offered", () => {
  const frames = ["settings/settings-frame.tsx", "operator/operator-frame.tsx"].map((path) =>
    readFileSync(`${import.meta.dirname}/../features/${path}`, "utf8"),
  );
  const linked = frames.flatMap((source) => [...source.matchAll(/to: "([^"]+)"/g)].map(([, to]) => to));
  expect(linked.length).toBeGreaterThan(10);
  const offered = new Set(pagePlaces(true).map(({ to }) => to));
  expect(linked.filter((to) => !offered.has(to ?? ""))).toEqual([]);
});

test("guides are found by their titles and by their section, and open outside the app", async () => {
  vi.stubGlobal("fetch", async (address: string) =>
    address === "/docs/navigation.json"
      ? Response.json([
          { title: "Calls", links: [{ title: "Webhooks in practice", url: "/docs/guides/webhooks" }] },
          { title: "Recipes", links: [{ title: "Kamailio", url: "/docs/recipes/kamailio-trunk" }] },
        ])
      : Response.json({ data: [], nextCursor: null }),
  );
  const opened: string[] = [];
  vi.stubGlobal("location", { ...location, assign: (address: string) => opened.push(address) });
  const queries = createTestQueries();
  queries.setQueryData(meQuery.queryKey, { member: { isOperator: false } } as never);
  queries.setQueryData(agentsQuery.queryKey, []);
  const root = createRootRoute({ component: () => <CommandPalette onClose={() => undefined} /> });
  const router = createRouter({ routeTree: root, history: createMemoryHistory({ initialEntries: ["/"] }) });
  renderWithQueries(<RouterProvider router={router as never} />, queries);
  const field = await screen.findByRole("combobox");
  await userEvent.type(field, "recipes");
  expect((await screen.findByRole("option")).textContent).toBe("KamailioDocumentation");
  await userEvent.clear(field);
  await userEvent.type(field, "in practice{Enter}");
  expect(opened).toEqual(["/docs/guides/webhooks"]);
});
