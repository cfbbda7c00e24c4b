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
