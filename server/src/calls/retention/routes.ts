import type { Call } from "@parley/contract/calls";
import { AppError } from "@parley/contract/errors";
import { eraseCallData as eraseRoute } from "@parley/contract/routes/calls";
import type { Mode } from "@parley/contract/shared-fields";
import { type AuditedRequest, auditRequest } from "../../accounts/audit/record-audit.ts";
import { type Database, inTransaction } from "../../platform/database/database.ts";
import { type BoundRoute, handle } from "../../platform/http/handler.ts";
import { redactReplyBodies } from "../../platform/http/idempotency-store.ts";
import { toCall } from "../call-record.ts";
import { requireLockedCall } from "../call-store.ts";
import { recordCallEvent, redactWebhookBodies } from "../event-store.ts";
import { deleteNotes, deleteShares } from "../notes/note-store.ts";
import { indexKeywords } from "../transcripts/search/search-transcripts.ts";
import type { RetainedPart } from "./retained-parts.ts";
import { eraseCallFields } from "./retention-store.ts";

export function retentionRoutes(deps: EraseDeps): BoundRoute[] {
  return [handle(eraseRoute, async (request) => ({ data: await eraseCallData(deps, request, request.params.id) }))];
}

interface EraseDeps {
  readonly db: Database;
  readonly parts: readonly RetainedPart[];
}

interface EraseRequest extends AuditedRequest {
  readonly accountId: string;
  readonly mode: Mode;
}

const REASON = "Erased on request.";

/**
 * Erases for good what was said in a call and what it was about, here and wherever it was copied: in webhooks that are
 * waiting or can be replayed, and in stored replies to idempotent requests. Its cost and the number stay, because the
 * account was billed for it. Repeating it changes nothing.
 */
function eraseCallData({ db, parts }: EraseDeps, request: EraseRequest, callId: string): Promise<Call> {
  return inTransaction(db, async (tx) => {
    const call = await requireLockedCall(tx, request, callId);
    if (call.state !== "ended") throw new AppError("invalid_state", "The call has not ended; hang it up first.");
    if (call.data_erased_at !== null) return toCall(call);
    for (const part of parts) await part.erase(tx, call, REASON);
    await redactWebhookBodies(tx, call.id, ["variables", "collected", "analysis"]);
    await redactReplyBodies(tx, call);
    await deleteNotes(tx, call.id);
    await deleteShares(tx, call.id);
    await indexKeywords(tx, { id: call.id, accountId: request.accountId, mode: request.mode });
    const row = await eraseCallFields(tx, call.id);
    await recordCallEvent(tx, row, "call.data_erased", { parts: parts.map(({ name }) => name), by: "request" });
    await auditRequest(tx, request, "call.data_erased", call.id);
    return toCall(row);
  });
}
