import { AppError } from "@parley/contract/errors";
import {
  addSuppression,
  importSuppressions,
  listSuppressions,
  removeSuppression,
} from "@parley/contract/routes/account";
import * as routes from "@parley/contract/routes/operator";
import type { Suppression } from "@parley/contract/suppressions";
import { auditRequest } from "../../accounts/audit/record-audit.ts";
import { type Database, inTransaction } from "../../platform/database/database.ts";
import type { MemberActor } from "../../platform/http/authenticate.ts";
import { type Cursors, toPage } from "../../platform/http/cursor.ts";
import { type BoundRoute, handle } from "../../platform/http/handler.ts";
import { changeGate, readGate } from "./change-gate.ts";
import {
  deleteSuppression,
  listSuppressionRows,
  putSuppression,
  putSuppressions,
  type SuppressionRow,
} from "./suppression-store.ts";

export interface SuppressionDeps {
  readonly db: Database;
  readonly cursors: Cursors;
}

/** The suppression list: numbers that the account never calls. */
export function suppressionRoutes({ db, cursors }: SuppressionDeps): BoundRoute[] {
  return [
    handle(listSuppressions, async ({ accountId, query }) => {
      const filter = { list: "suppressions", accountId, phoneNumber: query.phoneNumber, startsWith: query.startsWith };
      const after = query.cursor === undefined ? null : readPosition(cursors.read(query.cursor, filter));
      const rows = await listSuppressionRows(db, filter, after, query.limit + 1);
      const page = toPage(rows, query.limit, (last) =>
        cursors.write([last.created_at.toISOString(), last.phone_number], filter),
      );
      return { data: page.rows.map(toSuppression), nextCursor: page.nextCursor };
    }),

    handle(addSuppression, (request) =>
      request.once(async (tx) => {
        const { phoneNumber, reason } = request.body;
        const listed = await putSuppression(tx, request.accountId, phoneNumber, reason);
        await auditRequest(tx, request, "suppression.added", phoneNumber);
        return { data: toSuppression(listed) };
      }),
    ),

    handle(importSuppressions, (request) =>
      request.once(async (tx) => {
        const { phoneNumbers, reason } = request.body;
        const addedCount = await putSuppressions(tx, request.accountId, phoneNumbers, reason);
        await auditRequest(tx, request, "suppression.imported", request.accountId, { addedCount });
        return { data: { addedCount, knownCount: new Set(phoneNumbers).size - addedCount } };
      }),
    ),

    handle(removeSuppression, (request) =>
      inTransaction(db, async (tx) => {
        const { phoneNumber } = request.query;
        const wasListed = await deleteSuppression(tx, request.accountId, phoneNumber);
        if (!wasListed) throw new AppError("not_found", "This number is not on the suppression list.");
        await auditRequest(tx, request, "suppression.removed", phoneNumber);
        return { data: {} };
      }),
    ),
  ];
}

function readPosition([createdAt = "", phoneNumber = ""]: readonly string[]) {
  return { createdAt: new Date(createdAt), phoneNumber };
}

function toSuppression(row: SuppressionRow): Suppression {
  return { phoneNumber: row.phone_number, reason: row.reason, createdAt: row.created_at.toISOString() };
}

/** Who may be called, for operators to see and to change. */
export function gateRoutes({ db }: { readonly db: Database }): BoundRoute[] {
  return [
    handle(routes.getGate, async () => ({ data: await readGate(db, null) })),
    handle(routes.changeGate, async (request) => ({
      data: await changeGate(db, null, request.body, { accountId: request.accountId, ...writerOf(request) }),
    })),
    handle(routes.getAccountGate, async ({ params }) => ({ data: await readGate(db, params.id) })),
    handle(routes.changeAccountGate, async (request) => {
      const { id } = request.params;
      return { data: await changeGate(db, id, request.body, { accountId: id, ...writerOf(request) }) };
    }),
  ];
}

function writerOf(request: { readonly member: MemberActor; readonly ip: string; readonly client: string | null }) {
  return { actor: request.member.memberId, ip: request.ip, client: request.client };
}
