import type { ConversationEnd } from "../../ports/conversation-journal.ts";
import type { AnsweredTurn } from "../hearing/utterance.ts";
import { cancelTimers, chain, type Step, setTimer } from "../step.ts";
import type { PreparedReply, Reply, TurnState } from "../turn-state.ts";
import { withdrawPrepared } from "./prepare-reply.ts";

export function newReply(turnId: number, source: Reply["source"]): Reply {
  return {
    turnId,
    source,
    answers: null,
    mayBeInterrupted: true,
    closes: null,
    isTransferring: false,
    transferFailure: null,
    hasActed: false,
    waits: [],
    firstClauseMs: null,
    readyMs: null,
  };
}

/** Asks the brain what follows from the callee's turn. There must be no reply in progress. */
export function startReply(state: TurnState, answers: AnsweredTurn, atMs: number): Step {
  if (state.prepared !== null) return chain(state, withdrawPrepared, (now) => startReply(now, answers, atMs));
  const turnId = state.turnId + 1;
  // What a machine says or plays meanwhile is not an interruption.
  const mayBeInterrupted = answers.turn.type !== "machine";
  const reply: Reply = { ...newReply(turnId, "answer"), answers, mayBeInterrupted };
  return begin(state, reply, atMs + state.settings.replyWatchdogMs, {
    type: "reply.start",
    turnId,
    turn: answers.turn,
  });
}

/** The turn has ended as expected: its reply, which was prepared, is played. */
export function commitPrepared(state: TurnState, { turnId }: PreparedReply, answers: AnsweredTurn, atMs: number): Step {
  const reply: Reply = { ...newReply(turnId, "answer"), answers };
  const watchdogMs = atMs + state.settings.replyWatchdogMs;
  return begin({ ...state, prepared: null }, reply, watchdogMs, { type: "reply.commit", turnId });
}

/** The callee only listened, or it was a noise: the reply that was cut off continues. */
export function continueReply(state: TurnState, text: string, atMs: number): Step {
  const counted = { ...state, continuations: state.continuations + 1 };
  return startReply(counted, turnAt({ type: "listened", text }, atMs), atMs);
}

/** Says something that the brain does not know about, or its farewell if that is null, and ends the call afterwards. */
export function recite(state: TurnState, text: string | null, closes: ConversationEnd, atMs: number): Step {
  if (state.prepared !== null) return chain(state, withdrawPrepared, (now) => recite(now, text, closes, atMs));
  const turnId = state.turnId + 1;
  const reply: Reply = { ...newReply(turnId, "recital"), mayBeInterrupted: false, closes };
  return begin(state, reply, atMs + state.settings.farewellMaxMs, { type: "reply.recite", turnId, text });
}

/** A turn of which there is nothing more to say than when it was taken. */
export function turnAt(turn: AnsweredTurn["turn"], atMs: number): AnsweredTurn {
  return {
    turn,
    words: [],
    startMs: atMs,
    lastSpeechMs: atMs,
    holdMs: 0,
    recognitionMs: 0,
    takenMs: atMs,
    stages: [],
    wasComplete: false,
  };
}

function begin(state: TurnState, reply: Reply, watchdogMs: number, effect: Step[1][number]): Step {
  return chain(
    { ...state, turnId: reply.turnId, at: { phase: "thinking", reply }, keys: "", cut: null },
    (now) => cancelTimers(now, "silence", "silence_limit", "keys", "music"),
    (now) => [now, [effect]],
    (now) => setTimer(now, "watchdog", watchdogMs),
  );
}
