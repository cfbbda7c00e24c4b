import { type RefObject, useEffect, useRef } from "react";

let openedId: string | null = null;

/** Keeps which call was opened from the list. */
export function rememberOpenedCall(callId: string): void {
  openedId = callId;
}

/**
 * Who comes back from a call has the focus on it again, once its row is drawn: by keyboard, the way there from the top of the
 * list may be hundreds of rows long.
 */
export function useReturnToCall(rows: RefObject<HTMLElement | null>): void {
  const awaitedId = useRef(openedId);
  useEffect(() => {
    openedId = null;
  }, []);
  // After every rendering: one of them draws the row.
  useEffect(() => {
    if (awaitedId.current === null) return;
    const link = rows.current?.querySelector<HTMLElement>(`a[href*="/${awaitedId.current}"]`);
    const hasMovedOn = document.activeElement instanceof HTMLElement && document.activeElement.tabIndex >= 0;
    if (!link && !hasMovedOn) return;
    awaitedId.current = null;
    if (!hasMovedOn) link?.focus({ preventScroll: true });
  });
}
