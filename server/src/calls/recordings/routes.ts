import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { AppError } from "@parley/contract/errors";
import type { RecordingPeaks } from "@parley/contract/recordings";
import * as routes from "@parley/contract/routes/calls";
import { auditRequest, recordAudit } from "../../accounts/audit/record-audit.ts";
import { type Database, inTransaction } from "../../platform/database/database.ts";
import { actorId } from "../../platform/http/authenticate.ts";
import { type BoundRoute, handle } from "../../platform/http/handler.ts";
import type { CallRow } from "../call-record.ts";
import { requireCall } from "../call-store.ts";
import { playRecording, refuseUnfinished } from "./play-recording.ts";
import { createRecordingLinks } from "./recording-links.ts";
import { findPeaks } from "./recording-state-store.ts";
import type { RecordingStore } from "./recording-storage.ts";

interface RecordingRoutesDeps {
  readonly db: Database;
  /** Where recordings may be, in the order in which they are tried. */
  readonly stores: readonly RecordingStore[];
  sign(text: string): Buffer;
  publicUrl(): string;
  readonly nowMs: () => number;
}

const LINK_LASTS_MS = 10 * 60_000;

/**
 * The link itself is the permission and the request carries no relevant cookie, so any site may play it. A browser that
 * opens it directly wraps it in its own page, whose player loads this same URL and is styled inline.
 */
const PLAYABLE_ANYWHERE = {
  "content-security-policy":
    "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  "cross-origin-resource-policy": "cross-origin",
};

export function recordingRoutes({ db, stores, sign, publicUrl, nowMs }: RecordingRoutesDeps): BoundRoute[] {
  const links = createRecordingLinks(sign);
  return [
    handle(routes.getRecording, async (request) => {
      const call = await requireCall(db, request, request.params.id);
      refuseUnfinished(call);
      return playRecording(stores, call, request, {
        onBegin: () => inTransaction(db, (tx) => auditRequest(tx, request, "recording.downloaded", call.id)),
      });
    }),

    handle(routes.getRecordingPeaks, async (request) => {
      const call = await requireCall(db, request, request.params.id);
      refuseUnfinished(call);
      return { data: await readPeaks(db, call) };
    }),

    handle(routes.createRecordingLink, async (request) => {
      const { accountId, mode, actor } = request;
      if (!actor) throw new Error("a link is made by someone");
      const call = await requireCall(db, request, request.params.id);
      refuseUnfinished(call);
      const expiresAtMs = nowMs() + LINK_LASTS_MS;
      const token = links.write({ callId: call.id, accountId, mode, madeBy: actorId(actor), expiresAtMs });
      await inTransaction(db, (tx) => auditRequest(tx, request, "recording.link_created", call.id));
      const url = `${publicUrl()}/api/v1/calls/${call.id}/recording/link?token=${token}`;
      return { data: { url, expiresAt: new Date(expiresAtMs).toISOString() } };
    }),

    handle(routes.followRecordingLink, async (request) => {
      const claims = links.read(request.query.token, request.params.id, nowMs());
      if (!claims) throw deadLink();
      const { accountId, madeBy } = claims;
      try {
        const call = await requireCall(db, claims, claims.callId);
        refuseUnfinished(call);
        return await playRecording(stores, call, request, {
          headers: PLAYABLE_ANYWHERE,
          onBegin: () =>
            recordAudit(db, {
              accountId,
              actor: madeBy,
              action: "recording.downloaded",
              target: call.id,
              ip: request.ip,
              client: request.client,
              data: { by: "link" },
            }),
        });
      } catch (error) {
        // The holder of a link learns nothing about the call except that the link does not open.
        if (error instanceof AppError && ["call_not_found", "not_found", "invalid_state"].includes(error.code))
          throw deadLink();
        throw error;
      }
    }),
  ];
}

function deadLink(): AppError {
  return new AppError("not_found", "This link is not valid, or no longer valid.");
}

/** The waveform of a finished recording. */
async function readPeaks(db: Database, call: CallRow): Promise<RecordingPeaks> {
  const peaks = await findPeaks(db, call.id);
  if (!peaks) throw new AppError("not_found", "This recording has no waveform, but it can be played.");
  return {
    callId: call.id,
    durationSeconds: (call.recording?.durationMs ?? 0) / 1000,
    secondsPerPeak: peaks.samplesPerPeak / TELEPHONE_RATE_HZ,
    callee: [...peaks.callee],
    agent: [...peaks.agent],
  };
}
