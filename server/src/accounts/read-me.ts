import type { Me } from "@parley/contract/accounts";
import { AppError } from "@parley/contract/errors";
import type { Database } from "../platform/database/database.ts";
import type { AccountDeps } from "./account-deps.ts";
import { readMeRow } from "./account-store.ts";
import { secondFactorState } from "./second-factor.ts";

/** The signed-in member. Throws `not_signed_in` when they were signed out or removed a moment ago. */
export async function readMe(
  db: Database,
  deps: Pick<AccountDeps, "operatorsNeedSecondFactor">,
  signInId: string,
): Promise<Me> {
  const row = await readMeRow(db, signInId);
  if (!row) throw new AppError("not_signed_in", "Sign in to do this.");
  const secondFactor = secondFactorState(
    { isOperator: row.is_operator, hasSecondFactor: row.has_second_factor },
    deps.operatorsNeedSecondFactor,
  );
  return {
    member: { id: row.member_id, email: row.email, role: row.role, isOperator: row.is_operator, secondFactor },
    account: { id: row.account_id, name: row.account_name },
    signedInAt: row.signed_in_at.toISOString(),
  };
}
