import type { Batch, BatchRow, NewBatch } from "@parley/contract/batches";
import { AppError } from "@parley/contract/errors";
import { makeId } from "@parley/contract/ids";
import * as routes from "@parley/contract/routes/batches";
import type { Mode } from "@parley/contract/shared-fields";
import { auditRequest } from "../../accounts/audit/record-audit.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { type Cursors, toPage } from "../../platform/http/cursor.ts";
import { type BoundRoute, handle } from "../../platform/http/handler.ts";
import { toCall } from "../call-record.ts";
import type { CreateCallDeps } from "../create-call.ts";
import {
  cancelWaitingRows,
  countBatches,
  findBatch,
  insertBatch,
  moveBatch,
  readBatches,
  readBatchRows,
  type StoredBatch,
  type StoredRow,
} from "./batch-store.ts";
import { checkBatch } from "./check-batch.ts";
import { sendResults } from "./send-results.ts";

interface BatchRoutesDeps extends CreateCallDeps {
  readonly db: Database;
  readonly cursors: Cursors;
  /** Begins to place calls; called after each commit that may leave some to place. */
  startPlacing(): void;
}

const NO_COUNTS: Batch["counts"] = {
  rows: 0,
  waiting: 0,
  inProgress: 0,
  completed: 0,
  failed: 0,
  refused: 0,
  canceled: 0,
};

/** Calls to lists of numbers. */
export function batchRoutes(deps: BatchRoutesDeps): BoundRoute[] {
  const { db, cursors } = deps;

  async function requireBatch(within: Database, scope: { accountId: string; mode: Mode }, id: string) {
    const batch = await findBatch(within, scope, id);
    if (!batch) throw new AppError("not_found", "The account has no such batch in this mode.");
    return batch;
  }

  async function change(
    tx: Tx,
    scope: { accountId: string; mode: Mode },
    id: string,
    from: readonly Batch["status"][],
    to: Batch["status"],
  ): Promise<Batch> {
    const batch = await requireBatch(tx, scope, id);
    if (batch.status === to) return withCounts(tx, batch);
    const moved = await moveBatch(tx, id, from, to);
    // It may have changed since it was read, by its last row being placed.
    if (!moved) throw new AppError("invalid_state", `The batch is ${(await requireBatch(tx, scope, id)).status}.`);
    if (to === "canceled") await cancelWaitingRows(tx, id);
    return withCounts(tx, moved);
  }

  return [
    handle(routes.createBatch, async (request) => {
      const answer = await request.once(async (tx) => {
        const { actor, mode, accountId, body } = request;
        if (!actor) throw new Error("a batch is created by someone");
        await refuseUnusable(deps, tx, accountId, body);
        const batch = await insertBatch(tx, newBatch(actor, mode, body));
        await auditRequest(tx, request, "batch.created", batch.id, { name: batch.name, rows: body.rows.length });
        return { data: await withCounts(tx, batch) };
      });
      deps.startPlacing();
      return answer;
    }),

    handle(routes.checkBatch, async ({ accountId, mode, body }) => ({
      data: await checkBatch(deps, db, accountId, mode, body),
    })),

    handle(routes.listBatches, async ({ accountId, mode, query: { limit, cursor } }) => {
      const tie = ["batches", accountId, mode];
      const [createdAt = "", id = ""] = cursor ? cursors.read(cursor, tie) : [];
      const rows = await readBatches(db, { accountId, mode }, cursor ? [createdAt, id] : null, limit + 1);
      const page = toPage(rows, limit, (last) => cursors.write([last.created_at.toISOString(), last.id], tie));
      const counts = await countBatches(
        db,
        page.rows.map((row) => row.id),
      );
      return { data: page.rows.map((row) => toBatch(row, counts.get(row.id))), nextCursor: page.nextCursor };
    }),

    handle(routes.getBatch, async (request) => ({
      data: await withCounts(db, await requireBatch(db, request, request.params.id)),
    })),

    handle(routes.listBatchRows, async (request) => {
      const { limit, cursor, status } = request.query;
      const batch = await requireBatch(db, request, request.params.id);
      const tie = ["batch-rows", request.accountId, request.mode, batch.id, status ?? null];
      const after = cursor ? Number(cursors.read(cursor, tie)[0]) : 0;
      const rows = await readBatchRows(db, batch.id, after, limit + 1, status ?? null);
      const page = toPage(rows, limit, (last) => cursors.write([String(last.number)], tie));
      return { data: page.rows.map(toBatchRow), nextCursor: page.nextCursor };
    }),

    handle(routes.exportBatchResults, async (request) => {
      const batch = await requireBatch(db, request, request.params.id);
      return { stream: (reply) => sendResults(reply, db, batch) };
    }),

    handle(routes.pauseBatch, (request) =>
      request.once(async (tx) => ({ data: await change(tx, request, request.params.id, ["running"], "paused") })),
    ),

    handle(routes.resumeBatch, async (request) => {
      const answer = await request.once(async (tx) => ({
        data: await change(tx, request, request.params.id, ["paused"], "running"),
      }));
      deps.startPlacing();
      return answer;
    }),

    handle(routes.cancelBatch, (request) =>
      request.once(async (tx) => {
        const data = await change(tx, request, request.params.id, ["running", "paused"], "canceled");
        await auditRequest(tx, request, "batch.canceled", data.id, { name: data.name });
        return { data };
      }),
    ),
  ];
}

/** Refuses a batch whose calls would all be refused, before it is stored. */
async function refuseUnusable(deps: BatchRoutesDeps, tx: Tx, accountId: string, body: NewBatch): Promise<void> {
  const agent = await deps.findAgent(tx, accountId, body.agentId, body.agentVersion);
  if (!agent) throw new AppError("agent_not_found", "The account has no such agent.", { param: "agentId" });
  if (agent.version === null) {
    throw new AppError("agent_not_published", "The agent has no published version yet; publish it first.", {
      param: "agentId",
    });
  }
  const engine = deps.chooseEngine(body.engine, agent);
  await deps.refuseFlow(tx, engine, body.agentId, agent.version);
}

function newBatch(
  caller: Parameters<typeof insertBatch>[1]["caller"],
  mode: Mode,
  { name, rows, ...request }: NewBatch,
): Parameters<typeof insertBatch>[1] {
  return {
    id: makeId("batch"),
    mode,
    caller,
    name,
    request,
    rows: rows.map(({ phoneNumber, ...fields }) => ({ phoneNumber, fields })),
  };
}

async function withCounts(db: Database, row: StoredBatch): Promise<Batch> {
  return toBatch(row, (await countBatches(db, [row.id])).get(row.id));
}

function toBatch(row: StoredBatch, counts: Batch["counts"] = NO_COUNTS): Batch {
  return {
    id: row.id,
    name: row.name,
    mode: row.mode,
    agentId: row.request.agentId,
    status: row.status,
    pausedBecause: row.paused_because,
    createdAt: row.created_at.toISOString(),
    counts,
  };
}

function toBatchRow({ number, phone_number: phoneNumber, status, refusal, call: row }: StoredRow): BatchRow {
  const call = row && toCall(row);
  return {
    number,
    phoneNumber,
    status,
    refusal,
    call: call && {
      id: call.id,
      status: call.status,
      phase: call.phase,
      endReason: call.endReason,
      durationSeconds: call.durationSeconds,
    },
  };
}
