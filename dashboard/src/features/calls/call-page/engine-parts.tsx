import type { Call } from "@parley/contract/calls";
import type { CallEnginePart } from "@parley/contract/engines";
import { Cpu } from "lucide-react";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { formatTenths } from "../../../ui/figures.ts";
import { partLabel, partName } from "../../engines/engine-words.ts";
import { callPageText } from "./text.tsx";

/** Which vendors served the call, how fast, how much of each was used, and what that costs the operator. */
export function EngineParts({ parts }: { readonly parts: Call["engineParts"] }) {
  if (parts === null || parts.length === 0) {
    return <EmptyState icon={<Cpu />} title={callPageText.noParts} text={callPageText.noPartsHint} />;
  }
  return (
    <div className="overflow-x-auto px-4 py-4 sm:px-5">
      <table className="w-full text-left text-sm">
        <caption className="sr-only">{callPageText.partsCaption}</caption>
        <thead className="text-xs text-ink-soft">
          <tr>
            <th scope="col" className="py-1.5 pr-4 font-normal">
              {callPageText.part}
            </th>
            <th scope="col" className="py-1.5 pr-4 font-normal">
              {callPageText.servedBy}
            </th>
            <th scope="col" className="py-1.5 pr-4 font-normal">
              {callPageText.firstResult}
            </th>
            <th scope="col" className="py-1.5 pr-4 font-normal">
              {callPageText.used}
            </th>
            <th scope="col" className="py-1.5 text-right font-normal whitespace-nowrap">
              {callPageText.costInUsd}
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
              <td className="py-1.5 text-right tabular-nums">{part.cost ?? callPageText.noRate}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-3 text-xs text-ink-soft">{callPageText.firstResultNote}</p>
    </div>
  );
}

function firstResultInWords({ firstResultMsP50: p50, firstResultMsP95: p95 }: CallEnginePart): string {
  return p50 === null || p95 === null ? callPageText.noFirstResult : `${p50} / ${p95} ms`;
}

export function usageInWords(part: CallEnginePart): string {
  const amounts = [
    part.audioSeconds > 0 ? callPageText.audioSeconds(formatTenths(part.audioSeconds)) : "",
    part.characters > 0 ? callPageText.characters(part.characters) : "",
    part.inputTokens + part.outputTokens > 0 ? callPageText.tokens(part.inputTokens, part.outputTokens) : "",
    part.failures > 0 ? callPageText.ofFailed(part.failures, part.requests) : "",
  ].filter(Boolean);
  return amounts.join(", ") || callPageText.requestCount(part.requests);
}
