import type { Agent } from "@parley/contract/agents";
import { createAgent, getAgent } from "@parley/contract/routes/agents";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { errorText } from "../../../api/api-error.ts";
import { randomKey } from "../../../api/idempotency-keys.ts";
import { send } from "../../../api/send.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { formatMoment } from "../../../ui/format.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { Dialog } from "../../../ui/layout/dialog.tsx";
import { agentsQuery } from "../../agents/agent-list-query.ts";
import type { EditorStore } from "../model/editor-store.ts";
import { withPlaces } from "../open-agent.ts";
import { Comparison } from "./comparison.tsx";
import type { DraftSaver } from "./draft-saver.ts";
import { versionsText } from "./text.tsx";

interface OvertakenDialogProps {
  readonly agentId: string;
  readonly message: string;
  readonly isByYou: boolean;
  readonly store: EditorStore;
  readonly saver: DraftSaver;
  onDone(told: string): void;
}

/**
 * Another member saved the draft first, or the same one elsewhere. Both versions stay available whatever is chosen: the one that gives way is one undo away,
 * or a copy of its own.
 */
export function OvertakenDialog({ agentId, message, isByYou, store, saver, onDone }: OvertakenDialogProps) {
  const queries = useQueryClient();
  const [isComparing, setComparing] = useState(false);
  const theirs = useQuery({
    queryKey: ["overtaken-by", agentId, saver.getSnapshot().revision],
    queryFn: ({ signal }) => send(getAgent, { params: { id: agentId }, signal }),
    gcTime: 0,
  });
  const take = async ({ flow, revision }: Agent) => {
    const placed = await withPlaces(flow);
    store.edit(() => placed);
    saver.decide(revision, false);
  };
  const copy = useMutation({
    mutationFn: async (agent: Agent) => {
      const name = versionsText.copyName(agent.name.slice(0, 100));
      const { description, engine, language } = agent;
      const body = { name, description, engine, language, flow: store.getSnapshot().flow };
      await send(createAgent, { body, idempotencyKey: randomKey() });
      await take(agent);
      return name;
    },
    onSuccess: async (name) => {
      onDone(versionsText.keptAsCopy(name));
      await queries.invalidateQueries(agentsQuery);
    },
  });
  const mine = store.getSnapshot().flow;
  const other = theirs.data;
  return (
    <Dialog
      isOpen
      isSticky
      isWide={isComparing}
      onClose={() => undefined}
      title={isByYou ? versionsText.overtakenByYouTitle : versionsText.overtakenTitle}
      lead={versionsText.overtakenLead(message, isByYou, other ? formatMoment(other.updatedAt) : null)}
    >
      {theirs.error ? <Notice tone="danger">{errorText(theirs.error)}</Notice> : null}
      {copy.error ? <Notice tone="danger">{errorText(copy.error)}</Notice> : null}
      {theirs.isPending ? <SkeletonRows count={2} label={versionsText.loadingTheirs} /> : null}
      {other && isComparing ? (
        <section aria-label={versionsText.theirsToYours} className="mb-4 rounded-xl border border-line px-4">
          <Comparison before={other.flow} after={mine} />
        </section>
      ) : null}
      {other ? (
        <div className="grid gap-2">
          <Button look="primary" isBusy={copy.isPending} onClick={() => copy.mutate(other)}>
            {versionsText.keepMineAsCopy}
          </Button>
          <Button onClick={() => void take(other).then(() => onDone(versionsText.theirsIsDraft))}>
            {versionsText.goOnWithTheirs}
          </Button>
          <Button
            onClick={() => {
              // Theirs becomes the undo step before mine, so that it can be restored.
              store.edit(() => other.flow);
              store.edit(() => mine);
              saver.decide(other.revision, true);
              onDone(versionsText.mineIsDraft);
            }}
          >
            {versionsText.goOnWithMine}
          </Button>
          {isComparing ? null : (
            <Button look="quiet" onClick={() => setComparing(true)}>
              {versionsText.compareBoth}
            </Button>
          )}
        </div>
      ) : null}
    </Dialog>
  );
}
