import type { Agent, AgentVersionSummary } from "@parley/contract/agents";
import { getAgent, rollbackAgent } from "@parley/contract/routes/agents";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useState } from "react";
import { errorText } from "../../api/api-error.ts";
import { randomKey } from "../../api/idempotency-keys.ts";
import { send } from "../../api/send.ts";
import { Badge } from "../../ui/feedback/badge.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../ui/feedback/skeleton.tsx";
import { useToast } from "../../ui/feedback/toast.tsx";
import { formatFull, formatMoment } from "../../ui/format.ts";
import { Button } from "../../ui/forms/button.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { ConfirmDialog } from "../../ui/layout/dialog.tsx";
import { agentsKey, versionsQuery } from "./agent-queries.ts";
import { agentsText } from "./text.ts";

/** The published versions, newest first. Calls can be rolled back to any of them. */
export function VersionList({ agent }: { readonly agent: Agent }) {
  const versions = useInfiniteQuery(versionsQuery(agent.id));
  const [rollBackTo, setRollBackTo] = useState<number | null>(null);
  const rows = versions.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <Card title={agentsText.versions} isFlush>
      {versions.error ? <Notice tone="danger">{errorText(versions.error)}</Notice> : null}
      {versions.isPending ? <SkeletonRows count={2} label={agentsText.loadingVersions} /> : null}
      {versions.isSuccess && rows.length === 0 ? (
        <EmptyState icon={<History />} title={agentsText.noVersions} text={agentsText.noVersionsHint} />
      ) : null}
      {rows.length > 0 ? (
        <ul aria-label={agentsText.versions} className="mt-2 divide-y divide-line border-t border-line">
          {rows.map((row) => (
            <Version key={row.id} version={row} onRollBack={() => setRollBackTo(row.version)} />
          ))}
        </ul>
      ) : null}
      {versions.hasNextPage ? (
        <div className="border-t border-line p-4 text-center">
          <Button onClick={() => void versions.fetchNextPage()} isBusy={versions.isFetchingNextPage}>
            {agentsText.showMore}
          </Button>
        </div>
      ) : null}
      {rollBackTo === null ? null : (
        <RollBackDialog
          agentId={agent.id}
          from={agent.publishedVersion}
          to={rollBackTo}
          onClose={() => setRollBackTo(null)}
        />
      )}
    </Card>
  );
}

interface VersionProps {
  readonly version: AgentVersionSummary;
  onRollBack(): void;
}

function Version({ version, onRollBack }: VersionProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{agentsText.version(version.version)}</span>
          {version.published ? <Badge tone="accent">{agentsText.inUse}</Badge> : null}
        </p>
        <p className="text-sm break-words text-ink-soft">{version.note || agentsText.noNote}</p>
      </div>
      <time dateTime={version.createdAt} title={formatFull(version.createdAt)} className="text-sm text-ink-soft">
        {formatMoment(version.createdAt)}
      </time>
      {version.published ? null : (
        <Button size="small" onClick={onRollBack} aria-label={agentsText.rollBackToVersion(version.version)}>
          {agentsText.rollBack}
        </Button>
      )}
    </li>
  );
}

interface RollBackDialogProps {
  readonly agentId: string;
  /** The version that new calls use now. */
  readonly from: number | null;
  readonly to: number;
  /** New calls use this version now: after rolling back, and again after undoing it. */
  onRolledBack?(version: number): void;
  onClose(): void;
}

/** Asks before new calls use another version, and offers to undo it afterwards. */
export function RollBackDialog({ agentId, to, onRolledBack, onClose, ...props }: RollBackDialogProps) {
  // The version in use changes as soon as it is done; undo restores the one that was in use when this was opened.
  const [from] = useState(props.from);
  const queries = useQueryClient();
  const toast = useToast();
  const params = { id: agentId };
  const rollBackTo = async (version: number) => {
    await send(rollbackAgent, { params, body: { version }, idempotencyKey: randomKey() });
    onRolledBack?.(version);
    await queries.invalidateQueries({ queryKey: agentsKey });
  };
  const undo = async (before: number) => {
    try {
      const { publishedVersion } = await send(getAgent, { params });
      if (publishedVersion !== to) return toast({ text: agentsText.notUndone(publishedVersion) });
      await rollBackTo(before);
      toast({ text: agentsText.undone(before) });
    } catch (error) {
      toast({ text: errorText(error) });
    }
  };
  const rollBack = useMutation({
    mutationFn: () => rollBackTo(to),
    onSuccess: () => {
      toast({
        text: agentsText.rolledBack(to),
        subject: `published-version:${agentId}`,
        undo: from === null ? null : () => void undo(from),
      });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={agentsText.rollBackQuestion(to)}
      lead={agentsText.rollBackLead(from, to)}
      keep={from === null ? agentsText.cancel : agentsText.keepVersion(from)}
      confirm={agentsText.rollBack}
      isHarmless
      isBusy={rollBack.isPending}
      error={rollBack.error}
      onConfirm={() => rollBack.mutate()}
      onClose={onClose}
    />
  );
}
