import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { meQuery } from "../../../api/sign-in-state.ts";
import { createTestQueries, renderWithQueries } from "../../../testing/render-with-queries.tsx";
import { agentsQuery } from "../../agents/agent-list-query.ts";
import { smallFlow } from "../model/testing/small-flow.ts";
import { Choosers } from "./pickers.tsx";

/** The finder of the builder, in an account with one agent and one call. */
async function openFinder() {
  vi.stubGlobal("fetch", async (input: string | URL | Request) => {
    const address = input instanceof Request ? input.url : String(input);
    if (address === "/docs/navigation.json")
      return Response.json([
        { title: "Guides", links: [{ title: "Writing exits", url: "/docs/guides/writing-exits" }] },
      ]);
    const call = { id: "call_1", phoneNumber: "+15550100001", status: "completed", phase: "ended", endReason: "busy" };
    return Response.json({ success: true, data: [{ ...call, createdAt: "2026-01-31T10:30:00Z" }], nextCursor: null });
  });
  const onFound = vi.fn();
  const onClose = vi.fn();
  const nothing = () => undefined;
  const queries = createTestQueries();
  queries.setQueryData(meQuery.queryKey, { member: { isOperator: false } } as never);
  queries.setQueryData(agentsQuery.queryKey, [{ id: "agt_1", name: "Appointment reminder" }] as never);
  const root = createRootRoute({
    component: () => (
      <Choosers
        {...{ open: { kind: "search" }, flow: smallFlow(), onClose, onFound, onMakeSubFlow: null }}
        {...{ onAdd: nothing, onExit: nothing, onTarget: nothing, onInsert: nothing }}
      />
    ),
  });
  const router = createRouter({ routeTree: root, history: createMemoryHistory({ initialEntries: ["/"] }) });
  const gone = vi.spyOn(router, "navigate").mockImplementation(async () => undefined);
  renderWithQueries(<RouterProvider router={router as never} />, queries);
  const field = await screen.findByRole("combobox", { name: "Find a node" });
  return { field, onFound, onClose, gone };
}

const goTo = () => within(screen.getByRole("group", { name: "Go to" }));

test("nodes come first, and below them the pages that the words fit; the arrow keys move through both", async () => {
  const { field, onFound, gone, onClose } = await openFinder();
  expect(screen.queryByRole("group", { name: "Go to" })).toBeNull();
  await userEvent.type(field, "end");
  const options = screen.getAllByRole("option");
  const pages = goTo().getAllByRole("option");
  expect(options.slice(-pages.length)).toEqual(pages);
  expect(options.length).toBeGreaterThan(pages.length);
  await userEvent.keyboard("{Enter}");
  expect(onFound).toHaveBeenCalledWith("bye");
  await userEvent.keyboard("{ArrowUp}");
  expect(field.getAttribute("aria-activedescendant")).toBe(pages.at(-1)?.id);
  await userEvent.keyboard("{Enter}");
  expect(onClose).toHaveBeenCalled();
  expect(gone).toHaveBeenCalledTimes(1);
});

test("an agent, settings and a call are gone to by Enter when no node has the words", async () => {
  const { field, gone, onFound } = await openFinder();
  await userEvent.type(field, "appointment{Enter}");
  expect(gone).toHaveBeenLastCalledWith({ to: "/agents/$agentId", params: { agentId: "agt_1" } });
  await userEvent.clear(field);
  await userEvent.type(field, "webhooks{Enter}");
  expect(gone).toHaveBeenLastCalledWith({ to: "/settings/webhooks", params: {} });
  await userEvent.clear(field);
  await userEvent.type(field, "0100001");
  await goTo().findByText("+15550100001");
  await userEvent.keyboard("{Enter}");
  expect(gone).toHaveBeenLastCalledWith({ to: "/calls/$callId", params: { callId: "call_1" } });
  expect(onFound).not.toHaveBeenCalled();
});

test("a guide opens outside the app", async () => {
  const opened: string[] = [];
  vi.stubGlobal("location", { ...location, assign: (address: string) => opened.push(address) });
  const { field } = await openFinder();
  await userEvent.type(field, "writing exits");
  await goTo().findByText("Writing exits");
  await userEvent.keyboard("{Enter}");
  expect(opened).toEqual(["/docs/guides/writing-exits"]);
});
