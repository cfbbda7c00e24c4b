import { useId, useMemo } from "react";
import { formatClock } from "../../../ui/format.ts";

/** A stretch of the recording without audio. */
export interface RecordingGap {
  readonly startMs: number;
  readonly endMs: number;
}

interface WaveformProps {
  readonly callee: readonly number[];
  readonly agent: readonly number[];
  readonly seconds: number;
  readonly positionMs: number;
  readonly gaps: readonly RecordingGap[];
  onMove(positionMs: number): void;
}

const WIDTH = 900;
const HEIGHT = 96;
const MIDDLE = HEIGHT / 2;
const BARS_MAX = 220;

/** Both sides of a call: the agent above the line, the callee below it. A slider lies over the picture, so keys move it too. */
export function Waveform({ callee, agent, seconds, positionMs, gaps, onMove }: WaveformProps) {
  const played = useId();
  const [above, below] = useMemo(() => {
    const bars = (peaks: readonly number[]) => toBars(peaks, BARS_MAX, loudestOf(callee, agent));
    return [
      wavePath(bars(agent), WIDTH, MIDDLE - 1, MIDDLE - 4, -1),
      wavePath(bars(callee), WIDTH, MIDDLE + 1, MIDDLE - 4, 1),
    ];
  }, [agent, callee]);
  const place = (ms: number) => (seconds > 0 ? Math.min(1, ms / 1000 / seconds) * WIDTH : 0);
  const x = place(positionMs);
  return (
    <div className="relative rounded-lg has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        className="block h-24 w-full overflow-visible"
      >
        <clipPath id={played}>
          <rect width={x} height={HEIGHT} />
        </clipPath>
        <g opacity="0.38">
          <path d={above} className="fill-accent" />
          <path d={below} className="fill-line-strong" />
        </g>
        <g clipPath={`url(#${played})`}>
          <path d={above} className="fill-accent" />
          <path d={below} className="fill-ink-soft" />
        </g>
        {gaps.map(({ startMs, endMs }) => (
          <rect
            key={startMs}
            data-testid="recording-gap"
            x={place(startMs)}
            width={Math.max(2, place(endMs) - place(startMs))}
            height={HEIGHT}
            className="fill-warning-soft"
          />
        ))}
        <line x1={x} x2={x} y1="0" y2={HEIGHT} vectorEffect="non-scaling-stroke" className="stroke-ink" />
      </svg>
      <input
        type="range"
        aria-label="Position in the recording"
        aria-valuetext={`${formatClock(positionMs / 1000)} of ${formatClock(seconds)}`}
        min={0}
        max={Math.max(1, Math.round(seconds * 1000))}
        step={100}
        value={Math.round(positionMs)}
        onChange={(event) => onMove(Number(event.target.value))}
        className="absolute inset-0 size-full cursor-pointer opacity-0"
      />
    </div>
  );
}

/** So that silence is a thin line and not nothing. */
const LEAST = 0.02;
/** A call in which nobody speaks up is not drawn as if somebody shouted. */
const LOUDEST_LEAST = 64;

/** The loudness that fills the picture: both sides are drawn by the same measure. */
function loudestOf(...sides: readonly (readonly number[])[]): number {
  return sides.flat().reduce((loudest, peak) => Math.max(loudest, peak), LOUDEST_LEAST);
}

/** Gathers numbers into so many bars, each the loudest of its stretch, from 0 to 1. */
function toBars(peaks: readonly number[], count: number, loudest: number): number[] {
  if (peaks.length === 0) return [];
  const bars = Math.min(count, peaks.length);
  return Array.from({ length: bars }, (_, bar) => {
    const from = Math.floor((bar * peaks.length) / bars);
    const until = Math.max(from + 1, Math.floor(((bar + 1) * peaks.length) / bars));
    return Math.max(LEAST, Math.max(...peaks.slice(from, until)) / loudest);
  });
}

/** The outline of bars that stand on a line at `base` and reach up (-1) or down (1) by at most `height`. */
function wavePath(bars: readonly number[], width: number, base: number, height: number, towards: 1 | -1): string {
  const step = width / Math.max(1, bars.length);
  const thick = step * 0.62;
  return bars
    .map((bar, index) => {
      const x = (index * step + (step - thick) / 2).toFixed(2);
      return `M${x} ${base}h${thick.toFixed(2)}v${(towards * bar * height).toFixed(2)}h-${thick.toFixed(2)}z`;
    })
    .join("");
}
