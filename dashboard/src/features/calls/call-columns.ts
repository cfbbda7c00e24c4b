import type { Call } from "@parley/contract/calls";
import { useState } from "react";
import { formatClock, formatMoment, formatUsd } from "../../ui/format.ts";
import type { CallFilter } from "./call-filter.ts";
import { ANSWERED_BY_LABELS, END_REASON_LABELS, networkInWords, outcomeInWords } from "./call-labels.ts";
import { callsText } from "./text.ts";

/** A column that can be hidden. The number and the status are always shown. */
export interface CallColumn {
  readonly id: string;
  readonly label: string;
  /** The width in the grid. */
  readonly width: string;
  readonly isNumeric?: boolean;
  /** The orders it can be sorted in: the first click, and the second. */
  readonly orders?: readonly [CallOrderChoice, CallOrderChoice];
  read(call: Call, agentName: string): string;
}

/** Undefined is the usual order. */
type CallOrderChoice = CallFilter["sort"] | undefined;

const NONE = "–";

export const CALL_COLUMNS: readonly CallColumn[] = [
  {
    id: "time",
    label: callsText.time,
    width: "6.75rem",
    orders: [undefined, "createdAt"],
    read: (call) => formatMoment(call.createdAt),
  },
  { id: "agent", label: callsText.agent, width: "minmax(0,1.2fr)", read: (_, agentName) => agentName },
  {
    id: "ended",
    label: callsText.howItEnded,
    // Common reasons and names of agents are readable at 1366 px.
    width: "minmax(0,1.15fr)",
    read: ({ endReason }) => (endReason ? END_REASON_LABELS[endReason] : NONE),
  },
  {
    id: "result",
    label: callsText.result,
    width: "minmax(0,0.8fr)",
    read: ({ analysis }) => outcomeInWords(analysis) ?? NONE,
  },
  {
    id: "answeredBy",
    label: callsText.answeredBy,
    width: "6.5rem",
    read: ({ answeredBy }) => (answeredBy ? ANSWERED_BY_LABELS[answeredBy] : NONE),
  },
  { id: "engine", label: callsText.engine, width: "6rem", read: ({ engine }) => engine },
  {
    id: "version",
    label: callsText.version,
    width: "4.5rem",
    read: ({ agentVersion }) => (agentVersion === 0 ? callsText.draft : String(agentVersion)),
  },
  { id: "network", label: callsText.network, width: "minmax(0,0.8fr)", read: ({ network }) => networkInWords(network) },
  {
    id: "duration",
    label: callsText.duration,
    width: "4.5rem",
    isNumeric: true,
    orders: ["-durationSeconds", "durationSeconds"],
    read: ({ durationSeconds }) => (durationSeconds === null ? NONE : formatClock(durationSeconds)),
  },
  {
    id: "cost",
    label: callsText.cost,
    width: "4.5rem",
    isNumeric: true,
    orders: ["-cost", "cost"],
    read: ({ cost }) => (cost ? formatUsd(cost.total) : NONE),
  },
];

type Density = "comfortable" | "compact";

export interface CallsLayout {
  readonly columns: readonly string[];
  readonly density: Density;
}

const DEFAULT_LAYOUT: CallsLayout = {
  columns: ["time", "agent", "ended", "answeredBy", "duration", "cost"],
  density: "comfortable",
};
const KEPT_AS = "parley.calls-layout";

/** Reads a stored layout. Columns that no longer exist are dropped. */
export function readLayout(stored: string | null): CallsLayout {
  if (stored === null) return DEFAULT_LAYOUT;
  try {
    const { columns, density } = JSON.parse(stored) as Partial<CallsLayout>;
    return {
      columns: Array.isArray(columns)
        ? CALL_COLUMNS.map(({ id }) => id).filter((id) => columns.includes(id))
        : DEFAULT_LAYOUT.columns,
      density: density === "compact" ? "compact" : "comfortable",
    };
  } catch {
    return DEFAULT_LAYOUT;
  }
}

/** The columns and the density, which this browser remembers. */
export function useCallsLayout() {
  const [layout, setLayout] = useState(() => readLayout(localStorage.getItem(KEPT_AS)));
  return {
    layout,
    changeLayout: (changes: Partial<CallsLayout>) => {
      const next = { ...layout, ...changes };
      localStorage.setItem(KEPT_AS, JSON.stringify(next));
      setLayout(next);
    },
  };
}

/** The order after a click on the heading of a column. */
export function nextOrder(column: CallColumn, sort: CallFilter["sort"]): CallOrderChoice {
  const [first, second] = column.orders ?? [];
  return sort === first ? second : first;
}
