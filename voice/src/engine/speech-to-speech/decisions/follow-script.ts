import type { FunctionOutcome, FunctionRequest, ScriptStep } from "../../../ports/speech-model.ts";
import { leave } from "./leave-line.ts";
import { expectReply, requestReply, sayExactly, stopSpeech } from "./request-reply.ts";
import { hasLeft, type SpeechState } from "./speech-state.ts";
import { chain, perform, type SpeechEffect, type SpeechStep, stay } from "./speech-step.ts";

/** Does what follows in the script. */
export function takeStep(state: SpeechState, { say, next }: ScriptStep): SpeechStep {
  if (hasLeft(state)) return stay(state);
  if (next !== null && next.type !== "press") return leave(state, next, say);
  return chain(
    state,
    next === null ? stay : (now) => press(now, next.keys),
    say === null ? stay : (now) => sayExactly(now, say),
  );
}

function press(state: SpeechState, keys: string): SpeechStep {
  const atMs = state.seen.nowMs;
  const notes = [...keys].map((key): SpeechEffect => {
    return { type: "journal.note", entry: { type: "dtmf", key, by: "agent", atMs } };
  });
  return [state, [{ type: "line.send_dtmf", keys }, ...notes]];
}

/** The script has an answer of its own to what the callee said. */
export function answerByScript(state: SpeechState, step: ScriptStep): SpeechStep {
  if (hasLeft(state)) return stay(state);
  return chain(
    state,
    // The model may have begun to reply to it.
    (now) => stopSpeech(now, { isForced: true }),
    (now) => takeStep(now, step),
  );
}

/** A function has returned: to the model that called it, or to the one that took over. */
export function returnFunction(
  state: SpeechState,
  { id, name }: FunctionRequest,
  { output, mustHear, ...step }: FunctionOutcome,
  isCallerPresent: boolean,
): SpeechStep {
  const isLast = step.say !== null || (step.next !== null && step.next.type !== "press");
  const informing: SpeechEffect = isCallerPresent
    ? { type: "model.answer", callId: id, output, isLast }
    : { type: "model.inform", text: `The function ${name} has returned: ${JSON.stringify(output)}` };
  return chain(
    state,
    mustHear === undefined ? stay : perform({ type: "required_words.set", text: mustHear }),
    (now) => [isLast ? now : expectReply(now), [informing]],
    isLast || isCallerPresent ? stay : (now) => requestReply(now, "Go on with the conversation."),
    (now) => takeStep(now, step),
  );
}
