import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";

interface DialogProps {
  readonly isOpen: boolean;
  onClose(): void;
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children: ReactNode;
  /** What must not be lost by a click beside it is closed by its own button only. */
  readonly isSticky?: boolean;
  /** For what is read side by side. */
  readonly isWide?: boolean;
}

/**
 * A dialog: a sheet from below on a phone, a card elsewhere. The shade is ours and not Radix's, which writes a style
 * element that the page's policy forbids.
 */
export function Dialog({ isOpen, onClose, title, lead, children, isSticky = false, isWide = false }: DialogProps) {
  const [opener] = useState(() => document.activeElement);
  const stay = (event: Event) => {
    if (isSticky) event.preventDefault();
  };
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <Radix.Portal>
        <div aria-hidden="true" className="fixed inset-0 z-40 bg-shade" />
        <Radix.Content
          data-dialog=""
          onPointerDownOutside={stay}
          onEscapeKeyDown={stay}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            focusAgain(opener);
          }}
          {...(lead ? {} : { "aria-describedby": undefined })}
          className={`fixed inset-x-0 bottom-0 z-50 max-h-[92dvh] overflow-y-auto rounded-t-2xl border border-line bg-surface p-5 shadow-xl outline-none sm:inset-x-auto sm:top-1/2 sm:bottom-auto sm:left-1/2 ${isWide ? "sm:w-[52rem]" : "sm:w-[32rem]"} sm:max-w-[calc(100vw-2rem)] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-2xl sm:p-6`}
        >
          <div className="mb-5 flex items-start gap-4">
            <div className="min-w-0 flex-1 space-y-1">
              <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
              {lead ? <Radix.Description className="text-sm text-ink-soft">{lead}</Radix.Description> : null}
            </div>
            {isSticky ? null : (
              <Radix.Close asChild>
                <Button look="quiet" size="smallIcon" aria-label="Close">
                  <X aria-hidden="true" />
                </Button>
              </Radix.Close>
            )}
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Whoever closes a dialog is where they opened it, or at the content when that place is gone. */
function focusAgain(opener: Element | null): void {
  const place = opener?.isConnected && opener !== document.body ? opener : document.getElementById("main");
  if (place instanceof HTMLElement) place.focus();
}

export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className="mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{children}</div>;
}
