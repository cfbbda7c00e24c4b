import { closeUtterance } from "./hearing/open-utterance.ts";
import { canBeInterrupted, interruptReply } from "./interruptions/cut-off.ts";
import { noteTurnTaken } from "./own-failures.ts";
import { startReply, turnAt } from "./replies/start-reply.ts";
import { armSilence, NOT_SILENT } from "./silence.ts";
import { cancelTimers, chain, type Step, setTimer, stay } from "./step.ts";
import type { TurnState } from "./turn-state.ts";

/** Ends a sequence of keys whose length is not fixed. */
const END_KEY = "#";

/** The callee pressed a key. Where keys are an answer, the first one stops us as words do, and what follows belongs to it. */
export function pressKey(state: TurnState, key: string, atMs: number): Step {
  const entry = { type: "dtmf", key, by: "callee", atMs } as const;
  const { phase } = state.at;
  const counts = state.expectation.keysMax !== null && phase !== "awaiting_beep" && phase !== "transferring";
  return chain(
    { ...state, silence: NOT_SILENT, keys: counts ? state.keys + key : state.keys },
    (now) => [now, [{ type: "journal.note", entry }]],
    (now) => (counts && now.at.phase === "speaking" && canBeInterrupted(now) ? interruptReply(now) : stay(now)),
    (now) => (counts && now.at.phase === "listening" ? waitForKeys(now, atMs) : stay(now)),
    (now) => armSilence(now, atMs),
  );
}

/** Accepts the pressed keys, now if they are complete, otherwise after a pause. */
export function waitForKeys(state: TurnState, atMs: number): Step {
  const { keys, expectation, settings } = state;
  if (keys === "" || expectation.keysMax === null) return stay({ ...state, keys: "" });
  const isComplete = keys.endsWith(END_KEY) || keys.length >= expectation.keysMax;
  return isComplete ? takeKeys(state, atMs) : setTimer(state, "keys", atMs + settings.keysPauseMs);
}

export function takeKeys(state: TurnState, atMs: number): Step {
  if (state.at.phase !== "listening" || state.keys === "") return stay(state);
  const isOnlyEnd = state.keys === END_KEY;
  const keys = state.keys.endsWith(END_KEY) && !isOnlyEnd ? state.keys.slice(0, -1) : state.keys;
  return chain(
    { ...noteTurnTaken(state, { type: "pressed", keys }, false), keys: "" },
    (now) => cancelTimers(now, "keys"),
    // Keys are clearer than what may have been said along with them.
    closeUtterance,
    (now) => startReply(now, turnAt({ type: "pressed", keys }, atMs), atMs),
  );
}
