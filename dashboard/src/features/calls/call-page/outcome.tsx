import type { Call } from "@parley/contract/calls";
import type { GateRefusal } from "@parley/contract/gate";
import { Link } from "@tanstack/react-router";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { formatClock, formatCountry } from "../../../ui/format.ts";
import { Card } from "../../../ui/layout/card.tsx";
import { Facts } from "../../../ui/layout/facts.tsx";
import { languageName } from "../../engines/engine-words.ts";
import { ANSWERED_BY_LABELS, causeOf, networkInWords, outcomeInWords } from "../call-labels.ts";

const ENDED_BY_LABELS: Readonly<Record<NonNullable<Call["endedBy"]>, string>> = {
  callee: "The callee",
  agent: "The agent",
  service: "The service",
  api: "A request",
};
const GATE_LABELS = { allowed: "Allowed", waiting: "Waiting for calling hours", refused: "Refused" } as const;

/** The outcome of the call, and why it was allowed. */
export function Outcome({ call }: { readonly call: Call }) {
  const { carrier, gate, quality, latency } = call;
  const facts = [
    ...describeAnalysis(call),
    call.answeredBy ? { name: "Answered by", value: ANSWERED_BY_LABELS[call.answeredBy] } : null,
    call.calleeLanguage ? { name: "The callee spoke", value: languageName(call.calleeLanguage) } : null,
    call.endedBy ? { name: "Ended by", value: ENDED_BY_LABELS[call.endedBy] } : null,
    call.durationSeconds === null ? null : { name: "Duration", value: formatClock(call.durationSeconds) },
    latency ? { name: "Turns", value: `${latency.turns}, ${latency.interruptions} interrupted` } : null,
    quality
      ? { name: "Line quality", value: <WithNotes value={judgeLine(quality)} notes={[measureLine(quality)]} /> }
      : null,
    call.country ? { name: "Country", value: formatCountry(call.country) } : null,
    call.from ? { name: "Shown to the callee", value: call.from } : null,
    { name: "Engine", value: call.engine },
    { name: "Agent version", value: call.agentVersion === 0 ? "Draft" : call.agentVersion },
    { name: "Network", value: networkInWords(call.network) },
    carrier && (carrier.explanation || carrier.reason)
      ? { name: "Network response", value: <CarrierAnswer carrier={carrier} /> }
      : null,
    call.follows ? { name: "Follows", value: <CallLink callId={call.follows}>the call before</CallLink> } : null,
    call.followedBy
      ? { name: "Called again", value: <CallLink callId={call.followedBy}>as the callee asked</CallLink> }
      : null,
    gate
      ? {
          name: "Pre-call check",
          value: <WithNotes value={GATE_LABELS[gate.decision]} notes={gate.reasons.map(gateReasonInWords)} />,
        }
      : null,
  ];
  return (
    <Card title="Outcome">
      <Facts facts={facts.filter((fact) => fact !== null)} />
      <p className="mt-2 font-mono text-xs break-all text-ink-soft">{call.id}</p>
    </Card>
  );
}

function CallLink({ callId, children }: { readonly callId: string; readonly children: string }) {
  return (
    <Link to="/calls/$callId" params={{ callId }} className="underline">
      {children}
    </Link>
  );
}

/** The outcome of the call, as far as it was judged. */
function describeAnalysis({ analysis }: Call) {
  if (analysis === null || analysis.status === "off") return [];
  if (analysis.status === "failed") return [{ name: "Result", value: "It couldn’t be analyzed" }];
  if (analysis.status === "pending") return [{ name: "Result", value: "Known when the call has ended" }];
  return [
    { name: "Result", value: outcomeInWords(analysis) ?? "None" },
    analysis.success === null ? null : { name: "Success", value: analysis.success ? "Yes" : "No" },
  ];
}

/** What the network reported, first as plain text and then as its own code. */
function CarrierAnswer({ carrier: { code, reason, explanation } }: { readonly carrier: NonNullable<Call["carrier"]> }) {
  const verbatim = [code, reason].filter((part) => part !== null && part !== "").join(" ");
  return explanation ? <WithNotes value={explanation} notes={verbatim ? [verbatim] : []} /> : verbatim;
}

