import { Select } from "./field.tsx";

const DAY_MS = 86_400_000;
const SPANS = [
  { days: 1, label: "Last 24 hours" },
  { days: 7, label: "Last 7 days" },
  { days: 30, label: "Last 30 days" },
];

interface TimeSpanSelectProps {
  /** The start time in the filter, if there is one. */
  readonly after: string | undefined;
  /** The new start time; "" for any time. */
  onChange(after: string): void;
}

/** How far back a list goes. A start time in the URL that matches none of the options is kept. */
export function TimeSpanSelect({ after, onChange }: TimeSpanSelectProps) {
  const chosen = spanOf(after);
  return (
    <Select
      aria-label="Since when"
      value={chosen}
      onChange={(event) => onChange(sinceDays(Number(event.target.value)))}
    >
      <option value="0">Any time</option>
      {SPANS.map(({ days, label }) => (
        <option key={days} value={days}>
          {label}
        </option>
      ))}
      {chosen === "other" ? <option value="other">As in the address</option> : null}
    </Select>
  );
}

function sinceDays(days: number): string {
  return days > 0 ? new Date(Date.now() - days * DAY_MS).toISOString() : "";
}

function spanOf(after: string | undefined): string {
  if (after === undefined) return "0";
  const days = (Date.now() - Date.parse(after)) / DAY_MS;
  return String(SPANS.find((span) => Math.abs(span.days - days) < 0.5)?.days ?? "other");
}
