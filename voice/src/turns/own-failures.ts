import type { CalleeTurn } from "../ports/brain.ts";
import type { ConversationEnd } from "../ports/conversation-journal.ts";
import { incident, type Step } from "./step.ts";
import type { OwnFailures, TurnState } from "./turn-state.ts";
import { isUnheard } from "./unheard.ts";

export const NO_FAILURES: OwnFailures = {
  deafSinceMs: null,
  deafMs: 0,
  lastMissMs: null,
  missedTurns: 0,
  understoodTurns: 0,
  fittingTurns: 0,
  hasAnsweredMiss: false,
  hasAnsweredSilence: false,
  hasModelFailed: false,
};

/** Ends that remain valid after failures: another party took over, or no person was there. */
const STANDS: ReadonlySet<ConversationEnd> = new Set([
  "transferred",
  "voicemail_left",
  "voicemail_hangup",
  "fax",
  "unreachable",
  "no_audio",
  "engine_error",
]);

/** Why speech detection is considered lost. The same words each time, so that repeats are counted together. */
const DEAF = "speech detection stopped following the line";

/** Speech detection has reported nothing since then. */
export function loseHearing(state: TurnState, sinceMs: number): Step {
  const ours = { ...state.ours, deafSinceMs: sinceMs, lastMissMs: sinceMs };
  return [{ ...state, ours }, [incident("hearing_failed", DEAF, sinceMs)]];
}

export function regainHearing(state: TurnState, atMs: number): Step {
  const { deafSinceMs } = state.ours;
  if (deafSinceMs === null) return [state, []];
  const deafMs = state.ours.deafMs + (atMs - deafSinceMs);
  const ours = { ...state.ours, deafSinceMs: null, deafMs, lastMissMs: atMs };
  return [{ ...state, ours }, [incident("hearing_failed", DEAF, deafSinceMs, { totalMs: deafMs, isUpdate: true })]];
}

/** The callee said something, and we could not turn it into words. */
export function missSpeech(state: TurnState, isFirstWords: boolean, reason: string, atMs: number): Step {
  const { ours } = state;
  const missedTurns = ours.missedTurns + (isFirstWords ? 0 : 1);
  return [
    { ...state, ours: { ...ours, missedTurns, lastMissMs: atMs } },
    // It belongs to the reply to what was said, which has not started yet.
    [incident("recognition_failed", reason, atMs, isFirstWords ? {} : { turnId: state.turnId + 1 })],
  ];
}

/** The agent answers a turn of the callee. */
export function noteTurnTaken(state: TurnState, turn: CalleeTurn, wasMissed: boolean): TurnState {
  const { ours } = state;
  switch (turn.type) {
    case "said":
    case "pressed":
      return {
        ...state,
        ours: {
          ...ours,
          understoodTurns: ours.understoodTurns + 1,
          fittingTurns: ours.fittingTurns + (turn.type === "pressed" || turn.best !== null ? 1 : 0),
          hasAnsweredMiss: false,
          hasAnsweredSilence: false,
          hasModelFailed: false,
        },
      };
    case "unclear":
      return { ...state, ours: { ...ours, hasAnsweredMiss: wasMissed, hasAnsweredSilence: false } };
    case "silent": {
      const hasAnsweredMiss = ours.hasAnsweredMiss || isSilenceOurs(state);
      return { ...state, ours: { ...ours, hasAnsweredMiss, hasAnsweredSilence: true } };
    }
    default:
      return state;
  }
}

/** Whether the apparent silence may be a callee whom we did not hear. */
function isSilenceOurs({ ours, silence }: TurnState): boolean {
  if (ours.deafSinceMs !== null || ours.hasAnsweredMiss) return true;
  return ours.lastMissMs !== null && silence.sinceMs !== null && ours.lastMissMs >= silence.sinceMs;
}

/** The end reason when the brain has decided to end the call. */
export function endOfDecision(state: TurnState, end: ConversationEnd): ConversationEnd {
  const { ours } = state;
  if (STANDS.has(end)) return end;
  if (ours.hasAnsweredMiss || ours.hasModelFailed) return "engine_error";
  return ours.hasAnsweredSilence && isUnheard(state) ? "no_audio" : end;
}

/** How the conversation really ended, given how it appeared to end. */
export function endInTruth(state: TurnState, end: ConversationEnd): ConversationEnd {
  if (STANDS.has(end) || state.at.phase === "ringing") return end;
  const { ours, at } = state;
  if (ours.missedTurns > 0 && ours.understoodTurns === 0) return "engine_error";
  if (end === "silence" && isSilenceOurs(state)) return "engine_error";
  if (end === "silence" && isUnheard(state)) return "no_audio";
  if (end !== "callee_hangup") return end;
  // A callee who hangs up during our failure does so because of it.
  const isMute = state.failures > 0 || (at.phase === "opening" && at.hasFailed);
  return ours.deafSinceMs !== null || ours.hasModelFailed || isMute ? "engine_error" : end;
}
