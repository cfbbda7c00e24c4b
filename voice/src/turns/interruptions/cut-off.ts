import { learnPause } from "../hearing/callee-pace.ts";
import { cancelTimers, chain, type Step, stay } from "../step.ts";
import type { TurnEffect } from "../turn-effects.ts";
import { type Reply, replyOf, type TurnState } from "../turn-state.ts";

/** The voice is back at full level before the next reply starts, inaudibly. */
const RESTORE_RAMP_MS = 20;

/** Silence first, then stop spending, then record what was heard. The order is the contract. */
function cutOffEffects({ turnId }: Reply): readonly TurnEffect[] {
  return [
    { type: "playout.clear", turnId },
    { type: "reply.abort", turnId },
    { type: "transcript.commit_heard", turnId, wasCut: true },
  ];
}

/** Ends the reply in progress, if there is one, at any stage, and gives the callee the floor. */
export function cutOff(state: TurnState): Step {
  const reply = replyOf(state);
  if (reply === null) return [{ ...state, at: { phase: "listening" } }, []];
  const isDucked = state.at.phase === "speaking" && state.at.isDucked;
  return chain(
    state,
    (now) => [{ ...now, at: { phase: "listening" } }, [...cutOffEffects(reply), ...(isDucked ? [restoreVoice()] : [])]],
    (now) => cancelTimers(now, "watchdog", "hello", "identify", "greeting"),
  );
}

export function restoreVoice(): TurnEffect {
  return { type: "playout.restore", rampMs: RESTORE_RAMP_MS };
}

/** The callee takes the floor while we are heard, or just before. */
export function interruptReply(state: TurnState): Step {
  const wasHeard = state.at.phase === "speaking";
  return chain(state, cutOff, (now) => {
    const interruptions = now.counts.interruptions + (wasHeard ? 1 : 0);
    return stay({ ...now, cut: "interrupted", counts: { ...now.counts, interruptions } });
  });
}

/** Whether words may stop the current reply now. */
export function canBeInterrupted({ at }: TurnState): boolean {
  if (at.phase !== "thinking" && at.phase !== "speaking") return false;
  const isOpenToWords = at.reply.mayBeInterrupted && at.reply.closes === null;
  return isOpenToWords && (at.phase === "thinking" || at.clauseMayBeInterrupted);
}

/** Whether the reply in progress can be undone completely: it answers what was said, and has only spoken so far. */
export function canBeUndone(reply: Reply): boolean {
  const type = reply.answers?.turn.type;
  const answersSpeech = type === "said" || type === "unclear" || type === "silent";
  return reply.source === "answer" && reply.mayBeInterrupted && answersSpeech && !reply.hasActed;
}

/**
 * The callee continues: our reply is taken back, and what was said before belongs to the turn that continues now. The
 * caller opens its utterance.
 */
export function takeBackTurn(state: TurnState, reply: Reply, goesOnMs: number): Step {
  const answered = reply.answers;
  const wasSaid = answered?.turn.type === "said";
  return chain(state, cutOff, (now) => [
    {
      ...now,
      cut: "taken_back",
      pace:
        answered !== null && wasSaid
          ? learnPause(now.pace, goesOnMs - answered.lastSpeechMs, answered.wasComplete, now.settings)
          : now.pace,
      counts: { ...now.counts, undos: now.counts.undos + 1 },
    },
    [
      { type: "reply.undo", turnId: reply.turnId },
      ...(wasSaid ? [{ type: "journal.note", entry: { type: "turn_undone", turnId: reply.turnId } } as const] : []),
    ],
  ]);
}
