import type { Batch, BatchRow } from "@parley/contract/batches";
import { cancelBatch, exportBatchResults, pauseBatch, resumeBatch } from "@parley/contract/routes/batches";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Download, ListX, Pause, Play, X } from "lucide-react";
import { useState } from "react";
import { errorText } from "../../../api/api-error.ts";
import { addressOf, send } from "../../../api/send.ts";
import { apiText } from "../../../api/text.ts";
import { BATCHES_KEY } from "../../../app/live-keys.ts";
import { useMode } from "../../../app/mode.tsx";
import { locale } from "../../../languages/language.ts";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { useToast } from "../../../ui/feedback/toast.tsx";
import { formatClock, formatFull } from "../../../ui/format.ts";
import { Button, buttonClass } from "../../../ui/forms/button.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { ConfirmDialog } from "../../../ui/layout/dialog.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { BackToCalls } from "../back-to-calls.tsx";
import { badgeOf, END_REASON_LABELS } from "../call-labels.ts";
import { batchQuery, batchRowsQuery, progressOf } from "./batch-queries.ts";
import { BatchBadge } from "./batches-page.tsx";
import { batchesText } from "./text.tsx";

const route = getRouteApi("/signed-in/calls/batches/$batchId");

export function BatchPage() {
  const { batchId } = route.useParams();
  const { mode } = useMode();
  const { data: batch, error } = useQuery(batchQuery(mode, batchId));
  if (batch) return <ShownBatch batch={batch} />;
  return (
    <Page title={batchesText.batch} above={<BackToCalls to="/calls/batches" />}>
      <div className="rounded-2xl border border-line bg-surface">
        {error ? (
          <EmptyState icon={<ListX />} title={batchesText.noSuchBatch(mode)} text={errorText(error)} />
        ) : (
          <SkeletonRows count={6} label={batchesText.loadingBatch} />
        )}
      </div>
    </Page>
  );
}

function ShownBatch({ batch }: { readonly batch: Batch }) {
  const results = addressOf(exportBatchResults, { params: { id: batch.id }, mode: batch.mode });
  return (
    <Page
      title={batch.name}
      above={<BackToCalls to="/calls/batches" />}
      lead={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm">
          <BatchBadge batch={batch} />
          <span>{batchesText.created(<time dateTime={batch.createdAt}>{formatFull(batch.createdAt)}</time>)}</span>
        </span>
      }
      actions={
        <>
          <Steering batch={batch} />
          <a href={results} download={`${batch.name}.csv`} className={buttonClass()}>
            <Download aria-hidden="true" />
            {batchesText.resultsAsCsv}
          </a>
        </>
      }
    >
      {batch.pausedBecause ? (
        <div className="mb-5">
          <Notice tone="warning">{batchesText.pausedBecause(apiText.wordSentence(batch.pausedBecause))}</Notice>
        </div>
      ) : null}
      <Progress batch={batch} />
      <Rows batch={batch} />
    </Page>
  );
}

/** Pausing, resuming and canceling. */
function Steering({ batch }: { readonly batch: Batch }) {
  const queries = useQueryClient();
  const toast = useToast();
  const [isCanceling, setCanceling] = useState(false);
  const { mutate, isPending } = useMutation({
    mutationFn: (change: typeof pauseBatch | typeof resumeBatch | typeof cancelBatch) =>
      send(change, { params: { id: batch.id }, mode: batch.mode, body: {} }),
    onSuccess: async () => {
      setCanceling(false);
      await queries.invalidateQueries({ queryKey: BATCHES_KEY });
    },
    onError: (error) => toast({ text: errorText(error) }),
  });
  if (batch.status === "done" || batch.status === "canceled") return null;
  return (
    <>
      {batch.status === "running" ? (
        <Button onClick={() => mutate(pauseBatch)} isBusy={isPending}>
          <Pause aria-hidden="true" />
          {batchesText.pause}
        </Button>
      ) : (
        <Button look="primary" onClick={() => mutate(resumeBatch)} isBusy={isPending}>
          <Play aria-hidden="true" />
          {batchesText.resume}
        </Button>
      )}
      <Button onClick={() => setCanceling(true)}>
        <X aria-hidden="true" />
        {batchesText.cancel}
      </Button>
      {isCanceling ? (
        <ConfirmDialog
          title={batchesText.cancelQuestion}
          lead={batchesText.cancelLead(batch.counts.waiting)}
          keep={batchesText.keepBatch}
          confirm={batchesText.cancelBatch}
          isBusy={isPending}
          onConfirm={() => mutate(cancelBatch)}
          onClose={() => setCanceling(false)}
        />
      ) : null}
    </>
  );
}

