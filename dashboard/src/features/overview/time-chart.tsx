import { type PointerEvent, useId, useState } from "react";
import { Card } from "../../ui/layout/card.tsx";
import { CHART_HEIGHT, CHART_WIDTH, ChartGrid } from "./chart-grid.tsx";
import { dotPath, hasValues, linePath, roundUp } from "./chart-scale.ts";
import { overviewText } from "./text.ts";

interface TimeChartProps extends ChartData, ChartShape {
  readonly title: string;
  /** The headline figure. */
  readonly figure: string;
  readonly note?: string;
  /** Shown instead of an empty chart. */
  readonly empty: string;
}

const DOTS = { accent: "bg-accent", soft: "bg-line-strong/70" } as const;

/** Values over time: a chart, the values at the pointer, and the same data as a table. */
export function TimeChart(props: TimeChartProps) {
  const { title, figure, note, moments, series, format } = props;
  const [at, setAt] = useState<number | null>(null);
  const isEmpty = !hasValues(series);
  const follow = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const index = Math.floor(((event.clientX - left) / width) * moments.length);
    setAt(Math.min(moments.length - 1, Math.max(0, index)));
  };
  return (
    <Card title={title} aside={<Legend series={series} />}>
      <p className="text-2xl font-semibold tracking-tight tabular-nums">{figure}</p>
      <p className="h-5 truncate text-sm text-ink-soft tabular-nums">
        {at === null ? note : sayAt(at, moments, series, format)}
      </p>
      {isEmpty ? (
        <p className="mt-3 grid h-36 place-items-center rounded-lg bg-sunken/60 px-4 text-center text-sm text-ink-soft">
          {props.empty}
        </p>
      ) : (
        <div className="mt-3" onPointerMove={follow} onPointerLeave={() => setAt(null)}>
          <ChartPicture {...props} at={at} />
        </div>
      )}
      {isEmpty ? null : <ChartTable {...props} />}
    </Card>
  );
}

function Legend({ series }: { readonly series: readonly Series[] }) {
  if (series.length < 2) return null;
  return (
    <ul className="flex flex-wrap justify-end gap-x-4 text-xs text-ink-soft">
      {series.map(({ name, tone }) => (
        <li key={name} className="flex items-center gap-1.5">
          <span aria-hidden="true" className={`size-2 rounded-full ${DOTS[tone]}`} />
          {name}
        </li>
      ))}
    </ul>
  );
}

function sayAt(
  index: number,
  moments: readonly string[],
  series: readonly Series[],
  format: (value: number) => string,
) {
  return [
    moments[index],
    ...series.map(({ name, values }) => overviewText.valueAtPointer(name, inText(values[index], format))),
  ].join(" · ");
}

interface ChartShape {
  /** Bars are stacked; lines are not. */
  readonly shape: "bars" | "lines";
  /** The fixed end of the scale, such as 100 %. */
  readonly top?: number;
}

const FILLS = { accent: "fill-accent", soft: "fill-line-strong/55" } as const;
const STROKES = { accent: "stroke-accent", soft: "stroke-line-strong" } as const;
/** The chart itself, hidden from screen readers, which read the table. */
function ChartPicture({
  moments,
  series,
  shape,
  format,
  at,
  top,
}: ChartData & ChartShape & { readonly at: number | null }) {
  const scale = top ?? roundUp(highest(series, shape));
  return (
    <div aria-hidden="true">
      <ChartGrid count={moments.length} at={at} top={format(scale)} height="h-32">
        {shape === "bars" ? (
          <Bars series={series} count={moments.length} scale={scale} />
        ) : (
          series.map((one) => <Line key={one.name} series={one} scale={scale} />)
        )}
      </ChartGrid>
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
      <path d={linePath(values, CHART_WIDTH, CHART_HEIGHT, scale)} strokeWidth="2" {...stroke} />
      <path d={dotPath(values, CHART_WIDTH, CHART_HEIGHT, scale)} strokeWidth="8" {...stroke} />
    </>
  );
}

interface BarsProps {
  readonly series: readonly Series[];
  readonly count: number;
  readonly scale: number;
}

function Bars({ series, count, scale }: BarsProps) {
  const step = CHART_WIDTH / Math.max(1, count);
  const width = step * (count > 40 ? 0.8 : 0.64);
  return Array.from({ length: count }, (_, index) => {
    let base = CHART_HEIGHT;
    return series.map(({ name, tone, values }) => {
      const height = (CHART_HEIGHT * (values[index] ?? 0)) / scale;
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

/** Closed it takes no space; screen readers and curious people open it. */
function ChartTable({ title, moments, momentsName, series, format }: ChartData & { readonly title: string }) {
  const id = useId();
  return (
    <details className="mt-2 text-sm">
      <summary className="w-fit rounded text-xs text-ink-soft hover:text-ink" aria-describedby={id}>
        {overviewText.asATable}
        <span id={id} className="sr-only">
          {title}
        </span>
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls is reached by keyboard. */}
      <div tabIndex={0} className="mt-2 max-h-56 overflow-auto rounded-lg border border-line">
        <table className="w-full tabular-nums">
          <caption className="sr-only">{title}</caption>
          <thead className="sticky top-0 bg-sunken text-xs text-ink-soft">
            <tr>
              <th scope="col" className="px-3 py-1.5 text-left font-medium">
                {momentsName}
              </th>
              {series.map(({ name }) => (
                <th key={name} scope="col" className="px-3 py-1.5 text-right font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {moments.map((moment, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an hour may come twice in a day.
              <tr key={index} className="border-t border-line">
                <th scope="row" className="px-3 py-1.5 text-left font-normal">
                  {moment}
                </th>
                {series.map(({ name, values }) => (
                  <td key={name} className="px-3 py-1.5 text-right">
                    {inText(values[index], format)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

interface Series {
  readonly name: string;
  readonly tone: "accent" | "soft";
  /** One for each moment; null if nothing was measured. */
  readonly values: readonly (number | null)[];
}

/** Values over time, in any form. */
interface ChartData {
  /** What the values belong to, such as days. */
  readonly moments: readonly string[];
  readonly momentsName: string;
  readonly series: readonly Series[];
  format(value: number): string;
}

/** The formatted value; a dash if nothing was measured. */
function inText(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? "–" : format(value);
}
