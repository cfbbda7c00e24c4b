const NEWLINE = 0x0a;
const BACKSLASH = 0x5c;
const DOT = 0x2e;

/** COPY writes a line break inside a value as `\n` in two characters, so every line is a row. */
export function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines += 1;
  return lines;
}

export interface RowRun {
  readonly rows: number;
  /** Where the last whole row ends. */
  readonly end: number;
  /** Where to read on: behind the end mark when that was found. */
  readonly next: number;
  readonly isOver: boolean;
}

/** Takes as many whole rows as there are from `start`, up to the line that ends them. */
export function takeRows(bytes: Buffer, start: number): RowRun {
  let rows = 0;
  let from = start;
  for (let at = bytes.indexOf(NEWLINE, from); at >= 0; at = bytes.indexOf(NEWLINE, from)) {
    if (at - from === 2 && bytes[from] === BACKSLASH && bytes[from + 1] === DOT) {
      return { rows, end: from, next: at + 1, isOver: true };
    }
    rows += 1;
    from = at + 1;
  }
  return { rows, end: from, next: from, isOver: false };
}
