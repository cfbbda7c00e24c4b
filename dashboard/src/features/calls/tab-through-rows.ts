import { type KeyboardEvent, type RefObject, useEffect, useRef } from "react";

/** The rows of a table count from its heading, which is the first. */
const rowAt = (table: HTMLElement, index: number) =>
  table.querySelector<HTMLElement>(`[role=row][aria-rowindex="${index + 2}"] a`);
const indexOf = (element: Element | null) =>
  Number(element?.closest("[role=row]")?.getAttribute("aria-rowindex") ?? Number.NaN) - 2;

/**
 * Tab from row to row of a list of which only the visible rows exist. A row is drawn, or loaded, a moment after the list was
 * scrolled, which a key that is held down does not wait for: it would leave the list in the middle.
 */
export function useTabThroughRows(rows: RefObject<HTMLElement | null>, count: number, isFetchingMore: boolean) {
  const awaited = useRef<{ readonly from: Element; readonly index: number } | null>(null);
  // After every rendering: one of them draws the row.
  useEffect(() => {
    if (awaited.current === null || rows.current === null) return;
    const { from, index } = awaited.current;
    const row = rowAt(rows.current, index);
    if (row === null && document.activeElement === from) return;
    awaited.current = null;
    if (document.activeElement === from) row?.focus();
  });
  return (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== "Tab" || event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof Element))
      return;
    const index = indexOf(event.target) + (event.shiftKey ? -1 : 1);
    const isToCome = index >= 0 && (index < count || isFetchingMore);
    if (!isToCome || rowAt(event.currentTarget, index) !== null) return;
    event.preventDefault();
    awaited.current = { from: event.target, index };
  };
}
