import type { TranscriptFormat } from "@parley/contract/transcripts";

const FORMAT_BY_TYPE: ReadonlyMap<string, TranscriptFormat> = new Map([
  ["application/json", "json"],
  ["text/plain", "text"],
  ["application/x-subrip", "srt"],
  ["text/vtt", "vtt"],
]);

/** What was asked for by name goes first, then the first type of `Accept` that we know; JSON to everybody else. */
export function chooseFormat(asked: TranscriptFormat | undefined, accept: string): TranscriptFormat {
  if (asked !== undefined) return asked;
  const known = typesIn(accept).find((type) => FORMAT_BY_TYPE.has(type) || type === "*/*" || type === "application/*");
  return FORMAT_BY_TYPE.get(known ?? "") ?? "json";
}

/** Whether it is to be followed live. */
export function asksForStream(accept: string): boolean {
  return typesIn(accept).includes("text/event-stream");
}

function typesIn(accept: string): string[] {
  return accept.split(",").map((part) => part.split(";")[0]?.trim().toLowerCase() ?? "");
}
