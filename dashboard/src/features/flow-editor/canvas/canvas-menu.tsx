import { ContextMenu } from "radix-ui";
import { type MouseEvent, type ReactNode, type TouchEvent, useRef, useState } from "react";
import { copyPart, pastePart } from "../model/clipboard.ts";
import { disconnect } from "../model/edit-flow.ts";
import type { EditorStore } from "../model/editor-store.ts";
import type { NodePosition } from "../model/new-node.ts";
import { hasNodes } from "../sub-flows/make-sub-flow.tsx";
import { subFlowsText } from "../sub-flows/text.ts";
import { keepCopied, readCopied } from "./copied-part.ts";
import { GroupItems } from "./groups/group-items.tsx";
import { editorCanvasText } from "./text.ts";
import { type CanvasActions, duplicate, readEdge, removeWithNote, selectAll } from "./use-keyboard-shortcuts.ts";

/** What the menu is about. */
type Target =
  | { readonly kind: "canvas"; readonly at: NodePosition }
  | { readonly kind: "nodes" }
  | { readonly kind: "line"; readonly id: string };

/** What the pointer was pressed on, and where in the window. */
interface Pressed {
  readonly element: Element | null;
  readonly at: NodePosition;
  /** Whether that opened the menu. */
  readonly hasOpened: boolean;
}

interface CanvasMenuProps {
  readonly store: EditorStore;
  readonly actions: CanvasActions;
  readonly children: ReactNode;
  /** The place on the canvas under a point of the window. */
  placeAt(point: NodePosition): NodePosition;
}

/** The menu of the right mouse button, or of a finger that stays: what can be done with a node, a line, or the empty canvas. */
export function CanvasMenu({ store, actions, placeAt, children }: CanvasMenuProps) {
  const [target, setTarget] = useState<Target>({ kind: "nodes" });
  // Even a closed menu sets state while it is mounted, and would make the first render of the canvas one long task.
  const [wasOpened, setOpened] = useState(false);
  const pressed = useRef<Pressed | null>(null);
  // Browsers of iPhones report no right click for a finger that stays, only the press that it began with.
  const remember = ({ target: element, clientX: x, clientY: y }: MouseEvent) => {
    pressed.current = { element: element instanceof Element ? element : null, at: { x, y }, hasOpened: false };
  };
  // When the finger is lifted, the browser would click beside the menu, which closes it.
  const lift = (event: TouchEvent) => {
    if (pressed.current?.hasOpened) event.preventDefault();
  };
  const open = () => {
    const { element = null, at = { x: 0, y: 0 } } = pressed.current ?? {};
    pressed.current = { element, at, hasOpened: true };
    const line = element?.closest<SVGElement>(".react-flow__edge")?.dataset["id"];
    const node = element?.closest<HTMLElement>(".react-flow__node")?.dataset["id"];
    if (node !== undefined) {
      // Several selected nodes are meant together.
      if (!store.getSnapshot().selection.includes(node)) store.select([node]);
      setTarget({ kind: "nodes" });
    } else if (line !== undefined) setTarget({ kind: "line", id: line });
    else setTarget({ kind: "canvas", at: placeAt(at) });
    setOpened(true);
  };
  return (
    // Not modal, as `ui/layout/menu.tsx` explains.
    <ContextMenu.Root modal={false} onOpenChange={(isOpen) => (isOpen ? open() : undefined)}>
      <ContextMenu.Trigger
        asChild
        disabled={store.isFixed}
        onContextMenuCapture={remember}
        onPointerDownCapture={remember}
        onTouchEndCapture={lift}
      >
        {children}
      </ContextMenu.Trigger>
      {wasOpened ? (
        <ContextMenu.Portal>
          <ContextMenu.Content className="z-50 min-w-56 rounded-xl border border-line bg-surface p-1.5 shadow-lg">
            {target.kind === "nodes" ? <NodeItems store={store} actions={actions} /> : null}
            {target.kind === "line" ? <LineItems store={store} actions={actions} id={target.id} /> : null}
            {target.kind === "canvas" ? <CanvasItems store={store} actions={actions} at={target.at} /> : null}
          </ContextMenu.Content>
        </ContextMenu.Portal>
      ) : null}
    </ContextMenu.Root>
  );
}

interface ItemsProps {
  readonly store: EditorStore;
  readonly actions: CanvasActions;
}

