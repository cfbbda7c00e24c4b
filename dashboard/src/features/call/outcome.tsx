import type { Call } from "@parley/contract/calls";
import { Card } from "../../ui/card.tsx";
import { Facts } from "../../ui/facts.tsx";
import { formatClock } from "../../ui/format.ts";
import { ANSWERED_BY_WORDS } from "../calls/call-words.ts";

const ENDED_BY_WORDS: Readonly<Record<NonNullable<Call["endedBy"]>, string>> = {
  callee: "The callee",
  agent: "The agent",
  service: "The service",
  api: "A request",
};

/** What became of the call, and on what grounds it was allowed. */
export function Outcome({ call }: { readonly call: Call }) {
  const { carrier, gate, quality, latency } = call;
  const facts = [
    call.answeredBy ? { name: "Answered by", value: ANSWERED_BY_WORDS[call.answeredBy] } : null,
    call.endedBy ? { name: "Ended by", value: ENDED_BY_WORDS[call.endedBy] } : null,
    call.durationSeconds === null ? null : { name: "Duration", value: formatClock(call.durationSeconds) },
    latency ? { name: "Turns", value: `${latency.turns}, ${latency.interruptions} interrupted` } : null,
    quality ? { name: "Line", value: `MOS ${quality.mos.toFixed(1)}, ${quality.lossPercent.toFixed(1)} % lost` } : null,
    { name: "Engine", value: call.engine },
    { name: "Agent version", value: call.agentVersion },
    carrier ? { name: "Network", value: carrier.name } : null,
    carrier?.explanation || carrier?.reason
      ? { name: "It said", value: `${carrier.code ?? ""} ${carrier.explanation ?? carrier.reason ?? ""}`.trim() }
      : null,
    gate ? { name: "Gate", value: <Gate gate={gate} /> } : null,
  ];
  return (
    <Card title="Outcome">
      <Facts facts={facts.filter((fact) => fact !== null)} />
      <p className="mt-2 font-mono text-xs break-all text-ink-soft">{call.id}</p>
    </Card>
  );
}

function Gate({ gate }: { readonly gate: NonNullable<Call["gate"]> }) {
  return (
    <>
      {GATE_WORDS[gate.decision]}
      {gate.reasons.map((reason) => (
        <span key={reason} className="block text-xs text-ink-soft">
          {reason.replaceAll("_", " ")}
        </span>
      ))}
    </>
  );
}

const GATE_WORDS = { allowed: "Allowed", waiting: "Waiting for calling hours", refused: "Refused" } as const;
