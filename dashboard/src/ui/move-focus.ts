import type { KeyboardEvent } from "react";

/** Where a key leads among choices that are one stop for the Tab key. */
const STEPS: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowLeft: (index, count) => (index + count - 1) % count,
  ArrowUp: (index, count) => (index + count - 1) % count,
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowDown: (index, count) => (index + 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Moves the focus among the buttons of an element. Keys with modifiers are the browser's, such as those that go back. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const isHorizontal = event.currentTarget.getAttribute("aria-orientation") === "horizontal";
  // Beside a horizontal row the vertical arrows scroll the page.
  if (isHorizontal && (event.key === "ArrowUp" || event.key === "ArrowDown")) return;
  const step = STEPS[event.key];
  const items = Array.from(event.currentTarget.querySelectorAll("button"));
  const index = items.indexOf(document.activeElement as HTMLButtonElement);
  if (!step || index < 0) return;
  event.preventDefault();
  items[step(index, items.length)]?.focus();
}
