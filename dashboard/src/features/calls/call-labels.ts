import type { CallEventType } from "@parley/contract/call-events";
import { type Call, type CallPhase, type EndReason, SIMULATED_NETWORK } from "@parley/contract/calls";
import type { Incident } from "@parley/contract/incidents";
import { apiText } from "../../api/text.ts";
import type { Tone } from "../../ui/feedback/badge.tsx";
import { callsText } from "./text.ts";

/** Why a call ended, in plain words. */
export const END_REASON_LABELS: Readonly<Record<EndReason, string>> = callsText.endReasonNames;

export const PHASE_LABELS: Readonly<Record<CallPhase, string>> = callsText.phase;

export const STATUS_LABELS: Readonly<Record<Call["status"], string>> = callsText.statusNames;

export const ANSWERED_BY_LABELS: Readonly<Record<NonNullable<Call["answeredBy"]>, string>> = callsText.answeredByNames;

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
  return version === "0" ? callsText.draft : callsText.versionNumber(version);
}

/** The display name of a call's network. */
export function networkInWords(network: Call["network"]): string {
  if (network === null) return callsText.trunkNotChosen;
  return network === SIMULATED_NETWORK ? callsText.simulatedNetwork : network;
}

export const EVENT_LABELS: Readonly<Record<CallEventType, string>> = callsText.event;

/** Descriptions of the simulated callees, by the last digits of the number. */
export const SIMULATED_CALLEES: readonly { readonly phoneNumber: string; readonly who: string }[] = [
  { phoneNumber: "+15550100001", who: callsText.aFriendlyPerson },
  { phoneNumber: "+15550100010", who: callsText.someoneWhoInterrupts },
  { phoneNumber: "+15550100014", who: callsText.someoneWhoSpeaksSlowly },
  { phoneNumber: "+15550100007", who: callsText.voicemail },
  { phoneNumber: "+15550100018", who: callsText.callScreening },
  { phoneNumber: "+15550100008", who: callsText.aMenuPress1 },
  { phoneNumber: "+15550100009", who: callsText.someoneWhoStaysSilent },
  { phoneNumber: "+15550100002", who: callsText.busy },
  { phoneNumber: "+15550100003", who: callsText.noAnswer },
];

/** The state of a call in one badge. */
export function badgeOf(call: Pick<Call, "status" | "phase">): { tone: Tone; text: string; isLive: boolean } {
  if (call.status === "failed") return { tone: "danger", text: callsText.failed, isLive: false };
  if (call.status === "completed") return { tone: "success", text: callsText.completed, isLive: false };
  // A scheduled call may be days away: nothing is happening yet.
  return { tone: "accent", text: PHASE_LABELS[call.phase], isLive: call.phase !== "scheduled" };
}

/** The reason as a sentence, and how often it happened. */
export function causeOf({ reason, count }: Pick<Incident, "reason" | "count">): string {
  const worded = apiText.wordSentence(reason);
  const sentence = `${worded.slice(0, 1).toUpperCase()}${worded.slice(1).replace(/\.+$/, "")}`;
  return callsText.cause(sentence, count);
}
