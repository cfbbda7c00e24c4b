import type { SimulatedCalleeStep } from "../../carrier.ts";
import type { CalleeEvent, CalleeMachine, Step } from "./callee-machine.ts";
import { agentSpeaksForMs, followAgent, type Hearing, startHearing } from "./hearing.ts";

/**
 * A callee that follows a script. It is at one step at a time:
 *
 * - entering: the step has just begun, at `sinceMs`.
 * - speaking: its line is being spoken, or its keys pressed. Next: the next step when that is over.
 * - done: the script is over; the callee stays on the line.
 */
export interface PlannedState {
  readonly index: number;
  readonly sinceMs: number;
  readonly isSpeaking: boolean;
  readonly hasSpoken: boolean;
  /** It has waited for its turn, and a line that comes next need not. */
  readonly hasFloor: boolean;
  readonly hearing: Hearing;
}

/** A line waits this long for the agent's turn to begin, and is then spoken anyway. */
export const TURN_WAIT_MS = 8_000;
/** An agent that does not stop is talked over. */
export const TURN_MAX_MS = 20_000;
/** An explicit wait for the turn allows for an agent that is late or talks long. */
export const PATIENT_WAIT_MS = 30_000;
const PATIENT_MAX_MS = 60_000;

export function planned(script: readonly SimulatedCalleeStep[]): CalleeMachine<PlannedState> {
  function advance(state: PlannedState, atMs: number, hasFloor = false): Step<PlannedState> {
    return enter({ ...state, index: state.index + 1, sinceMs: atMs, isSpeaking: false, hasFloor }, atMs);
  }

  /** Steps without a wait are taken immediately, so that times in a script add up exactly. */
  function enter(state: PlannedState, atMs: number): Step<PlannedState> {
    const step = script[state.index];
    if (step === undefined || state.isSpeaking) return [state, []];
    if ("hangUp" in step) return [{ ...state, index: script.length }, [{ type: "hang_up" }]];
    if ("waitMs" in step) return atMs - state.sinceMs < step.waitMs ? [state, []] : advance(state, atMs);
    if ("waitForTurn" in step) {
      if (!hasAgentHadTurn(state, atMs, PATIENT_WAIT_MS, PATIENT_MAX_MS)) return [state, []];
      return advance({ ...state, hearing: { ...state.hearing, hasHadTurn: false } }, atMs, true);
    }
    if ("press" in step) return [{ ...state, isSpeaking: true }, [{ type: "press", keys: step.press }]];
    const isTurn =
      "interruptAfterMs" in step
        ? state.hearing.agentSinceMs !== null && agentSpeaksForMs(state.hearing, atMs) >= step.interruptAfterMs
        : isOurTurn(state, atMs);
    if (!isTurn) return [state, []];
    const hearing = { ...state.hearing, hasHadTurn: false };
    return [{ ...state, isSpeaking: true, hasSpoken: true, hearing }, [{ type: "say", text: step.say }]];
  }

  return {
    lines: script.flatMap((step) => ("say" in step ? [{ text: step.say }] : [])),
    begin: (atMs) => ({
      index: 0,
      sinceMs: atMs,
      isSpeaking: false,
      hasSpoken: false,
      hasFloor: false,
      hearing: startHearing(atMs),
    }),
    step(before, event: CalleeEvent) {
      const state = { ...before, hearing: followAgent(before.hearing, event) };
      if (event.type === "line.finished" && state.isSpeaking) return advance(state, event.atMs);
      return event.type === "tick" ? enter(state, event.atMs) : [state, []];
    },
  };
}

/** The first line is spoken immediately; later ones when the agent has had its turn and fallen silent. */
function isOurTurn(state: PlannedState, atMs: number): boolean {
  return !state.hasSpoken || state.hasFloor || hasAgentHadTurn(state, atMs, TURN_WAIT_MS, TURN_MAX_MS);
}

function hasAgentHadTurn({ hearing, sinceMs }: PlannedState, atMs: number, waitMs: number, maxMs: number): boolean {
  if (hearing.agentSinceMs !== null) return atMs - sinceMs >= maxMs;
  return hearing.hasHadTurn || atMs - Math.max(sinceMs, hearing.quietSinceMs) >= waitMs;
}
