import { decideAtPause } from "./hearing/hear-recognition.ts";
import { isBackChannel, lowerCaseWords } from "./hearing/spoken-phrases.ts";
import { meantBy, type Utterance } from "./hearing/utterance.ts";
import { waitForKeys } from "./press-keys.ts";
import { armSilence } from "./silence.ts";
import { chain, type Step, stay } from "./step.ts";
import { forgetUtterance } from "./take-turn.ts";
import type { TurnState } from "./turn-state.ts";

/** We have finished speaking, and the callee has the floor. What was said or pressed meanwhile counts now. */
export function giveFloor(state: TurnState, atMs: number): Step {
  const { utterance } = state;
  return chain(
    { ...state, at: { phase: "listening" } },
    (now) => (utterance === null ? stay(now) : carryOver(now, utterance, atMs)),
    (now) => (now.at.phase === "listening" ? waitForKeys(now, atMs) : stay(now)),
    (now) => armSilence(now, atMs),
  );
}

function carryOver(state: TurnState, utterance: Utterance, atMs: number): Step {
  // A callee who is still speaking says more than hello.
  if (utterance.isSpeaking) {
    return stay({ ...state, utterance: { ...utterance, isFirstWords: false, outlastedMs: atMs } });
  }
  // "Yes" shortly before the end of the question is its answer; long before, it was only listening feedback.
  const isTooEarly = atMs - utterance.lastSpeechMs > state.settings.earlyAnswerMs;
  if (utterance.isHeldBack && isTooEarly && isBackChannel(lowerCaseWords(meantBy(utterance)))) {
    return forgetUtterance(state, atMs);
  }
  return decideAtPause(state, atMs);
}
