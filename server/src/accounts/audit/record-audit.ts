import type { AuditAction } from "@parley/contract/accounts";
import { makeId } from "@parley/contract/ids";
import type { Database, Tx } from "../../platform/database/database.ts";
import { type Actor, actorId } from "../../platform/http/authenticate.ts";
import { insertAudit } from "./audit-store.ts";

export interface AuditNote {
  /** Null when it concerns no account, as a failed sign-in of someone we do not know. */
  readonly accountId: string | null;
  /** A member's id, a key's id, `operator` (the command line) or `service`. */
  readonly actor: string;
  readonly action: AuditAction;
  readonly target?: string | null;
  readonly ip?: string | null;
  readonly client?: string | null;
  /** Never a secret, never a password. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Records who did what, in the transaction of the action, so that both are committed or neither is. */
export async function recordAudit(db: Database, note: AuditNote): Promise<void> {
  await insertAudit(db, {
    id: makeId("audit"),
    accountId: note.accountId,
    actor: note.actor,
    action: note.action,
    target: note.target ?? null,
    ip: note.ip ?? null,
    client: note.client ?? null,
    data: note.data ?? {},
  });
}

/** What the audit log needs to know about a request. */
export interface AuditedRequest {
  readonly actor: Actor | null;
  readonly ip: string;
  readonly client: string | null;
  readonly isHead?: boolean;
}

/** Records, in the transaction of the action, what a request did and who sent it. */
export async function auditRequest(
  tx: Tx,
  { actor, ip, client, isHead }: AuditedRequest,
  action: AuditAction,
  target: string,
  data: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  // HEAD reveals no content.
  if (isHead) return;
  if (!actor) throw new Error(`${action} needs someone who does it`);
  await recordAudit(tx, { accountId: actor.accountId, actor: actorId(actor), action, target, ip, client, data });
}