function NodeItems({ store, actions }: ItemsProps) {
  const { flow, selection } = store.getSnapshot();
  const node = selection.length === 1 ? flow.nodes.find(({ id }) => id === selection[0]) : undefined;
  const copy = () => writeCopied(copyPart(flow, selection));
  return (
    <>
      {node ? (
        <>
          <Item keys="E" onChoose={actions.edit}>
            {editorCanvasText.edit}
          </Item>
          <Item keys="C" onChoose={actions.connect}>
            {editorCanvasText.connect}
          </Item>
          <Line />
        </>
      ) : null}
      <Item keys={editorCanvasText.keysDuplicate} onChoose={() => duplicate(store)}>
        {editorCanvasText.duplicate}
      </Item>
      <Item keys={editorCanvasText.keysCopy} onChoose={copy}>
        {editorCanvasText.copy}
      </Item>
      <Item
        keys={editorCanvasText.keysCut}
        onChoose={() => {
          copy();
          removeWithNote(store, [], actions);
        }}
      >
        {editorCanvasText.cut}
      </Item>
      <GroupItems store={store} Item={Item} />
      {hasNodes(flow, selection) ? (
        <Item keys="S" onChoose={actions.makeSubFlow}>
          {subFlowsText.makeItem}
        </Item>
      ) : null}
      <Line />
      <Item keys={editorCanvasText.keyDelete} isDanger onChoose={() => removeWithNote(store, [], actions)}>
        {editorCanvasText.deleteSelected}
      </Item>
    </>
  );
}

function LineItems({ store, actions, id }: ItemsProps & { readonly id: string }) {
  const { nodeId, exitId } = readEdge(id);
  return (
    <>
      <Item onChoose={() => actions.insertOn(nodeId, exitId)}>{editorCanvasText.insertNodeItem}</Item>
      <Item onChoose={() => actions.reconnect(nodeId, exitId)}>{editorCanvasText.connectElsewhere}</Item>
      <Line />
      <Item
        isDanger
        onChoose={() =>
          actions.told(
            editorCanvasText.removed({ nodes: 0, comments: 0, groups: 0, connections: 1 }),
            store.edit((flow) => disconnect(flow, nodeId, exitId)),
          )
        }
      >
        {editorCanvasText.removeConnectionItem}
      </Item>
    </>
  );
}

function CanvasItems({ store, actions, at }: ItemsProps & { readonly at: NodePosition }) {
  const copied = readCopied();
  return (
    <>
      <Item keys="A" onChoose={() => actions.add(at)}>
        {editorCanvasText.addNodeItem}
      </Item>
      <Item onChoose={() => actions.comment(at)}>{editorCanvasText.addComment}</Item>
      <Item keys={editorCanvasText.keysPaste} isOff={copied === null} onChoose={() => pasteAt(store, copied ?? "", at)}>
        {editorCanvasText.paste}
      </Item>
      <Item keys={editorCanvasText.keysSelectAll} onChoose={() => selectAll(store)}>
        {editorCanvasText.selectAll}
      </Item>
      <Line />
      <Item keys="L" onChoose={() => actions.tidy("right")}>
        {editorCanvasText.tidyUpRight}
      </Item>
      <Item keys={editorCanvasText.keysTidyUpDown} onChoose={() => actions.tidy("down")}>
        {editorCanvasText.tidyUpDown}
      </Item>
      <Item keys="1" onChoose={actions.showWhole}>
        {editorCanvasText.showWhole}
      </Item>
    </>
  );
}

function pasteAt(store: EditorStore, text: string, at: NodePosition): void {
  const pasted = pastePart(store.getSnapshot().flow, text, at);
  if (!pasted) return;
  store.edit(() => pasted.flow);
  store.select(pasted.selection);
}

/** A page served over http has no clipboard API; the copy of this browser is always there. */
function writeCopied(text: string): void {
  keepCopied(text);
  void navigator.clipboard?.writeText(text).catch(() => undefined);
}

interface ItemProps {
  readonly keys?: string;
  readonly isOff?: boolean;
  readonly isDanger?: boolean;
  readonly children: ReactNode;
  onChoose(): void;
}

function Item({ keys, isOff = false, isDanger = false, children, onChoose }: ItemProps) {
  return (
    <ContextMenu.Item
      disabled={isOff}
      onSelect={onChoose}
      className={`flex h-9 cursor-default items-center justify-between gap-6 rounded-md px-2.5 text-sm outline-offset-[-2px] select-none data-disabled:opacity-50 data-highlighted:bg-sunken ${isDanger ? "text-danger-text" : ""}`}
    >
      {children}
      {keys === undefined ? null : <kbd className="font-mono text-xs text-ink-soft">{keys}</kbd>}
    </ContextMenu.Item>
  );
}

function Line() {
  return <ContextMenu.Separator className="my-1.5 h-px bg-line" />;
}
