import { INCIDENT_TURNS_MAX, INCIDENTS_MAX, type Incident, type IncidentKind } from "@parley/contract/incidents";
import type { Tx } from "../../platform/database/database.ts";
import type { CallRow } from "../call-record.ts";
import { recordCallEvent } from "../event-store.ts";
import { lockIncidents, setIncidents } from "./incident-store.ts";

/** A failure of the service during a call, as reported by the component that noticed it. */
export interface IncidentReport {
  readonly what: IncidentKind;
  readonly reason: string;
  /** How long ago it began. */
  readonly agoMs: number;
  /** The turn of the conversation in which it happened. */
  readonly turn?: number;
  /** How long it has lasted so far in this call, if known. */
  readonly totalMs?: number;
  /** Updates an earlier report of the same failure. */
  readonly isUpdate?: boolean;
}

const REASON_CHARACTERS_MAX = 300;

/** The effect of an incident on the call, as a text for customers. */
const EFFECTS: Readonly<Record<IncidentKind, (lasted: string | null) => string>> = {
  hearing_failed: (lasted) => `We could not hear the callee for ${lasted ?? "a while"}.`,
  recognition_failed: () => "We could not understand something the callee said.",
  speech_failed: () => "The agent could not say something it was meant to say.",
  speech_late: () => "The callee waited longer than usual for the agent to speak.",
  voice_changed: () => "The agent said something in a different voice.",
  model_failed: () => "The agent had to do without an answer from a language model, or waited longer for one.",
  tool_failed: () => "A request of the agent was not sent.",
  agent_failed: () => "The agent could not carry out a step of its flow.",
  conversation_failed: () => "The conversation broke off.",
  audio_late: (lasted) => `The audio of the call stopped for ${lasted ?? "a while"}.`,
  not_heard: (lasted) => `The callee may not have heard the agent for ${lasted ?? "a while"}.`,
  recording_failed: () => "There is no recording of this call.",
  recording_gap: (lasted) =>
    `${lasted ?? "Part"} of the recording ${lasted?.endsWith("seconds") ? "are" : "is"} missing.`,
  transcript_late: () => "The transcript was saved late. Nothing is missing from it.",
  worker_lost: () => "The call was cut off.",
};

/**
 * Adds an incident to those of a call. The same failure again increments its count; when there are too many different
 * ones, the last entry counts all that follow.
 */
export function mergeIncident(
  incidents: readonly Incident[],
  { what, reason: given, turn, totalMs, isUpdate = false }: IncidentReport,
  at: Date,
): { readonly incidents: readonly Incident[]; readonly added: Incident | null } {
  const reason = readableReason(given);
  const effect = EFFECTS[what](totalMs === undefined ? null : durationWords(totalMs));
  const same = incidents.findIndex((each) => each.what === what && each.reason === reason);
  const index = same >= 0 || incidents.length < INCIDENTS_MAX ? same : INCIDENTS_MAX - 1;
  if (index < 0) {
    const added = inTurn({ at: at.toISOString(), what, reason, effect, count: 1 }, turn);
    return { incidents: [...incidents, added], added };
  }
  const merged = incidents.map((each, place) => {
    if (place !== index) return each;
    // An update changes only the effect.
    return isUpdate ? { ...each, effect } : inTurn({ ...each, count: each.count + 1 }, turn);
  });
  return { incidents: merged, added: null };
}

function inTurn(incident: Incident, turn: number | undefined): Incident {
  const { turns = [] } = incident;
  if (turn === undefined || turns.includes(turn) || turns.length >= INCIDENT_TURNS_MAX) return incident;
  return { ...incident, turns: [...turns, turn] };
}

/** Adds the consequence for the call to the last incident. */
export function concludeIncidents(incidents: readonly Incident[], conclusion: string): readonly Incident[] {
  return incidents.map((each, place) =>
    place === incidents.length - 1 ? { ...each, effect: `${each.effect} ${conclusion}` } : each,
  );
}

/** Never empty, and without characters that a database or a page cannot show. */
export function readableReason(given: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be stored.
  const text = given.replaceAll(/[\u0000-\u001f\u007f]+/g, " ").trim();
  return text === "" ? "no reason was given" : text.slice(0, REASON_CHARACTERS_MAX);
}

function durationWords(ms: number): string {
  return secondsInWords(Math.max(1, Math.round(ms / 1000)));
}

export function secondsInWords(seconds: number): string {
  return seconds === 1 ? "1 second" : `${seconds} seconds`;
}

/**
 * Adds a failure of the service to the record of a call, and to its timeline if it is the first of its kind. It works
 * after the end too, because the recording ends later. Null when the call is no longer this run's.
 */
export async function recordIncident(
  tx: Tx,
  call: Pick<CallRow, "id" | "fence">,
  report: IncidentReport,
): Promise<CallRow | null> {
  const before = await lockIncidents(tx, call.id, call.fence, report.agoMs);
  if (before === null) return null;
  const { incidents, added } = mergeIncident(before.incidents, report, before.at);
  const row = await setIncidents(tx, call.id, incidents, added === null ? 0 : 1);
  if (added !== null) await recordCallEvent(tx, row, "call.incident", eventOf(added));
  return row;
}

/** Notes on a call what of it is not charged because of us. It then has at least the given incident. */
export async function recordNotCharged(
  tx: Tx,
  call: CallRow,
  otherwise: IncidentReport,
  conclusion: string,
): Promise<void> {
  const row = call.incidents.length > 0 ? call : await recordIncident(tx, call, otherwise);
  if (row === null) return;
  await setIncidents(tx, row.id, concludeIncidents(row.incidents, conclusion), 0);
}

function eventOf({ what, reason, effect }: Incident): Record<string, unknown> {
  return { what, reason, effect };
}
