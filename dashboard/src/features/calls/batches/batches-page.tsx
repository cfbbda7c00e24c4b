import type { Batch } from "@parley/contract/batches";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ListPlus, Plus } from "lucide-react";
import { errorText } from "../../../api/api-error.ts";
import { useMode } from "../../../app/mode.tsx";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { formatFull } from "../../../ui/format.ts";
import { Button, buttonClass } from "../../../ui/forms/button.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { agentsQuery } from "../../agents/agent-list-query.ts";
import { BackToCalls } from "../back-to-calls.tsx";
import { BATCH_STATUS_LABELS, batchesQuery, progressOf } from "./batch-queries.ts";
import { batchesText } from "./text.tsx";

export function BatchesPage() {
  const { mode } = useMode();
  const batches = useInfiniteQuery(batchesQuery(mode));
  const rows = batches.data?.pages.flatMap((page) => page.rows) ?? [];
  const create = (
    <Link to="/calls/batches/new" className={buttonClass({ look: "primary" })}>
      <Plus aria-hidden="true" />
      {batchesText.newBatch}
    </Link>
  );
  return (
    <Page title={batchesText.batches} above={<BackToCalls />} lead={batchesText.batchesLead} actions={create}>
      {batches.error ? <Notice tone="danger">{errorText(batches.error)}</Notice> : null}
      <div className="overflow-hidden rounded-2xl border border-line bg-surface">
        {batches.isPending ? <SkeletonRows count={4} label={batchesText.loadingBatches} /> : null}
        {batches.isSuccess && rows.length === 0 ? (
          <EmptyState
            icon={<ListPlus />}
            title={batchesText.noBatchesYet}
            text={batchesText.noBatchesHint}
            action={create}
          />
        ) : null}
        <ul className="divide-y divide-line">
          {rows.map((batch) => (
            <BatchItem key={batch.id} batch={batch} />
          ))}
        </ul>
      </div>
      {batches.hasNextPage ? (
        <Button className="mt-4" onClick={() => void batches.fetchNextPage()} isBusy={batches.isFetchingNextPage}>
          {batchesText.showMore}
        </Button>
      ) : null}
    </Page>
  );
}

function BatchItem({ batch }: { readonly batch: Batch }) {
  const { data: agents = [] } = useQuery(agentsQuery);
  const agent = agents.find(({ id }) => id === batch.agentId)?.name ?? batch.agentId;
  const { counts } = batch;
  return (
    <li className="relative px-4 py-3 hover:bg-sunken/60 sm:px-5">
      <div className="flex items-center justify-between gap-4">
        <div className="min-w-0">
          <Link
            to="/calls/batches/$batchId"
            params={{ batchId: batch.id }}
            className="font-medium outline-offset-[-2px] after:absolute after:inset-0"
          >
            {batch.name}
          </Link>
          <p className="truncate text-sm text-ink-soft">
            {agent} · {formatFull(batch.createdAt)}
          </p>
        </div>
        <div className="shrink-0 text-right text-sm">
          <BatchBadge batch={batch} />
          <p className="mt-0.5 text-ink-soft tabular-nums">
            {batchesText.progressOfRows(Math.round(progressOf(batch) * counts.rows), counts.rows)}
          </p>
        </div>
      </div>
    </li>
  );
}

export function BatchBadge({ batch }: { readonly batch: Batch }) {
  const isFinished = progressOf(batch) === 1 && batch.status === "done";
  const tone = isFinished ? "success" : batch.status === "running" ? "accent" : "neutral";
  return (
    <Badge tone={batch.status === "paused" ? "warning" : tone} isLive={batch.status === "running"}>
      {isFinished ? batchesText.finished : BATCH_STATUS_LABELS[batch.status]}
    </Badge>
  );
}
