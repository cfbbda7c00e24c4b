import type { CallingHours } from "@parley/contract/gate";
import { formatUsd, parseUsd } from "@parley/contract/money";
import type { Pronunciation } from "@parley/contract/pronunciations";
import type { RetentionDaysChange, Settings } from "@parley/contract/settings";
import { type Database, inTransaction } from "../platform/database/database.ts";
import { type Actor, actorId } from "../platform/http/authenticate.ts";
import { lockAccount, readSettingsRow, type SettingsRow, updateSettings } from "./account-store.ts";
import { recordAudit } from "./audit/record-audit.ts";
import type { Sender } from "./credentials/sessions.ts";

export interface SettingsInput {
  readonly dailySpendCap?: string | null | undefined;
  readonly callSpendCap?: string | null | undefined;
  readonly destinationSpendCap?: string | null | undefined;
  readonly creditLowAt?: string | undefined;
  readonly callingHours?: CallingHours | null | undefined;
  readonly retentionDays?: RetentionDaysChange | null | undefined;
  readonly disclosure?: string | null | undefined;
  readonly pronunciations?: Pronunciation[] | undefined;
}

export async function readAccountSettings(db: Database, accountId: string): Promise<Settings> {
  return toSettings(await readSettingsRow(db, accountId));
}

/** Changes the settings of an account; the audit log keeps what each was before. */
export async function changeAccountSettings(
  db: Database,
  by: Actor,
  input: SettingsInput,
  sender: Sender,
): Promise<Settings> {
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, by.accountId);
    const row = await readSettingsRow(tx, by.accountId);
    const changed = apply(row, input);
    await updateSettings(tx, by.accountId, changed);
    const [before, after] = [toSettings(row), toSettings(changed)];
    const names = (Object.keys(input) as (keyof Settings)[]).filter((name) => input[name] !== undefined);
    await recordAudit(tx, {
      accountId: by.accountId,
      actor: actorId(by),
      action: "settings.changed",
      target: by.accountId,
      ...sender,
      data: Object.fromEntries(names.map((name) => [name, { from: before[name], to: after[name] }])),
    });
    return after;
  });
}

function apply(row: SettingsRow, input: SettingsInput): SettingsRow {
  const { callingHours: hours, retentionDays: kept } = input;
  return {
    daily_spend_cap_micros: amount(input.dailySpendCap, row.daily_spend_cap_micros),
    call_spend_cap_micros: amount(input.callSpendCap, row.call_spend_cap_micros),
    destination_spend_cap_micros: amount(input.destinationSpendCap, row.destination_spend_cap_micros),
    credit_low_micros: input.creditLowAt === undefined ? row.credit_low_micros : parseUsd(input.creditLowAt),
    hours_start: hours === undefined ? row.hours_start : (hours?.start ?? null),
    hours_end: hours === undefined ? row.hours_end : (hours?.end ?? null),
    recording_retention_days: kept === undefined ? row.recording_retention_days : (kept?.recordings ?? null),
    transcript_retention_days: kept === undefined ? row.transcript_retention_days : (kept?.transcripts ?? null),
    call_retention_days: kept === null ? null : kept?.calls === undefined ? row.call_retention_days : kept.calls,
    disclosure: input.disclosure === undefined ? row.disclosure : input.disclosure,
    pronunciations: input.pronunciations ?? row.pronunciations,
  };
}

function amount(input: string | null | undefined, before: bigint | null): bigint | null {
  if (input === undefined) return before;
  return input === null ? null : parseUsd(input);
}

function toSettings(row: SettingsRow): Settings {
  const usd = (micros: bigint | null) => (micros === null ? null : formatUsd(micros));
  const { hours_start: start, hours_end: end } = row;
  const retentionDays = {
    recordings: row.recording_retention_days,
    transcripts: row.transcript_retention_days,
    calls: row.call_retention_days,
  };
  return {
    dailySpendCap: usd(row.daily_spend_cap_micros),
    callSpendCap: usd(row.call_spend_cap_micros),
    destinationSpendCap: usd(row.destination_spend_cap_micros),
    creditLowAt: formatUsd(row.credit_low_micros),
    callingHours: start === null || end === null ? null : { start, end },
    retentionDays: Object.values(retentionDays).some((days) => days !== null) ? retentionDays : null,
    disclosure: row.disclosure,
    // PostgreSQL puts the keys of an object in its own order.
    pronunciations: row.pronunciations.map(({ written, spoken }) => ({ written, spoken })),
  };
}

/** How the account's agents introduce themselves by default (null for the service's default), and say words. */
export async function readAccountSpeech(
  db: Database,
  accountId: string,
): Promise<Pick<Settings, "disclosure" | "pronunciations">> {
  const { disclosure, pronunciations } = await readSettingsRow(db, accountId);
  return { disclosure, pronunciations };
}
