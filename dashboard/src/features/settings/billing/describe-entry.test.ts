import type { LedgerEntry } from "@parley/contract/credits";
import { expect, test } from "vitest";
import { describeLedgerEntry } from "./describe-entry.ts";

const entry = (more: Partial<LedgerEntry>): LedgerEntry => ({
  id: "txn_1",
  kind: "call",
  createdAt: "2026-01-31T09:30:00.000Z",
  callId: null,
  phoneNumber: null,
  note: "",
  amount: "0.00",
  ...more,
});

test("a call is one line that names the number", () => {
  const call = entry({ phoneNumber: "+15550100001", amount: "-0.0105" });
  expect(describeLedgerEntry(call)).toEqual({ title: "Call to +15550100001", detail: null });
});

test("a call that was not charged says why", () => {
  const call = entry({ kind: "call_not_charged", phoneNumber: "+15550100001", note: "The speech recognizer failed." });
  expect(describeLedgerEntry(call)).toEqual({
    title: "Call to +15550100001, not charged",
    detail: "The speech recognizer failed.",
  });
});

test("the reason for a credit is shown in the operator's own words", () => {
  expect(describeLedgerEntry(entry({ kind: "credit_added", note: "Invoice 7 <b>" })).detail).toBe("Invoice 7 <b>");
  expect(describeLedgerEntry(entry({ kind: "credit_added", note: "  " })).detail).toBeNull();
});
