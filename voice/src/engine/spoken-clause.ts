import { durationMsOf } from "@parley/audio/frame";
import type { PlayedClause } from "../turns/heard-text.ts";
import type { SpokenPiece } from "./mouth.ts";

/** A clause of a reply and its sound, as far as it was made. */
export interface SpokenClause {
  readonly text: string;
  readonly mayBeInterrupted: boolean;
  /** What was given to the line. */
  readonly pieces: SpokenPiece[];
  madeSamples: number;
  /** All of its sound was made and given to the line. */
  isComplete: boolean;
  hasStarted: boolean;
}

export function newClause(text: string, mayBeInterrupted: boolean): SpokenClause {
  return { text, mayBeInterrupted, pieces: [], madeSamples: 0, isComplete: false, hasStarted: false };
}

export function isClauseOver({ isComplete, pieces }: SpokenClause): boolean {
  return isComplete && pieces.every(({ isOver }) => isOver);
}

/** What went out of it by now. */
export function playedClauseOf({ text, isComplete, madeSamples, pieces }: SpokenClause): PlayedClause {
  const stretches = pieces.flatMap(({ startMs, playedSamples }) =>
    startMs === null ? [] : [{ startMs, durationMs: durationMsOf(playedSamples) }],
  );
  return { text, stretches, durationMs: isComplete ? durationMsOf(madeSamples) : null, wordTimes: null };
}
