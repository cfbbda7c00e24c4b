import { once } from "node:events";
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
  ["status", (call) => call.status],
  ["phase", (call) => call.phase],
  ["answeredAt", (call) => call.answeredAt],
  ["endedAt", (call) => call.endedAt],
  ["durationSeconds", (call) => call.durationSeconds],
  ["endReason", (call) => call.endReason],
  ["endedBy", (call) => call.endedBy],
  ["answeredBy", (call) => call.answeredBy],
  ["cost", (call) => call.cost?.total],
  ["metadata", (call) => JSON.stringify(call.metadata)],
];

/** Writes calls as CSV (RFC 4180) as they are read. */
export async function sendCsv(reply: FastifyReply, batches: AsyncGenerator<Call[]>): Promise<void> {
  const raw = reply.raw;
  reply.hijack();
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": 'attachment; filename="calls.csv"',
  });
  raw.write(`${COLUMNS.map(([name]) => name).join(",")}\r\n`);
  for await (const calls of batches) {
    if (raw.destroyed) return;
    const text = calls.map((call) => `${COLUMNS.map(([, read]) => cell(read(call))).join(",")}\r\n`).join("");
    if (!raw.write(text)) await Promise.race([once(raw, "drain"), once(raw, "close")]);
  }
  raw.end();
}

/** A cell that begins like a formula is shown as text by spreadsheets only behind an apostrophe. */
function cell(value: unknown): string {
  const text = value === null || value === undefined ? "" : String(value);
  const safe = /^[=+\-@\t\r]/.test(text) && !/^\+\d+$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
