import type { Call } from "@parley/contract/calls";
import { Card } from "../../ui/card.tsx";
import { Facts } from "../../ui/facts.tsx";
import { formatClock, formatCountry } from "../../ui/format.ts";
import { ANSWERED_BY_WORDS, END_REASON_WORDS, networkInWords } from "../calls/call-words.ts";
import { gateReasonInWords } from "./gate-words.ts";
import { judgeLine, measureLine } from "./line-words.ts";

const ENDED_BY_WORDS: Readonly<Record<NonNullable<Call["endedBy"]>, string>> = {
  callee: "The callee",
  agent: "The agent",
  service: "The service",
  api: "A request",
};
const GATE_WORDS = { allowed: "Allowed", waiting: "Waiting for calling hours", refused: "Refused" } as const;

/** What became of the call, and on what grounds it was allowed. */
export function Outcome({ call }: { readonly call: Call }) {
  const { carrier, gate, quality, latency } = call;
  const facts = [
    ...describeAnalysis(call),
    call.answeredBy ? { name: "Answered by", value: ANSWERED_BY_WORDS[call.answeredBy] } : null,
    call.endedBy ? { name: "Ended by", value: ENDED_BY_WORDS[call.endedBy] } : null,
    call.durationSeconds === null ? null : { name: "Duration", value: formatClock(call.durationSeconds) },
    latency ? { name: "Turns", value: `${latency.turns}, ${latency.interruptions} interrupted` } : null,
    quality ? { name: "Line", value: <WithNotes value={judgeLine(quality)} notes={[measureLine(quality)]} /> } : null,
    call.country ? { name: "Country", value: formatCountry(call.country) } : null,
    call.from ? { name: "Shown to the callee", value: call.from } : null,
    { name: "Engine", value: call.engine },
    { name: "Agent version", value: call.agentVersion === 0 ? "Draft" : call.agentVersion },
    { name: "Network", value: networkInWords(call.network) },
    carrier && (carrier.explanation || carrier.reason)
      ? { name: "It answered", value: <CarrierAnswer carrier={carrier} /> }
      : null,
    gate
      ? {
          name: "Gate",
          value: <WithNotes value={GATE_WORDS[gate.decision]} notes={gate.reasons.map(gateReasonInWords)} />,
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

/** What the call came to, as far as it was judged. */
function describeAnalysis({ analysis }: Call) {
  if (analysis === null || analysis.status === "off") return [];
  if (analysis.status === "failed") return [{ name: "Result", value: "It couldn’t be analyzed" }];
  if (analysis.status === "pending") return [{ name: "Result", value: "Known when the call has ended" }];
  const outcome = analysis.outcome ?? "";
  const words = (END_REASON_WORDS as Readonly<Record<string, string>>)[outcome] ?? outcome.replaceAll("_", " ");
  return [
    { name: "Result", value: words },
    analysis.success === null ? null : { name: "Success", value: analysis.success ? "Yes" : "No" },
  ];
}

/** What the network said, in plain words first and by its own code after. */
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
