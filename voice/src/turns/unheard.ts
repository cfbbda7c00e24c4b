import { incident, type Step, stay } from "./step.ts";
import type { TurnEvent } from "./turn-events.ts";
import type { TurnState, Unheard, UnheardSpell } from "./turn-state.ts";

export const NEVER_UNHEARD: Unheard = { now: null, beforeMs: 0 };

/** A callee who hears nothing says hello once or twice and hangs up. A callee who says more is in a conversation. */
const PLAIN_TURNS_MIN = 3;

/** The same words each time, so that repeats are counted together. */
const STOPPED = "the far end reports that our audio stopped arriving";
const NEVER = "the far end reports that none of our audio arrives";

/**
 * A far end that reported our audio before is believed immediately. One that never did may just not report properly:
 * that is recorded when the callee is silent, or when the call ends without a plain answer.
 */
export function loseAudience(
  state: TurnState,
  { wasHeard, forMs }: Extract<TurnEvent, { type: "line.not_heard" }>,
  atMs: number,
): Step {
  if (state.unheard.now !== null) return stay(state);
  const spell: UnheardSpell = {
    sinceMs: Math.max(state.answeredMs, atMs - forMs),
    wasHeard,
    isNoted: false,
    answered: wasHeard ? state.ours : { understoodTurns: 0, fittingTurns: 0 },
  };
  const unheard = withSpell(state, spell);
  return wasHeard || state.silence.prompts > 0 ? suspectUnheard(unheard) : stay(unheard);
}

/** Something happened that could be explained by a callee who does not hear us. */
export function suspectUnheard(state: TurnState): Step {
  const spell = state.unheard.now;
  if (spell === null || spell.isNoted || (!spell.wasHeard && !isUnheard(state))) return stay(state);
  return [
    withSpell(state, { ...spell, isNoted: true }),
    [incident("not_heard", spell.wasHeard ? STOPPED : NEVER, spell.sinceMs)],
  ];
}

export function regainAudience(state: TurnState, atMs: number): Step {
  const spell = state.unheard.now;
  if (spell === null) return stay(state);
  const totalMs = state.unheard.beforeMs + (atMs - spell.sinceMs);
  const heard: TurnState = { ...state, unheard: { now: null, beforeMs: totalMs } };
  if (!spell.isNoted) return stay(heard);
  const reason = spell.wasHeard ? STOPPED : NEVER;
  return [heard, [incident("not_heard", reason, spell.sinceMs, { totalMs, isUpdate: true })]];
}

/** Whether the callee seems not to hear us: the reports say so, and nothing that was said since contradicts them. */
export function isUnheard({ unheard: { now }, ours }: TurnState): boolean {
  if (now === null) return false;
  const { understoodTurns, fittingTurns } = now.answered;
  return ours.fittingTurns === fittingTurns && ours.understoodTurns - understoodTurns < PLAIN_TURNS_MIN;
}

function withSpell(state: TurnState, now: UnheardSpell): TurnState {
  return { ...state, unheard: { ...state.unheard, now } };
}
