import type { Call } from "@parley/contract/calls";
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { renderWithQueries } from "../../../testing/render-with-queries.tsx";
import { AfterCall } from "./call-page.tsx";

vi.mock("@tanstack/react-router", () => ({
  Link: ({ children }: { readonly children: unknown }) => <a href="/">{children as string}</a>,
  getRouteApi: () => ({}),
  useNavigate: () => () => undefined,
}));
vi.mock("./call-actions.tsx", () => ({
  CallAgain: () => <button type="button">Call again</button>,
  MoreActions: () => null,
}));

const call = { id: "call_1", agentId: "agt_1", mode: "test" } as Call;
const show = (answeredAt: string | null) => renderWithQueries(<AfterCall call={{ ...call, answeredAt } as Call} />);

test("an answered call leads to the path it took and to a scenario", () => {
  show("2026-01-01T00:00:00.000Z");
  expect(screen.getByText("See the path it took")).toBeDefined();
  expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual([
    "Call again",
    "Create scenario",
  ]);
});

test("a call that nobody answered took no path, and can only be placed again", () => {
  show(null);
  expect(screen.queryByText("See the path it took")).toBeNull();
  expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["Call again"]);
});
