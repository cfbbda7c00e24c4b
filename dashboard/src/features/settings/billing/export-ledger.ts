import type { LedgerEntry } from "@parley/contract/credits";
import { listLedger } from "@parley/contract/routes/account";
import Papa from "papaparse";
import { sendForPage } from "../../../api/send.ts";
import { saveFile } from "../../../ui/save-file.ts";
import { describeLedgerEntry } from "./describe-entry.ts";
import { billingText } from "./text.tsx";

/** The most that the API returns at once. */
const ENTRIES_PER_PAGE = "100";

/** Downloads the whole ledger, of which the page shows only the part that was scrolled to. */
export async function exportLedger(): Promise<void> {
  const entries = await readLedger();
  const csv = ledgerCsv(entries);
  saveFile(new Blob([csv], { type: "text/csv" }), `ledger-${new Date().toISOString().slice(0, 10)}.csv`);
}

async function readLedger(): Promise<readonly LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  let cursor: string | undefined;
  do {
    const page = await sendForPage(listLedger, { query: { limit: ENTRIES_PER_PAGE, cursor } });
    entries.push(...page.rows);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return entries;
}

/** Amounts are those of the API, with every decimal, so that they add up. */
export function ledgerCsv(entries: readonly LedgerEntry[]): string {
  const fields = [
    billingText.bookedAt,
    billingText.entry,
    billingText.details,
    billingText.phoneNumber,
    billingText.callId,
    billingText.amountUsd,
  ];
  const data = entries.map((entry) => {
    const { title, detail } = describeLedgerEntry(entry);
    return [entry.createdAt, title, detail, entry.phoneNumber, entry.callId, entry.amount];
  });
  // A spreadsheet would run a note that begins like a formula. Amounts and phone numbers only look like one.
  return Papa.unparse({ fields, data }, { escapeFormulae: /^(?![-+]?[\d.]+$)[=+\-@\t\r]/ });
}
