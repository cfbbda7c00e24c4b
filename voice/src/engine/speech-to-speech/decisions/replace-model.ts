import type { OwnLine, OwnLineName } from "../../../ports/speech-model.ts";
import { endCall, leave } from "./leave-line.ts";
import { expectNothing, REPLY_WITHIN_MS, requestReply, sayExactly } from "./request-reply.ts";
import { endSilence, type SpeechState } from "./speech-state.ts";
import { chain, perform, type SpeechEvent, type SpeechStep, stay } from "./speech-step.ts";

/** A model that does not reply to the callee by itself is reminded after so long, and has so long to reply then. */
const REMIND_AFTER_MS = 2_000;
const REPLY_TO_REMINDER_WITHIN_MS = 2_000;
/** Speech shorter than this may be a cough, which the model is right to ignore. */
const UNHEARD_SPEECH_MIN_MS = 400;
/** If this many models in a row say nothing, the next one would not either. */
const SILENT_MODELS_MAX = 2;

/** A model that was asked to reply, or should by itself, and does not. */
export function considerModel(state: SpeechState): SpeechStep {
  const { at, seen, reply, calleeWaitsSinceMs } = state;
  if (at.phase === "leaving") return considerLastWords(state);
  if (!seen.hasModel || seen.isFunctionRunning || at.phase !== "talking") return stay(state);
  const signMs = Math.max(seen.modelSignMs, seen.modelSoundMs);
  if (reply.isExpected) {
    return seen.nowMs >= Math.max(reply.dueMs, signMs + REPLY_WITHIN_MS) ? replaceSilentModel(state) : stay(state);
  }
  const waitsSinceMs = calleeWaitsSinceMs ?? unheardSpeechEndMs(state, signMs);
  if (waitsSinceMs === null || seen.isAudible) return stay(state);
  if (seen.nowMs < Math.max(waitsSinceMs, signMs) + REMIND_AFTER_MS) return stay(state);
  const dueMs = seen.nowMs + REPLY_TO_REMINDER_WITHIN_MS;
  const instructions =
    calleeWaitsSinceMs === null
      ? "The callee may have said something that you did not hear. Ask for it in a few words."
      : "The callee has said something and waits for your reply.";
  return [
    {
      ...state,
      calleeWaitsSinceMs: null,
      owedSinceMs: state.owedSinceMs ?? waitsSinceMs,
      reply: { ...reply, isExpected: true, dueMs },
    },
    [{ type: "model.remind", instructions }],
  ];
}

/** The line is left without last words that do not come, unless they are a message for a machine, which can wait. */
function considerLastWords(state: SpeechState): SpeechStep {
  const { at, seen, reply } = state;
  if (at.phase !== "leaving" || !seen.hasModel || !reply.isExpected) return stay(state);
  if (at.next.type === "hang_up" && at.next.reason === "voicemail_left") return stay(state);
  if (seen.nowMs < Math.max(reply.dueMs, seen.modelSoundMs + REPLY_WITHIN_MS)) return stay(state);
  return replaceModel(state, `${seen.modelName} did not reply in time.`, "silent");
}

/** When the callee's last speech ended, if the model has given no sign since. A model that is gone reports no turns either. */
function unheardSpeechEndMs({ seen: { callee } }: SpeechState, signMs: number): number | null {
  if (callee === null || callee.isSpeaking || callee.lastSoundMs === null) return null;
  return callee.utteranceMs >= UNHEARD_SPEECH_MIN_MS && callee.lastSoundMs > signMs ? callee.lastSoundMs : null;
}

function replaceSilentModel(state: SpeechState): SpeechStep {
  const { seen, reply } = state;
  const silentModels = reply.silentModels + 1;
  const counted = { ...state, reply: { ...reply, silentModels } };
  const reason = `${seen.modelName} did not reply in time.`;
  if (silentModels < SILENT_MODELS_MAX) return replaceModel(counted, reason, "silent");
  return chain(counted, perform({ type: "model.close", why: "silent" }, { type: "speech.stop_model" }), (now) =>
    apologize(withoutModel(now), reason, "so did the model before it"),
  );
}

/** The callee has heard nothing for so long while it is the agent's turn: another voice asks for a moment. */
const MOMENT_AFTER_MS = 2_500;

/** Nobody has to listen to silence, whatever the reason for it. */
export function considerMoment(state: SpeechState): SpeechStep {
  const { at, seen, reply, calleeWaitsSinceMs } = state;
  const isOwed = !seen.hasModel || seen.isFunctionRunning || reply.isExpected || calleeWaitsSinceMs !== null;
  if (at.phase !== "talking" || !isOwed) return stay({ ...state, owedSinceMs: null });
  const owedSinceMs = state.owedSinceMs ?? calleeWaitsSinceMs ?? seen.nowMs;
  const owed = { ...state, owedSinceMs };
  const calleeMs = seen.callee?.hasSpoken ? (seen.callee.lastSoundMs ?? 0) : 0;
  if (seen.nowMs - Math.max(owedSinceMs, seen.agentSoundMs, calleeMs) < MOMENT_AFTER_MS) return stay(owed);
  return [{ ...owed, owedSinceMs: seen.nowMs }, [{ type: "own_line.fetch", name: "moment" }]];
}

