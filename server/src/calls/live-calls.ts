import { LIVE_CALLS_MAX, type LiveCall, type LiveCalls } from "@parley/contract/calls";
import type { Mode } from "@parley/contract/shared-fields";
import type { Database } from "../platform/database/database.ts";
import { countLiveCalls, type LatestItems, readLatestItems, readLiveCalls } from "./live/live-call-store.ts";
import { toCallsWithWaiting } from "./waiting.ts";

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
