import { useEffect, useRef } from "react";
import type { Playback } from "./use-playback.ts";

const SKIP_MS = 5000;

/** Space plays and pauses, and the arrow keys skip, wherever the focus is on the page. */
export function usePlayerKeys({ playback, lengthMs, toggle }: PlayerKeys): void {
  const latest = useRef({ playback, lengthMs, toggle });
  latest.current = { playback, lengthMs, toggle };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const action = actionOf(event);
      if (action === null) return;
      event.preventDefault();
      const { playback: now, lengthMs: endMs, toggle: playOrPause } = latest.current;
      if (action === "toggle") playOrPause();
      else now.moveTo(Math.min(endMs, Math.max(0, now.positionMs + action)));
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

interface PlayerKeys {
  readonly playback: Pick<Playback, "positionMs" | "moveTo">;
  readonly lengthMs: number;
  toggle(): void;
}

type KeyPress = Pick<
  KeyboardEvent,
  "key" | "target" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "defaultPrevented"
>;

/** What a key does to the player: play or pause, skip by milliseconds, or nothing. */
export function actionOf(event: KeyPress): "toggle" | number | null {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return null;
  const at = event.target instanceof Element ? event.target : null;
  if (at?.closest("[role=dialog], [role=menu]")) return null;
  // Elements that use these keys themselves. A slider does not use the space bar, which would scroll the page.
  if (at?.matches("textarea, select, [contenteditable], input:not([type=range])")) return null;
  if (event.key === " ") return at?.closest("button, a, summary, [role=tab], [role=menuitem]") ? null : "toggle";
  if (at?.matches("input[type=range]") || at?.closest("[role=tablist]")) return null;
  if (event.key === "ArrowRight") return SKIP_MS;
  return event.key === "ArrowLeft" ? -SKIP_MS : null;
}
