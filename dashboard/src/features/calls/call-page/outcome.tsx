import type { Call } from "@parley/contract/calls";
import type { GateRefusal } from "@parley/contract/gate";
import { Link } from "@tanstack/react-router";
import { apiText } from "../../../api/text.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { formatTenths } from "../../../ui/figures.ts";
import { formatClock, formatCountry } from "../../../ui/format.ts";
import { Card } from "../../../ui/layout/card.tsx";
import { Facts } from "../../../ui/layout/facts.tsx";
import { languageName } from "../../engines/engine-words.ts";
import { ANSWERED_BY_LABELS, causeOf, networkInWords } from "../call-labels.ts";
import { callsText } from "../text.ts";
import { callPageText } from "./text.tsx";

const ENDED_BY_LABELS: Readonly<Record<NonNullable<Call["endedBy"]>, string>> = callPageText.endedBy;
const GATE_LABELS = {
  allowed: callPageText.allowed,
  waiting: callPageText.waitingForCallingHours,
  refused: callPageText.refused,
} as const;

/** How the call was connected and ended, and why it was allowed. */
export function Outcome({ call }: { readonly call: Call }) {
  const { carrier, gate, quality, latency } = call;
  const facts = [
    call.answeredBy ? { name: callPageText.answeredBy, value: ANSWERED_BY_LABELS[call.answeredBy] } : null,
    call.calleeLanguage ? { name: callPageText.calleeLanguage, value: languageName(call.calleeLanguage) } : null,
    call.endedBy ? { name: callPageText.endedByName, value: ENDED_BY_LABELS[call.endedBy] } : null,
    call.durationSeconds === null ? null : { name: callPageText.duration, value: formatClock(call.durationSeconds) },
    latency ? { name: callPageText.turns, value: callPageText.turnCounts(latency.turns, latency.interruptions) } : null,
    quality
      ? {
          name: callPageText.lineQuality,
          value: <WithNotes value={judgeLine(quality)} notes={[measureLine(quality)]} />,
        }
      : null,
    call.country ? { name: callPageText.country, value: formatCountry(call.country) } : null,
    call.from ? { name: callPageText.shownToTheCallee, value: call.from } : null,
    { name: callPageText.engine, value: call.engine },
    { name: callPageText.agentVersion, value: call.agentVersion === 0 ? callPageText.draft : call.agentVersion },
    { name: callPageText.network, value: networkInWords(call.network) },
    carrier && (carrier.explanation || carrier.reason)
      ? { name: callPageText.networkResponse, value: <CarrierAnswer carrier={carrier} /> }
      : null,
    call.follows
      ? { name: callPageText.follows, value: <CallLink callId={call.follows}>{callPageText.theCallBefore}</CallLink> }
      : null,
    call.followedBy
      ? {
          name: callPageText.calledAgain,
          value: <CallLink callId={call.followedBy}>{callPageText.calleeAsked}</CallLink>,
        }
      : null,
    gate
      ? {
          name: callPageText.preCallCheck,
          value: <WithNotes value={GATE_LABELS[gate.decision]} notes={gate.reasons.map(gateReasonInWords)} />,
        }
      : null,
  ];
  return (
    <Card title={callPageText.outcome}>
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

/** What the network reported, first as plain text and then as its own code. */
function CarrierAnswer({ carrier: { code, reason, explanation } }: { readonly carrier: NonNullable<Call["carrier"]> }) {
  const verbatim = [code, reason].filter((part) => part !== null && part !== "").join(" ");
  return explanation ? (
    <WithNotes value={apiText.wordSentence(explanation)} notes={verbatim ? [verbatim] : []} />
  ) : (
    verbatim
  );
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
    <section aria-label={callPageText.problemsOnOurSide} className="mb-5">
      <Notice tone={isOurs ? "danger" : "warning"}>
        <p className="font-medium">{isOurs ? callPageText.failedBecauseOfUs : callPageText.wentWrongOnOurSide}</p>
        <ul className="mt-1.5 space-y-1.5">
          {incidents.map((incident) => (
            <li key={`${incident.what} ${incident.reason}`}>
              <time dateTime={incident.at} className="tabular-nums">
                {formatClock(Math.max(0, Date.parse(incident.at) - Date.parse(createdAt)) / 1000)}
              </time>{" "}
              {callsText.incidentEffect(incident)} {causeOf(incident)}
            </li>
          ))}
        </ul>
      </Notice>
    </section>
  );
}

const REFUSALS: Readonly<Record<GateRefusal, string>> = callPageText.refusals;

const FOUND: Readonly<Record<string, string>> = callPageText.found;

/** Labels of the gate's checks. Unknown ones are shown unchanged. */
export function gateReasonInWords(reason: string): string {
  if (Object.hasOwn(REFUSALS, reason)) return REFUSALS[reason as GateRefusal];
  if (Object.hasOwn(FOUND, reason)) return FOUND[reason] ?? reason;
  const [, country] = /^country_([A-Z]{2})$/.exec(reason) ?? [];
  if (country) return callPageText.inAllowedCountry(formatCountry(country));
  const [, kind] = /^valid_(\w+)$/.exec(reason) ?? [];
  if (kind) return callPageText.validNumber(kind);
  return reason.replaceAll("_", " ");
}

type Quality = NonNullable<Call["quality"]>;

// ITU-T G.107 annex B: the user satisfaction at such a score.
const SCORES = [
  { atLeast: 4.03, words: callPageText.good },
  { atLeast: 3.6, words: callPageText.fair },
  { atLeast: 3.1, words: callPageText.poor },
];

/** The perceived audio quality. */
function judgeLine({ mos }: Pick<Quality, "mos">): string {
  return SCORES.find(({ atLeast }) => mos >= atLeast)?.words ?? callPageText.bad;
}

/** The measurements behind it. */
function measureLine({ mos, lossPercent, jitterMs }: Quality): string {
  return callPageText.lineMeasures(formatTenths(mos), formatTenths(lossPercent), Math.round(jitterMs));
}
