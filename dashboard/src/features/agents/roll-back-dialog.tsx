import { getAgent, rollbackAgent } from "@parley/contract/routes/agents";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { inWords } from "../../api/api-error.ts";
import { freshKey } from "../../api/idempotency-keys.ts";
import { send } from "../../api/send.ts";
import { useToast } from "../../ui/feedback/toast.tsx";
import { ConfirmDialog } from "../../ui/layout/dialog.tsx";
import { agentsKey } from "./agent-queries.ts";

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
  // The version in use is another one as soon as it is done; what is undone is what it was when this was opened.
  const [from] = useState(props.from);
  const queries = useQueryClient();
  const toast = useToast();
  const params = { id: agentId };
  const rollBackTo = async (version: number) => {
    await send(rollbackAgent, { params, body: { version }, idempotencyKey: freshKey() });
    onRolledBack?.(version);
    await queries.invalidateQueries({ queryKey: agentsKey });
  };
  const undo = async (before: number) => {
    try {
      const { publishedVersion } = await send(getAgent, { params });
      if (publishedVersion !== to)
        return toast({ text: `Nothing was undone: new calls use version ${publishedVersion} by now.` });
      await rollBackTo(before);
      toast({ text: `Undone. New calls use version ${before}.` });
    } catch (error) {
      toast({ text: inWords(error) });
    }
  };
  const rollBack = useMutation({
    mutationFn: () => rollBackTo(to),
    onSuccess: () => {
      toast({
        text: `Rolled back to version ${to}. New calls use it.`,
        subject: `published version of ${agentId}`,
        undo: from === null ? null : () => void undo(from),
      });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Roll back to version ${to}?`}
      lead={`New calls will use version ${to}${from === null ? "" : ` instead of version ${from}`} at once. Calls that were already placed keep their version, and the draft stays as it is.`}
      keep={from === null ? "Cancel" : `Keep version ${from}`}
      confirm="Roll back"
      isHarmless
      isBusy={rollBack.isPending}
      error={rollBack.error}
      onConfirm={() => rollBack.mutate()}
      onClose={onClose}
    />
  );
}
