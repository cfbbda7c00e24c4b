import { type PointerEvent, useState } from "react";
import { Card } from "./card.tsx";
import { ChartPicture, type ChartShape } from "./chart-picture.tsx";
import { hasValues } from "./chart-scale.ts";
import { type ChartData, inText, type Series } from "./chart-series.ts";
import { ChartTable } from "./chart-table.tsx";

interface TimeChartProps extends ChartData, ChartShape {
  readonly title: string;
  /** The one number that says most. */
  readonly figure: string;
  readonly note?: string;
  /** What stands in place of a picture of nothing. */
  readonly empty: string;
}

const DOTS = { accent: "bg-accent", soft: "bg-line-strong/70" } as const;

/** Values over time: a picture, what it says at the pointer, and the same as a table for whoever wants to read it. */
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
    ...series.map(({ name, values }) => `${name.toLowerCase()} ${inText(values[index], format)}`),
  ].join(" · ");
}
