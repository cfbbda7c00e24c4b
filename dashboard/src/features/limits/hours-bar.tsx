import type { CallingHours } from "@parley/contract/gate";

const DAY_MINUTES = 24 * 60;
const MARKS = [0, 6, 12, 18, 24];

/** A day with the hours in which people are phoned. Those who cannot see it have the fields above. */
export function HoursBar({ hours }: { readonly hours: CallingHours }) {
  const from = (100 * minutesOf(hours.start)) / DAY_MINUTES;
  const until = (100 * minutesOf(hours.end)) / DAY_MINUTES;
  return (
    <div aria-hidden="true" className="max-w-md">
      <div className="relative h-3 overflow-hidden rounded-full bg-sunken">
        <span
          className="absolute inset-y-0 rounded-full bg-accent"
          style={{ left: `${from}%`, width: `${until - from}%` }}
        />
      </div>
      <div className="mt-1 flex justify-between text-xs text-ink-soft tabular-nums">
        {MARKS.map((hour) => (
          <span key={hour}>{String(hour).padStart(2, "0")}</span>
        ))}
      </div>
    </div>
  );
}

function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return 60 * hours + minutes;
}
