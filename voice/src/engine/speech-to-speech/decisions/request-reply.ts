import { isQuiet, type SpeechState } from "./speech-state.ts";
import { chain, type ModelSpeechEvent, perform, type SpeechStep, stay } from "./speech-step.ts";

/**
 * A model that gives no sign for so long when it should reply is replaced. Models begin to speak 0.8 to 1.5 seconds after
 * they were asked: a shorter time would replace those that are slow, a longer one keeps callees waiting for those that are gone.
 */
export const REPLY_WITHIN_MS = 3_000;

/** The model speaks although the callee said nothing. */
export function requestReply(state: SpeechState, instructions: string): SpeechStep {
  return [expectReply(state), [{ type: "model.reply", instructions }]];
}

export function sayExactly(state: SpeechState, text: string): SpeechStep {
  return requestReply(state, `Say exactly the following, word for word, and nothing else: ${text}`);
}

export function expectReply(state: SpeechState): SpeechState {
  return { ...state, reply: { ...state.reply, isExpected: true, dueMs: state.seen.nowMs + REPLY_WITHIN_MS } };
}

export function expectNothing(state: SpeechState): SpeechState {
  return { ...state, reply: { ...state.reply, isExpected: false } };
}

/** Stops what is said or was asked for. `isForced`: also what the model may have begun unnoticed. */
export function stopSpeech(state: SpeechState, { isForced = false } = {}): SpeechStep {
  if (isQuiet(state) && !isForced) return stay(state);
  return [expectNothing({ ...state, seen: { ...state.seen, isAudible: false } }), [{ type: "speech.stop" }]];
}

/** The model speaks, by itself or because it was asked to. */
export function followSpeech(state: SpeechState, speech: ModelSpeechEvent, wasStopped: boolean): SpeechStep {
  const maySpeak = state.at.phase === "talking" || state.at.phase === "leaving";
  if (!maySpeak) return [state, [{ type: "speech.drop", itemId: speech.itemId }]];
  if (wasStopped) return stay(state);
  // The model replies to the callee by itself: more may come, and then it says that it is done.
  const replying: SpeechState = { ...state, reply: { ...state.reply, isExpected: true } };
  if (speech.type === "text") return [replying, [{ type: "speech.add", speech }]];
  return chain(
    { ...replying, reply: { ...replying.reply, silentModels: 0 } },
    perform({ type: "timer.cancel", timer: "identify" }, { type: "speech.add", speech }),
    measureWait,
  );
}

/** How long the callee waited: from the end of their speech until the model's first audio. */
function measureWait(state: SpeechState): SpeechStep {
  const { calleeWaitsSinceMs, interruptions, seen } = state;
  if (calleeWaitsSinceMs === null) return stay(state);
  const totalMs = Math.max(1, Math.round(seen.nowMs - calleeWaitsSinceMs));
  return [
    { ...state, calleeWaitsSinceMs: null, interruptions: 0 },
    [{ type: "journal.timing", totalMs, interruptions }],
  ];
}

/** What the law or the operator requires is said, whatever the model made of its instructions. */
export function remindOfRequiredWords(state: SpeechState): SpeechStep {
  const { at, seen, reply } = state;
  const { missing, isAnythingHeard, mayRemind } = seen.requiredWords;
  if (missing === null || at.phase !== "talking" || !seen.hasModel) return stay(state);
  if (!isQuiet(state) || seen.callee?.isSpeaking === true) return stay(state);
  if (!isAnythingHeard && reply.failures === 0) return stay(state);
  if (mayRemind)
    return chain(state, perform({ type: "required_words.count_reminder" }), (now) => sayExactly(now, missing));
  const reason = "the model did not say the disclosure word for word";
  return [state, [{ type: "required_words.give_up" }, { type: "incident", what: "agent_failed", reason }]];
}
