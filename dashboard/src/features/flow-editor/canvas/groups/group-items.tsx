import type { FlowGroup } from "@parley/contract/flow";
import { type NodeProps, NodeToolbar, Position } from "@xyflow/react";
import { Ungroup } from "lucide-react";
import { type ComponentType, memo, type ReactNode } from "react";
import { type EditorStore, GROUP } from "../../model/editor-store.ts";
import { groupSelection, isGrouped, replaceGroup, ungroupSelection } from "../../model/groups.ts";
import { useEditorStore } from "../../use-editor.ts";
import { ColorButtons } from "../color-buttons.tsx";
import { focusOnceDrawn } from "../focus-card.ts";
import type { GroupNode } from "./group-frames.ts";
import { groupsText } from "./text.ts";

interface GroupItemsProps {
  readonly store: EditorStore;
  readonly Item: ComponentType<{ readonly keys: string; readonly children: ReactNode; onChoose(): void }>;
}

/** What the menu of the selection offers about groups. */
export function GroupItems({ store, Item }: GroupItemsProps) {
  const { flow, selection } = store.getSnapshot();
  return (
    <>
      {groupSelection(flow, selection) ? (
        <Item keys="G" onChoose={() => groupSelected(store)}>
          {groupsText.groupThem}
        </Item>
      ) : null}
      {isGrouped(flow, selection) ? (
        <Item keys={groupsText.shiftG} onChoose={() => ungroupSelected(store)}>
          {selection.some((id) => id.startsWith(GROUP)) ? groupsText.ungroup : groupsText.leave}
        </Item>
      ) : null}
    </>
  );
}

/** Groups the selection, and asks for the name of a new group. */
export function groupSelected(store: EditorStore): void {
  const { flow, selection } = store.getSnapshot();
  const grouped = groupSelection(flow, selection);
  if (!grouped) return;
  const isNew = !flow.groups?.some(({ id }) => id === grouped.id);
  store.edit(() => grouped.flow);
  store.select([`${GROUP}${grouped.id}`]);
  if (isNew) {
    focusOnceDrawn(() =>
      document.querySelector<HTMLElement>(`.react-flow__node[data-id="${GROUP}${grouped.id}"] input`),
    );
  }
}

export function ungroupSelected(store: EditorStore): void {
  store.edit((flow) => ungroupSelection(flow, store.getSnapshot().selection));
}

/** The frame of a group: its name is edited in place, and what is beside the name drags all of its nodes. */
export const GroupCard = memo(function GroupCard({ data: { group }, selected }: NodeProps<GroupNode>) {
  const store = useEditorStore();
  const change = (changed: Partial<FlowGroup>, run?: string) =>
    store.edit((flow) => replaceGroup(flow, { ...group, ...changed }), run);
  return (
    <div className="group-frame" data-selected={selected} data-color={group.color ?? "gray"}>
      {selected && !store.isFixed ? (
        <NodeToolbar
          isVisible
          position={Position.Top}
          // Otherwise it would be as far below the canvas as the frame.
          style={{ zIndex: 1 }}
          className="flex gap-1 rounded-lg border border-line bg-surface p-1"
        >
          <ColorButtons value={group.color ?? "gray"} onChoose={(color) => change({ color })} />
          <button
            type="button"
            aria-label={groupsText.ungroup}
            title={groupsText.ungroup}
            className="grid size-6 place-items-center rounded-md text-ink-soft hover:bg-sunken hover:text-ink [&_svg]:size-4"
            onClick={() => store.edit((flow) => ungroupSelection(flow, [`${GROUP}${group.id}`]))}
          >
            <Ungroup aria-hidden="true" />
          </button>
        </NodeToolbar>
      ) : null}
      <div className="group-header">
        <input
          aria-label={groupsText.name}
          placeholder={groupsText.nameThis}
          maxLength={120}
          value={group.name}
          readOnly={store.isFixed}
          onChange={({ target }) => change({ name: target.value }, `group:${group.id}`)}
          // From the name to the frame, which can be moved and ungrouped.
          onKeyDown={({ key, currentTarget }) =>
            key === "Escape" || key === "Enter"
              ? currentTarget.closest<HTMLElement>(".react-flow__node")?.focus()
              : undefined
          }
          className="nodrag"
        />
      </div>
    </div>
  );
});
