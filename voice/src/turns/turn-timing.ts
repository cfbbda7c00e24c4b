import type { Step } from "./step.ts";
import { stay } from "./step.ts";
import type { Reply, TurnState } from "./turn-state.ts";

/** Where the time went between the callee's last sound and our first. Only for turns that the callee took. */
export function noteTiming(state: TurnState, reply: Reply, startMs: number): Step {
  const answered = reply.answers;
  const type = answered?.turn.type;
  if (answered === null || (type !== "said" && type !== "unclear" && type !== "pressed")) return stay(state);
  const firstClauseMs = reply.firstClauseMs ?? startMs;
  const timing = {
    turnId: reply.turnId,
    holdMs: answered.holdMs,
    recognitionMs: answered.recognitionMs,
    decisionMs: Math.max(0, firstClauseMs - answered.takenMs),
    firstAudioMs: Math.max(0, startMs - firstClauseMs),
    totalMs: Math.max(0, startMs - answered.lastSpeechMs),
    ...state.counts,
  };
  return [
    { ...state, counts: { ducks: 0, interruptions: 0, undos: 0 } },
    [{ type: "journal.note", entry: { type: "turn_timing", timing } }],
  ];
}
