import type { Call } from "@parley/contract/calls";
import type { CallEnginePart } from "@parley/contract/engines";
import { Cpu } from "lucide-react";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { partLabel, partName } from "../../engines/engine-words.ts";

/** Which vendors served the call, how fast, how much of each was used, and what that costs the operator. */
export function EngineParts({ parts }: { readonly parts: Call["engineParts"] }) {
  if (parts === null || parts.length === 0) {
    return (
      <EmptyState
        icon={<Cpu />}
        title="Nothing was measured"
        text="The parts of the engine are shown here once they were used in an answered call."
      />
    );
  }
  return (
    <div className="overflow-x-auto px-4 py-4 sm:px-5">
      <table className="w-full text-left text-sm">
        <caption className="sr-only">Parts of the engine that served this call</caption>
        <thead className="text-xs text-ink-soft">
          <tr>
            <th scope="col" className="py-1.5 pr-4 font-normal">
              Part
            </th>
            <th scope="col" className="py-1.5 pr-4 font-normal">
              Served by
            </th>
            <th scope="col" className="py-1.5 pr-4 font-normal">
              First result
            </th>
            <th scope="col" className="py-1.5 pr-4 font-normal">
              Used
            </th>
            <th scope="col" className="py-1.5 text-right font-normal whitespace-nowrap">
              Cost in USD
            </th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part) => (
            <tr key={`${part.part} ${part.provider} ${part.model ?? ""}`}>
              <th scope="row" className="py-1.5 pr-4 font-normal">
                {partLabel(part.part)}
              </th>
              <td className="py-1.5 pr-4">{partName(part)}</td>
              <td className="py-1.5 pr-4 whitespace-nowrap tabular-nums">{firstResultInWords(part)}</td>
              <td className="py-1.5 pr-4 tabular-nums">{usageInWords(part)}</td>
              <td className="py-1.5 text-right tabular-nums">{part.cost ?? "no rate"}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-3 text-xs text-ink-soft">First result: median and 95th percentile of the requests.</p>
    </div>
  );
}

function firstResultInWords({ firstResultMsP50: p50, firstResultMsP95: p95 }: CallEnginePart): string {
  return p50 === null || p95 === null ? "none" : `${p50} / ${p95} ms`;
}

export function usageInWords(part: CallEnginePart): string {
  const amounts = [
    part.audioSeconds > 0 ? `${part.audioSeconds.toFixed(1)} s of audio` : "",
    part.characters > 0 ? `${part.characters} characters` : "",
    part.inputTokens + part.outputTokens > 0 ? `${part.inputTokens} + ${part.outputTokens} tokens` : "",
    part.failures > 0 ? `${part.failures} of ${part.requests} failed` : "",
  ].filter(Boolean);
  return amounts.join(", ") || `${part.requests} requests`;
}
