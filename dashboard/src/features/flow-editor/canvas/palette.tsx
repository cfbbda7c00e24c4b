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
  Sparkles,
  StickyNote,
  Variable,
  Voicemail,
} from "lucide-react";
import { NODE_KINDS, type NodeType } from "../model/node-kinds.ts";

/** The data type of a dragged kind of node. */
export const PALETTE_TYPE = "application/x-parley-node";

const ITEM =
  "flex w-full cursor-grab items-center gap-2.5 rounded-lg border border-transparent px-2 py-1.5 text-left text-sm hover:border-line hover:bg-surface active:cursor-grabbing [&_svg]:size-4 [&_svg]:text-ink-soft";

interface PaletteProps {
  readonly hasStart: boolean;
  onAdd(type: NodeType): void;
  onComment(): void;
}

/** The kinds of nodes: dragged onto the canvas, or placed in the middle by a click. */
export function Palette({ hasStart, onAdd, onComment }: PaletteProps) {
  return (
    <section aria-label="Add a node" className="space-y-0.5">
      {NODE_KINDS.filter(({ type }) => type !== "start" || !hasStart).map(({ type, name, purpose }) => (
        <button
          key={type}
          type="button"
          draggable
          title={purpose}
          className={ITEM}
          onClick={() => onAdd(type)}
          onDragStart={({ dataTransfer }) => {
            dataTransfer.setData(PALETTE_TYPE, type);
            dataTransfer.effectAllowed = "move";
          }}
        >
          <NodeIcon type={type} />
          {name}
        </button>
      ))}
      <button type="button" className={`${ITEM} cursor-pointer`} onClick={onComment}>
        <StickyNote aria-hidden="true" />
        Comment
      </button>
    </section>
  );
}

const ICONS = {
  start: Play,
  say: MessageCircle,
  ask: CircleHelp,
  conversation: Sparkles,
  branch: GitBranch,
  set: Variable,
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
