import type { LegEnd, LegEvent } from "../../carrier.ts";
import { canceledByUs, hungUp, lost } from "../../leg-end.ts";
import { mayFailOver } from "../trunks/may-fail-over.ts";
import { type AttemptEnd, legEndOfAttempt } from "./attempt-end.ts";

/**
 * The states of a leg:
 *
 * - preparing: a trunk is chosen and the attempt recorded. Nothing was sent yet.
 * - inviting: a request is pending, or it rings. When it fails early another trunk may be tried: back to preparing.
 * - talking: the callee answered.
 * - ending: we want it to end and wait for the network to agree. `end` says why where that is not what the network says.
 * - closing: it is over; ports and sockets are being released.
 * - ended: final.
 */
export type LegState =
  | { readonly phase: "preparing" }
  | { readonly phase: "inviting"; readonly hasRung: boolean; readonly hasEarlyMedia: boolean }
  | { readonly phase: "talking" }
  | { readonly phase: "ending"; readonly end: LegEnd | null; readonly wasTalking: boolean }
  | { readonly phase: "closing"; readonly end: LegEnd }
  | { readonly phase: "ended" };

export type LegInput =
  | { readonly type: "sent" }
  /** Nothing can be sent any more, for this reason. */
  | { readonly type: "gave_up"; readonly end: LegEnd }
  | { readonly type: "rang" }
  | { readonly type: "early_media" }
  | { readonly type: "answered" }
  /** It was answered, but with audio we do not support. */
  | { readonly type: "unusable_answer"; readonly reason: string }
  | { readonly type: "attempt_ended"; readonly end: AttemptEnd }
  | { readonly type: "hangup_asked" }
  /** Another party took over, or left, so the leg has no purpose any more. */
  | { readonly type: "done"; readonly reason: string }
  | { readonly type: "audio_lost"; readonly reason: string }
  | { readonly type: "audio_timed_out" }
  /** The time for the network to answer is over. */
  | { readonly type: "patience_over" }
  | { readonly type: "released" };

export type LegEffect =
  | { readonly do: "report"; readonly event: LegEvent }
  /** Tries the next trunk; `after` is how the last attempt ended. */
  | { readonly do: "try_next"; readonly after: AttemptEnd }
  /**
   * Asks the network to end the call, with a reason (RFC 3326) where there is one, and waits this long for it to agree.
   */
  | { readonly do: "hang_up"; readonly reason: string | null; readonly patienceMs: number }
  /** Stops waiting for the network. */
  | { readonly do: "abandon" }
  /** Writes down how the attempt ended. */
  | { readonly do: "note_end"; readonly end: LegEnd }
  | { readonly do: "release" };

export type LegStep = readonly [state: LegState, effects: readonly LegEffect[]];

/** A CANCEL waits 32 s for a first response and then 32 s for the last one; beyond that nothing comes. */
const HANGUP_MAX_MS = 70_000;
/**
 * Where the end of an unanswered leg is ours and known, the network's consent adds nothing to it: it is waited for as long as
 * the first four sendings of a BYE take (RFC 3261 section 17.1.2.2). The request is repeated to its end without the leg.
 */
const KNOWN_END_MAX_MS = 4_000;

export const NEW_LEG: LegState = { phase: "preparing" };

export function stepLeg(state: LegState, input: LegInput): LegStep {
  switch (state.phase) {
    case "preparing":
      return stepPreparing(state, input);
    case "inviting":
      return stepInviting(state, input);
    case "talking":
      return stepTalking(state, input);
    case "ending":
      return stepEnding(state, input);
    case "closing":
      return input.type === "released" ? [{ phase: "ended" }, [{ do: "report", event: state.end }]] : stay(state);
    case "ended":
      return stay(state);
  }
}

function stepPreparing(state: LegState, input: LegInput): LegStep {
  switch (input.type) {
    case "sent":
      return [{ phase: "inviting", hasRung: false, hasEarlyMedia: false }, []];
    case "gave_up":
      return close(input.end);
    case "hangup_asked":
    case "patience_over":
      return close(canceledByUs());
    case "done":
      return close(canceledByUs(input.reason));
    case "audio_lost":
      return close(lost(input.reason));
    default:
      return stay(state);
  }
}