function Progress({ batch }: { readonly batch: Batch }) {
  const { counts } = batch;
  const share = Math.round(progressOf(batch) * 100);
  const figures = [
    { name: batchesText.waiting, value: counts.waiting },
    { name: batchesText.scheduledOrLive, value: counts.inProgress },
    { name: batchesText.completed, value: counts.completed },
    { name: batchesText.failed, value: counts.failed },
    { name: batchesText.notCalled, value: counts.refused + counts.canceled },
  ];
  return (
    <section
      aria-label={batchesText.progress}
      className="mb-5 rounded-2xl border border-line bg-surface px-4 py-4 sm:px-5"
    >
      <div
        role="progressbar"
        aria-label={batchesText.finishedRows}
        aria-valuenow={share}
        aria-valuemin={0}
        aria-valuemax={100}
        className="h-2 overflow-hidden rounded-full bg-sunken"
      >
        <div className="h-full rounded-full bg-accent" style={{ width: `${share}%` }} />
      </div>
      <dl className="mt-4 grid grid-cols-2 gap-4 sm:grid-cols-5">
        {figures.map(({ name, value }) => (
          <div key={name}>
            <dt className="text-sm text-ink-soft">{name}</dt>
            <dd className="text-xl font-semibold tabular-nums">{value.toLocaleString(locale)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Rows({ batch }: { readonly batch: Batch }) {
  const rows = useInfiniteQuery(batchRowsQuery(batch.mode, batch.id));
  return (
    <Card title={batchesText.rows} isFlush>
      {rows.error ? <Notice tone="danger">{errorText(rows.error)}</Notice> : null}
      {rows.isPending ? <SkeletonRows count={5} label={batchesText.loadingRows} /> : null}
      <ol className="mt-2 divide-y divide-line">
        {rows.data?.pages
          .flatMap((page) => page.rows)
          .map((row) => (
            <Row key={row.number} row={row} />
          ))}
      </ol>
      {rows.hasNextPage ? (
        <div className="p-4">
          <Button onClick={() => void rows.fetchNextPage()} isBusy={rows.isFetchingNextPage}>
            {batchesText.showMore}
          </Button>
        </div>
      ) : null}
    </Card>
  );
}

const ROW_STATUS_LABELS = {
  waiting: batchesText.waiting,
  placed: batchesText.placed,
  refused: batchesText.notCalled,
  canceled: batchesText.canceled,
} as const;

function Row({ row: { number, phoneNumber, status, refusal, call } }: { readonly row: BatchRow }) {
  const badge = call ? badgeOf(call) : null;
  const detail = refusal ? batchesText.problem(refusal) : call?.endReason ? END_REASON_LABELS[call.endReason] : "";
  return (
    <li className="relative grid grid-cols-[2.5rem_minmax(0,1fr)_auto] items-center gap-3 px-4 py-2.5 text-sm hover:bg-sunken/60 sm:px-5">
      <span className="text-ink-soft tabular-nums">{number}</span>
      <span className="min-w-0">
        {call ? (
          <Link
            to="/calls/$callId"
            params={{ callId: call.id }}
            className="font-medium tabular-nums outline-offset-[-2px] after:absolute after:inset-0"
          >
            {phoneNumber}
          </Link>
        ) : (
          <span className="font-medium tabular-nums">{phoneNumber}</span>
        )}
        {detail ? <span className="block text-ink-soft">{detail}</span> : null}
      </span>
      <span className="flex items-center gap-3">
        {call?.durationSeconds == null ? null : (
          <span className="text-ink-soft tabular-nums">{formatClock(call.durationSeconds)}</span>
        )}
        <Badge tone={badge?.tone ?? (status === "refused" ? "warning" : "neutral")} isLive={badge?.isLive ?? false}>
          {badge?.text ?? ROW_STATUS_LABELS[status]}
        </Badge>
      </span>
    </li>
  );
}
