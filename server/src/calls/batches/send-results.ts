import type { FastifyReply } from "fastify";
import type { Database } from "../../platform/database/database.ts";
import { toCall } from "../call-record.ts";
import { csvCell } from "../csv-export.ts";
import { readBatchRows, type StoredBatch, type StoredRow } from "./batch-store.ts";

const ROWS_PER_READ = 200;

const COLUMNS = [
  "row",
  "phoneNumber",
  "rowStatus",
  "refusal",
  "callId",
  "status",
  "endReason",
  "answeredBy",
  "durationSeconds",
  "cost",
  "outcome",
  "success",
  "collected",
  "variables",
  "metadata",
];

/** Writes the results of a batch as CSV, one line per row, with what each call collected. */
export async function sendResults(reply: FastifyReply, db: Database, batch: StoredBatch): Promise<void> {
  reply.hijack();
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": `attachment; filename="${batch.id}.csv"; filename*=UTF-8''${inHeader(`${batch.name}.csv`)}`,
  });
  if (reply.request.method === "HEAD") return void reply.raw.end();
  try {
    reply.raw.write(`${COLUMNS.join(",")}\r\n`);
    for (let after = 0; ; ) {
      const rows = await readBatchRows(db, batch.id, after, ROWS_PER_READ);
      reply.raw.write(rows.map((row) => `${lineOf(row).map(csvCell).join(",")}\r\n`).join(""));
      if (rows.length < ROWS_PER_READ) break;
      after = rows.at(-1)?.number ?? after;
    }
    reply.raw.end();
  } catch (error) {
    // A file that ends early must not look complete.
    reply.raw.destroy();
    throw error;
  }
}

/** RFC 8187 section 3.2: what encodeURIComponent leaves beyond it is encoded too. */
function inHeader(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function lineOf({ number, phone_number: phoneNumber, status, refusal, fields, call: row }: StoredRow): unknown[] {
  const call = row && toCall(row);
  return [
    number,
    phoneNumber,
    status,
    refusal?.message,
    call?.id,
    call?.status,
    call?.endReason,
    call?.answeredBy,
    call?.durationSeconds,
    call?.cost?.total,
    call?.analysis?.outcome,
    call?.analysis?.success,
    call?.collected ? JSON.stringify(call.collected) : "",
    fields.variables ? JSON.stringify(fields.variables) : "",
    fields.metadata ? JSON.stringify(fields.metadata) : "",
  ];
}