function stepInviting(state: Extract<LegState, { phase: "inviting" }>, input: LegInput): LegStep {
  switch (input.type) {
    case "rang":
      return state.hasRung ? stay(state) : [{ ...state, hasRung: true }, [report({ type: "ringing" })]];
    case "early_media":
      return state.hasEarlyMedia ? stay(state) : [{ ...state, hasEarlyMedia: true }, [report({ type: "early_media" })]];
    case "answered":
      return [{ phase: "talking" }, [report({ type: "answered" })]];
    case "unusable_answer":
      return end(state, unusableAnswer(input.reason), "SIP;cause=488");
    case "attempt_ended": {
      const legEnd = legEndOfAttempt(input.end);
      if (!mayFailOver(input.end)) return finish(legEnd);
      return [
        { phase: "preparing" },
        [
          { do: "note_end", end: legEnd },
          { do: "try_next", after: input.end },
        ],
      ];
    }
    default:
      return stepLive(state, input);
  }
}

function stepTalking(state: LegState, input: LegInput): LegStep {
  if (input.type === "attempt_ended") return finish(legEndOfAttempt(input.end));
  if (input.type === "audio_timed_out") return end(state, audioTimedOut());
  return stepLive(state, input);
}

/** What ends a leg whether or not it was answered. */
function stepLive(state: LegState, input: LegInput): LegStep {
  switch (input.type) {
    case "hangup_asked":
      return end(state, null);
    case "done":
      return end(state, state.phase === "talking" ? hungUp("us", input.reason) : canceledByUs(input.reason));
    case "audio_lost":
      return end(state, lost(input.reason));
    case "patience_over":
      return giveUpOn(lost("The network did not confirm the end in time."));
    default:
      return stay(state);
  }
}

function stepEnding(state: Extract<LegState, { phase: "ending" }>, input: LegInput): LegStep {
  if (input.type === "attempt_ended") return finish(state.end ?? endAtOurRequest(input.end, state.wasTalking));
  if (input.type === "patience_over") {
    if (isKnownEnd(state.end, state.wasTalking)) return finish(state.end);
    return giveUpOn(state.end ?? lost("The network did not confirm the end in time."));
  }
  return stay(state);
}

/** An answer that crossed our cancellation was never reported, so the leg ends as canceled. */
function endAtOurRequest(attemptEnd: AttemptEnd, wasTalking: boolean): LegEnd {
  const legEnd = legEndOfAttempt(attemptEnd);
  return legEnd.cause === "hangup" && legEnd.by === "us" && !wasTalking ? canceledByUs() : legEnd;
}

function stay(state: LegState): LegStep {
  return [state, []];
}

function report(event: LegEvent): LegEffect {
  return { do: "report", event };
}

function end(state: LegState, legEnd: LegEnd | null, reason: string | null = null): LegStep {
  const wasTalking = state.phase === "talking";
  const patienceMs = isKnownEnd(legEnd, wasTalking) ? KNOWN_END_MAX_MS : HANGUP_MAX_MS;
  return [{ phase: "ending", end: legEnd, wasTalking }, [{ do: "hang_up", reason, patienceMs }]];
}

function isKnownEnd(legEnd: LegEnd | null, wasTalking: boolean): legEnd is LegEnd {
  return legEnd !== null && !wasTalking;
}

function giveUpOn(legEnd: LegEnd): LegStep {
  const [state, effects] = finish(legEnd);
  return [state, [{ do: "abandon" }, ...effects]];
}

function finish(legEnd: LegEnd): LegStep {
  return [{ phase: "closing", end: legEnd }, [{ do: "note_end", end: legEnd }, { do: "release" }]];
}

/** Ends a leg without a pending request. */
function close(legEnd: LegEnd): LegStep {
  return [{ phase: "closing", end: legEnd }, [{ do: "release" }]];
}

/** The callee picked up, and we cannot continue. */
function unusableAnswer(reason: string): LegEnd {
  return { type: "ended", cause: "rejected", code: null, reason, by: "us", detail: "unusable_answer" };
}

function audioTimedOut(): LegEnd {
  const reason = "Nothing was heard from the callee for too long.";
  return { type: "ended", cause: "media_timeout", code: null, reason, by: "network" };
}
