import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Call } from "@parley/contract/calls";
import type { FastifyReply } from "fastify";

const COLUMNS: readonly [string, (call: Call) => unknown][] = [
  ["id", (call) => call.id],
  ["createdAt", (call) => call.createdAt],
  ["mode", (call) => call.mode],
  ["phoneNumber", (call) => call.phoneNumber],
  ["agentId", (call) => call.agentId],
  ["agentVersion", (call) => call.agentVersion],
  ["engine", (call) => call.engine],
  ["network", (call) => call.network],
  ["status", (call) => call.status],
  ["phase", (call) => call.phase],
  ["answeredAt", (call) => call.answeredAt],
  ["endedAt", (call) => call.endedAt],
  ["durationSeconds", (call) => call.durationSeconds],
  ["endReason", (call) => call.endReason],
  ["endedBy", (call) => call.endedBy],
  ["answeredBy", (call) => call.answeredBy],
  ["cost", (call) => call.cost?.total],
  ["charged", (call) => call.cost?.charged],
  ["incidents", (call) => call.incidents.map(({ what }) => what).join(" ")],
  ["metadata", (call) => JSON.stringify(call.metadata)],
];

export interface CsvOptions {
  /** Aborted when the server closes. */
  readonly closing: AbortSignal;
  /** Checked periodically; false cuts the export off. */
  stillAllowed(): Promise<boolean>;
  onError(error: unknown): void;
}

// A client that reads nothing for this long is cut off: its rows and its connection are needed elsewhere.
const STALLED_MS = 30_000;
const RIGHTS_CHECK_MS = 25_000;
const CLIENT_GONE = new Set(["ERR_STREAM_PREMATURE_CLOSE", "ECONNRESET", "EPIPE"]);

/**
 * Writes calls as CSV (RFC 4180) while they are read, no faster than the client reads. An error cuts it off visibly.
 */
export async function sendCsv(
  reply: FastifyReply,
  batches: AsyncGenerator<Call[]>,
  options: CsvOptions,
): Promise<void> {
  const raw = reply.raw;
  reply.hijack();
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": 'attachment; filename="calls.csv"',
  });
  if (reply.request.method === "HEAD") {
    raw.end();
    return;
  }
  raw.setTimeout(STALLED_MS, () => raw.destroy());
  try {
    await pipeline(Readable.from(csvLines(batches, options.stillAllowed), { highWaterMark: 1 }), raw, {
      signal: options.closing,
    });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (!options.closing.aborted && !CLIENT_GONE.has(code)) options.onError(error);
    raw.destroy();
  }
}

async function* csvLines(
  batches: AsyncGenerator<Call[]>,
  stillAllowed: () => Promise<boolean>,
): AsyncGenerator<string> {
  let checkedAtMs = performance.now();
  yield `${COLUMNS.map(([name]) => name).join(",")}\r\n`;
  for await (const calls of batches) {
    for (const call of calls) yield `${COLUMNS.map(([, read]) => csvCell(read(call))).join(",")}\r\n`;
    if (performance.now() - checkedAtMs < RIGHTS_CHECK_MS) continue;
    if (!(await stillAllowed())) throw new Error("the right to this export is gone");
    checkedAtMs = performance.now();
  }
}

/** Spreadsheets show a cell that begins like a formula as text only after an apostrophe. */
export function csvCell(value: unknown): string {
  const text = value === null || value === undefined ? "" : String(value);
  const safe = /^[=+\-@\t\r]/.test(text) && !/^\+\d+$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
