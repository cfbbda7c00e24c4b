import { type Call, type CallExportQuery, LIVE_CALLS_MAX, type LiveCall, type LiveCalls } from "@parley/contract/calls";
import { AppError, invalidField } from "@parley/contract/errors";
import * as routes from "@parley/contract/routes/calls";
import type { Mode } from "@parley/contract/shared-fields";
import type { z } from "zod";
import type { Database, Tx } from "../platform/database/database.ts";
import { authorize, isAllowed } from "../platform/http/authenticate.ts";
import type { Cursors } from "../platform/http/cursor.ts";
import { type Answer, type ApiRequest, type BoundRoute, handle } from "../platform/http/handler.ts";
import type { Tracing } from "../platform/telemetry/tracing.ts";
import { type CallRow, toCall } from "./call-record.ts";
import { requestHangup, requireCall, requireLockedCall, storeTraceContext } from "./call-store.ts";
import { checkCall } from "./check-call.ts";
import { type CreateCallDeps, createCall } from "./create-call.ts";
import { sendCsv } from "./csv-export.ts";
import { readCallEvents, recordCallEvent } from "./event-store.ts";
import { followCall, toCallEvent } from "./follow-call.ts";
import { allCalls, countCalls, listCalls } from "./list-calls.ts";
import type { CallChanges } from "./live/call-changes.ts";
import { openEventStream } from "./live/event-stream.ts";
import { countLiveCalls, type LatestItems, readLatestItems, readLiveCalls } from "./live/live-call-store.ts";
import type { StreamSlots } from "./live/stream-slots.ts";
import { findMatches } from "./search/find-matches.ts";
import { readSearch } from "./transcripts/search/search-text.ts";
import { toCallsWithWaiting } from "./waiting.ts";

interface CallRoutesDeps extends CreateCallDeps, HangupCallDeps {
  readonly db: Database;
  /** Where exports and the later pages of lists are read, which may be some seconds old. */
  reading(): Database;
  readonly tracing: Tracing;
  readonly cursors: Cursors;
  readonly changes: CallChanges;
  readonly streamSlots: StreamSlots;
  onStreamError(error: unknown): void;
}

const wants = (request: ApiRequest, type: string) =>
  request.accept.split(",").some((part) => part.trim().split(";")[0] === type);

export function callRoutes(deps: CallRoutesDeps): BoundRoute[] {
  const { db, cursors } = deps;

  return [
    handle(routes.createCall, async (request) => {
      const span = deps.tracing.start("POST /api/v1/calls", {
        parent: request.header("traceparent") ?? null,
        kind: "server",
        attributes: {
          "http.request.method": "POST",
          "http.route": "/api/v1/calls",
          "parley.account.id": request.accountId,
        },
      });
      try {
        const answer = await request.once(async (tx) => {
          if (!request.actor) throw new Error("a call is placed by someone");
          const accepted = await createCall(deps, tx, request.actor, request.mode, request.body);
          if (span.traceparent !== null) await storeTraceContext(tx, accepted.call.id, span.traceparent);
          return { data: accepted.call, beforeCommit: accepted.admit };
        });
        span.end();
        return answer;
      } catch (error) {
        span.end({ failure: error instanceof AppError ? error.code : "internal" });
        throw error;
      }
    }),

    handle(routes.checkCall, async ({ accountId, mode, body }) => ({
      data: await checkCall(deps, db, accountId, mode, body),
    })),

    handle(routes.listCalls, async (request) => {
      const { accountId, mode, query, actor } = request;
      if (searchesTranscripts(query)) authorize(routes.getTranscript.access, actor);
      if (!wants(request as unknown as ApiRequest, "text/csv")) {
        // The first page shows what was just created; later ones are older anyway.
        return listCalls(query.cursor === undefined ? db : deps.reading(), cursors, accountId, mode, query);
      }
      const { limit: _limit, sort: _sort, cursor, ...filter } = query;
      if (cursor !== undefined) throw invalidField("cursor", "not_supported", "an export accepts filters only.");
      return exportCalls(deps, request, filter);
    }),

    handle(routes.exportCalls, async (request) => {
      const { query, actor } = request;
      if (searchesTranscripts(query)) authorize(routes.getTranscript.access, actor);
      return exportCalls(deps, request, query);
    }),

    handle(routes.countCalls, async ({ accountId, mode, query, actor }) => {
      if (searchesTranscripts(query)) authorize(routes.getTranscript.access, actor);
      return { data: await countCalls(db, accountId, mode, query) };
    }),

    handle(routes.findCallMatches, async ({ accountId, mode, query }) => ({
      data: await findMatches(db, accountId, mode, query.text, query.callIds),
    })),

    handle(routes.listLiveCalls, async ({ accountId, mode, actor }) => ({
      data: await listLiveCalls(db, accountId, mode, isAllowed(routes.getTranscript.access, actor)),
    })),

    handle(routes.getCall, async (request) => {
      const row = await requireCall(db, request, request.params.id);
      const [call = toCall(row)] = await toCallsWithWaiting(db, [row]);
      return { data: call };
    }),

    handle(routes.hangupCall, (request) =>
      request.once(async (tx) => ({
        data: await hangupCall(deps, tx, request.accountId, request.mode, request.params.id),
      })),
    ),

    handle(routes.listCallEvents, async (request) => {
      const call = await requireCall(db, request, request.params.id);
      if (wants(request as unknown as ApiRequest, "text/event-stream")) {
        const after = readLastEventId(request.header("last-event-id"));
        return {
          stream: async (reply) => {
            reply.raw.once("close", deps.streamSlots.take(request.accountId));
            let stop: () => void = () => undefined;
            const stream = openEventStream(reply, {
              stillAllowed: () => request.stillAllowed(),
              closing: request.closing,
              onClose: () => stop(),
            });
            stop = followCall(db, deps.changes, call.id, after, stream);
          },
        };
      }
      const { limit, cursor } = request.query;
      const tie = ["events", request.accountId, request.mode, call.id];
      const after = cursor ? Number(cursors.read(cursor, tie)[0]) : 0;
      const rows = await readCallEvents(db, call.id, after, limit + 1);
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        data: page.map(toCallEvent),
        nextCursor: rows.length > limit && last ? cursors.write([String(last.sequence)], tie) : null,
      };
    }),

    handle(routes.followCalls, async (request) => {
      if (!wants(request as unknown as ApiRequest, "text/event-stream")) {
        throw new AppError("bad_request", "This endpoint is a stream: request it with `Accept: text/event-stream`.");
      }
      const { accountId, mode } = request;
      return {
        stream: async (reply) => {
          reply.raw.once("close", deps.streamSlots.take(accountId));
          let stop: () => void = () => undefined;
          const stream = openEventStream(reply, {
            stillAllowed: () => request.stillAllowed(),
            closing: request.closing,
            onClose: () => stop(),
          });
          stop = deps.changes.follow((change) => {
            if (change === null) stream.send({ event: "refetch", data: {} });
            else if (change.accountId === accountId && change.mode === mode) {
              stream.send({ event: "call", data: { callId: change.callId, version: change.version } });
            }
          });
        },
      };
    }),
  ];
}

