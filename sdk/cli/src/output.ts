import type { CommandIo, GlobalOptions } from "./command-context.ts";

/** Shows a result: as JSON for programs, or as text for people. */
export function show(io: CommandIo, { json }: GlobalOptions, value: unknown, text: () => string): void {
  io.out(`${json ? JSON.stringify(value, null, 2) : text()}\n`);
}

/** One line of JSON for each thing as it happens, for commands that go on. */
export function showLine(io: CommandIo, { json }: GlobalOptions, value: unknown, text: () => string): void {
  io.out(`${json ? JSON.stringify(value) : text()}\n`);
}

/** Columns as wide as their widest cell. What comes from calls may hold control characters, which no terminal must get. */
export function table(head: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => plain(cell === null ? "-" : String(cell))));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Without control characters: a callee's words must not drive the terminal. */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is removed.
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, " ");
}
