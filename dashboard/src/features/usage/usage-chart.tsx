import type { UsageGranularity } from "@parley/contract/usage";
import { Link } from "@tanstack/react-router";
import { type KeyboardEvent, type PointerEvent, useId, useState } from "react";
import type { CallFilter } from "../calls/call-filter.ts";
import { CHART_HEIGHT, CHART_WIDTH, ChartGrid } from "../overview/chart-grid.tsx";
import { dotPath, linePath, roundUp } from "../overview/chart-scale.ts";
import { usageText } from "./text.ts";
import { sumOf } from "./usage-figures.ts";

/** The colors of groups, in the order of the layers; the last one is that of all other groups. */
const FILLS = ["fill-series-1", "fill-series-2", "fill-series-3", "fill-series-4", "fill-series-5"];
const DOTS = ["bg-series-1", "bg-series-2", "bg-series-3", "bg-series-4", "bg-series-5"];
const REST_FILL = "fill-line-strong";
const REST_DOT = "bg-line-strong";

/** The color of a layer beside its name; undefined is that of the rest. */
export function dotOf(place: number | undefined): string {
  return (place === undefined ? undefined : DOTS[place]) ?? REST_DOT;
}

interface Layer {
  readonly name: string;
  /** The place of its color; undefined for the rest. */
  readonly place: number | undefined;
  /** Null where nothing was measured. */
  readonly values: readonly (number | null)[];
  /** The value of the whole period, for lines, which do not add up; null if nothing was measured. */
  readonly whole?: number | null;
}

interface Bucket {
  /** For the ends of the scale. */
  readonly label: string;
  /** For reading it. */
  readonly longLabel: string;
  /** The calls behind it. */
  readonly calls: CallFilter;
}

interface UsageChartProps {
  readonly title: string;
  /** What a bar stands for: a day or an hour. */
  readonly bucket: UsageGranularity;
  readonly buckets: readonly Bucket[];
  readonly layers: readonly Layer[];
  /** Bars are stacked and added up; lines are not. */
  readonly shape?: "bars" | "lines";
  /** What the legend shows while no bar is pointed at. */
  readonly periodName: string;
  format(value: number): string;
}

