import { endCall } from "./leave-line.ts";
import { open } from "./open-conversation.ts";
import { requestReply, sayExactly, stopSpeech } from "./request-reply.ts";
import { endSilence, isQuiet, type SpeechState } from "./speech-state.ts";
import { chain, perform, type SpeechStep, stay } from "./speech-step.ts";

export function startTurn(state: SpeechState): SpeechStep {
  const { at, plan, seen } = state;
  const silence = { sinceMs: seen.nowMs, prompts: 0 };
  const speaking: SpeechState = { ...state, silence, calleeWaitsSinceMs: null };
  if (at.phase !== "talking" || !plan.script.isInterruptible) return stay(speaking);
  const interruptions = state.interruptions + (seen.isAudible ? 1 : 0);
  return chain({ ...speaking, interruptions }, stopSpeech, perform({ type: "required_words.inform" }));
}

export function endTurn(state: SpeechState, endMs: number): SpeechStep {
  const { at } = state;
  const quiet = endSilence(state);
  return stay(at.phase === "talking" ? { ...quiet, calleeWaitsSinceMs: endMs } : quiet);
}

export function pressKey(state: SpeechState, key: string): SpeechStep {
  if (state.at.phase === "hello") return open(state);
  if (state.at.phase !== "talking") return stay(state);
  const { keysPauseMs } = state.plan.settings;
  return [
    { ...endSilence(state), keys: state.keys + key },
    [{ type: "timer.set", timer: "keys", delayMs: keysPauseMs }],
  ];
}

export function replyToKeys(state: SpeechState): SpeechStep {
  const { keys, at } = state;
  const taken = { ...state, keys: "" };
  if (at.phase !== "talking") return stay(taken);
  return chain(taken, stopSpeech, (now) =>
    requestReply(now, `The callee pressed ${keys} on the keys of the telephone. Reply to that.`),
  );
}

/** Asks a silent callee whether they are still there, and hangs up in the end. */
export function considerSilence(state: SpeechState): SpeechStep {
  const { at, seen, plan, isAudioMissing } = state;
  if (at.phase !== "talking" || !isQuiet(state) || !seen.hasModel) return stay(state);
  const now = seen.callee?.isSpeaking === true ? endSilence(state) : state;
  const { silencePrompts } = plan.script;
  const { silencePromptMs, silenceLimitMs, silencePromptsCount } = plan.settings;
  const { sinceMs, prompts } = now.silence;
  const silentMs = seen.nowMs - Math.max(sinceMs, seen.agentSaidMs);
  const limitMs = silenceLimitMs - (prompts > 0 ? silencePromptMs : 0);
  if (silentMs >= limitMs) return endCall(now, isAudioMissing ? "no_audio" : "silence", true);
  const prompt = silencePrompts[Math.min(prompts, silencePrompts.length - 1)];
  if (silentMs < silencePromptMs || prompts >= silencePromptsCount || prompt === undefined) return stay(now);
  return sayExactly({ ...now, silence: { ...now.silence, prompts: prompts + 1 } }, prompt);
}
