import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { renderWithQueries } from "../../../testing/render-with-queries.tsx";
import { BillingPage } from "./billing-page.tsx";

vi.mock("@tanstack/react-router", () => ({
  Link: ({ to, search, children }: { readonly to: string; readonly search?: object; readonly children: unknown }) => (
    <a href={`${to}?${new URLSearchParams(search as Record<string, string>)}`}>{children as string}</a>
  ),
}));

test("billing leads to the cost of each day", () => {
  renderWithQueries(<BillingPage />);
  expect(screen.getByRole("link", { name: "Cost by day, agent and key" }).getAttribute("href")).toBe(
    "/usage?measure=cost&by=day",
  );
});