/** Stacked bars or lines over time. They are read with the pointer, with the arrow keys, or as a table whose rows lead to the calls. */
export function UsageChart(props: UsageChartProps) {
  const { title, bucket, buckets, layers, shape = "bars", periodName, format } = props;
  const [at, setAt] = useState<number | null>(null);
  const hintId = useId();
  const last = buckets.length - 1;
  const within = (index: number) => Math.min(last, Math.max(0, index));
  const follow = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setAt(within(Math.floor(((event.clientX - left) / width) * buckets.length)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const now = at ?? last;
    const places: Readonly<Record<string, number>> = {
      ArrowLeft: now - 1,
      ArrowDown: now - 1,
      ArrowRight: now + 1,
      ArrowUp: now + 1,
      Home: 0,
      End: last,
    };
    const next = places[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setAt(within(next));
  };
  return (
    <>
      <Legend
        layers={layers}
        shape={shape}
        at={at}
        heading={at === null ? periodName : (buckets[at]?.longLabel ?? "")}
        format={format}
      />
      <div
        role="slider"
        tabIndex={0}
        aria-label={title}
        aria-describedby={hintId}
        aria-valuemin={1}
        aria-valuemax={buckets.length}
        aria-valuenow={(at ?? last) + 1}
        aria-valuetext={inWords(at ?? last, props)}
        onFocus={() => setAt((now) => now ?? last)}
        onBlur={() => setAt(null)}
        onKeyDown={onKeyDown}
        onPointerMove={follow}
        onPointerLeave={(event) => (event.currentTarget === document.activeElement ? undefined : setAt(null))}
        className="mt-4 rounded outline-offset-4"
      >
        {shape === "bars" ? (
          <Bars layers={layers} count={buckets.length} at={at} format={format} />
        ) : (
          <Lines layers={layers} count={buckets.length} at={at} format={format} />
        )}
      </div>
      <p id={hintId} hidden>
        {usageText.arrowKeys(bucket)}
      </p>
      <div aria-hidden="true" className="mt-1.5 flex justify-between text-xs text-ink-soft">
        <span>{buckets[0]?.label}</span>
        {buckets.length > 1 ? <span>{buckets[last]?.label}</span> : null}
      </div>
      <ChartTable {...props} />
    </>
  );
}

/** The values of one bar, as a screen reader reads them. */
function inWords(index: number, { buckets, layers, shape, format }: UsageChartProps): string {
  const label = buckets[index]?.longLabel ?? "";
  if (shape === "lines")
    return `${label}, ${layers.map(({ name, values }) => `${name} ${inText(values[index], format)}`).join(", ")}`;
  const parts = layers
    .filter(({ values }) => (values[index] ?? 0) > 0)
    .map(({ name, values }) => `${name} ${format(values[index] ?? 0)}`);
  const total = format(sumOf(layers.map(({ values }) => values[index] ?? 0)));
  const detail = parts.length > 0 && layers.length > 1 ? `: ${parts.join(", ")}` : "";
  return `${label}, ${total}${detail}`;
}

/** A dash where nothing was measured. */
function inText(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? "–" : format(value);
}

interface LegendProps {
  readonly layers: readonly Layer[];
  readonly shape: "bars" | "lines";
  readonly at: number | null;
  readonly heading: string;
  format(value: number): string;
}

/** The layers with their values: of the bar that is pointed at, otherwise of the whole period. */
function Legend({ layers, shape, at, heading, format }: LegendProps) {
  const isAddedUp = shape === "bars";
  const shownOf = ({ values, whole }: Layer) => {
    if (at !== null) return values[at] ?? (isAddedUp ? 0 : null);
    return isAddedUp ? sumOf(values) : whole;
  };
  return (
    <div className="text-sm">
      <p className="font-medium tabular-nums">
        {isAddedUp ? `${heading}: ${format(sumOf(layers.map((layer) => shownOf(layer) ?? 0)))}` : heading}
      </p>
      {layers.length > 1 ? (
        <ul className="mt-1 flex flex-wrap gap-x-5 gap-y-1 text-ink-soft">
          {layers.map((layer) => (
            <li key={layer.place ?? "rest"} className="flex max-w-full min-w-0 items-center gap-1.5">
              <span aria-hidden="true" className={`size-2.5 shrink-0 rounded-sm ${dotOf(layer.place)}`} />
              <span className="truncate">{layer.name}</span>
              <span className="text-ink tabular-nums">{inText(shownOf(layer), format)}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

interface BarsProps {
  readonly layers: readonly Layer[];
  readonly count: number;
  readonly at: number | null;
  format(value: number): string;
}

function Bars({ layers, count, at, format }: BarsProps) {
  const totals = Array.from({ length: count }, (_, index) => sumOf(layers.map(({ values }) => values[index] ?? 0)));
  const scale = roundUp(Math.max(0, ...totals));
  const step = CHART_WIDTH / Math.max(1, count);
  // A single bar over the whole width would look like a background.
  const width = Math.min(60, step * (count > 40 ? 0.8 : 0.64));
  return (
    <div aria-hidden="true">
      <ChartGrid count={count} at={at} top={format(scale)} height="h-44">
        {totals.map((_, index) => (
          <Bar
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is known by its place.
            key={index}
            layers={layers}
            index={index}
            scale={scale}
            x={(index + 0.5) * step - width / 2}
            width={width}
          />
        ))}
      </ChartGrid>
    </div>
  );
}

function Lines({ layers, count, at, format }: BarsProps) {
  const scale = roundUp(Math.max(0, ...layers.flatMap(({ values }) => values.map((value) => value ?? 0))));
  return (
    <div aria-hidden="true">
      <ChartGrid count={count} at={at} top={format(scale)} height="h-44">
        {layers.map(({ name, place, values }) => {
          const stroke = {
            fill: "none",
            strokeLinecap: "round",
            strokeLinejoin: "round",
            vectorEffect: "non-scaling-stroke",
            className: place === undefined ? "stroke-line-strong" : "stroke-series-1",
          } as const;
          return (
            <g key={name}>
              <path d={linePath(values, CHART_WIDTH, CHART_HEIGHT, scale)} strokeWidth="2" {...stroke} />
              <path d={dotPath(values, CHART_WIDTH, CHART_HEIGHT, scale)} strokeWidth="8" {...stroke} />
            </g>
          );
        })}
      </ChartGrid>
    </div>
  );
}

interface BarProps {
  readonly layers: readonly Layer[];
  readonly index: number;
  readonly scale: number;
  readonly x: number;
  readonly width: number;
}

function Bar({ layers, index, scale, x, width }: BarProps) {
  let base = CHART_HEIGHT;
  return layers.map(({ place, values }) => {
    const height = (CHART_HEIGHT * (values[index] ?? 0)) / scale;
    base -= height;
    return height > 0 ? (
      <rect
        key={place ?? "rest"}
        x={x}
        y={base}
        width={width}
        height={height}
        vectorEffect="non-scaling-stroke"
        // The gap between layers, for those who do not see their colors.
        className={`stroke-surface ${(place === undefined ? undefined : FILLS[place]) ?? REST_FILL}`}
      />
    ) : null;
  });
}

/** The same data, with a way to the calls of each bar. */
function ChartTable({ title, bucket, buckets, layers, shape = "bars", format }: UsageChartProps) {
  const id = useId();
  const isAddedUp = shape === "bars";
  const hasParts = layers.length > 1 || !isAddedUp;
  const right = "px-3 py-1.5 text-right";
  return (
    <details className="mt-3 text-sm">
      <summary className="w-fit rounded text-xs text-ink-soft hover:text-ink" aria-describedby={id}>
        {usageText.asATable}
        <span id={id} className="sr-only">
          {title}
        </span>
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls is reached by keyboard. */}
      <div tabIndex={0} className="mt-2 max-h-72 overflow-auto rounded-lg border border-line">
        <table className="w-full tabular-nums">
          <caption className="sr-only">{title}</caption>
          <thead className="sticky top-0 bg-sunken text-xs text-ink-soft">
            <tr>
              <th scope="col" className="px-3 py-1.5 text-left font-medium">
                {usageText.bucket[bucket]}
              </th>
              {isAddedUp ? (
                <th scope="col" className={`${right} font-medium`}>
                  {usageText.total}
                </th>
              ) : null}
              {hasParts
                ? layers.map(({ name, place }) => (
                    <th key={place ?? "rest"} scope="col" className={`${right} font-medium`}>
                      {name}
                    </th>
                  ))
                : null}
            </tr>
          </thead>
          <tbody>
            {buckets.map(({ longLabel, calls }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an hour may come twice in a day.
              <tr key={index} className="border-t border-line">
                <th scope="row" className="px-3 py-1.5 text-left font-normal whitespace-nowrap">
                  <Link to="/calls" search={calls} className="underline underline-offset-2">
                    {longLabel}
                  </Link>
                </th>
                {isAddedUp ? (
                  <td className={right}>{format(sumOf(layers.map(({ values }) => values[index] ?? 0)))}</td>
                ) : null}
                {hasParts
                  ? layers.map(({ place, values }) => (
                      <td key={place ?? "rest"} className={right}>
                        {inText(isAddedUp ? (values[index] ?? 0) : values[index], format)}
                      </td>
                    ))
                  : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
