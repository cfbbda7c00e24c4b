import type { ReactNode } from "react";

export const CHART_WIDTH = 600;
export const CHART_HEIGHT = 120;

interface ChartGridProps {
  /** How many moments stand side by side. */
  readonly count: number;
  /** The moment that is marked; null for none. */
  readonly at: number | null;
  /** The value at the upper end of the scale. */
  readonly top: string;
  /** The height on the page, as a class. */
  readonly height: string;
  /** Shapes in a space of `CHART_WIDTH` by `CHART_HEIGHT`. */
  readonly children: ReactNode;
}

/** What is behind the bars or lines of a chart: three lines, the marked moment and the scale. */
export function ChartGrid({ count, at, top, height, children }: ChartGridProps) {
  const step = CHART_WIDTH / Math.max(1, count);
  return (
    <div className="relative">
      <svg
        viewBox={`0 0 ${CHART_WIDTH} ${CHART_HEIGHT}`}
        preserveAspectRatio="none"
        role="presentation"
        className={`block ${height} w-full overflow-visible`}
      >
        {[0, 0.5, 1].map((share) => (
          <line
            key={share}
            x1="0"
            x2={CHART_WIDTH}
            y1={CHART_HEIGHT * share}
            y2={CHART_HEIGHT * share}
            vectorEffect="non-scaling-stroke"
            className="stroke-line"
          />
        ))}
        {at === null ? null : <rect x={at * step} width={step} height={CHART_HEIGHT} className="fill-sunken" />}
        {children}
      </svg>
      <span className="absolute right-0 bottom-full rounded bg-surface/80 pl-1 text-xs text-ink-soft tabular-nums">
        {top}
      </span>
    </div>
  );
}
