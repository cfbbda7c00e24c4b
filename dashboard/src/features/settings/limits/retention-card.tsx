import type { Settings } from "@parley/contract/settings";
import { type FormEvent, useState } from "react";
import { errorText } from "../../../api/api-error.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { TextField } from "../../../ui/forms/field.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { ConfirmDialog } from "../../../ui/layout/dialog.tsx";
import { useSaveSettings } from "../use-save-settings.ts";
import { limitsText } from "./text.ts";

/** How many days recordings and transcripts are kept. */
export function RetentionCard({ settings }: { readonly settings: Settings }) {
  const saved = toRetentionForm(settings.retentionDays);
  const [typed, setTyped] = useState<RetentionForm | null>(null);
  const [isAsking, setAsking] = useState(false);
  const { mutate, isPending, error } = useSaveSettings();
  const form = typed ?? saved;
  const mistakes = { recordings: daysMistake(form.recordings), transcripts: daysMistake(form.transcripts) };
  const isRight = !mistakes.recordings && !mistakes.transcripts;
  const isChanged = form.recordings.trim() !== saved.recordings || form.transcripts.trim() !== saved.transcripts;
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
        <div className="grid gap-4 sm:max-w-md sm:grid-cols-2">
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
          lead={limitsText.eraseConsequence}
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
}

const DAYS_MAX = 3650;

export function toRetentionForm(kept: RetentionDays): RetentionForm {
  return { recordings: kept?.recordings?.toString() ?? "", transcripts: kept?.transcripts?.toString() ?? "" };
}

export function daysMistake(text: string): string | undefined {
  const isRight =
    text.trim() === "" || (/^\d{1,4}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= DAYS_MAX);
  return isRight ? undefined : limitsText.daysMistake(DAYS_MAX);
}

export function readRetentionForm({ recordings, transcripts }: RetentionForm): RetentionDays {
  const change = { recordings: daysOf(recordings), transcripts: daysOf(transcripts) };
  return change.recordings === null && change.transcripts === null ? null : change;
}

const daysOf = (text: string) => (text.trim() === "" ? null : Number(text));

/** Whether something is erased sooner than before, which cannot be undone. */
export function erasesSooner(before: RetentionDays, change: RetentionDays): boolean {
  const kept = (days: number | null | undefined) => days ?? Number.POSITIVE_INFINITY;
  return kept(change?.recordings) < kept(before?.recordings) || kept(change?.transcripts) < kept(before?.transcripts);
}
