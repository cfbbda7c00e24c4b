import type { AgentChanges } from "@parley/contract/agents";
import { AppError } from "@parley/contract/errors";
import type { Database } from "../platform/database/database.ts";
import { type Actor, actorId } from "../platform/http/actor.ts";
import { type AgentRow, findAgentRow, findEditorName, updateDraft } from "./agent-store.ts";
import { readRevision } from "./if-match.ts";
import { unknownAgent } from "./unknown-agent.ts";

/** Changes the draft, provided that the revision the caller saw is still the current one. */
export async function changeDraft(
  db: Database,
  accountId: string,
  agentId: string,
  ifMatch: string | undefined,
  changes: AgentChanges,
  actor: Actor | null,
): Promise<AgentRow> {
  const revision = readRevision(ifMatch);
  const editorId = actor && actorId(actor);
  const changed = revision === null ? null : await updateDraft(db, accountId, agentId, revision, changes, editorId);
  if (changed) return changed;
  const current = await findAgentRow(db, accountId, agentId);
  if (!current) throw unknownAgent();
  throw await draftConflict(db, current, ifMatch);
}

/** Says that the draft is another than the caller saw, and by whom they were overtaken. */
export async function draftConflict(
  db: Database,
  current: Pick<AgentRow, "id" | "revision">,
  ifMatch: string | undefined,
): Promise<AppError> {
  const editor = await findEditorName(db, current.id);
  return new AppError("draft_conflict", explainConflict(ifMatch, readRevision(ifMatch), current.revision), {
    param: "If-Match",
    ...(editor === null
      ? {}
      : { details: [{ param: "If-Match", code: "changed_by", message: `The last change was made by ${editor}.` }] }),
  });
}

function explainConflict(ifMatch: string | undefined, revision: number | null, current: number): string {
  if (ifMatch === undefined) return `Send the revision you saw as If-Match; the draft is at revision ${current}.`;
  if (revision === null) return `If-Match must carry a revision such as "${current}", which the draft is at now.`;
  return `The draft is at revision ${current}, not ${revision}; read it again before you change it.`;
}
