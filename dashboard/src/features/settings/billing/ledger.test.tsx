import type { LedgerEntry } from "@parley/contract/credits";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { renderWithQueries } from "../../../testing/render-with-queries.tsx";
import { Ledger } from "./ledger.tsx";

const saved = vi.hoisted(() => vi.fn<(blob: Blob, name: string) => void>());
vi.mock("../../../ui/save-file.ts", () => ({ saveFile: saved }));

const entry = (id: string, more: Partial<LedgerEntry>): LedgerEntry => ({
  id,
  kind: "credit_added",
  createdAt: "2026-01-31T09:30:00.000Z",
  callId: null,
  phoneNumber: null,
  note: "",
  amount: "0.00",
  ...more,
});

test("the CSV of the ledger has every page, exact amounts, and no note that a spreadsheet would run", async () => {
  const pages: Readonly<Record<string, { readonly data: readonly LedgerEntry[]; readonly nextCursor: string | null }>> =
    {
      first: { data: [entry("txn_2", { note: '=HYPERLINK("x")', amount: "10.00" })], nextCursor: "second" },
      second: { data: [entry("txn_1", { note: "Refund, January", amount: "-0.010501" })], nextCursor: null },
    };
  vi.stubGlobal("fetch", async (address: string) => {
    const { searchParams } = new URL(address, "http://dashboard.example");
    return Response.json({ success: true, ...pages[searchParams.get("cursor") ?? "first"] });
  });
  renderWithQueries(<Ledger />);
  await userEvent.click(await screen.findByRole("button", { name: "Export CSV" }));
  await vi.waitFor(() => expect(saved).toHaveBeenCalledOnce());
  const [blob, name] = saved.mock.calls[0] ?? [];
  expect(name).toMatch(/^ledger-\d{4}-\d\d-\d\d\.csv$/);
  expect((await blob?.text())?.split("\r\n")).toEqual([
    "Date,Entry,Details,Phone number,Call ID,Amount (USD)",
    `2026-01-31T09:30:00.000Z,Credit was added,"'=HYPERLINK(""x"")",,,10.00`,
    '2026-01-31T09:30:00.000Z,Credit was added,"Refund, January",,,-0.010501',
  ]);
});
