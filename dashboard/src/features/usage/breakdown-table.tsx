import type { BreakdownRow } from "@parley/contract/usage";
import { Link } from "@tanstack/react-router";
import { ArrowDown, ArrowUp } from "lucide-react";
import Papa from "papaparse";
import { formatCount } from "../../languages/language.ts";
import { formatDelay, formatDollars, formatMinutes, formatPercent } from "../../ui/figures.ts";
import type { CallFilter } from "../calls/call-filter.ts";
import { usageText } from "./text.ts";
import { dotOf } from "./usage-chart.tsx";
import { completedOf, type UsageRow } from "./usage-figures.ts";
import type { Column, RowOrder } from "./usage-search.ts";
import { COLUMN_LABELS, COLUMN_NOTES } from "./usage-words.ts";

interface BreakdownTableProps {
  /** What the rows are, such as agents. */
  readonly heading: string;
  readonly rows: readonly UsageRow[];
  readonly order: RowOrder | undefined;
  /** The colors of the groups that the chart shows, by key; null if it shows none. */
  readonly places: ReadonlyMap<string, number> | null;
  callsOf(key: string): CallFilter;
  onSort(order: RowOrder): void;
}

const SHOWN = {
  always: "",
  wide: "hidden lg:table-cell",
  wider: "hidden xl:table-cell",
  widest: "hidden min-[1400px]:table-cell",
} as const;

interface ValueColumn {
  readonly id: Exclude<Column, "name">;
  /** From which width on it is shown. */
  readonly shown: keyof typeof SHOWN;
  read(row: UsageRow): string;
}

const NONE = "–";
const percent = (share: number | null) => (share === null ? NONE : formatPercent(share));
const delay = (ms: number | null) => (ms === null ? NONE : formatDelay(ms));

const VALUES: readonly ValueColumn[] = [
  { id: "calls", shown: "always", read: ({ calls }) => formatCount(calls) },
  { id: "answered", shown: "always", read: ({ answered }) => percent(answered) },
  { id: "completed", shown: "wide", read: ({ completed }) => percent(completed) },
  { id: "minutes", shown: "wide", read: ({ minutes }) => formatMinutes(minutes) },
  { id: "cost", shown: "always", read: ({ cost }) => formatDollars(cost) },
  { id: "response", shown: "wide", read: ({ response }) => delay(response) },
  { id: "slowest", shown: "widest", read: ({ slowest }) => delay(slowest) },
  { id: "interrupted", shown: "wider", read: ({ interrupted }) => percent(interrupted) },
  { id: "incidents", shown: "wider", read: ({ incidents }) => formatCount(incidents) },
];

/** The order after a click on a heading: names from A on, numbers from the largest. A second click turns it around. */
function orderAfterClick(column: Column, order: RowOrder | undefined): RowOrder {
  const first: RowOrder = column === "name" ? "name" : `-${column}`;
  const second: RowOrder = column === "name" ? "-name" : column;
  return order === first ? second : first;
}

/** The groups with their figures. Each row leads to its calls. */
export function BreakdownTable({ heading, rows, order, places, callsOf, onSort }: BreakdownTableProps) {
  return (
    <table aria-label={heading} className="w-full table-fixed text-sm tabular-nums">
      <thead className="border-b border-line bg-sunken/50 text-xs text-ink-soft">
        <tr>
          <Heading column="name" label={heading} order={order} onSort={onSort} className="pl-4 text-left sm:pl-5" />
          {VALUES.map(({ id, shown }) => (
            <Heading
              key={id}
              column={id}
              label={COLUMN_LABELS[id]}
              order={order}
              onSort={onSort}
              className={`w-18 text-right sm:w-24 ${SHOWN[shown]}`}
            />
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rows.map((row) => (
          <tr key={row.key} className="relative hover:bg-sunken/60">
            <th scope="row" className="py-2.5 pr-2 pl-4 text-left font-normal sm:pl-5">
              <span className="flex min-w-0 items-center gap-2">
                {places ? (
                  <span aria-hidden="true" className={`size-2.5 shrink-0 rounded-sm ${dotOf(places.get(row.key))}`} />
                ) : null}
                <Link
                  to="/calls"
                  search={callsOf(row.key)}
                  className="min-w-0 font-medium break-words outline-offset-[-2px] after:absolute after:inset-0"
                >
                  {row.name}
                </Link>
              </span>
            </th>
            {VALUES.map(({ id, shown, read }) => (
              <td key={id} className={`py-2.5 pr-3 text-right sm:pr-4 ${SHOWN[shown]}`}>
                {read(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface HeadingProps {
  readonly column: Column;
  readonly label: string;
  readonly order: RowOrder | undefined;
  readonly className: string;
  onSort(order: RowOrder): void;
}

function Heading({ column, label, order, className, onSort }: HeadingProps) {
  const isSorted = order === column || order === `-${column}`;
  const isDescending = order === `-${column}`;
  const Arrow = isDescending ? ArrowDown : ArrowUp;
  const note = COLUMN_NOTES[column];
  return (
    <th
      scope="col"
      className={`pr-3 font-medium sm:pr-4 ${className}`}
      {...(isSorted ? { "aria-sort": isDescending ? "descending" : "ascending" } : {})}
    >
      <button
        type="button"
        onClick={() => onSort(orderAfterClick(column, order))}
        {...(note ? { title: note } : {})}
        className={`inline-flex h-10 max-w-full items-center gap-1 rounded [text-align:inherit] outline-offset-[-2px] hover:text-ink ${isSorted ? "text-ink" : ""}`}
      >
        <span className="min-w-0 leading-tight">{label}</span>
        {isSorted ? <Arrow aria-hidden="true" className="size-3 shrink-0" /> : null}
      </button>
    </th>
  );
}

/** The groups as CSV: whole numbers of calls rather than shares, so that they can be added up. */
export function toCsv(rows: readonly BreakdownRow[], heading: string, nameOf: (key: string) => string): string {
  const fields = [
    heading,
    usageText.key,
    usageText.calls,
    usageText.answered,
    usageText.completed,
    usageText.failed,
    usageText.talkTimeSeconds,
    usageText.costUsd,
    usageText.replies,
    usageText.interruptions,
    usageText.problems,
    usageText.responseMedianMs,
    usageText.responseMost(formatPercent(0.95)),
  ];
  const data = rows.map((row) => [
    nameOf(row.key),
    row.key,
    row.calls,
    row.answered,
    completedOf(row),
    row.failed,
    row.talkSeconds,
    row.spend,
    row.turns,
    row.interruptions,
    row.incidents,
    row.responseMsP50,
    row.responseMsP95,
  ]);
  // A spreadsheet would run a name that begins like a formula.
  return Papa.unparse({ fields, data }, { escapeFormulae: true });
}
