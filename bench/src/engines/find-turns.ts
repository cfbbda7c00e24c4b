import type { CallNotes } from "./engine-programs.ts";
import type { VendorTurn } from "./vendor-messages.ts";

/** A turn as its callee heard it, with what its vendors took. */
export interface EngineTurn {
  /** From the end of the callee's speech to the agent's voice, as packets at the callee's end. */
  readonly wireMs: number;
  /** The same on the recording, without the buffers of the network. */
  readonly responseMs: number;
  readonly vendor: VendorTurn;
  readonly overheadMs: number;
}

/** Further apart than this, they are not about the same turn. */
const APART_MAX_MS = 600;

/** Callees and vendors do not know of each other: the connection whose turns ended when the callee did is the callee's. */
export function findTurns(calls: readonly CallNotes[], vendorTurns: readonly VendorTurn[]): EngineTurn[] {
  const streams = Map.groupBy(vendorTurns, ({ stream }) => stream);
  return calls.flatMap(({ notes, originMs, recordedMs }) => {
    const endsMs = notes.map(({ endMs }) => originMs + endMs);
    const distances = [...streams].map(([stream, turns]) => ({ stream, apartMs: distanceOf(endsMs, turns) }));
    const nearest = distances.toSorted((one, other) => one.apartMs - other.apartMs)[0];
    if (nearest === undefined) return [];
    const turns = streams.get(nearest.stream) ?? [];
    streams.delete(nearest.stream);
    return notes.flatMap(({ endMs, agentVoiceMs }, index) => {
      const vendor = turns.find(({ speechEndedMs }) => Math.abs(speechEndedMs - originMs - endMs) < APART_MAX_MS);
      if (vendor === undefined || agentVoiceMs === null) return [];
      const wireMs = agentVoiceMs - endMs;
      const responseMs = recordedMs === undefined ? wireMs : recordedMs[index];
      if (responseMs === null || responseMs === undefined) return [];
      const vendorsMs = vendor.recognitionMs + vendor.modelMs + vendor.synthesisMs;
      return [{ responseMs, wireMs, vendor, overheadMs: responseMs - vendorsMs }];
    });
  });
}

function distanceOf(endsMs: readonly number[], turns: readonly VendorTurn[]): number {
  return endsMs.reduce((sum, endMs) => {
    const apart = turns.map(({ speechEndedMs }) => Math.abs(speechEndedMs - endMs));
    return sum + Math.min(APART_MAX_MS, ...apart);
  }, 0);
}
