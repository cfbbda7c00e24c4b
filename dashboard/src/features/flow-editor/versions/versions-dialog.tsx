import type { AgentVersionSummary } from "@parley/contract/agents";
import type { Flow } from "@parley/contract/flow";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useState } from "react";
import { errorText } from "../../../api/api-error.ts";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { formatFull, formatMoment } from "../../../ui/format.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { SelectField } from "../../../ui/forms/field.tsx";
import { Dialog } from "../../../ui/layout/dialog.tsx";
import { RollBackDialog } from "../../agents/version-list.tsx";
import { versionQuery, versionsQuery } from "../editor-queries.ts";
import { Comparison } from "./comparison.tsx";
import { versionsText } from "./text.tsx";

interface VersionsDialogProps {
  readonly agentId: string;
  /** The version that new calls use. */
  readonly publishedVersion: number | null;
  readonly draft: Flow;
  /** Another version is the published one now. */
  onRolledBack(version: number): void;
  /** Replaces the draft with the flow of a version. */
  onTake(version: AgentVersionSummary, flow: Flow): void;
  onClose(): void;
}

/** All versions: to compare, to roll back to, to restore into the draft, to name in a call. */
export function VersionsDialog(props: VersionsDialogProps) {
  const { agentId, publishedVersion, draft, onRolledBack, onTake, onClose } = props;
  const queries = useQueryClient();
  const [rollBackTo, setRollBackTo] = useState<number | null>(null);
  const versions = useInfiniteQuery(versionsQuery(agentId));
  const rows = versions.data?.pages.flatMap((page) => page.rows) ?? [];
  const [compared, setCompared] = useState<{ readonly from: number; readonly to: number | null } | null>(null);
  return (
    <Dialog isOpen onClose={onClose} isWide title={versionsText.versions} lead={versionsText.versionsLead}>
      {versions.error ? <Notice tone="danger">{errorText(versions.error)}</Notice> : null}
      {versions.isPending ? <SkeletonRows count={3} label={versionsText.loadingVersions} /> : null}
      {versions.isSuccess && rows.length === 0 ? (
        <EmptyState icon={<History />} title={versionsText.emptyTitle} text={versionsText.emptyText} />
      ) : null}
      {compared ? (
        <Compared agentId={agentId} draft={draft} rows={rows} compared={compared} onCompare={setCompared} />
      ) : (
        <ul aria-label={versionsText.versions} className="divide-y divide-line">
          {rows.map((row) => (
            <VersionRow
              key={row.id}
              row={row}
              onCompare={() => setCompared({ from: row.version, to: null })}
              onRollBack={() => setRollBackTo(row.version)}
              onTake={onTake}
            />
          ))}
        </ul>
      )}
      {versions.hasNextPage && !compared ? (
        <div className="pt-4 text-center">
          <Button onClick={() => void versions.fetchNextPage()} isBusy={versions.isFetchingNextPage}>
            {versionsText.showMore}
          </Button>
        </div>
      ) : null}
      {rollBackTo === null ? null : (
        <RollBackDialog
          agentId={agentId}
          from={publishedVersion}
          to={rollBackTo}
          onRolledBack={(version) => {
            onRolledBack(version);
            void queries.invalidateQueries(versionsQuery(agentId));
          }}
          onClose={() => setRollBackTo(null)}
        />
      )}
    </Dialog>
  );
}

const SAMPLE_PIN = (version: number) => `"agentVersion": ${version}`;

interface VersionRowProps extends Pick<VersionsDialogProps, "onTake"> {
  readonly row: AgentVersionSummary;
  onCompare(): void;
  onRollBack(): void;
}

function VersionRow({ row, onCompare, onRollBack, onTake }: VersionRowProps) {
  const queries = useQueryClient();
  const take = useMutation({
    mutationFn: () => queries.fetchQuery(versionQuery(row.agentId, row.version)),
    onSuccess: ({ flow }) => onTake(row, flow),
  });
  const { error } = take;
  return (
    <li className="py-3.5">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <p className="flex flex-wrap items-center gap-2">
            <span className="font-medium">{versionsText.version(row.version)}</span>
            {row.published ? <Badge tone="accent">{versionsText.usedByNewCalls}</Badge> : null}
            <time dateTime={row.createdAt} title={formatFull(row.createdAt)} className="text-sm text-ink-soft">
              {formatMoment(row.createdAt)}
            </time>
          </p>
          <p className="mt-0.5 text-sm break-words text-ink-soft">{row.note || versionsText.withoutNote}</p>
          <p className="mt-1 text-xs text-ink-soft">
            {versionsText.pinnedBy(<code className="font-mono">{SAMPLE_PIN(row.version)}</code>)}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button size="small" onClick={onCompare} aria-label={versionsText.compareVersion(row.version)}>
            {versionsText.compare}
          </Button>
          <Button
            size="small"
            onClick={() => take.mutate()}
            isBusy={take.isPending}
            aria-label={versionsText.takeVersion(row.version)}
          >
            {versionsText.take}
          </Button>
          {row.published ? null : (
            <Button size="small" onClick={onRollBack} aria-label={versionsText.rollBackTo(row.version)}>
              {versionsText.rollBack}
            </Button>
          )}
        </div>
      </div>
      {error ? <Notice tone="danger">{errorText(error)}</Notice> : null}
    </li>
  );
}

interface ComparedProps {
  readonly agentId: string;
  readonly draft: Flow;
  readonly rows: readonly AgentVersionSummary[];
  readonly compared: { readonly from: number; readonly to: number | null };
  onCompare(compared: { readonly from: number; readonly to: number | null } | null): void;
}

function Compared({ agentId, draft, rows, compared: { from, to }, onCompare }: ComparedProps) {
  const before = useQuery(versionQuery(agentId, from));
  const after = useQuery({ ...versionQuery(agentId, to ?? from), enabled: to !== null });
  const later = to === null ? draft : after.data?.flow;
  const error = before.error ?? after.error;
  return (
    <div>
      <div className="grid gap-3 sm:grid-cols-[1fr_1fr_auto] sm:items-end">
        <SelectField
          label={versionsText.before}
          value={from}
          onChange={({ target }) => onCompare({ from: Number(target.value), to })}
        >
          {rows.map(({ version }) => (
            <option key={version} value={version}>
              {versionsText.version(version)}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={versionsText.after}
          value={to ?? "draft"}
          onChange={({ target }) => onCompare({ from, to: target.value === "draft" ? null : Number(target.value) })}
        >
          <option value="draft">{versionsText.theDraft}</option>
          {rows.map(({ version }) => (
            <option key={version} value={version}>
              {versionsText.version(version)}
            </option>
          ))}
        </SelectField>
        <Button onClick={() => onCompare(null)}>{versionsText.allVersions}</Button>
      </div>
      <div className="mt-4">
        {error ? <Notice tone="danger">{errorText(error)}</Notice> : null}
        {before.data && later ? (
          <Comparison before={before.data.flow} after={later} />
        ) : error ? null : (
          <SkeletonRows count={3} label={versionsText.loadingBoth} />
        )}
      </div>
    </div>
  );
}
