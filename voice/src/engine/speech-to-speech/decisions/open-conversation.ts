import type { OwnLine, SpeechOpening } from "../../../ports/speech-model.ts";
import { requestReply, sayExactly } from "./request-reply.ts";
import { permitEffects } from "./screen-answer.ts";
import type { SpeechState } from "./speech-state.ts";
import { chain, perform, type SpeechStep, stay } from "./speech-step.ts";

export function answerCall(state: SpeechState): SpeechStep {
  if (state.at.phase !== "ringing") return stay(state);
  const { nowMs } = state.seen;
  const answered: SpeechState = {
    ...state,
    at: { phase: "hello", sinceMs: nowMs },
    answeredMs: nowMs,
    silence: { ...state.silence, sinceMs: nowMs },
  };
  return [answered, [{ type: "call.begin" }]];
}

export function beginScript(state: SpeechState, opening: SpeechOpening): SpeechStep {
  const { greeting, isScreened } = state.plan;
  const { mustHear } = opening;
  return chain(
    { ...state, opening },
    mustHear === null ? stay : perform({ type: "required_words.set", text: mustHear }),
    isScreened ? stay : permitEffects,
    greeting === "immediate" ? open : stay,
  );
}

/** The callee's first words are over, or did not come. A callee who speaks for long is a machine that reads its greeting. */
export function considerOpening(state: SpeechState): SpeechStep {
  const { at, seen, plan } = state;
  if (at.phase !== "hello") return stay(state);
  const { helloWaitMs, helloMaxMs } = plan.settings;
  const waitedMs = seen.nowMs - at.sinceMs;
  const { hasSpoken = false, isSpeaking = false } = seen.callee ?? {};
  const isOver = hasSpoken ? !isSpeaking || waitedMs >= helloMaxMs : waitedMs >= helloWaitMs && !isSpeaking;
  return isOver ? open(state) : stay(state);
}

/** The opening is requested. From now on the model replies to the callee by itself. */
export function open(state: SpeechState): SpeechStep {
  const { at, opening, plan } = state;
  if (at.phase !== "hello" || opening === null) return stay(state);
  return chain(
    { ...state, at: { phase: "talking" } },
    perform({ type: "timer.set", timer: "identify", delayMs: plan.settings.identifyAfterMs }),
    (now) => sayOpening(now, opening),
  );
}

function sayOpening(state: SpeechState, { text, goesOn }: SpeechOpening): SpeechStep {
  if (text === null) return requestReply(state, "The callee has answered. Begin the conversation.");
  if (!goesOn) return sayExactly(state, text);
  return requestReply(
    state,
    `The callee has answered. Say exactly this first, word for word: "${text}" Then begin the conversation.`,
  );
}

/** The model is late: the callee hears who is calling instead of silence. */
export function identifyCaller(state: SpeechState): SpeechStep {
  if (!mayIdentify(state)) return stay(state);
  const { identifyAfterMs } = state.plan.settings;
  const reason = `the greeting was not ready ${identifyAfterMs} ms after the answer`;
  return [
    state,
    [
      { type: "incident", what: "speech_late", reason },
      { type: "own_line.fetch", name: "identification" },
    ],
  ];
}

export function playIdentification(state: SpeechState, line: OwnLine): SpeechStep {
  if (!mayIdentify(state)) return stay(state);
  return [state, [{ type: "own_line.play", name: "identification", line }]];
}

function mayIdentify({ at, seen }: SpeechState): boolean {
  return at.phase === "talking" && !seen.isAudible;
}
