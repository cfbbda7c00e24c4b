import { Select } from "./field.tsx";

const DAY_MS = 86_400_000;
const SPANS = [
  { days: 1, label: "Last 24 hours" },
  { days: 7, label: "Last 7 days" },
  { days: 30, label: "Last 30 days" },
];

interface SinceWhenProps {
  /** The moment that the filter holds, if it holds one. */
  readonly after: string | undefined;
  /** The new moment; "" for any time. */
  onChange(after: string): void;
}

/** How far back a list goes. A moment in the address that fits none of the choices is kept. */
export function SinceWhen({ after, onChange }: SinceWhenProps) {
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
