import type { CallingHours } from "@parley/contract/gate";
import type { Pronunciation } from "@parley/contract/pronunciations";
import { getAccount } from "@parley/contract/routes/account";
import type { Settings } from "@parley/contract/settings";
import type { Mode } from "@parley/contract/shared-fields";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { useMode } from "../../../app/mode.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { Checkbox, TextAreaField, TextField } from "../../../ui/forms/field.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Facts } from "../../../ui/layout/facts.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { hasMistakes, PronunciationList } from "../../voices/pronunciation-list.tsx";
import { ForOwners } from "../for-owners.tsx";
import { settingsQuery, useSaveSettings } from "../use-save-settings.ts";
import { RetentionCard } from "./retention-card.tsx";

/** Settings > Limits and hours: how many calls, the calling hours, and the retention of recordings and transcripts. */
export function LimitsPage() {
  return (
    <Page title="Limits and hours" lead="Call limits, calling hours, retention, disclosure and pronunciation.">
      <div className="space-y-6">
        <AccountLimits />
        <ForOwners what="calling hours and how long things are kept">
          <OwnersSettings />
        </ForOwners>
      </div>
    </Page>
  );
}

function OwnersSettings() {
  const { data: settings, error } = useQuery(settingsQuery);
  if (error && !settings) return <Notice tone="danger">{errorText(error)}</Notice>;
  if (!settings) return <SkeletonRows count={4} label="Loading the settings" />;
  return (
    <>
      <CallingHoursCard settings={settings} />
      <RetentionCard settings={settings} />
      <DisclosureCard settings={settings} />
      <PronunciationCard settings={settings} />
    </>
  );
}

/** The number of live calls differs by mode. It is refetched along with the balance. */
const standingQuery = (mode: Mode) =>
  queryOptions({ queryKey: ["account", mode], queryFn: ({ signal }) => send(getAccount, { mode, signal }) });

/** The concurrency limits of the account, and their current use. */
function AccountLimits() {
  const { mode } = useMode();
  const { data, error } = useQuery(standingQuery(mode));
  return (
    <Card title={mode === "test" ? "Test calls" : "Live calls"}>
      {error && !data ? <Notice tone="danger">{errorText(error)}</Notice> : null}
      {!data && !error ? <SkeletonRows count={3} label="Loading the limits" /> : null}
      {data ? (
        <>
          <Facts
            facts={[
              {
                name: "Concurrent calls",
                value: <Share used={data.usage.activeCalls} of={data.limits.concurrentCalls} />,
              },
              { name: "Queued calls", value: <Share used={data.usage.queuedCalls} of={data.limits.queuedCalls} /> },
              { name: "New calls per second", value: data.limits.callsPerSecond },
              { name: "Requests per second", value: data.limits.requestsPerSecond },
            ]}
          />
          <p className="mt-3 text-sm text-ink-soft">
            Calls beyond these limits are queued; when the queue is full, further calls are refused. The operator of
            this installation can raise the limits.
          </p>
        </>
      ) : null}
    </Card>
  );
}

function Share({ used, of }: { readonly used: number; readonly of: number }) {
  const percent = of > 0 ? Math.min(100, (100 * used) / of) : 100;
  return (
    <span className="flex items-center gap-3">
      <span aria-hidden="true" className="h-1.5 w-24 overflow-hidden rounded-full bg-sunken">
        <span className="block h-full rounded-full bg-accent" style={{ width: `${percent}%` }} />
      </span>
      <span className="tabular-nums">
        {used.toLocaleString()} of {of.toLocaleString()}
      </span>
    </span>
  );
}

const SERVICE_LABELS = "I am an automated assistant, and this call is recorded.";
const CHARS_MAX = 500;

/** The text by which agents disclose that a machine speaks. */
function DisclosureCard({ settings }: { readonly settings: Settings }) {
  const saved = settings.disclosure ?? "";
  const [typed, setTyped] = useState<string | null>(null);
  const { mutate, isPending, error } = useSaveSettings();
  const words = (typed ?? saved).trim();
  const mistake = words.includes("{{") ? "Variables cannot be used here: not every call has them." : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (mistake || words === saved) return;
    const message = words === "" ? "Agents use the default disclosure." : "Agents use your disclosure.";
    mutate(
      { change: { disclosure: words === "" ? null : words }, message },
      { onSuccess: () => setTyped((now) => (now === typed ? null : now)) },
    );
  };
  return (
    <Card title="Disclosure">
      <form className="space-y-4" onSubmit={submit} noValidate>
        <p className="text-sm text-ink-soft">
          Every agent says once that it is automated, and that the call is recorded if it is. This text is used by
          agents without their own; the sample agents have one. It is spoken as written, in every language.
        </p>
        <TextAreaField
          label="Text"
          rows={2}
          maxLength={CHARS_MAX}
          dir="auto"
          placeholder={SERVICE_LABELS}
          hint="Leave empty for the default text."
          error={mistake ?? (error ? errorText(error) : undefined)}
          value={typed ?? saved}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button
          type="submit"
          isBusy={isPending}
          disabled={typed === null || words === saved || mistake !== undefined}
          aria-label="Save the disclosure"
        >
          Save
        </Button>
      </form>
    </Card>
  );
}

/** How all agents say names and other words. */
function PronunciationCard({ settings }: { readonly settings: Settings }) {
  const [edited, setEdited] = useState<readonly Pronunciation[] | null>(null);
  const { mutate, isPending, error } = useSaveSettings();
  const list = edited ?? settings.pronunciations;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (edited === null || hasMistakes(edited)) return;
    mutate(
      { change: { pronunciations: [...edited] }, message: "Agents say these words as listed." },
      { onSuccess: () => setEdited((now) => (now === edited ? null : now)) },
    );
  };
  return (
    <Card title="Pronunciation">
      <form className="space-y-4" onSubmit={submit} noValidate>
        <p className="text-sm text-ink-soft">
          How all agents pronounce names and other words: a respelling such as shi-VAWN, or IPA between slashes. An
          agent can have its own list.
        </p>
        <PronunciationList list={list} onChange={setEdited} />
        {error ? <Notice tone="danger">{errorText(error)}</Notice> : null}
        <Button
          type="submit"
          isBusy={isPending}
          disabled={edited === null || hasMistakes(edited)}
          aria-label="Save the pronunciations"
        >
          Save
        </Button>
      </form>
    </Card>
  );
}

const START: CallingHours = { start: "09:00", end: "18:00" };

/** When people are called, in their own time zone. */
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
      ? `People are called from ${hours.start} until ${hours.end}.`
      : "Only the installation’s hours apply.";
    mutate(
      { change: { callingHours: hours }, message },
      { onSuccess: () => setChange((now) => (now === change ? undefined : now)) },
    );
  };
  return (
    <Card title="Calling hours">
      <form className="space-y-4" onSubmit={submit} noValidate>
        <p className="text-sm text-ink-soft">
          People are called within these hours in their own time zone, as far as it is known from the number. Calls
          placed outside these hours wait until they begin. The installation’s own hours apply as well.
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
                error={isBackwards ? "The end must be after the start." : undefined}
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
