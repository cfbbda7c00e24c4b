import type { BreakdownRow } from "@parley/contract/usage";
import Papa from "papaparse";
import { completedOf } from "./usage-figures.ts";

/** The groups as CSV: whole numbers of calls rather than shares, so that they can be added up. */
export function toCsv(rows: readonly BreakdownRow[], heading: string, nameOf: (key: string) => string): string {
  const fields = [
    heading,
    "Key",
    "Calls",
    "Answered",
    "Completed",
    "Failed",
    "Talk time (seconds)",
    "Cost (USD)",
    "Replies",
    "Interruptions",
    "Problems",
  ];
  const data = rows.map((row) => [
    nameOf(row.key),
    row.key,
    row.calls,
    row.answered,
    completedOf(row),
    row.failed,
    row.talkSeconds,
    row.spend,
    row.turns,
    row.interruptions,
    row.incidents,
  ]);
  // A spreadsheet would run a name that begins like a formula.
  return Papa.unparse({ fields, data }, { escapeFormulae: true });
}
