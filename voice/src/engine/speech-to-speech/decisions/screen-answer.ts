import type { ScreeningDecision } from "../../../ports/call-screening.ts";
import type { AnsweredBy } from "../../../ports/conversation-journal.ts";
import type { ScriptStep } from "../../../ports/speech-model.ts";
import { takeStep } from "./follow-script.ts";
import { endCall, leave } from "./leave-line.ts";
import { expectNothing, requestReply, stopSpeech } from "./request-reply.ts";
import type { CalleeActivity, SpeechState } from "./speech-state.ts";
import { chain, perform, type SpeechStep, stay } from "./speech-step.ts";

/** A tone this shortly before the voicemail was recognized was the one to wait for. */
const BEEP_MEMORY_MS = 3_000;

const MESSAGE_LEFT = { type: "hang_up", reason: "voicemail_left" } as const;

/** Who or what has answered, or a tone. */
export function screenAnswer(state: SpeechState, decision: ScreeningDecision): SpeechStep {
  if (decision.type === "beep") return hearBeep(state, decision.atMs);
  const { phase } = state.at;
  if (phase === "leaving" || phase === "transferring" || phase === "over") return stay(state);
  if (decision.type === "unreachable") return endCall(state, "unreachable", true);
  const { kind, reason } = decision;
  if (kind === state.answeredBy) return stay(state);
  const atMs = state.seen.nowMs;
  return chain(
    { ...state, answeredBy: kind },
    perform(
      { type: "journal.note", entry: { type: "answered_by", kind, atMs } },
      { type: "journal.note", entry: { type: "note", text: `answered by ${kind}: ${reason}`, atMs } },
    ),
    (now) => meet(now, kind),
  );
}

function meet(state: SpeechState, kind: AnsweredBy): SpeechStep {
  if (kind === "fax") return endCall(state, "fax", true);
  if (kind === "voicemail") return meetVoicemail(state);
  if (kind === "ivr" || kind === "screening") return chain(state, permitEffects, (now) => meetMenu(now, kind));
  return chain(state, permitEffects, greetAfterAll);
}

function greetAfterAll(state: SpeechState): SpeechStep {
  if (state.at.phase !== "awaiting_beep") return stay(state);
  const talking: SpeechState = { ...state, at: { phase: "talking" } };
  return requestReply(talking, "A person has picked up after all. Greet them, and begin the conversation.");
}

function hearBeep(state: SpeechState, atMs: number): SpeechStep {
  const isFirst = state.beepMs === null;
  const heard = { ...state, beepMs: atMs };
  if (state.at.phase === "awaiting_beep") return leaveMessage(heard);
  return isFirst ? beginMessageAgain(heard) : stay(heard);
}

function meetVoicemail(state: SpeechState): SpeechStep {
  const { action } = state.plan.voicemail;
  if (action === "hang_up") return endCall(state, "voicemail_hangup", true);
  if (action === "continue") return permitEffects(state);
  const { beepMs, seen } = state;
  const hasBeeped = beepMs !== null && seen.nowMs - beepMs <= BEEP_MEMORY_MS;
  return chain(
    state,
    stopSpeech,
    perform({ type: "timer.cancel", timer: "identify" }),
    (now) => stay({ ...now, at: { phase: "awaiting_beep", sinceMs: seen.nowMs } }),
    hasBeeped ? leaveMessage : stay,
  );
}

/** A voicemail without a tone records when it has been quiet for a while. */
export function considerMessage(state: SpeechState): SpeechStep {
  const { at, seen, plan } = state;
  if (at.phase !== "awaiting_beep") return stay(state);
  const { beepMaxMs, beepSilenceMs } = plan.settings;
  const isQuiet = quietMs(seen.callee, at.sinceMs) >= beepSilenceMs;
  return isQuiet || seen.nowMs - at.sinceMs >= beepMaxMs ? leaveMessage(state) : stay(state);
}

/** The agent's message, or what the script says to a voicemail. */
function leaveMessage(state: SpeechState): SpeechStep {
  const { message } = state.plan.voicemail;
  return chain(
    state,
    // The model may be replying to the greeting that it heard.
    (now) => stopSpeech(now, { isForced: true }),
    (now) => (message === null ? askForMessage(now) : leave(now, MESSAGE_LEFT, message)),
  );
}

function askForMessage(state: SpeechState): SpeechStep {
  const waiting: SpeechState = {
    ...state,
    at: { phase: "leaving", next: MESSAGE_LEFT, isHangupDue: false },
    reply: { ...state.reply, isExpected: true },
  };
  return [waiting, [{ type: "script.meet_machine", kind: "voicemail" }]];
}

/** The message had started without a tone, and only what comes after the tone is recorded. */
function beginMessageAgain(state: SpeechState): SpeechStep {
  const { at, plan } = state;
  const { message } = plan.voicemail;
  if (at.phase !== "leaving" || message === null) return stay(state);
  const { next } = at;
  if (next.type !== "hang_up" || next.reason !== "voicemail_left") return stay(state);
  return chain(state, stopSpeech, (now) => leave(now, next, message));
}

function meetMenu(state: SpeechState, kind: "ivr" | "screening"): SpeechStep {
  const [now, effects] = stopSpeech(state);
  const met: SpeechState = now.at.phase === "hello" ? { ...now, at: { phase: "talking" } } : now;
  return [met, [...effects, { type: "script.meet_machine", kind }]];
}

/** What the script does with a machine. */
export function followMachine(
  state: SpeechState,
  kind: "voicemail" | "ivr" | "screening",
  step: ScriptStep,
): SpeechStep {
  if (kind === "voicemail") {
    const said = expectNothing(state);
    return step.say === null ? endCall(said, "voicemail_hangup", true) : leave(said, MESSAGE_LEFT, step.say);
  }
  if (step.say !== null || step.next !== null) return takeStep(state, step);
  const text = "A phone menu has answered, and not a person. Wait until a person speaks to you.";
  return [state, [{ type: "model.inform", text }]];
}

/** It is unknown who answered. Silence counts as a person; a speaker may still turn out to be a machine. */
export function considerPermit(state: SpeechState): SpeechStep {
  const { mayAct, at, seen, plan, answeredMs } = state;
  if (mayAct || seen.callee === null || at.phase === "awaiting_beep") return stay(state);
  return quietMs(seen.callee, answeredMs) >= plan.settings.permitSilenceMs ? permitEffects(state) : stay(state);
}

export function permitEffects(state: SpeechState): SpeechStep {
  if (state.mayAct) return stay(state);
  return [{ ...state, mayAct: true }, [{ type: "script.permit_effects" }]];
}

/** For how long the callee has been quiet, as far as it was watched. */
function quietMs(callee: CalleeActivity | null, sinceMs: number): number {
  return callee === null ? 0 : callee.watchedMs - Math.max(sinceMs, callee.lastSoundMs ?? 0);
}
