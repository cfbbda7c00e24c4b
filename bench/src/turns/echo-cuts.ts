import { FRAME_MS } from "@parley/audio/frame";
import type { ActNote } from "./callee-script.ts";
import type { HostedCall } from "./process-messages.ts";

export interface EchoCut {
  readonly text: string;
  /** On the recording. */
  readonly atMs: number;
}

/** The callee's speech is received this much later. */
const WAY_MS = 150;
/** Words are waited for this long after the last of them. */
const LATEST_MS = 3_000;
const SAME_MOMENT_MS = 200;

/**
 * Replies that were cut off without the callee as the cause: the callee neither spoke during the reply, nor caused the
 * cut by earlier speech, nor hung up.
 */
export function findEchoCuts({ entries, recordedFromMs }: HostedCall, notes: readonly ActNote[]): EchoCut[] {
  const acts = notes.map(({ startFrame, frames }) => ({
    startMs: startFrame * FRAME_MS,
    endMs: (startFrame + frames) * FRAME_MS + WAY_MS,
  }));
  return entries.flatMap(({ entry, notedMs }, index): EchoCut[] => {
    if (entry.type !== "agent_said" || !entry.wasInterrupted) return [];
    const beganMs = entry.startMs - recordedFromMs;
    const atMs = notedMs - recordedFromMs;
    const later = entries.slice(index + 1);
    const isOver = later.some((next) => next.entry.type === "over" && next.notedMs - notedMs < SAME_MOMENT_MS);
    const saidMs = later.flatMap((next) => (next.entry.type === "callee_said" ? next.entry.startMs : []))[0];
    const isCallees = acts.some(({ startMs, endMs }) => {
      const wasUnderWay = endMs > beganMs && atMs > startMs && atMs <= endMs + LATEST_MS;
      const wasSaid =
        saidMs !== undefined && saidMs <= notedMs && isWithin(saidMs - recordedFromMs, startMs, endMs + WAY_MS);
      return wasUnderWay || wasSaid;
    });
    return isCallees || isOver ? [] : [{ text: entry.heardText, atMs }];
  });
}

function isWithin(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}
