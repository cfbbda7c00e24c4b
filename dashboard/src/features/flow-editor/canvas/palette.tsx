import {
  CircleHelp,
  Flag,
  GitBranch,
  Globe,
  Hash,
  MessageCircle,
  PhoneForwarded,
  PhoneOff,
  Play,
  Plus,
  Sparkles,
  StickyNote,
  Variable,
  Voicemail,
  Workflow,
} from "lucide-react";
import { Tooltip } from "radix-ui";
import { type ComponentProps, type ReactNode, useDeferredValue } from "react";
import { NODE_KINDS, type NodeType } from "../model/node-kinds.ts";
import { editorCanvasText } from "./text.ts";

/** The data type of a dragged kind of node. */
export const PALETTE_TYPE = "application/x-parley-node";

const ITEM =
  "relative grid size-9 place-items-center rounded-lg text-ink-soft hover:bg-sunken hover:text-ink [&_svg]:size-4.5 active:cursor-grabbing";

interface PaletteProps {
  readonly hasStart: boolean;
  onAdd(type: NodeType): void;
  onComment(): void;
  onSearch(): void;
}

/** The kinds of nodes: dragged onto the canvas, or placed in the middle by a click. */
export function Palette({ hasStart, onAdd, onComment, onSearch }: PaletteProps) {
  return (
    <Tooltip.Provider delayDuration={150} skipDelayDuration={500}>
      <section aria-label={editorCanvasText.addNode} className="flex flex-col items-center gap-0.5">
        <Tip name={editorCanvasText.search} purpose={editorCanvasText.searchKindsPurpose}>
          <button type="button" aria-label={editorCanvasText.searchKinds} className={ITEM} onClick={onSearch}>
            <Plus aria-hidden="true" />
          </button>
        </Tip>
        <span aria-hidden="true" className="my-1 h-px w-6 bg-line" />
        {NODE_KINDS.filter(({ type }) => type !== "start" || !hasStart).map(({ type, name, purpose }) => (
          <Tip key={type} name={name} purpose={purpose}>
            <button
              type="button"
              draggable
              className={`${ITEM} cursor-grab`}
              onClick={() => onAdd(type)}
              onDragStart={({ dataTransfer }) => {
                dataTransfer.setData(PALETTE_TYPE, type);
                dataTransfer.effectAllowed = "move";
              }}
            >
              <NodeIcon type={type} />
              <span className="sr-only">{name}</span>
            </button>
          </Tip>
        ))}
        <Tip name={editorCanvasText.comment} purpose={editorCanvasText.commentPurpose}>
          <button type="button" className={ITEM} onClick={onComment}>
            <StickyNote aria-hidden="true" />
            <span className="sr-only">{editorCanvasText.comment}</span>
          </button>
        </Tip>
      </section>
    </Tooltip.Provider>
  );
}

interface TipProps {
  readonly name: string;
  readonly purpose: string;
  readonly children: ReactNode;
}

function Tip({ name, purpose, children }: TipProps) {
  // Every tooltip sets state when it is mounted, which would make the first render of the canvas one long task.
  const isCanvasShown = useDeferredValue(true, false);
  if (!isCanvasShown) return children;
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <TipText side="right" sideOffset={10}>
          <span className="block font-medium">{name}</span>
          <span className="block text-xs text-ink-soft">{purpose}</span>
        </TipText>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}

function TipText(props: ComponentProps<typeof Tooltip.Content>) {
  return (
    <Tooltip.Content
      {...props}
      className="z-50 max-w-60 rounded-lg border border-line bg-surface px-3 py-2 text-sm text-ink shadow-lg"
    />
  );
}

const ICONS = {
  start: Play,
  say: MessageCircle,
  ask: CircleHelp,
  conversation: Sparkles,
  branch: GitBranch,
  set: Variable,
  subflow: Workflow,
  tool: Globe,
  transfer: PhoneForwarded,
  dtmf: Hash,
  voicemail: Voicemail,
  end: PhoneOff,
} as const;

/** The icon of a kind of node. */
export function NodeIcon({ type }: { readonly type: NodeType }) {
  const Icon = ICONS[type] ?? Flag;
  return <Icon aria-hidden="true" />;
}
