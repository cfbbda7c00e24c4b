import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** The recording of a page as it plays: its position, and how to move it. */
export interface Playback {
  readonly audio: RefObject<HTMLAudioElement | null>;
  readonly positionMs: number;
  readonly isPlaying: boolean;
  /** Whether it has been played or moved, so that a line can be the current one. */
  readonly isBegun: boolean;
  /** Whether the line at the position is kept in view: while it plays, and after following a link. */
  readonly isFollowed: boolean;
  setPlaying(isPlaying: boolean): void;
  setPositionMs(positionMs: number): void;
  playFrom(positionMs: number): void;
  moveTo(positionMs: number): void;
}

/** `beginMs` is the position from a link; it does not start playback. */
export function usePlayback(beginMs: number | null): Playback {
  const audio = useRef<HTMLAudioElement>(null);
  const [positionMs, setPositionMs] = useState(beginMs ?? 0);
  const [isPlaying, setPlaying] = useState(false);
  const moveTo = useCallback((ms: number) => {
    if (audio.current) audio.current.currentTime = ms / 1000;
    setPositionMs(ms);
  }, []);
  useEffect(() => {
    if (beginMs !== null) moveTo(beginMs);
  }, [beginMs, moveTo]);
  const playFrom = useCallback(
    (ms: number) => {
      moveTo(ms);
      // A browser that refuses to play simply does not play; the button stays unchanged.
      audio.current?.play().catch(() => setPlaying(false));
    },
    [moveTo],
  );
  return {
    audio,
    positionMs,
    isPlaying,
    isBegun: isPlaying || positionMs > 0 || beginMs !== null,
    isFollowed: isPlaying || positionMs === beginMs,
    setPlaying,
    setPositionMs,
    playFrom,
    moveTo,
  };
}

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
