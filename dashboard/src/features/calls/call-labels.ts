import type { CallEventType } from "@parley/contract/call-events";
import { type Call, type CallPhase, type EndReason, SIMULATED_NETWORK } from "@parley/contract/calls";
import type { Incident } from "@parley/contract/incidents";
import type { Tone } from "../../ui/feedback/badge.tsx";

/** Why a call ended, in plain words. */
export const END_REASON_LABELS: Readonly<Record<EndReason, string>> = {
  callee_hangup: "The callee hung up",
  agent_hangup: "The agent said goodbye",
  api_hangup: "Hung up on request",
  transferred: "Transferred to a person",
  voicemail_hangup: "Voicemail, hung up",
  voicemail_left: "Left a voicemail",
  max_duration: "Reached the maximum duration",
  silence: "The callee stayed silent",
  no_answer: "No answer",
  busy: "Busy",
  declined: "Declined",
  blocked: "Blocked by the callee's network",
  invalid_number: "The number does not exist",
  unreachable: "Not reachable",
  canceled: "Canceled",
  expired: "Expired in the queue",
  carrier_rejected: "The carrier refused it",
  carrier_unavailable: "The carrier was not available",
  media_timeout: "The audio stopped",
  no_audio: "No audio got through",
  fax: "A fax machine answered",
  engine_error: "Failed on our side",
  insufficient_credit: "The credit was used up",
  spend_limit: "A spend limit was reached",
  destination_blocked: "This destination is not allowed",
  suppressed: "The number is on the suppression list",
  outside_calling_hours: "Outside calling hours",
  worker_lost: "The service was interrupted",
  internal_error: "Something failed on our side",
};

export const PHASE_LABELS: Readonly<Record<CallPhase, string>> = {
  scheduled: "Scheduled",
  queued: "Queued",
  dialing: "Dialing",
  ringing: "Ringing",
  talking: "Talking",
  ended: "Ended",
};

export const STATUS_LABELS: Readonly<Record<Call["status"], string>> = {
  initiated: "Being dialed",
  in_progress: "In progress",
  completed: "Completed",
  failed: "Failed",
};

export const ANSWERED_BY_LABELS: Readonly<Record<NonNullable<Call["answeredBy"]>, string>> = {
  human: "A person",
  voicemail: "Voicemail",
  ivr: "A menu",
  screening: "Call screening",
  fax: "A fax machine",
  unknown: "Unknown",
};

/** The outcome that the analysis of a call found, or null without one. */
export function outcomeInWords(analysis: Call["analysis"]): string | null {
  const outcome = analysis?.status === "ready" ? analysis.outcome : null;
  return outcome ? outcomeLabel(outcome) : null;
}

/** An outcome of an agent, or an end reason. */
export function outcomeLabel(outcome: string): string {
  return Object.hasOwn(END_REASON_LABELS, outcome)
    ? END_REASON_LABELS[outcome as EndReason]
    : outcome.replaceAll("_", " ");
}

export function versionLabel(version: string): string {
  return version === "0" ? "Draft" : `Version ${version}`;
}

/** The display name of a call's network. */
export function networkInWords(network: Call["network"]): string {
  if (network === null) return "A trunk, not chosen yet";
  return network === SIMULATED_NETWORK ? "Simulated network" : network;
}

export const EVENT_LABELS: Readonly<Record<CallEventType, string>> = {
  "call.initiated": "Accepted",
  "call.dialing": "Dialing",
  "call.rerouted": "Trying another trunk",
  "call.ringing": "Ringing",
  "call.early_media": "Audio before the answer",
  "call.in_progress": "Answered",
  "call.answered_by": "Detected who answered",
  "call.language_noticed": "Detected another language",
  "call.transcript_extended": "Something was said or done",
  "call.number_suppressed": "The callee does not want to be called again",
  "call.incident": "Something failed on our side",
  "call.recording_failed": "The recording failed",
  "call.audio_missing": "No audio from the callee",
  "call.audio_returned": "Audio from the callee resumed",
  "call.key_pressed": "A key was pressed",
  "call.transfer": "Transferred",
  "call.hangup_requested": "Hang-up requested",
  "call.hold_extended": "More credit was reserved",
  "call.completed": "Completed",
  "call.failed": "Failed",
  "call.transcript.ready": "The transcript is ready",
  "call.recording.ready": "The recording is ready",
  "call.analyzed": "Analyzed",
  "call.reanalyzed": "Analyzed again",
  "call.redial_scheduled": "The callee will be called again",
  "call.redial_refused": "The callee can’t be called again",
  "call.data_erased": "Call content was erased",
};

/** Descriptions of the simulated callees, by the last digits of the number. */
export const SIMULATED_CALLEES: readonly { readonly phoneNumber: string; readonly who: string }[] = [
  { phoneNumber: "+15550100001", who: "A friendly person" },
  { phoneNumber: "+15550100010", who: "Someone who interrupts" },
  { phoneNumber: "+15550100014", who: "Someone who speaks slowly" },
  { phoneNumber: "+15550100007", who: "Voicemail" },
  { phoneNumber: "+15550100018", who: "Call screening" },
  { phoneNumber: "+15550100008", who: "A menu (press 1)" },
  { phoneNumber: "+15550100009", who: "Someone who stays silent" },
  { phoneNumber: "+15550100002", who: "Busy" },
  { phoneNumber: "+15550100003", who: "No answer" },
];

/** The state of a call in one badge. */
export function badgeOf(call: Pick<Call, "status" | "phase">): { tone: Tone; text: string; isLive: boolean } {
  if (call.status === "failed") return { tone: "danger", text: "Failed", isLive: false };
  if (call.status === "completed") return { tone: "success", text: "Completed", isLive: false };
  // A scheduled call may be days away: nothing is happening yet.
  return { tone: "accent", text: PHASE_LABELS[call.phase], isLive: call.phase !== "scheduled" };
}

/** The reason as a sentence, and how often it happened. */
export function causeOf({ reason, count }: Pick<Incident, "reason" | "count">): string {
  const sentence = `${reason.slice(0, 1).toUpperCase()}${reason.slice(1).replace(/\.+$/, "")}`;
  return count > 1 ? `Cause: ${sentence} (${count} times).` : `Cause: ${sentence}.`;
}
