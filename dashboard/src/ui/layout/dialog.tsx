import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type ReactNode, useState } from "react";
import { errorText } from "../../api/api-error.ts";
import { Notice } from "../feedback/notice.tsx";
import { Button } from "../forms/button.tsx";
import { uiText } from "../text.ts";

interface DialogProps {
  readonly isOpen: boolean;
  onClose(): void;
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children: ReactNode;
  /** Closes only by its own buttons, for content that must not be lost by a click outside. */
  readonly isSticky?: boolean;
  /** For content that is compared side by side. */
  readonly isWide?: boolean;
}

/**
 * A dialog: a bottom sheet on a phone, a card elsewhere. The backdrop is ours, because Radix's inserts a style element that
 * the content security policy of the page forbids.
 */
export function Dialog({ isOpen, onClose, title, lead, children, isSticky = false, isWide = false }: DialogProps) {
  const [openers] = useState(() => openersOf(document.activeElement));
  const stay = (event: Event) => {
    if (isSticky) event.preventDefault();
  };
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <Radix.Portal>
        <div aria-hidden="true" className="fixed inset-0 z-40 bg-shade" />
        <Radix.Content
          data-dialog=""
          // Tab wraps from the last control to the first, which Radix focuses without scrolling to it.
          onFocus={({ target }) => target.scrollIntoView({ block: "nearest" })}
          onPointerDownOutside={stay}
          onEscapeKeyDown={stay}
          onOpenAutoFocus={(event) => {
            if (!(event.currentTarget instanceof HTMLElement)) return;
            OPENERS.set(event.currentTarget, openers);
            const first = firstToUse(event.currentTarget);
            if (!first) return;
            event.preventDefault();
            first.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            focusAgain(openers);
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
                <Button look="quiet" size="smallIcon" aria-label={uiText.close} data-closer="">
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

/** The initial focus: the first field of the dialog, or else its first button other than the close button. */
function firstToUse(dialog: HTMLElement): HTMLElement | null {
  return (
    dialog.querySelector<HTMLElement>("input:not(:disabled), select:not(:disabled), textarea:not(:disabled)") ??
    dialog.querySelector<HTMLElement>("button:not(:disabled):not([data-closer])")
  );
}

/** The elements from which each open dialog was opened, nearest first. */
const OPENERS = new WeakMap<Element, readonly Element[]>();

/**
 * The elements that may get the focus when a dialog closes. A menu item is gone with its menu, so its menu button is used;
 * a dialog opened from another dialog also has that one's openers.
 */
function openersOf(focused: Element | null): readonly Element[] {
  const menuButtonId = focused?.closest("[role=menu]")?.getAttribute("aria-labelledby");
  const opener = menuButtonId ? document.getElementById(menuButtonId) : focused;
  const before = focused?.closest("[data-dialog]");
  return [...(opener && opener !== document.body ? [opener] : []), ...((before && OPENERS.get(before)) ?? [])];
}

/** Returns the focus to the opener, or to the page content when the opener is gone. A focus that has already moved elsewhere stays there. */
function focusAgain(openers: readonly Element[]): void {
  const now = document.activeElement;
  if (now?.isConnected && now !== document.body && !now.closest("[data-dialog]")) return;
  const place = openers.find(({ isConnected }) => isConnected) ?? document.getElementById("main");
  if (place instanceof HTMLElement) place.focus();
}

export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className="mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{children}</div>;
}

interface ConfirmDialogProps {
  readonly title: string;
  readonly lead: ReactNode;
  /** The labels of the two buttons. */
  readonly keep: string;
  readonly confirm: string;
  readonly isHarmless?: boolean;
  readonly isBusy: boolean;
  readonly error?: unknown;
  onConfirm(): void;
  onClose(): void;
}

/** Asks for confirmation before something that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, lead, keep, confirm, isHarmless = false, isBusy, error, onConfirm, onClose } = props;
  return (
    <Dialog isOpen onClose={onClose} title={title} lead={lead}>
      {error ? <Notice tone="danger">{errorText(error)}</Notice> : null}
      <DialogActions>
        <Button onClick={onClose}>{keep}</Button>
        <Button look={isHarmless ? "primary" : "danger"} onClick={onConfirm} isBusy={isBusy}>
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
