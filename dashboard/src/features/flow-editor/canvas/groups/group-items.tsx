import type { ComponentType, ReactNode } from "react";
import { type EditorStore, GROUP } from "../../model/editor-store.ts";
import { groupSelection, isGrouped, ungroupSelection } from "../../model/groups.ts";
import { focusOnceDrawn } from "../focus-card.ts";
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
