import { useEffect, useState } from "react";

/** So many nodes are drawn within one frame, also on a slow machine. */
const PER_FRAME = 6;
/** Up to here every node is drawn and can be reached by Tab; of a larger flow only what is in view. */
export const DRAWN_WHOLE_MAX = 60;

/**
 * How many of so many things may be drawn by now. A flow appears over a few frames, beginning with its start, so that the
 * page never stands still. Of a large one little is in view, which is drawn at once when the canvas stands.
 */
export function useRevealed(total: number): number {
  const [revealed, setRevealed] = useState(0);
  useEffect(() => {
    if (revealed >= total) return;
    const frame = requestAnimationFrame(() => setRevealed((count) => Math.min(total, count + PER_FRAME)));
    return () => cancelAnimationFrame(frame);
  }, [revealed, total]);
  return total > DRAWN_WHOLE_MAX && revealed > 0 ? total : Math.min(revealed, total);
}
