const NEWLINE = 0x0a;

export interface LineReaderDeps {
  readonly lineMaxBytes: number;
  readonly onLine: (line: string) => void;
  /** A line that grew beyond the limit is thrown away up to its end and reported once. */
  readonly onTooLong: () => void;
}

/** Cuts a byte stream into lines, holding no more than one line of limited length. Returns the function to feed. */
export function createLineReader({ lineMaxBytes, onLine, onTooLong }: LineReaderDeps): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let partsBytes = 0;
  let isSkipping = false;

  function take(part: Buffer): void {
    if (isSkipping) return;
    partsBytes += part.length;
    if (partsBytes <= lineMaxBytes) {
      parts.push(part);
      return;
    }
    isSkipping = true;
    parts = [];
    onTooLong();
  }

  function finishLine(): void {
    const line = isSkipping ? null : Buffer.concat(parts).toString("utf8");
    parts = [];
    partsBytes = 0;
    isSkipping = false;
    if (line !== null && line.trim() !== "") onLine(line);
  }

  return (chunk) => {
    let startsAt = 0;
    for (let endsAt = chunk.indexOf(NEWLINE); endsAt !== -1; endsAt = chunk.indexOf(NEWLINE, startsAt)) {
      take(chunk.subarray(startsAt, endsAt));
      finishLine();
      startsAt = endsAt + 1;
    }
    if (startsAt < chunk.length) take(chunk.subarray(startsAt));
  };
}
