import { useId } from "react";
import { type ChartData, inText } from "./chart-series.ts";

/** Closed it takes no room; screen readers and curious people open it. */
export function ChartTable({ title, moments, momentsName, series, format }: ChartData & { readonly title: string }) {
  const id = useId();
  return (
    <details className="mt-2 text-sm">
      <summary className="w-fit rounded text-xs text-ink-soft hover:text-ink" aria-describedby={id}>
        As a table
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
