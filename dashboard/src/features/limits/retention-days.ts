import type { Settings } from "@parley/contract/settings";

export type RetentionDays = Settings["retentionDays"];

/** What a person fills in: days, or nothing. */
export interface RetentionForm {
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
  return isRight ? undefined : `Write days from 1 to ${DAYS_MAX}, or nothing.`;
}

export function readRetentionForm({ recordings, transcripts }: RetentionForm): RetentionDays {
  const wish = { recordings: daysOf(recordings), transcripts: daysOf(transcripts) };
  return wish.recordings === null && wish.transcripts === null ? null : wish;
}

const daysOf = (text: string) => (text.trim() === "" ? null : Number(text));

/** Whether something is erased sooner than before: what is gone cannot be brought back. */
export function erasesSooner(before: RetentionDays, wish: RetentionDays): boolean {
  const kept = (days: number | null | undefined) => days ?? Number.POSITIVE_INFINITY;
  return kept(wish?.recordings) < kept(before?.recordings) || kept(wish?.transcripts) < kept(before?.transcripts);
}
