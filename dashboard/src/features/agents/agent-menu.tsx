import type { AgentSummary } from "@parley/contract/agents";
import { deleteAgent, restoreAgent } from "@parley/contract/routes/agents";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Copy, Ellipsis, Pencil, Trash2 } from "lucide-react";
import { errorText } from "../../api/api-error.ts";
import { send } from "../../api/send.ts";
import { useToast } from "../../ui/feedback/toast.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { Menu, MenuItem, MenuLine } from "../../ui/layout/menu.tsx";
import { agentsKey } from "./agent-queries.ts";
import { agentsText } from "./text.ts";

interface AgentMenuProps {
  readonly agent: AgentSummary;
  onRename?(): void;
  onDuplicate(): void;
  onDelete(): void;
}

export function AgentMenu({ agent, onRename, onDuplicate, onDelete }: AgentMenuProps) {
  return (
    <Menu
      trigger={
        <Button look="quiet" size="icon" aria-label={agentsText.moreFor(agent.name)}>
          <Ellipsis aria-hidden="true" />
        </Button>
      }
    >
      {onRename ? (
        <MenuItem onChoose={onRename}>
          <Pencil aria-hidden="true" />
          {agentsText.rename}
        </MenuItem>
      ) : null}
      <MenuItem onChoose={onDuplicate}>
        <Copy aria-hidden="true" />
        {agentsText.duplicate}
      </MenuItem>
      <MenuLine />
      <MenuItem onChoose={onDelete}>
        <Trash2 aria-hidden="true" />
        {agentsText.deleteLabel}
      </MenuItem>
    </Menu>
  );
}

/** Deletes an agent immediately, and offers to restore it. */
export function useDeleteAgent(onDeleted: () => void) {
  const queries = useQueryClient();
  const toast = useToast();
  const refresh = () => queries.invalidateQueries({ queryKey: agentsKey });
  const bringBack = async ({ id, name }: AgentSummary) => {
    try {
      await send(restoreAgent, { params: { id }, body: {} });
      toast({ text: agentsText.isBack(name) });
    } catch (error) {
      toast({ text: errorText(error) });
    }
    await refresh();
  };
  return useMutation({
    mutationFn: ({ id }: AgentSummary) => send(deleteAgent, { params: { id } }),
    onSuccess: async (_, agent) => {
      onDeleted();
      toast({ text: agentsText.wasDeleted(agent.name), undo: () => void bringBack(agent) });
      await refresh();
    },
    onError: (error) => toast({ text: errorText(error) }),
  });
}
