import { readFileSync } from "node:fs";
import { readWav } from "@parley/audio/wav-reader";
import type { ActNote } from "../turns/callee-script.ts";
import { measureCall } from "../turns/turn-figures.ts";
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
  readonly stages: TurnStages;
}

/** What is not the vendors' part of a turn, in order. Together they are the overhead on the wire. */
export interface TurnStages {
  /** From the callee's last packet to the end of the turn at recognition, without the silence that recognition waits for. */
  readonly hearingMs: number;
  /** From the end of the turn to the request to the model. */
  readonly askingMs: number;
  /** From the last word of the first clause to the request to the voice. */
  readonly wordingMs: number;
  /** From the first audio to its packet at the callee. */
  readonly playingMs: number;
}

/** Further apart than this, they are not about the same turn. */
const APART_MAX_MS = 600;

/** Callees and vendors do not know of each other: the connection whose turns ended when the callee did is the callee's. */
export function findTurns(calls: readonly CallNotes[], vendorTurns: readonly VendorTurn[]): EngineTurn[] {
  const streams = Map.groupBy(vendorTurns, ({ stream }) => stream);
  return calls.flatMap(({ notes, originMs, wavPath }) => {
    const endsMs = notes.map(({ endMs }) => originMs + endMs);
    const distances = [...streams].map(([stream, turns]) => ({ stream, apartMs: distanceOf(endsMs, turns) }));
    const nearest = distances.toSorted((one, other) => one.apartMs - other.apartMs)[0];
    if (nearest === undefined) return [];
    const turns = streams.get(nearest.stream) ?? [];
    streams.delete(nearest.stream);
    const recordedMs = wavPath === undefined ? null : readResponses(wavPath, notes);
    return notes.flatMap(({ endMs, agentVoiceMs }, index) => {
      const vendor = turns.find(({ speechEndedMs }) => Math.abs(speechEndedMs - originMs - endMs) < APART_MAX_MS);
      if (vendor === undefined || agentVoiceMs === null) return [];
      const wireMs = agentVoiceMs - endMs;
      const responseMs = recordedMs === null ? wireMs : recordedMs[index];
      if (responseMs === null || responseMs === undefined) return [];
      const overheadMs = responseMs - vendor.recognitionMs - vendor.modelMs - vendor.synthesisMs;
      const stages = stagesOf(vendor, originMs + endMs, originMs + agentVoiceMs);
      return [{ responseMs, wireMs, vendor, overheadMs, stages }];
    });
  });
}

function stagesOf(vendor: VendorTurn, calleeEndedMs: number, agentHeardMs: number): TurnStages {
  return {
    hearingMs: vendor.turnEndSentMs - vendor.recognitionMs - calleeEndedMs,
    askingMs: vendor.modelAskedMs - vendor.turnEndSentMs,
    wordingMs: vendor.synthesisAskedMs - vendor.clauseSentMs,
    playingMs: agentHeardMs - vendor.audioSentMs,
  };
}

function distanceOf(endsMs: readonly number[], turns: readonly VendorTurn[]): number {
  return endsMs.reduce((sum, endMs) => {
    const apart = turns.map(({ speechEndedMs }) => Math.abs(speechEndedMs - endMs));
    return sum + Math.min(APART_MAX_MS, ...apart);
  }, 0);
}

/** How long the agent took to answer each act, by the recording. Null where it does not show. */
function readResponses(wavPath: string, notes: readonly ActNote[]): (number | null)[] {
  const [callee, agent] = readWav(readFileSync(wavPath)).channels;
  if (callee === undefined || agent === undefined) throw new Error(`${wavPath} is not stereo`);
  const figures = measureCall({ callee, agent }, notes);
  return notes.map(({ clipName }) => {
    const [figure] = figures;
    // An act that is not on the recording has no figure.
    if (figure?.clipName !== clipName) return null;
    figures.shift();
    return figure.outcome === "answered" ? figure.responseMs : null;
  });
}
