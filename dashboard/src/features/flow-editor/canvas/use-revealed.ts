import { useEffect, useState } from "react";

/** So many nodes are drawn well within one frame. */
const PER_FRAME = 24;

/**
 * How many of so many things may be drawn by now. A large flow appears over a few frames, beginning with its start, so that
 * the page never stands still; what is added later appears at once when it is little.
 */
export function useRevealed(total: number): number {
  const [revealed, setRevealed] = useState(PER_FRAME);
  useEffect(() => {
    if (revealed >= total) return;
    const frame = requestAnimationFrame(() => setRevealed((count) => Math.min(total, count + PER_FRAME)));
    return () => cancelAnimationFrame(frame);
  }, [revealed, total]);
  return Math.min(revealed, total);
}
