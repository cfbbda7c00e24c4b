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
import { limitsText } from "./text.ts";

/** Settings > Limits and hours: how many calls, the calling hours, and the retention of recordings and transcripts. */
export function LimitsPage() {
  return (
    <Page title={limitsText.limitsAndHours} lead={limitsText.lead}>
      <div className="space-y-6">
        <AccountLimits />
        <ForOwners what={limitsText.forOwners}>
          <OwnersSettings />
        </ForOwners>
      </div>
    </Page>
  );
}

function OwnersSettings() {
  const { data: settings, error } = useQuery(settingsQuery);
  if (error && !settings) return <Notice tone="danger">{errorText(error)}</Notice>;
  if (!settings) return <SkeletonRows count={4} label={limitsText.loadingSettings} />;
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
    <Card title={mode === "test" ? limitsText.testCalls : limitsText.liveCalls}>
      {error && !data ? <Notice tone="danger">{errorText(error)}</Notice> : null}
      {!data && !error ? <SkeletonRows count={3} label={limitsText.loadingLimits} /> : null}
      {data ? (
        <>
          <Facts
            facts={[
              {
                name: limitsText.concurrentCalls,
                value: <Share used={data.usage.activeCalls} of={data.limits.concurrentCalls} />,
              },
              {
                name: limitsText.queuedCalls,
                value: <Share used={data.usage.queuedCalls} of={data.limits.queuedCalls} />,
              },
              { name: limitsText.newCallsPerSecond, value: data.limits.callsPerSecond },
              { name: limitsText.requestsPerSecond, value: data.limits.requestsPerSecond },
            ]}
          />
          <p className="mt-3 text-sm text-ink-soft">{limitsText.beyondTheLimits}</p>
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
      <span className="tabular-nums">{limitsText.usedOf(used, of)}</span>
    </span>
  );
}

const CHARS_MAX = 500;

/** The text by which agents disclose that a machine speaks. */
function DisclosureCard({ settings }: { readonly settings: Settings }) {
  const saved = settings.disclosure ?? "";
  const [typed, setTyped] = useState<string | null>(null);
  const { mutate, isPending, error } = useSaveSettings();
  const words = (typed ?? saved).trim();
  const mistake = words.includes("{{") ? limitsText.noVariablesHere : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (mistake || words === saved) return;
    const message = words === "" ? limitsText.defaultDisclosureSaved : limitsText.disclosureSaved;
    mutate(
      { change: { disclosure: words === "" ? null : words }, message },
      { onSuccess: () => setTyped((now) => (now === typed ? null : now)) },
    );
  };
  return (
    <Card title={limitsText.disclosure}>
      <form className="space-y-4" onSubmit={submit} noValidate>
        <p className="text-sm text-ink-soft">{limitsText.disclosureLead}</p>
        <TextAreaField
          label={limitsText.text}
          rows={2}
          maxLength={CHARS_MAX}
          dir="auto"
          placeholder={limitsText.disclosureExample}
          hint={limitsText.emptyForDefault}
          error={mistake ?? (error ? errorText(error) : undefined)}
          value={typed ?? saved}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button
          type="submit"
          isBusy={isPending}
          disabled={typed === null || words === saved || mistake !== undefined}
          aria-label={limitsText.saveDisclosure}
        >
          {limitsText.save}
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
      { change: { pronunciations: [...edited] }, message: limitsText.pronunciationsSaved },
      { onSuccess: () => setEdited((now) => (now === edited ? null : now)) },
    );
  };
  return (
    <Card title={limitsText.pronunciation}>
      <form className="space-y-4" onSubmit={submit} noValidate>
        <p className="text-sm text-ink-soft">{limitsText.pronunciationLead}</p>
        <PronunciationList list={list} onChange={setEdited} />
        {error ? <Notice tone="danger">{errorText(error)}</Notice> : null}
        <Button
          type="submit"
          isBusy={isPending}
          disabled={edited === null || hasMistakes(edited)}
          aria-label={limitsText.savePronunciations}
        >
          {limitsText.save}
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
    const message = hours ? limitsText.callingHoursSaved(hours.start, hours.end) : limitsText.callingHoursRemoved;
    mutate(
      { change: { callingHours: hours }, message },
      { onSuccess: () => setChange((now) => (now === change ? undefined : now)) },
    );
  };
  return (
    <Card title={limitsText.callingHours}>
      <form className="space-y-4" onSubmit={submit} noValidate>
        <p className="text-sm text-ink-soft">{limitsText.callingHoursLead}</p>
        <Checkbox
          label={limitsText.narrowerHours}
          checked={hours !== null}
          onChange={(event) => setChange(event.target.checked ? (saved ?? START) : null)}
        />
        {hours ? (
          <>
            <div className="grid gap-4 sm:max-w-md sm:grid-cols-2">
              <TextField
                label={limitsText.from}
                type="time"
                required
                value={hours.start}
                onChange={(event) => setChange({ ...hours, start: event.target.value })}
              />
              <TextField
                label={limitsText.until}
                type="time"
                required
                value={hours.end}
                error={isBackwards ? limitsText.endBeforeStart : undefined}
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
          aria-label={limitsText.saveCallingHours}
        >
          {limitsText.save}
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
