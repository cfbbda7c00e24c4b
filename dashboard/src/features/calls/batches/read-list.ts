import { BATCH_ROWS_MAX } from "@parley/contract/batches";
import Papa from "papaparse";
import { plainNumber } from "../new-call/new-call-queries.ts";
import { batchesText } from "./text.tsx";

/** A list as it was pasted or dropped: the names of its columns, and its lines. */
export interface CallList {
  readonly columns: readonly string[];
  readonly lines: readonly (readonly string[])[];
}

type ReadList = { readonly ok: true; readonly list: CallList } | { readonly ok: false; readonly problem: string };

/** Parses CSV with commas, semicolons or tabs. Without a header line the columns are numbered. */
export function readList(text: string): ReadList {
  const { data, errors } = Papa.parse<string[]>(text.replace(/^\uFEFF/, "").trim(), { skipEmptyLines: "greedy" });
  const [broken] = errors.filter(({ type }) => type === "Quotes");
  if (broken) return { ok: false, problem: batchesText.openQuote((broken.row ?? 0) + 1) };
  const [first = []] = data;
  if (data.length === 0) return { ok: false, problem: batchesText.emptyList };
  const hasHeader = !first.some(looksLikeNumber);
  const lines = (hasHeader ? data.slice(1) : data).map((line) => line.map((cell) => cell.trim()));
  if (lines.length === 0) return { ok: false, problem: batchesText.headerOnly };
  if (lines.length > BATCH_ROWS_MAX) {
    return { ok: false, problem: batchesText.tooManyRows(lines.length, BATCH_ROWS_MAX) };
  }
  const columns = first.map((cell, index) => (hasHeader && cell.trim()) || batchesText.columnNumber(index + 1));
  return { ok: true, list: { columns, lines } };
}

function looksLikeNumber(cell: string): boolean {
  return /^\+?[\d\s().\-/]{7,}$/.test(cell.trim());
}

/** What a column of the list is: the number, a variable of the agent, metadata, or nothing. */
export type ColumnUse =
  | { readonly kind: "number" }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "metadata" }
  | { readonly kind: "ignore" };

const NUMBER_NAMES = /^(phone|telephone|mobile|cell|number|tel|telefon|phone_?number|e164)/i;
const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_");

/** The use of each column, guessed by its name, or by its content where the list has no names. */
export function guessUses({ columns, lines }: CallList, variables: readonly string[]): ColumnUse[] {
  const named = columns.findIndex((name) => NUMBER_NAMES.test(name.trim()));
  const byContent = columns.findIndex((_, index) => lines.every((line) => looksLikeNumber(line[index] ?? "")));
  const numberAt = named >= 0 ? named : byContent;
  return columns.map((column, index) => {
    if (index === numberAt) return { kind: "number" };
    const name = variables.find((variable) => plain(variable) === plain(column));
    return name ? { kind: "variable", name } : { kind: "metadata" };
  });
}

export interface ListRow {
  readonly phoneNumber: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, string>>;
}

/** The rows of a batch, by the use of each column. */
export function toRows({ columns, lines }: CallList, uses: readonly ColumnUse[]): ListRow[] {
  return lines.map((line) => {
    const cells = uses.map((use, index) => ({ use, column: columns[index] ?? "", value: line[index] ?? "" }));
    const filled = cells.filter(({ value }) => value !== "");
    return {
      phoneNumber: plainNumber(cells.find(({ use }) => use.kind === "number")?.value ?? ""),
      variables: Object.fromEntries(
        filled.flatMap(({ use, value }) => (use.kind === "variable" ? [[use.name, value]] : [])),
      ),
      metadata: Object.fromEntries(
        filled.flatMap(({ use, column, value }) =>
          use.kind === "metadata" ? [[column.slice(0, 64), value.slice(0, 500)]] : [],
        ),
      ),
    };
  });
}
