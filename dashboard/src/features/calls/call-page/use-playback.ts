import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** The one recording of a page as it plays: where it is, and how to move it. */
export interface Playback {
  readonly audio: RefObject<HTMLAudioElement | null>;
  readonly positionMs: number;
  readonly isPlaying: boolean;
  /** Whether it has been played or moved, so that a line can be the current one. */
  readonly isBegun: boolean;
  /** Whether the line at the position is kept in sight: while it plays, and where a link led. */
  readonly isFollowed: boolean;
  setPlaying(isPlaying: boolean): void;
  setPositionMs(positionMs: number): void;
  playFrom(positionMs: number): void;
  moveTo(positionMs: number): void;
}

/** `beginMs` is the moment that a link led to; it stands there and does not play by itself. */
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
      // A browser that refuses to play shows it by not playing; the button stays what it is.
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
