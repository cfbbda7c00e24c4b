import type { IncidentKind } from "@parley/contract/incidents";
import type { TurnEffect } from "./turn-effects.ts";
import type { TimerName } from "./turn-events.ts";
import type { TurnState } from "./turn-state.ts";

/** What follows from an event: the state afterwards, and what is to be done, in this order. */
export type Step = readonly [TurnState, readonly TurnEffect[]];

const NOTHING: readonly TurnEffect[] = [];

export function stay(state: TurnState): Step {
  return [state, NOTHING];
}

/** One decision after the other; the second sees the state that the first one left. */
export function andThen([state, effects]: Step, next: (state: TurnState) => Step): Step {
  const [after, more] = next(state);
  return [after, effects.length === 0 ? more : [...effects, ...more]];
}

export function chain(state: TurnState, ...decisions: readonly ((state: TurnState) => Step)[]): Step {
  return decisions.reduce<Step>((step, decide) => andThen(step, decide), stay(state));
}

export function setTimer(state: TurnState, timer: TimerName, dueMs: number): Step {
  return [{ ...state, timers: { ...state.timers, [timer]: dueMs } }, [{ type: "timer.set", timer, dueMs }]];
}

/** Those that are set. */
export function cancelTimers(state: TurnState, ...names: readonly TimerName[]): Step {
  const set = names.filter((timer) => state.timers[timer] !== undefined);
  if (set.length === 0) return stay(state);
  const timers = { ...state.timers };
  for (const timer of set) delete timers[timer];
  return [{ ...state, timers }, set.map((timer) => ({ type: "timer.cancel", timer }))];
}

export function incident(
  what: IncidentKind,
  reason: string,
  atMs: number,
  more: Partial<Pick<Extract<TurnEffect, { type: "incident" }>, "turnId" | "totalMs" | "isUpdate">> = {},
): TurnEffect {
  return { type: "incident", what, reason, atMs, ...more };
}
