import { AppError, type ErrorDetail } from "@parley/contract/errors";
import { formatUsd, parseUsd } from "@parley/contract/money";
import type { Settings } from "@parley/contract/settings";
import { recordAudit } from "../audit/record-audit.ts";
import { type Database, inTransaction } from "../database/database.ts";
import type { MemberActor } from "../http/actor.ts";
import { lockAccount, readDailySpendCap, updateDailySpendCap } from "./account-store.ts";
import type { Sender } from "./open-sign-in.ts";

// Part of the contract from the start, honoured later: until then they are refused rather than swallowed.
const NOT_SUPPORTED_YET = ["callingHours", "retentionDays", "disclosure"] as const;

type NotSupportedYet = (typeof NOT_SUPPORTED_YET)[number];
export type SettingsWish = { readonly dailySpendCap?: string | null | undefined } & {
  readonly [Name in NotSupportedYet]?: unknown;
};

export async function readAccountSettings(db: Database, accountId: string): Promise<Settings> {
  return toSettings(await readDailySpendCap(db, accountId));
}

/** Changes the settings of an account; the audit log keeps what a cap was before. */
export async function changeAccountSettings(
  db: Database,
  owner: MemberActor,
  wish: SettingsWish,
  sender: Sender,
): Promise<Settings> {
  refuseUnsupported(wish);
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, owner.accountId);
    const before = toSettings(await readDailySpendCap(tx, owner.accountId));
    if (wish.dailySpendCap === undefined) return before;
    const micros = wish.dailySpendCap === null ? null : parseUsd(wish.dailySpendCap);
    await updateDailySpendCap(tx, owner.accountId, micros);
    const after = toSettings(micros);
    await recordAudit(tx, {
      accountId: owner.accountId,
      actor: owner.memberId,
      action: "settings.changed",
      target: owner.accountId,
      ...sender,
      data: { dailySpendCap: { from: before.dailySpendCap, to: after.dailySpendCap } },
    });
    return after;
  });
}

function refuseUnsupported(wish: SettingsWish): void {
  const details: ErrorDetail[] = NOT_SUPPORTED_YET.filter((name) => wish[name] !== undefined).map((param) => ({
    param,
    code: "not_supported_yet",
    message: "cannot be changed in this release",
  }));
  const [first] = details;
  if (first) throw new AppError("validation_failed", `${first.param} ${first.message}.`, { details });
}

function toSettings(capMicros: bigint | null): Settings {
  return {
    dailySpendCap: capMicros === null ? null : formatUsd(capMicros),
    callingHours: null,
    retentionDays: null,
    disclosure: null,
  };
}
