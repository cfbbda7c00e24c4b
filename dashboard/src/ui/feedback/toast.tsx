import { Toast as Radix } from "radix-ui";
import {
  createContext,
  type FocusEvent,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { Button } from "../forms/button.tsx";
import { uiText } from "../text.ts";

/** An undo that may become impossible while its toast is shown. */
export interface UndoOffer {
  undo(): void;
  isOpen(): boolean;
  /** Calls back whenever `isOpen` may have changed. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
}

export interface Toast {
  readonly text: string;
  /** Reverts what was just done. When an `UndoOffer` closes, its toast disappears. */
  readonly undo?: (() => void) | UndoOffer | null;
  /** What was changed. A newer toast about the same subject replaces this one, whose undo would overwrite the newer change. */
  readonly subject?: string;
}

interface ShownToast extends Toast {
  readonly id: number;
  /** Whether the action was triggered by keyboard, as far as the browser can tell. */
  readonly isByKeyboard: boolean;
}

/** Long enough to read a sentence and reach for the button. */
const SHOWN_MS = 7000;
/** Long enough to reach the button by keyboard. */
const SHOWN_FOR_KEYS_MS = 20_000;
const ToastContext = createContext<(toast: Toast) => void>(() => undefined);

/** Shows toasts at the bottom of the page and announces them to screen readers. */
export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<readonly ShownToast[]>([]);
  const show = useCallback((toast: Toast) => {
    const isByKeyboard = document.activeElement?.matches(":focus-visible") ?? false;
    setShown((now) => [
      ...now.filter(({ subject }) => subject === undefined || subject !== toast.subject),
      { ...toast, id: performance.now(), isByKeyboard },
    ]);
  }, []);
  const forget = (id: number) => setShown((now) => now.filter((toast) => toast.id !== id));
  const onFocus = useWayThere();
  return (
    <ToastContext value={show}>
      <Radix.Provider duration={SHOWN_MS} swipeDirection="down">
        {children}
        {shown.map((toast) => (
          <Note key={toast.id} toast={toast} onGone={() => forget(toast.id)} />
        ))}
        {/* Above the bottom navigation on a phone, and clear of the buttons at the right of forms. */}
        <Radix.Viewport
          onFocus={onFocus}
          className="pointer-events-none fixed inset-x-4 bottom-20 z-[60] flex flex-col gap-2 outline-none *:pointer-events-auto sm:inset-x-auto sm:left-1/2 sm:w-96 sm:-translate-x-1/2 md:bottom-4"
        />
      </Radix.Provider>
    </ToastContext>
  );
}

function Note({ toast: { text, undo, isByKeyboard }, onGone }: { readonly toast: ShownToast; onGone(): void }) {
  const offer = typeof undo === "function" ? null : undo;
  const isOpen = useSyncExternalStore(offer?.subscribe ?? neverChanges, offer?.isOpen ?? always);
  const latest = useRef(onGone);
  latest.current = onGone;
  useEffect(() => {
    if (!isOpen) latest.current();
  }, [isOpen]);
  return (
    <Radix.Root
      open={isOpen}
      {...(undo && isByKeyboard ? { duration: SHOWN_FOR_KEYS_MS } : {})}
      onOpenChange={(open) => (open ? undefined : onGone())}
      className="flex items-center gap-4 rounded-xl border border-line bg-surface py-2.5 pr-2.5 pl-4 text-sm shadow-lg"
    >
      <Radix.Description className="min-w-0 flex-1">{text}</Radix.Description>
      {undo ? (
        <Radix.Action altText={uiText.undoElsewhere} asChild>
          <Button size="small" onClick={typeof undo === "function" ? undo : undo.undo} aria-keyshortcuts="F8">
            {uiText.undo}
            {isByKeyboard ? <Key name="F8" /> : null}
          </Button>
        </Radix.Action>
      ) : null}
    </Radix.Root>
  );
}

const neverChanges = () => () => undefined;
const always = () => true;

export function useToast(): (toast: Toast) => void {
  return useContext(ToastContext);
}

/** F8 focuses the toast viewport, and so does a closing toast. This passes the focus on to the newest button or back to where it was. */
function useWayThere() {
  const cameFrom = useRef<Element | null>(null);
  return ({ target, currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    if (target !== currentTarget) return;
    const isFromNote = currentTarget.contains(relatedTarget);
    if (!isFromNote) cameFrom.current = relatedTarget;
    const newest = isFromNote ? null : Array.from(currentTarget.querySelectorAll<HTMLElement>("button")).at(-1);
    const before = cameFrom.current?.isConnected ? cameFrom.current : document.getElementById("main");
    (newest ?? (before instanceof HTMLElement ? before : null))?.focus();
  };
}

function Key({ name }: { readonly name: string }) {
  return (
    <span aria-hidden="true" className="rounded bg-sunken px-1.5 font-mono text-xs leading-5 text-ink-soft">
      {name}
    </span>
  );
}
