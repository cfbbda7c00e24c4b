import type { ScreeningDecision } from "../ports/call-screening.ts";
import type { AnsweredBy } from "../ports/conversation-journal.ts";
import { endConversation } from "./end-conversation.ts";
import { giveFloor } from "./give-floor.ts";
import { closeUtterance } from "./hearing/open-utterance.ts";
import { cutOff } from "./interruptions/cut-off.ts";
import { permitEffects } from "./open-call.ts";
import { withdrawPrepared } from "./replies/prepare-reply.ts";
import { recite, startReply, turnAt } from "./replies/start-reply.ts";
import { cancelTimers, chain, type Step, setTimer, stay } from "./step.ts";
import { replyOf, type TurnState } from "./turn-state.ts";

/** A tone this shortly before the voicemail was recognized was the one to wait for. */
const BEEP_MEMORY_MS = 3_000;

/** Who or what answered, as far as known. It may arrive at any time. */
export function screenCall(state: TurnState, decision: ScreeningDecision, atMs: number): Step {
  const { phase } = state.at;
  if (phase === "ringing" || phase === "closing" || phase === "transferring") return stay(state);
  if (decision.type === "beep") {
    const heard = { ...state, beepMs: decision.atMs };
    if (phase === "awaiting_beep") return leaveMessage(heard, atMs);
    return state.beepMs === null ? beginMessageAgain(heard, atMs) : stay(heard);
  }
  if (decision.type === "unreachable") return endConversation(state, "unreachable", true);
  const { kind, reason } = decision;
  if (kind === state.answeredBy) return stay(state);
  return chain(
    { ...state, answeredBy: kind },
    (now) => [now, [{ type: "journal.note", entry: { type: "answered_by", kind, atMs } }]],
    (now) => [now, [{ type: "journal.note", entry: { type: "note", text: `answered by ${kind}: ${reason}`, atMs } }]],
    (now) => (isMachine(kind) ? disregardMachine(now, atMs) : permitEffects(now)),
    (now) => meetAnswerer(now, kind, atMs),
  );
}

function isMachine(kind: AnsweredBy): boolean {
  return kind !== "human" && kind !== "unknown";
}

/**
 * What a machine said is not an answer, though it may have been treated as one before the machine was recognized. A
 * reply to it is cut off, and the conversation returns to where it was before. From here on a phone menu and a screener
 * are talked to like people, and so is a voicemail if the agent is to continue.
 */
function disregardMachine(state: TurnState, atMs: number): Step {
  const { action } = state.plan.voicemail;
  const goesOn = state.answeredBy === "voicemail" ? action === "continue" : state.answeredBy !== "fax";
  const isAnswering = replyOf(state)?.source === "answer";
  return chain(
    state,
    withdrawPrepared,
    (now) => (isAnswering ? chain(now, cutOff, closeUtterance, (cut) => giveFloor(cut, atMs)) : stay(now)),
    (now) => [now, [{ type: "brain.disregard" }]],
    (now) => (goesOn ? permitEffects(now) : stay(now)),
  );
}

/** The tone was heard, or is no longer awaited. */
export function leaveMessage(state: TurnState, atMs: number): Step {
  if (state.at.phase !== "awaiting_beep") return stay(state);
  const { message } = state.plan.voicemail;
  return chain(
    { ...state, at: { phase: "listening" } },
    (now) => cancelTimers(now, "beep"),
    (now) =>
      message === null
        ? startReply(now, turnAt({ type: "machine", kind: "voicemail" }, atMs), atMs)
        : recite(now, message, "voicemail_left", atMs),
  );
}

/** The message had started without a tone, and only what comes after the tone is recorded. */
function beginMessageAgain(state: TurnState, atMs: number): Step {
  const { message } = state.plan.voicemail;
  const reply = replyOf(state);
  if (message === null || reply?.source !== "recital" || reply.closes !== "voicemail_left") return stay(state);
  return chain(state, cutOff, (now) => recite(now, message, "voicemail_left", atMs));
}

function meetAnswerer(state: TurnState, kind: AnsweredBy, atMs: number): Step {
  // What ends the call anyway is not disturbed.
  if (replyOf(state)?.source === "recital") return stay(state);
  switch (kind) {
    case "human":
    case "unknown":
      // Classified as a voicemail until a person spoke.
      return state.at.phase === "awaiting_beep" ? stopWaitingForBeep(state, atMs) : stay(state);
    case "fax":
      return endConversation(state, "fax", true);
    case "voicemail":
      return meetVoicemail(state, atMs);
    case "ivr":
    case "screening":
      return chain(state, cutOff, closeUtterance, (now) =>
        startReply(now, turnAt({ type: "machine", kind }, atMs), atMs),
      );
  }
}

function meetVoicemail(state: TurnState, atMs: number): Step {
  const { action } = state.plan.voicemail;
  if (action === "hang_up") return endConversation(state, "voicemail_hangup", true);
  if (action === "continue") return stay(state);
  const hasBeeped = state.beepMs !== null && atMs - state.beepMs <= BEEP_MEMORY_MS;
  // Its greeting is usually recognized after it ended, when no further pause is to come from which to count.
  const { beepSilenceMs, beepMaxMs } = state.settings;
  const waitMs = state.speech.phase === "quiet" ? Math.min(beepSilenceMs, beepMaxMs) : beepMaxMs;
  return chain(
    state,
    cutOff,
    closeUtterance,
    (now) => cancelTimers(now, "silence", "silence_limit", "keys", "music", "hello", "identify", "greeting"),
    (now) => setTimer({ ...now, at: { phase: "awaiting_beep", sinceMs: atMs } }, "beep", atMs + waitMs),
    (now) => (hasBeeped ? leaveMessage(now, atMs) : stay(now)),
  );
}

function stopWaitingForBeep(state: TurnState, atMs: number): Step {
  return chain(
    state,
    (now) => cancelTimers(now, "beep"),
    (now) => giveFloor(now, atMs),
  );
}
