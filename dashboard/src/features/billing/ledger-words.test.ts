import type { LedgerEntry } from "@parley/contract/credits";
import { expect, test } from "vitest";
import { costOf, describeLedgerEntry } from "./ledger-words.ts";

const entry = (more: Partial<LedgerEntry>): LedgerEntry => ({
  id: "txn_1",
  kind: "settled",
  createdAt: "2026-01-31T09:30:00.000Z",
  callId: null,
  note: "",
  balanceChange: "0.00",
  heldChange: "0.00",
  ...more,
});

test("a call that was charged says what it cost, not what came back", () => {
  const settled = entry({ balanceChange: "0.0275", heldChange: "-0.04" });
  expect(costOf(settled)).toBe("0.0125");
  expect(describeLedgerEntry(settled).title).toBe("A call cost $0.0125");
});

test("a call that used up all that was set aside cost exactly that", () => {
  expect(costOf(entry({ balanceChange: "0.00", heldChange: "-0.04" }))).toBe("0.04");
});

test("why credit was given is told in the operator's own words", () => {
  expect(describeLedgerEntry(entry({ kind: "credit_added", note: "Invoice 7 <b>" })).detail).toBe("Invoice 7 <b>");
  expect(describeLedgerEntry(entry({ kind: "credit_added", note: "  " })).detail).toBeNull();
});
