import { useId, useMemo } from "react";
import { formatClock } from "../../ui/format.ts";
import { loudestOf, toBars, wavePath } from "./wave-path.ts";

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
