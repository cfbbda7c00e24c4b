import { Toast as Radix } from "radix-ui";
import { createContext, type ReactNode, useCallback, useContext, useState } from "react";
import { Button } from "./button.tsx";

export interface Toast {
  readonly text: string;
  /** Takes back what was just done. */
  readonly undo?: () => void;
}

/** Long enough to read a sentence and reach for the button. */
const SHOWN_MS = 7000;
const ToastContext = createContext<(toast: Toast) => void>(() => undefined);

/** Shows short notes at the foot of the page and reads them out. */
export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<readonly (Toast & { readonly id: number })[]>([]);
  const show = useCallback((toast: Toast) => setShown((now) => [...now, { ...toast, id: performance.now() }]), []);
  const forget = (id: number) => setShown((now) => now.filter((toast) => toast.id !== id));
  return (
    <ToastContext value={show}>
      <Radix.Provider duration={SHOWN_MS} swipeDirection="down">
        {children}
        {shown.map(({ id, text, undo }) => (
          <Radix.Root
            key={id}
            onOpenChange={(open) => (open ? undefined : forget(id))}
            className="flex items-center gap-4 rounded-xl border border-line bg-surface py-2.5 pr-2.5 pl-4 text-sm shadow-lg"
          >
            <Radix.Description className="min-w-0 flex-1">{text}</Radix.Description>
            {undo ? (
              <Radix.Action altText="Undo it where it was done" asChild>
                <Button size="small" onClick={undo}>
                  Undo
                </Button>
              </Radix.Action>
            ) : null}
          </Radix.Root>
        ))}
        {/* Above the places at the foot of a phone, and beside the buttons that stand at the right of forms. */}
        <Radix.Viewport className="pointer-events-none fixed inset-x-4 bottom-20 z-[60] flex flex-col gap-2 outline-none *:pointer-events-auto sm:inset-x-auto sm:left-1/2 sm:w-96 sm:-translate-x-1/2 md:bottom-4" />
      </Radix.Provider>
    </ToastContext>
  );
}

export function useToast(): (toast: Toast) => void {
  return useContext(ToastContext);
}