function WithNotes({ value, notes }: { readonly value: string; readonly notes: readonly string[] }) {
  return (
    <>
      {value}
      {notes.map((note) => (
        <span key={note} className="block text-xs text-ink-soft">
          {note}
        </span>
      ))}
    </>
  );
}

/** What failed on our side during a call. Empty if nothing did. */
export function Incidents({ call }: { readonly call: Pick<Call, "incidents" | "endReason" | "createdAt"> }) {
  const { incidents, endReason, createdAt } = call;
  const isOurs = endReason === "engine_error" || endReason === "worker_lost";
  if (incidents.length === 0) return null;
  return (
    <section aria-label="Problems on our side" className="mb-5">
      <Notice tone={isOurs ? "danger" : "warning"}>
        <p className="font-medium">
          {isOurs ? "This call failed because of a problem on our side." : "Something went wrong on our side."}
        </p>
        <ul className="mt-1.5 space-y-1.5">
          {incidents.map((incident) => (
            <li key={`${incident.what} ${incident.reason}`}>
              <time dateTime={incident.at} className="tabular-nums">
                {formatClock(Math.max(0, Date.parse(incident.at) - Date.parse(createdAt)) / 1000)}
              </time>{" "}
              {incident.effect} {causeOf(incident)}
            </li>
          ))}
        </ul>
      </Notice>
    </section>
  );
}

const REFUSALS: Readonly<Record<GateRefusal, string>> = {
  emergency_number: "It reaches an emergency service",
  invalid_number: "There is no such number",
  premium_rate: "A premium-rate number",
  shared_cost: "A shared-cost number",
  satellite: "A satellite or international network",
  personal_number: "A personal number, charged like a premium-rate one",
  type_not_allowed: "Numbers of this kind are not called",
  country_not_allowed: "This country may not be called",
  no_rate: "There is no rate for it",
  rate_above_cap: "It costs more a minute than is allowed",
  suppressed: "It is on the suppression list",
  number_velocity: "Called as often today as it may be",
  range_velocity: "Too many calls to its neighbours in this hour",
  country_velocity: "Too many calls to its country in this hour",
  outside_calling_hours: "Outside the callee's calling hours",
  time_zone_unknown: "The callee's time zone is not known",
  hours_may_not_be_ignored: "Calling hours may not be ignored",
  insufficient_credit: "The credit does not cover it",
  spend_limit: "A spend cap is reached",
};

const FOUND: Readonly<Record<string, string>> = {
  simulated_network: "On the simulated network",
  not_suppressed: "Not on the suppression list",
  credit_covers_it: "The credit covers it",
  not_charged: "Not charged",
  rate_within_cap: "Its rate is within the cap",
  velocity_within_limits: "Not called too often",
  within_calling_hours: "Within the callee's calling hours",
  calling_hours_ignored: "Calling hours were ignored on request",
};

/** Labels of the gate's checks. Unknown ones are shown unchanged. */
export function gateReasonInWords(reason: string): string {
  if (Object.hasOwn(REFUSALS, reason)) return REFUSALS[reason as GateRefusal];
  if (Object.hasOwn(FOUND, reason)) return FOUND[reason] ?? reason;
  const [, country] = /^country_([A-Z]{2})$/.exec(reason) ?? [];
  if (country) return `In ${formatCountry(country)}, which may be called`;
  const [, kind] = /^valid_(\w+)$/.exec(reason) ?? [];
  if (kind) return `A valid number: ${kind.replaceAll("_", " ")}`;
  return reason.replaceAll("_", " ");
}

type Quality = NonNullable<Call["quality"]>;

// ITU-T G.107 annex B: the user satisfaction at such a score.
const SCORES = [
  { atLeast: 4.03, words: "Good" },
  { atLeast: 3.6, words: "Fair" },
  { atLeast: 3.1, words: "Poor" },
];

/** The perceived audio quality. */
function judgeLine({ mos }: Pick<Quality, "mos">): string {
  return SCORES.find(({ atLeast }) => mos >= atLeast)?.words ?? "Bad";
}

/** The measurements behind it. */
function measureLine({ mos, lossPercent, jitterMs }: Quality): string {
  return `${mos.toFixed(1)} of 5 (MOS), ${lossPercent.toFixed(1)}% lost, ${Math.round(jitterMs)} ms jitter`;
}
