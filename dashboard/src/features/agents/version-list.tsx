import type { Agent, AgentVersionSummary } from "@parley/contract/agents";
import { rollbackAgent } from "@parley/contract/routes/agents";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { History } from "lucide-react";
import { inWords } from "../../api/refusal.ts";
import { send } from "../../api/send.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { formatFull, formatMoment } from "../../ui/format.ts";
import { Notice } from "../../ui/notice.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { useToast } from "../../ui/toast.tsx";
import { agentsKey, versionsQuery } from "./agent-queries.ts";

/** What was published, newest first. Any of it can be made what calls use again. */
export function VersionList({ agent }: { readonly agent: Agent }) {
  const versions = useInfiniteQuery(versionsQuery(agent.id));
  const rollBack = useRollBack(agent);
  const rows = versions.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <Card title="Versions" isFlush>
      {versions.error ? <Notice tone="danger">{inWords(versions.error)}</Notice> : null}
      {versions.isPending ? <SkeletonRows count={2} label="Fetching the versions" /> : null}
      {versions.isSuccess && rows.length === 0 ? (
        <EmptyState
          icon={<History />}
          title="Nothing published yet"
          text="Publishing freezes the draft as a version. Only then can the agent be called."
        />
      ) : null}
      {rows.length > 0 ? (
        <ul aria-label="Versions" className="mt-2 divide-y divide-line border-t border-line">
          {rows.map((row) => (
            <Version
              key={row.id}
              version={row}
              isBusy={rollBack.isPending}
              onRollBack={() => rollBack.mutate({ version: row.version })}
            />
          ))}
        </ul>
      ) : null}
      {versions.hasNextPage ? (
        <div className="border-t border-line p-4 text-center">
          <Button onClick={() => void versions.fetchNextPage()} isBusy={versions.isFetchingNextPage}>
            Show more
          </Button>
        </div>
      ) : null}
    </Card>
  );
}

interface VersionProps {
  readonly version: AgentVersionSummary;
  readonly isBusy: boolean;
  onRollBack(): void;
}

function Version({ version, isBusy, onRollBack }: VersionProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium">Version {version.version}</span>
          {version.published ? <Badge tone="accent">In use</Badge> : null}
        </p>
        <p className="text-sm break-words text-ink-soft">{version.note || "No note"}</p>
      </div>
      <time dateTime={version.createdAt} title={formatFull(version.createdAt)} className="text-sm text-ink-soft">
        {formatMoment(version.createdAt)}
      </time>
      {version.published ? null : (
        <Button size="small" onClick={onRollBack} isBusy={isBusy} aria-label={`Use again: version ${version.version}`}>
          Use again
        </Button>
      )}
    </li>
  );
}

function useRollBack(agent: Agent) {
  const queries = useQueryClient();
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: ({ version }: { version: number; isUndo?: boolean }) =>
      send(rollbackAgent, { params: { id: agent.id }, body: { version } }),
    onSuccess: async (_, { version, isUndo }) => {
      const before = agent.publishedVersion;
      toast({
        text: `New calls use version ${version}.`,
        ...(before === null || isUndo ? {} : { undo: () => mutate({ version: before, isUndo: true }) }),
      });
      await queries.invalidateQueries({ queryKey: agentsKey });
    },
    onError: (error) => toast({ text: inWords(error) }),
  });
  return { mutate, isPending };
}
