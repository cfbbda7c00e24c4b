import type { ConversationEnd } from "../../../ports/conversation-journal.ts";
import { sayExactly, stopSpeech } from "./request-reply.ts";
import { isQuiet, type Leaving, type SpeechState } from "./speech-state.ts";
import { chain, perform, type SpeechStep, stay } from "./speech-step.ts";

/** A farewell that is not over by then is cut. */
const FAREWELL_WITHIN_MS = 15_000;

/** Ends or transfers the call once everything was heard. */
export function leave(state: SpeechState, next: Leaving, farewell: string | null): SpeechStep {
  return chain(
    { ...state, at: { phase: "leaving", next, isHangupDue: false } },
    perform({ type: "timer.cancel", timer: "identify" }, { type: "timer.cancel", timer: "hang_up" }),
    (now) => (farewell !== null && now.seen.hasModel ? sayExactly(now, farewell) : stay(now)),
    perform({ type: "timer.set", timer: "farewell", delayMs: FAREWELL_WITHIN_MS }),
  );
}

/** Everything was sent. The last words are still in transit. */
export function considerLeaving(state: SpeechState): SpeechStep {
  const { at, plan } = state;
  if (at.phase !== "leaving" || !isQuiet(state)) return stay(state);
  if (at.next.type === "transfer") return carryOut(state);
  if (at.isHangupDue) return stay(state);
  const { hangupTailMs } = plan.settings;
  return [
    { ...state, at: { ...at, isHangupDue: true } },
    [
      { type: "timer.cancel", timer: "farewell" },
      { type: "timer.set", timer: "hang_up", delayMs: hangupTailMs },
    ],
  ];
}

/** The line is left now, whether or not everything was heard. */
export function carryOut(state: SpeechState): SpeechStep {
  const { at, plan } = state;
  if (at.phase !== "leaving") return stay(state);
  const { next } = at;
  if (next.type === "hang_up") return endCall(state, next.reason, true);
  return [
    { ...state, at: { phase: "transferring" } },
    [
      { type: "timer.cancel", timer: "farewell" },
      { type: "timer.set", timer: "transfer", delayMs: plan.settings.transferMaxMs },
      { type: "line.transfer", request: next.request },
    ],
  ];
}

/** The service ends the call. It says goodbye if someone is listening. */
export function endByService(state: SpeechState, isPolite: boolean): SpeechStep {
  const { at, plan } = state;
  if (!isPolite || at.phase === "ringing" || at.phase === "transferring") {
    return endCall(state, "agent_hangup", true);
  }
  if (at.phase === "leaving") return stay(state);
  return chain(state, stopSpeech, (now) =>
    leave(now, { type: "hang_up", reason: "agent_hangup" }, plan.script.farewell),
  );
}

/** Completed speech counts, whichever side then hung up first. */
export function loseLine(state: SpeechState): SpeechStep {
  const { at } = state;
  const isSaid = at.phase === "leaving" && at.next.type === "hang_up" && isQuiet(state);
  return endCall(state, isSaid ? at.next.reason : "callee_hangup", false);
}

/** No person was reached: values saved so far came from a machine or are irrelevant. */
const NO_PERSON: ReadonlySet<ConversationEnd> = new Set(["voicemail_hangup", "voicemail_left", "fax", "unreachable"]);

export function endCall(state: SpeechState, reason: ConversationEnd, hangsUp: boolean): SpeechStep {
  const withdrawn = { type: "journal.note", entry: { type: "answers_withdrawn", collected: {} } } as const;
  return chain(
    { ...state, at: { phase: "over" } },
    perform({ type: "model.close" }, { type: "speech.stop" }),
    NO_PERSON.has(reason) ? perform(withdrawn) : stay,
    perform({ type: "call.end", reason, hangsUp }),
  );
}
