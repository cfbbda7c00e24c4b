import type { CallNotes, CallShare, SharedCall } from "@parley/contract/call-notes";
import { AppError } from "@parley/contract/errors";
import { makeId } from "@parley/contract/ids";
import * as routes from "@parley/contract/routes/calls";
import { auditRequest } from "../../accounts/audit/record-audit.ts";
import { looksLikeToken, makeToken } from "../../accounts/credentials/make-token.ts";
import { type Database, inTransaction } from "../../platform/database/database.ts";
import { actorId } from "../../platform/http/authenticate.ts";
import { type BoundRoute, handle } from "../../platform/http/handler.ts";
import { type CallRow, toCall } from "../call-record.ts";
import { findCall, requireCall, requireLockedCall } from "../call-store.ts";
import { createRecordingLinks } from "../recordings/recording-links.ts";
import { indexKeywords } from "../transcripts/search/search-transcripts.ts";
import { readTranscript } from "../transcripts/transcript-store.ts";
import {
  deleteShare,
  findNotes,
  findShare,
  insertShare,
  type NoteRow,
  readAgentName,
  readShares,
  type ShareRow,
  writeNotes,
} from "./note-store.ts";

interface NoteRoutesDeps {
  readonly db: Database;
  readonly secrets: { digest(text: string): Buffer; sign(text: string): Buffer };
  publicUrl(): string;
  readonly nowMs: () => number;
}

const DAY_MS = 86_400_000;
const RECORDING_LINK_MS = 10 * 60_000;
const SHOWN_DIGITS = 4;

/** Tags and notes of calls, and links by which others see them. */
export function callNoteRoutes({ db, secrets, publicUrl, nowMs }: NoteRoutesDeps): BoundRoute[] {
  const recordingLinks = createRecordingLinks(secrets.sign);

  async function toSharedCall(share: ShareRow, call: CallRow): Promise<SharedCall> {
    const { createdAt, status, phase, endReason, durationSeconds } = toCall(call);
    const items = await readTranscript(db, call.id);
    const claims = {
      callId: call.id,
      accountId: share.account_id,
      mode: share.mode,
      madeBy: share.created_by ?? share.id,
      expiresAtMs: Math.min(nowMs() + RECORDING_LINK_MS, share.expires_at.getTime()),
    };
    const isPlayable = share.has_recording && call.recording?.status === "ready";
    return {
      createdAt,
      status,
      phase,
      endReason,
      durationSeconds,
      phoneNumber: `•••• ${call.phone_number.slice(-SHOWN_DIGITS)}`,
      agentName: await readAgentName(db, call.agent_id),
      transcript: items.flatMap((item) =>
        item.type === "speech"
          ? [{ role: item.role, text: item.revisedText ?? item.heardText, startMs: item.startMs }]
          : [],
      ),
      recordingUrl: isPlayable ? `/api/v1/calls/${call.id}/recording/link?token=${recordingLinks.write(claims)}` : null,
      expiresAt: share.expires_at.toISOString(),
    };
  }

  return [
    handle(routes.getCallNotes, async (request) => {
      const call = await requireCall(db, request, request.params.id);
      return { data: toNotes(await findNotes(db, call.id)) };
    }),

    handle(routes.changeCallNotes, async (request) => {
      const { actor, accountId, mode, body } = request;
      if (!actor) throw new Error("a note is written by someone");
      const row = await inTransaction(db, async (tx) => {
        const call = await requireLockedCall(tx, request, request.params.id);
        if (call.data_erased_at !== null) throw new AppError("invalid_state", "The data of this call was erased.");
        const written = await writeNotes(tx, { id: call.id, accountId }, body, actorId(actor));
        await indexKeywords(tx, { id: call.id, accountId, mode });
        return written;
      });
      return { data: toNotes(row) };
    }),

    handle(routes.createCallShare, async (request) => {
      const { actor, accountId, mode, body } = request;
      if (!actor) throw new Error("a link is made by someone");
      const token = makeToken("lt");
      const row = await inTransaction(db, async (tx) => {
        const call = await requireLockedCall(tx, request, request.params.id);
        if (call.state !== "ended") throw new AppError("invalid_state", "The call has not ended yet.");
        if (call.data_erased_at !== null) throw new AppError("invalid_state", "The data of this call was erased.");
        const share = await insertShare(tx, {
          id: makeId("callShare"),
          call_id: call.id,
          account_id: accountId,
          mode,
          digest: secrets.digest(token),
          has_recording: body.recording,
          created_by: actorId(actor),
          expires_at: new Date(nowMs() + body.days * DAY_MS),
        });
        await auditRequest(tx, request, "call.shared", call.id, { days: body.days, recording: body.recording });
        return share;
      });
      return { data: { ...toShare(row), url: `${publicUrl()}/shared-call?token=${token}` } };
    }),

    handle(routes.listCallShares, async (request) => {
      const call = await requireCall(db, request, request.params.id);
      return { data: (await readShares(db, call.id, new Date(nowMs()))).map(toShare) };
    }),

    handle(routes.deleteCallShare, async (request) => {
      await inTransaction(db, async (tx) => {
        const call = await requireCall(tx, request, request.params.id);
        if (!(await deleteShare(tx, call.id, request.params.shareId))) {
          throw new AppError("not_found", "The call has no such link.");
        }
        await auditRequest(tx, request, "call.share_revoked", call.id);
      });
      return { data: {} };
    }),

    handle(routes.getSharedCall, async ({ query: { token } }) => {
      const share = looksLikeToken("lt", token) ? await findShare(db, secrets.digest(token), new Date(nowMs())) : null;
      const call = share && (await findCall(db, share.account_id, share.mode, share.call_id));
      if (!share || !call || call.data_erased_at !== null) {
        throw new AppError("not_found", "This link is not valid, or no longer valid.");
      }
      return { data: await toSharedCall(share, call) };
    }),
  ];
}

function toNotes(row: NoteRow | null): CallNotes {
  return { tags: [...(row?.tags ?? [])], note: row?.note ?? "", changedAt: row?.changed_at.toISOString() ?? null };
}

function toShare(row: ShareRow): CallShare {
  return {
    id: row.id,
    recording: row.has_recording,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  };
}
