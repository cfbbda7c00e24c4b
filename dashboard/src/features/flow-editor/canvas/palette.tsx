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
import {
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { NODE_KINDS, type NodeType } from "../model/node-kinds.ts";
import { editorCanvasText } from "./text.ts";

/** The data type of a dragged kind of node. */
export const PALETTE_TYPE = "application/x-parley-node";

interface PaletteProps {
  readonly hasStart: boolean;
  onAdd(type: NodeType): void;
  onComment(): void;
  onSearch(): void;
}

/** The kinds of nodes: dragged onto the canvas, or placed in the middle by a click. */
export function Palette({ hasStart, onAdd, onComment, onSearch }: PaletteProps) {
  return (
    <section aria-label={editorCanvasText.addNode} className="flex flex-col items-center gap-0.5">
      <Item
        name={editorCanvasText.search}
        label={editorCanvasText.searchKinds}
        purpose={editorCanvasText.searchKindsPurpose}
        onClick={onSearch}
      >
        <Plus aria-hidden="true" />
      </Item>
      <span aria-hidden="true" className="my-1 h-px w-6 bg-line" />
      {NODE_KINDS.filter(({ type }) => type !== "start" || !hasStart).map(({ type, name, purpose }) => (
        <Item key={type} name={name} purpose={purpose} dragged={type} onClick={() => onAdd(type)}>
          <NodeIcon type={type} />
        </Item>
      ))}
      <Item name={editorCanvasText.comment} purpose={editorCanvasText.commentPurpose} onClick={onComment}>
        <StickyNote aria-hidden="true" />
      </Item>
    </section>
  );
}

interface ItemProps {
  readonly name: string;
  /** What screen readers call it, if not by its name. */
  readonly label?: string;
  readonly purpose: string;
  /** The kind of node that it is dragged as. */
  readonly dragged?: NodeType;
  readonly children: ReactNode;
  onClick(): void;
}

/** A button with an icon. What it is for is shown beside it while the pointer or the keyboard is at it. */
function Item({ name, label = name, purpose, dragged, children, onClick }: ItemProps) {
  const id = useId();
  const { place, handlers } = useTip();
  return (
    <span {...handlers}>
      <button
        type="button"
        aria-label={label}
        aria-describedby={place ? id : undefined}
        draggable={dragged !== undefined}
        onClick={onClick}
        onDragStart={({ dataTransfer }) => {
          dataTransfer.setData(PALETTE_TYPE, dragged ?? "");
          dataTransfer.effectAllowed = "move";
        }}
        className={`relative grid size-9 place-items-center rounded-lg text-ink-soft hover:bg-sunken hover:text-ink active:cursor-grabbing [&_svg]:size-4.5 ${dragged ? "cursor-grab" : ""}`}
      >
        {children}
      </button>
      {place ? (
        <span
          id={id}
          role="tooltip"
          style={place}
          className="fixed z-50 max-w-60 -translate-y-1/2 rounded-lg border border-line bg-surface px-3 py-2 text-sm text-ink shadow-lg"
        >
          <span className="block font-medium">{name}</span>
          <span className="block text-xs text-ink-soft">{purpose}</span>
        </span>
      ) : null}
    </span>
  );
}

/** A pointer that only passes by shows nothing, and one that moves from the button to the text keeps the text open. */
const PAUSE_MS = 150;
/** Between the button and the text. */
const GAP = 10;

/** Where the text beside an element is shown; null while it is not. No state is set on mounting, because the canvas is mounted at the same time. */
function useTip() {
  const [place, setPlace] = useState<{ readonly left: number; readonly top: number } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const show = (element: HTMLElement) => {
    clearTimeout(timer.current);
    const { right, top, height } = element.getBoundingClientRect();
    setPlace({ left: right + GAP, top: top + height / 2 });
  };
  const hide = () => {
    clearTimeout(timer.current);
    setPlace(null);
  };
  const later = (work: () => void) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(work, PAUSE_MS);
  };
  const handlers = {
    onPointerEnter: ({ currentTarget, pointerType }: PointerEvent<HTMLElement>) => {
      if (pointerType === "mouse" || pointerType === "pen") later(() => show(currentTarget));
    },
    onPointerLeave: () => later(hide),
    onPointerDown: hide,
    onFocus: ({ currentTarget, target }: FocusEvent<HTMLElement>) => {
      if (target.matches(":focus-visible")) show(currentTarget);
    },
    onBlur: hide,
    onKeyDown: ({ key }: KeyboardEvent<HTMLElement>) => (key === "Escape" ? hide() : undefined),
    onDragStart: hide,
  };
  return { place, handlers };
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