/** Search can reveal a transcript word by word, so it needs the same permission. */
const searchesTranscripts = ({
  q,
  search,
}: {
  readonly q?: string | undefined;
  readonly search?: string | undefined;
}) => q !== undefined || search !== undefined;

function exportCalls(
  { reading, streamSlots, onStreamError }: CallRoutesDeps,
  { accountId, mode, closing, stillAllowed }: Pick<ApiRequest, "accountId" | "mode" | "closing" | "stillAllowed">,
  filter: z.output<typeof CallExportQuery>,
): Answer<never> {
  for (const text of [filter.q, filter.search]) if (text !== undefined && !text.startsWith("call_")) readSearch(text);
  return {
    stream: (reply) => {
      reply.raw.once("close", streamSlots.take(accountId));
      return sendCsv(reply, allCalls(reading(), accountId, mode, filter), {
        closing,
        stillAllowed,
        onError: onStreamError,
      });
    },
  };
}

function readLastEventId(header: string | undefined): number {
  if (header === undefined) return 0;
  if (!/^\d{1,9}$/.test(header))
    throw invalidField("Last-Event-ID", "wrong_format", "Last-Event-ID must be the id of an event of this call.");
  return Number(header);
}

interface HangupCallDeps {
  /** Ends a call that no worker has claimed. */
  endUnclaimed(tx: Tx, call: CallRow): Promise<CallRow>;
}

/**
 * Hangs up: a waiting call is canceled immediately, a live one is ended by its worker, an ended one is unchanged. The
 * row is locked, so a worker that claims it at the same moment either comes first or finds it ended.
 */
async function hangupCall(deps: HangupCallDeps, tx: Tx, accountId: string, mode: Mode, id: string): Promise<Call> {
  const call = await requireLockedCall(tx, { accountId, mode }, id);
  if (call.state === "queued") return toCall(await deps.endUnclaimed(tx, call));
  const asked = await requestHangup(tx, id);
  if (!asked) return toCall(call);
  await recordCallEvent(tx, asked, "call.hangup_requested");
  return toCall(asked);
}

/** The calls that have not ended, those that are furthest along first, and what each of them waits for. */
export async function listLiveCalls(
  db: Database,
  accountId: string,
  mode: Mode,
  mayReadTranscripts: boolean,
): Promise<LiveCalls> {
  const rows = await readLiveCalls(db, accountId, mode, LIVE_CALLS_MAX);
  const calls = await toCallsWithWaiting(db, rows);
  const talking = calls.filter(({ phase }) => phase === "talking").map(({ id }) => id);
  const latest = new Map((await readLatestItems(db, talking)).map((items) => [items.call_id, items]));
  const live = calls.map((call): LiveCall => {
    const items = latest.get(call.id) ?? null;
    return {
      call,
      waitsFor: waitsFor(call.phase, items),
      nodeId: items?.node_id ?? null,
      request: items?.open_tool ?? null,
      lastSpeech: mayReadTranscripts && items?.role ? { role: items.role, text: items.text ?? "" } : null,
    };
  });
  const total = rows.length < LIVE_CALLS_MAX ? rows.length : await countLiveCalls(db, accountId, mode);
  return { calls: live, total };
}

function waitsFor(phase: LiveCall["call"]["phase"], items: LatestItems | null): LiveCall["waitsFor"] {
  if (phase === "scheduled") return "scheduled_time";
  if (phase === "queued") return "dialing";
  if (phase === "dialing" || phase === "ringing") return "answer";
  if (items?.is_transferred) return "transfer";
  if (items?.open_tool) return "request";
  return items?.role === "agent" ? "callee" : "agent";
}
