import { dotPath, linePath, roundUp } from "./chart-scale.ts";
import type { ChartData, Series } from "./chart-series.ts";

export interface ChartShape {
  /** Bars are stacked; lines are not. */
  readonly shape: "bars" | "lines";
  /** Where the scale ends whatever is shown, such as at 100 %. */
  readonly top?: number;
}

const WIDTH = 600;
const HEIGHT = 120;
const FILLS = { accent: "fill-accent", soft: "fill-line-strong/55" } as const;
const STROKES = { accent: "stroke-accent", soft: "stroke-line-strong" } as const;
/** The picture of a chart. Whoever cannot see it reads the table beside it. */
export function ChartPicture({
  moments,
  series,
  shape,
  format,
  at,
  top,
}: ChartData & ChartShape & { readonly at: number | null }) {
  const scale = top ?? roundUp(highest(series, shape));
  const step = WIDTH / Math.max(1, moments.length);
  return (
    <div aria-hidden="true">
      <div className="relative">
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="presentation"
          className="block h-32 w-full overflow-visible"
        >
          {[0, 0.5, 1].map((share) => (
            <line
              key={share}
              x1="0"
              x2={WIDTH}
              y1={HEIGHT * share}
              y2={HEIGHT * share}
              vectorEffect="non-scaling-stroke"
              className="stroke-line"
            />
          ))}
          {at === null ? null : <rect x={at * step} width={step} height={HEIGHT} className="fill-sunken" />}
          {shape === "bars" ? (
            <Bars series={series} count={moments.length} scale={scale} />
          ) : (
            series.map((one) => <Line key={one.name} series={one} scale={scale} />)
          )}
        </svg>
        <span className="absolute -top-2 right-0 rounded bg-surface/80 pl-1 text-xs text-ink-soft tabular-nums">
          {format(scale)}
        </span>
      </div>
      <div className="mt-1.5 flex justify-between text-xs text-ink-soft">
        <span>{moments[0]}</span>
        {moments.length > 2 ? <span>{moments.at(-1)}</span> : null}
      </div>
    </div>
  );
}

function Line({ series: { tone, values }, scale }: { readonly series: Series; readonly scale: number }) {
  const stroke = {
    fill: "none",
    strokeLinecap: "round",
    strokeLinejoin: "round",
    vectorEffect: "non-scaling-stroke",
    className: STROKES[tone],
  } as const;
  return (
    <>
      <path d={linePath(values, WIDTH, HEIGHT, scale)} strokeWidth="2" {...stroke} />
      <path d={dotPath(values, WIDTH, HEIGHT, scale)} strokeWidth="8" {...stroke} />
    </>
  );
}

interface BarsProps {
  readonly series: readonly Series[];
  readonly count: number;
  readonly scale: number;
}

function Bars({ series, count, scale }: BarsProps) {
  const step = WIDTH / Math.max(1, count);
  const width = step * (count > 40 ? 0.8 : 0.64);
  return Array.from({ length: count }, (_, index) => {
    let base = HEIGHT;
    return series.map(({ name, tone, values }) => {
      const height = (HEIGHT * (values[index] ?? 0)) / scale;
      base -= height;
      return height > 0 ? (
        <rect
          key={`${name} ${
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is known by its place.
            index
          }`}
          x={index * step + (step - width) / 2}
          y={base}
          width={width}
          height={height}
          className={FILLS[tone]}
        />
      ) : null;
    });
  });
}

function highest(series: readonly Series[], shape: "bars" | "lines"): number {
  const all = series.map(({ values }) => values.map((value) => value ?? 0));
  if (shape === "lines") return Math.max(0, ...all.flat());
  return Math.max(0, ...(all[0] ?? []).map((_, index) => all.reduce((sum, values) => sum + (values[index] ?? 0), 0)));
}
