import type { BreakdownRow } from "@parley/contract/usage";
import Papa from "papaparse";
import { usageText } from "./text.ts";
import { completedOf } from "./usage-figures.ts";

/** The groups as CSV: whole numbers of calls rather than shares, so that they can be added up. */
export function toCsv(rows: readonly BreakdownRow[], heading: string, nameOf: (key: string) => string): string {
  const fields = [
    heading,
    usageText.key,
    usageText.calls,
    usageText.answered,
    usageText.completed,
    usageText.failed,
    usageText.talkTimeSeconds,
    usageText.costUsd,
    usageText.replies,
    usageText.interruptions,
    usageText.problems,
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
