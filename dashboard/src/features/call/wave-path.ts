/** So that silence is a thin line and not nothing. */
const LEAST = 0.02;
/** A call in which nobody speaks up is not drawn as if somebody shouted. */
const LOUDEST_LEAST = 64;

/** The loudness that fills the picture: both sides are drawn by the same measure. */
export function loudestOf(...sides: readonly (readonly number[])[]): number {
  return sides.flat().reduce((loudest, peak) => Math.max(loudest, peak), LOUDEST_LEAST);
}

/** Gathers numbers into so many bars, each the loudest of its stretch, from 0 to 1. */
export function toBars(peaks: readonly number[], count: number, loudest: number): number[] {
  if (peaks.length === 0) return [];
  const bars = Math.min(count, peaks.length);
  return Array.from({ length: bars }, (_, bar) => {
    const from = Math.floor((bar * peaks.length) / bars);
    const until = Math.max(from + 1, Math.floor(((bar + 1) * peaks.length) / bars));
    return Math.max(LEAST, Math.max(...peaks.slice(from, until)) / loudest);
  });
}

/** The outline of bars that stand on a line at `base` and reach up (-1) or down (1) by at most `height`. */
export function wavePath(
  bars: readonly number[],
  width: number,
  base: number,
  height: number,
  towards: 1 | -1,
): string {
  const step = width / Math.max(1, bars.length);
  const thick = step * 0.62;
  return bars
    .map((bar, index) => {
      const x = (index * step + (step - thick) / 2).toFixed(2);
      return `M${x} ${base}h${thick.toFixed(2)}v${(towards * bar * height).toFixed(2)}h-${thick.toFixed(2)}z`;
    })
    .join("");
}
