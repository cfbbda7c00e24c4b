import type { OwnLine } from "../../../ports/speech-model.ts";
import { endCall, leave } from "./leave-line.ts";
import { expectNothing, requestReply, sayExactly } from "./request-reply.ts";
import { endSilence, type SpeechState } from "./speech-state.ts";
import { chain, perform, type SpeechEvent, type SpeechStep, stay } from "./speech-step.ts";

/** A model that gives no sign for so long when it should reply is replaced. Longer than any reply takes to begin. */
const REPLY_WITHIN_MS = 7_000;

/** A model that was asked to reply, or should by itself, and does not. */
export function considerModel(state: SpeechState): SpeechStep {
  const { phase, seen, reply, calleeWaitsSinceMs } = state;
  if (!seen.hasModel || seen.isAudible || phase.name !== "talking") return stay(state);
  const isLate = seen.nowMs - Math.max(seen.modelSignMs, reply.requestedMs) >= REPLY_WITHIN_MS;
  if (!isLate) return stay(state);
  if (reply.isExpected) {
    return replaceModel(state, `${seen.modelName} did not reply within ${REPLY_WITHIN_MS / 1_000} seconds.`);
  }
  if (calleeWaitsSinceMs === null) return stay(state);
  const waiting = { ...state, calleeWaitsSinceMs: null };
  return requestReply(waiting, "The callee has said something and waits for your reply.");
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
      then.phase.name === "talking" ? requestReply(then, "Your last reply was lost. Reply to the callee.") : stay(then),
    );
  });
}

/** The model is gone: the next one continues, with what was said so far. */
export function replaceModel(state: SpeechState, reason: string): SpeechStep {
  const { phase, reply, seen, calleeWaitsSinceMs } = state;
  const wasReplying = reply.isExpected || seen.isAudible || calleeWaitsSinceMs !== null;
  const isInTalk = phase.name !== "ringing" && phase.name !== "transferring";
  const lost: SpeechState = {
    ...state,
    reply: { ...reply, isExpected: false, failures: 0 },
    seen: { ...seen, isAudible: false, hasModel: false },
  };
  return chain(
    lost,
    perform({ type: "model.close" }, { type: "speech.stop" }),
    phase.name === "leaving"
      ? // Whatever was to be said last, it is over.
        perform({ type: "incident", what: "model_failed", reason })
      : perform({ type: "model.replace", reason, wasReplying: isInTalk && wasReplying }),
  );
}

export function continueWithNextModel(
  state: SpeechState,
  { reason, wasReplying, knowsHistory }: Extract<SpeechEvent, { type: "model.replaced" }>,
): SpeechStep {
  const { phase, opening, seen } = state;
  const change = `${withoutStop(reason)}; ${seen.modelName} has taken over`;
  return chain(
    endSilence(expectNothing(state)),
    perform({ type: "incident", what: "model_failed", reason: change }),
    (now) => {
      if (phase.name !== "talking") return stay(now);
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
    if (now.phase.name === "leaving") return stay(now);
    if (now.phase.name === "ringing") return endCall(now, "engine_error", true);
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

export function playApology(state: SpeechState, line: OwnLine | null): SpeechStep {
  const now = expectNothing(state);
  return line === null ? stay(now) : [now, [{ type: "own_line.play", name: "apology", line }]];
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, "");
}
