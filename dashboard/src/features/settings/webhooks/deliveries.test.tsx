import { useQuery } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from "@tanstack/react-router";
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { createTestQueries, renderWithQueries } from "../../../testing/render-with-queries.tsx";
import { Deliveries } from "./deliveries.tsx";
import { webhookKeys, webhookQuery } from "./webhook-queries.ts";

const endpointOf = (lastSuccessAt: string | null) => ({
  id: "whk_1",
  mode: "test",
  url: "https://a.test",
  lastSuccessAt,
});
const deliveryOf = (status: string) => ({
  ...{ id: "dlv_1", endpointId: "whk_1", status, eventType: "call.completed", eventId: "evt_1", attemptCount: 1 },
  ...{ createdAt: "2026-01-01T00:00:00Z", nextAttemptAt: null, lastAttempt: null },
});

function EndpointPage() {
  const { data: endpoint } = useQuery(webhookQuery("test", "whk_1"));
  if (!endpoint) return null;
  return (
    <>
      <p>{endpoint.lastSuccessAt ?? "never"}</p>
      <Deliveries endpoint={endpoint} />
    </>
  );
}

test("when a delivery is accepted, the endpoint says so without being reloaded", async () => {
  let status = "pending";
  vi.stubGlobal("fetch", async (address: string) =>
    address.includes("/deliveries")
      ? Response.json({ data: [deliveryOf(status)], nextCursor: null })
      : Response.json({ data: endpointOf(status === "pending" ? null : "2026-01-01T00:00:01Z") }),
  );
  const root = createRootRoute({ component: Outlet });
  const signedIn = createRoute({ getParentRoute: () => root, id: "signed-in", component: Outlet });
  const page = createRoute({
    getParentRoute: () => signedIn,
    path: "/settings/webhooks/$webhookId",
    component: EndpointPage,
  });
  const router = createRouter({
    routeTree: root.addChildren([signedIn.addChildren([page])]),
    history: createMemoryHistory({ initialEntries: ["/settings/webhooks/whk_1"] }),
  });
  const queries = createTestQueries();
  renderWithQueries(<RouterProvider router={router as never} />, queries);
  await screen.findByText("never");
  await screen.findByText("Deliveries");
  await expect.poll(() => queries.isFetching()).toBe(0);
  status = "delivered";
  await queries.invalidateQueries({ queryKey: [...webhookKeys.one("whk_1"), "test", "deliveries"] });
  await screen.findByText("2026-01-01T00:00:01Z");
});
