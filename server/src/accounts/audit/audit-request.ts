import type { Tx } from "../../platform/database/database.ts";
import { type Actor, actorId } from "../../platform/http/actor.ts";
import { type AuditAction, recordAudit } from "./record-audit.ts";

/** What the audit log wants to know of a request. */
export interface AuditedRequest {
  readonly actor: Actor | null;
  readonly ip: string;
  readonly client: string | null;
  readonly isHead?: boolean;
}

/** Writes down, in the transaction of the deed, what a request did and who sent it. */
export async function auditRequest(
  tx: Tx,
  { actor, ip, client, isHead }: AuditedRequest,
  action: AuditAction,
  target: string,
  data: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  // HEAD shows nothing of what it asks for.
  if (isHead) return;
  if (!actor) throw new Error(`${action} needs someone who does it`);
  await recordAudit(tx, { accountId: actor.accountId, actor: actorId(actor), action, target, ip, client, data });
}
