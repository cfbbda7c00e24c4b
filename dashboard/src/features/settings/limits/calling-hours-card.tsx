import type { CallingHours } from "@parley/contract/gate";
import type { Settings } from "@parley/contract/settings";
import { type FormEvent, useState } from "react";
import { errorText } from "../../../api/api-error.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { Checkbox, TextField } from "../../../ui/forms/field.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { useSaveSettings } from "../use-save-settings.ts";

const START: CallingHours = { start: "09:00", end: "18:00" };

/** When people are phoned, in their own time zone. */
export function CallingHoursCard({ settings }: { readonly settings: Settings }) {
  const saved = settings.callingHours;
  // Undefined while nothing was changed here: then the saved value is shown, even when it changes elsewhere.
  const [change, setChange] = useState<CallingHours | null | undefined>(undefined);
  const { mutate, isPending, error } = useSaveSettings();
  const hours = change === undefined ? saved : change;
  const isBackwards = hours !== null && !(hours.start < hours.end);
  const isChanged = change !== undefined && (change?.start !== saved?.start || change?.end !== saved?.end);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isChanged || isBackwards) return;
    const message = hours
      ? `People are phoned from ${hours.start} until ${hours.end}.`
      : "Only the installation's hours hold.";
    mutate(
      { change: { callingHours: hours }, message },
      { onSuccess: () => setChange((now) => (now === change ? undefined : now)) },
    );
  };
  return (
    <Card title="Calling hours">
      <form className="space-y-4" onSubmit={submit} noValidate>
        <p className="text-sm text-ink-soft">
          People are phoned within these hours of their own time zone, as far as the number tells it. Calls placed
          outside them wait until they begin. The installation has hours of its own, which hold as well.
        </p>
        <Checkbox
          label="Narrower hours for this account"
          checked={hours !== null}
          onChange={(event) => setChange(event.target.checked ? (saved ?? START) : null)}
        />
        {hours ? (
          <>
            <div className="grid gap-4 sm:max-w-md sm:grid-cols-2">
              <TextField
                label="From"
                type="time"
                required
                value={hours.start}
                onChange={(event) => setChange({ ...hours, start: event.target.value })}
              />
              <TextField
                label="Until"
                type="time"
                required
                value={hours.end}
                error={isBackwards ? "They must begin before they end." : undefined}
                onChange={(event) => setChange({ ...hours, end: event.target.value })}
              />
            </div>
            {isBackwards ? null : <HoursBar hours={hours} />}
          </>
        ) : null}
        {error ? <Notice tone="danger">{errorText(error)}</Notice> : null}
        <Button
          type="submit"
          isBusy={isPending}
          disabled={!isChanged || isBackwards}
          aria-label="Save the calling hours"
        >
          Save
        </Button>
      </form>
    </Card>
  );
}

const DAY_MINUTES = 24 * 60;
const MARKS = [0, 6, 12, 18, 24];

/** A day with the calling hours. Screen reader users have the fields above. */
function HoursBar({ hours }: { readonly hours: CallingHours }) {
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
