import type { Agent } from "@parley/contract/agents";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { ListFilter } from "lucide-react";
import { useMode } from "../../app/mode.tsx";
import { formatCount } from "../../languages/language.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { LoadError } from "../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../ui/feedback/skeleton.tsx";
import { formatDelay, formatPercent } from "../../ui/figures.ts";
import { Select } from "../../ui/forms/field.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { nodeNumbersQuery, publishedFlowQuery, versionsQuery } from "./agent-queries.ts";
import { type NodeStep, toSteps } from "./node-steps.ts";
import { agentsText } from "./text.ts";

interface NodeFunnelProps {
  readonly agent: Pick<Agent, "id" | "publishedVersion">;
  /** A version, `all`, or undefined for the published one. */
  readonly version: string | undefined;
  onChoose(version: string): void;
}

/** What the latest calls did at each node, in the order of the flow. */
export function NodeFunnel({ agent: { id, publishedVersion }, version, onChoose }: NodeFunnelProps) {
  const { data } = useInfiniteQuery(versionsQuery(id));
  const published = publishedVersion === null ? "" : String(publishedVersion);
  const chosen = version ?? published;
  const listed = data?.pages.flatMap(({ rows }) => rows.map((row) => String(row.version))) ?? [];
  return (
    <Card
      title={agentsText.stepByStep}
      isFlush
      aside={
        published === "" ? undefined : (
          <Select
            aria-label={agentsText.versionOfSteps}
            value={chosen}
            onChange={(event) => onChoose(event.target.value)}
            className="w-40"
          >
            {/* A version of the URL may not be listed yet, or not exist. */}
            {[...new Set([...listed, published, ...(chosen === "all" ? [] : [chosen])])].map((value) => (
              <option key={value} value={value}>
                {agentsText.version(Number(value))}
              </option>
            ))}
            <option value="all">{agentsText.allVersions}</option>
          </Select>
        )
      }
    >
      {published === "" ? (
        <EmptyState icon={<ListFilter />} title={agentsText.noSteps} text={agentsText.noStepsBeforePublishing} />
      ) : (
        <Steps agentId={id} version={chosen === "all" ? null : Number(chosen)} flowVersion={Number(published)} />
      )}
    </Card>
  );
}

interface StepsProps {
  readonly agentId: string;
  /** Null for all versions. */
  readonly version: number | null;
  /** The version whose flow gives the order if all are counted. */
  readonly flowVersion: number;
}

function Steps({ agentId, version, flowVersion }: StepsProps) {
  const { mode } = useMode();
  const numbers = useQuery(nodeNumbersQuery(mode, agentId, version));
  const flow = useQuery(publishedFlowQuery(agentId, version ?? flowVersion));
  const error = numbers.error ?? flow.error;
  if (error)
    return (
      <div className="p-4 sm:p-5">
        <LoadError error={error} onRetry={() => Promise.all([numbers.refetch(), flow.refetch()])} />
      </div>
    );
  if (!numbers.data || !flow.data) return <SkeletonRows count={3} label={agentsText.loadingSteps} />;
  const { calls, nodes } = numbers.data;
  if (calls === 0)
    return (
      <EmptyState
        icon={<ListFilter />}
        title={agentsText.noSteps}
        text={agentsText.noStepsHint(mode, version !== null)}
      />
    );
  return (
    <>
      <p className="px-4 pt-1 pb-3 text-sm text-ink-soft sm:px-5">{agentsText.latestCalls(calls)}</p>
      <StepTable steps={toSteps(flow.data, nodes)} calls={calls} />
    </>
  );
}

const NONE = "–";
const RIGHT = "py-2 pr-3 text-right sm:pr-4";

interface StepTableProps {
  readonly steps: readonly NodeStep[];
  /** The calls that were counted. */
  readonly calls: number;
}

function StepTable({ steps, calls }: StepTableProps) {
  const heading = "pr-3 pb-2 text-right font-medium sm:pr-4";
  return (
    <table aria-label={agentsText.stepByStep} className="w-full text-sm tabular-nums">
      <thead className="border-b border-line text-xs text-ink-soft">
        <tr>
          <th scope="col" className="pb-2 pl-4 text-left font-medium sm:pl-5">
            {agentsText.step}
          </th>
          <th scope="col" className={heading}>
            {agentsText.calls}
          </th>
          <th scope="col" className={`${heading} hidden md:table-cell`}>
            {agentsText.visits}
          </th>
          <th scope="col" title={agentsText.hungUpNote} className={heading}>
            {agentsText.hungUp}
          </th>
          <th scope="col" title={agentsText.notUnderstoodNote} className={`${heading} hidden sm:table-cell`}>
            {agentsText.notUnderstood}
          </th>
          <th scope="col" title={agentsText.medianTimeNote} className={`${heading} hidden md:table-cell`}>
            {agentsText.medianTime}
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {steps.map((step) => (
          <tr key={step.id}>
            <th scope="row" className="w-full py-2 pr-3 pl-4 text-left font-normal break-words sm:pl-5 lg:w-1/2">
              <span className="font-medium">{step.title}</span>{" "}
              {step.kind === null ? null : <span className="text-xs text-ink-soft">{step.kind}</span>}
              <span aria-hidden="true" className="mt-1.5 block h-1.5 overflow-hidden rounded-full bg-sunken">
                <span
                  className="block h-full rounded-full bg-accent"
                  style={{ width: `${Math.min(100, (100 * step.calls) / calls)}%` }}
                />
              </span>
            </th>
            <td className={RIGHT}>{formatCount(step.calls)}</td>
            <td className={`${RIGHT} hidden md:table-cell`}>{formatCount(step.visits)}</td>
            <td className={RIGHT}>{dropOff(step)}</td>
            <td className={`${RIGHT} hidden sm:table-cell`}>
              {step.notUnderstood === null ? NONE : formatCount(step.notUnderstood)}
            </td>
            <td className={`${RIGHT} hidden md:table-cell`}>
              {step.medianMs === null ? NONE : formatDelay(step.medianMs)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** How many hung up at a step, and their share of those that came there. */
function dropOff({ hangUps, calls }: NodeStep): string {
  if (hangUps === null || calls === 0) return NONE;
  return hangUps === 0 ? "0" : `${formatCount(hangUps)} (${formatPercent(hangUps / calls)})`;
}
