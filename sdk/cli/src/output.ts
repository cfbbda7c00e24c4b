import type { CommandIo, GlobalOptions } from "./command-context.ts";

/** Shows a result: as JSON for programs, or as text for people. */
export function show(io: CommandIo, { json }: GlobalOptions, value: unknown, text: () => string): void {
  io.out(`${json ? JSON.stringify(value, null, 2) : text()}\n`);
}

/** One line of JSON for each thing as it happens, for commands that go on. */
export function showLine(io: CommandIo, { json }: GlobalOptions, value: unknown, text: () => string): void {
  io.out(`${json ? JSON.stringify(value) : text()}\n`);
}

type Cell = string | number | null;

/** Rows under capital headings, aligned, as the command line for operators prints them. */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return columns([headings.map((heading) => heading.toUpperCase()), ...rows]);
}

/** Names and their values, one per line, aligned. What has no value is left out. */
export function facts(pairs: readonly (readonly [string, Cell | undefined])[]): string {
  return columns(pairs.flatMap(([name, value]) => (value === null || value === undefined ? [] : [[name, value]])));
}

/** Columns as wide as their widest cell, two spaces apart. */
function columns(rows: readonly (readonly Cell[])[]): string {
  const cells = rows.map((row) => row.map((cell) => plain(cell === null ? "-" : String(cell))));
  const widths: number[] = [];
  for (const row of cells) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, lengthOf(cell));
  }
  const pad = (cell: string, index: number) => cell + " ".repeat((widths[index] ?? 0) - lengthOf(cell));
  return cells.map((row) => row.map(pad).join("  ").trimEnd()).join("\n");
}

function lengthOf(text: string): number {
  return [...text].length;
}

/** A callee's words must not move the cursor, change colors or turn the direction of writing on this terminal. */
export function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
}