export function playMoment(state: SpeechState, line: OwnLine): SpeechStep {
  const isLate = state.owedSinceMs === null || state.at.phase !== "talking" || isSounding(state);
  return isLate ? stay(state) : [state, [{ type: "own_line.play", name: "moment", line }]];
}

/** The callee hears silence, since words in a language that is not that of the call would be worse. */
export function reportUnspoken(state: SpeechState, name: OwnLineName, reason: string): SpeechStep {
  const now = name === "apology" ? expectNothing(state) : state;
  if (now.unspokenLines.includes(name)) return stay(now);
  return [
    { ...now, unspokenLines: [...now.unspokenLines, name] },
    [{ type: "incident", what: "speech_failed", reason }],
  ];
}

function isSounding({ seen }: SpeechState): boolean {
  return seen.callee?.isSpeaking === true || seen.agentSoundMs >= seen.nowMs;
}

/** A reply is complete, or failed: it is asked for once more, and then the model is replaced. */
export function finishReply(
  state: SpeechState,
  failure: Extract<SpeechEvent, { type: "model.replied" }>["failure"],
): SpeechStep {
  const failures = failure === null ? 0 : state.reply.failures + 1;
  const done: SpeechState = { ...state, reply: { ...state.reply, isExpected: false, failures } };
  return chain(done, perform({ type: "speech.complete" }), (now) => {
    if (failure === null) return stay(now);
    const { message: reason, retryable } = failure;
    if (!retryable || failures > 1) return replaceModel(now, reason);
    return chain(now, perform({ type: "incident", what: "model_failed", reason }), (then) =>
      then.at.phase === "talking" ? requestReply(then, "Your last reply was lost. Reply to the callee.") : stay(then),
    );
  });
}

/** The model is gone: the next one continues, with what was said so far. */
export function replaceModel(state: SpeechState, reason: string, why?: "silent"): SpeechStep {
  const { at, reply, seen, calleeWaitsSinceMs } = state;
  const wasReplying = reply.isExpected || seen.isAudible || calleeWaitsSinceMs !== null;
  const isInTalk = at.phase !== "ringing" && at.phase !== "transferring";
  return chain(
    withoutModel(state),
    perform({ type: "model.close", ...(why && { why }) }, { type: "speech.stop_model" }),
    at.phase === "leaving"
      ? // Whatever was to be said last, it is over.
        perform({ type: "incident", what: "model_failed", reason })
      : perform({ type: "model.replace", reason, wasReplying: isInTalk && wasReplying }),
  );
}

function withoutModel(state: SpeechState): SpeechState {
  const { reply, seen } = state;
  return {
    ...state,
    reply: { ...reply, isExpected: false, failures: 0 },
    seen: { ...seen, isAudible: false, hasModel: false },
  };
}

export function continueWithNextModel(
  state: SpeechState,
  { reason, wasReplying, knowsHistory }: Extract<SpeechEvent, { type: "model.replaced" }>,
): SpeechStep {
  const { at, opening, seen } = state;
  const change = `${withoutStop(reason)}; ${seen.modelName} has taken over`;
  return chain(
    endSilence(expectNothing(state)),
    perform({ type: "incident", what: "model_failed", reason: change }),
    (now) => {
      if (at.phase !== "talking") return stay(now);
      if (!knowsHistory && opening?.text) return sayExactly(now, opening.text);
      if (!wasReplying) return stay(now);
      return requestReply(now, "Apologize for the interruption in a few words, and go on where the call was.");
    },
  );
}

/** No model is left: the callee hears an apology by another voice, and the call ends as a failure of the service. */
export function apologize(state: SpeechState, reason: string, cause: string): SpeechStep {
  const both = `${withoutStop(reason)}; ${cause}`;
  return chain(state, perform({ type: "incident", what: "model_failed", reason: both }), (now) => {
    if (now.at.phase === "leaving") return stay(now);
    if (now.at.phase === "ringing") return endCall(now, "engine_error", true);
    const [leaving, effects] = leave(now, { type: "hang_up", reason: "engine_error" }, null);
    return [
      { ...leaving, reply: { ...leaving.reply, isExpected: true } },
      [
        ...effects,
        { type: "timer.cancel", timer: "keys" },
        { type: "timer.cancel", timer: "transfer" },
        { type: "own_line.fetch", name: "apology" },
      ],
    ];
  });
}

export function playApology(state: SpeechState, line: OwnLine): SpeechStep {
  return [expectNothing(state), [{ type: "own_line.play", name: "apology", line }]];
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, "");
}
