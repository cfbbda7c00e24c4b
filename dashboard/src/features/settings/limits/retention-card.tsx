import type { RetentionDaysChange, Settings } from "@parley/contract/settings";
import { type FormEvent, useState } from "react";
import { errorText } from "../../../api/api-error.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { TextField } from "../../../ui/forms/field.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { ConfirmDialog } from "../../../ui/layout/dialog.tsx";
import { useSaveSettings } from "../use-save-settings.ts";
import { limitsText } from "./text.ts";

/** How many days recordings, transcripts and whole calls are kept. */
export function RetentionCard({ settings }: { readonly settings: Settings }) {
  const saved = toRetentionForm(settings.retentionDays);
  const [typed, setTyped] = useState<RetentionForm | null>(null);
  const [isAsking, setAsking] = useState(false);
  const { mutate, isPending, error } = useSaveSettings();
  const form = typed ?? saved;
  const mistakes = {
    recordings: daysMistake(form.recordings),
    transcripts: daysMistake(form.transcripts),
    calls: daysMistake(form.calls, CALL_DAYS_MIN),
  };
  const isRight = PARTS.every((part) => mistakes[part] === undefined);
  const isChanged = PARTS.some((part) => form[part].trim() !== saved[part]);
  const save = () => {
    setAsking(false);
    mutate(
      { change: { retentionDays: readRetentionForm(form) }, message: limitsText.retentionSaved },
      { onSuccess: () => setTyped((now) => (now === typed ? null : now)) },
    );
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isRight || !isChanged) return;
    if (erasesSooner(settings.retentionDays, readRetentionForm(form))) setAsking(true);
    else save();
  };
  return (
    <Card title={limitsText.retention}>
      <form className="space-y-4" onSubmit={submit} noValidate>
        <p className="text-sm text-ink-soft">{limitsText.retentionLead}</p>
        <div className="grid gap-4 sm:max-w-2xl sm:grid-cols-3">
          <TextField
            label={limitsText.recordingsDays}
            inputMode="numeric"
            placeholder={limitsText.keptUntilDeleted}
            value={form.recordings}
            error={mistakes.recordings}
            onChange={(event) => setTyped({ ...form, recordings: event.target.value })}
          />
          <TextField
            label={limitsText.transcriptsDays}
            inputMode="numeric"
            placeholder={limitsText.keptUntilDeleted}
            value={form.transcripts}
            error={mistakes.transcripts}
            onChange={(event) => setTyped({ ...form, transcripts: event.target.value })}
          />
          <TextField
            label={limitsText.callsDays}
            inputMode="numeric"
            placeholder={limitsText.keptByDefault}
            value={form.calls}
            error={mistakes.calls}
            onChange={(event) => setTyped({ ...form, calls: event.target.value })}
          />
        </div>
        {error ? <Notice tone="danger">{errorText(error)}</Notice> : null}
        <Button
          type="submit"
          isBusy={isPending}
          disabled={!isRight || !isChanged}
          aria-label={limitsText.saveRetention}
        >
          {limitsText.save}
        </Button>
      </form>
      {isAsking ? (
        <ConfirmDialog
          title={limitsText.eraseQuestion}
          lead={
            removesCallsSooner(settings.retentionDays, readRetentionForm(form))
              ? limitsText.removeConsequence
              : limitsText.eraseConsequence
          }
          keep={limitsText.keepEverything}
          confirm={limitsText.saveAndErase}
          isBusy={isPending}
          onConfirm={save}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </Card>
  );
}

type RetentionDays = Settings["retentionDays"];

/** The form values: days, or empty. */
interface RetentionForm {
  readonly recordings: string;
  readonly transcripts: string;
  readonly calls: string;
}

const PARTS = ["recordings", "transcripts", "calls"] as const;
const DAYS_MAX = 3650;
/** Bills and webhooks of a month may still refer to its calls. */
const CALL_DAYS_MIN = 30;

export function toRetentionForm(kept: RetentionDays): RetentionForm {
  return {
    recordings: kept?.recordings?.toString() ?? "",
    transcripts: kept?.transcripts?.toString() ?? "",
    calls: kept?.calls?.toString() ?? "",
  };
}

export function daysMistake(text: string, daysMin = 1): string | undefined {
  const isRight =
    text.trim() === "" || (/^\d{1,4}$/.test(text.trim()) && Number(text) >= daysMin && Number(text) <= DAYS_MAX);
  return isRight ? undefined : limitsText.daysMistake(daysMin, DAYS_MAX);
}

export function readRetentionForm({ recordings, transcripts, calls }: RetentionForm): RetentionDays {
  const change = { recordings: daysOf(recordings), transcripts: daysOf(transcripts), calls: daysOf(calls) };
  return PARTS.every((part) => change[part] === null) ? null : change;
}

const daysOf = (text: string) => (text.trim() === "" ? null : Number(text));

/** Whether something is erased sooner than before, which cannot be undone. */
export function erasesSooner(before: RetentionDays, change: RetentionDaysChange | null): boolean {
  return PARTS.some((part) => isKeptShorter(before, change, part));
}

/** Whether whole calls may be removed sooner than before. Without a period of its own an account has that of the installation. */
export function removesCallsSooner(before: RetentionDays, change: RetentionDaysChange | null): boolean {
  return isKeptShorter(before, change, "calls");
}

function isKeptShorter(
  before: RetentionDays,
  change: RetentionDaysChange | null,
  part: keyof RetentionDaysChange,
): boolean {
  const kept = (days: number | null | undefined) => days ?? Number.POSITIVE_INFINITY;
  return kept(change?.[part]) < kept(before?.[part]);
}
