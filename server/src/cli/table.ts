// What people typed elsewhere must not move the cursor, change colours or turn the writing round on this terminal.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Rows under capital headings, aligned. */
export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  return formatColumns([headings.map((heading) => heading.toUpperCase()), ...rows]).join("\n");
}

/** Rows with their columns aligned, two spaces apart. */
export function formatColumns(rows: readonly (readonly string[])[]): string[] {
  const clean = rows.map((row) => row.map(printable));
  const widths: number[] = [];
  for (const row of clean) {
    row.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, lengthOf(cell));
    });
  }
  return clean.map((row) =>
    row
      .map((cell, index) => cell + " ".repeat((widths[index] ?? 0) - lengthOf(cell)))
      .join("  ")
      .trimEnd(),
  );
}

export function printable(text: string): string {
  return text.replace(UNPRINTABLE, "\ufffd");
}

function lengthOf(text: string): number {
  return [...text].length;
}
