import type { AgentSummary } from "@parley/contract/agents";
import { Copy, Ellipsis, Pencil, Trash2 } from "lucide-react";
import { Button } from "../../ui/button.tsx";
import { Menu, MenuItem, MenuLine } from "../../ui/menu.tsx";

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
        <Button look="quiet" size="icon" aria-label={`More for ${agent.name}`}>
          <Ellipsis aria-hidden="true" />
        </Button>
      }
    >
      {onRename ? (
        <MenuItem onChoose={onRename}>
          <Pencil aria-hidden="true" />
          Rename
        </MenuItem>
      ) : null}
      <MenuItem onChoose={onDuplicate}>
        <Copy aria-hidden="true" />
        Duplicate
      </MenuItem>
      <MenuLine />
      <MenuItem onChoose={onDelete}>
        <Trash2 aria-hidden="true" />
        Delete
      </MenuItem>
    </Menu>
  );
}
