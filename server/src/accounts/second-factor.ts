import { randomInt } from "node:crypto";
import type { AuditAction } from "@parley/contract/accounts";
import { AppError, invalidField } from "@parley/contract/errors";
import type { RecoveryCodes, SecondFactor, SecondFactorSecret } from "@parley/contract/sign-in-security";
import { Secret, TOTP } from "otpauth";
import { inTransaction, type Tx } from "../platform/database/database.ts";
import type { MemberActor } from "../platform/http/authenticate.ts";
import type { AccountDeps } from "./account-deps.ts";
import { recordAudit } from "./audit/record-audit.ts";
import { countAttempt, forgiveAttempt, passwordChangeLimit } from "./credentials/limit-attempts.ts";
import {
  confirmSecondFactorRow,
  deleteSecondFactor,
  insertSecondFactor,
  lockSecondFactor,
  readSecondFactorRow,
  replaceRecoveryCodeRows,
  setLastStep,
  useRecoveryCode,
} from "./credentials/second-factor-store.ts";
import type { Sender } from "./credentials/sessions.ts";
import { deleteOtherSignIns } from "./credentials/sign-in-store.ts";
import { findMember, findMemberByEmail } from "./member-store.ts";

// RFC 6238 with the parameters that every authenticator app takes: SHA-1, six digits, 30 seconds.
const PERIOD_SECONDS = 30;
const CODE = { algorithm: "SHA1", digits: 6, period: PERIOD_SECONDS };
// RFC 6238 section 5.2: one step either way for clocks that are not quite right.
const WINDOW_STEPS = 1;
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
// 50 random bits each, in Crockford's base 32: no i, l, o, u, so that they survive being written down.
const RECOVERY_CHARS = 10;
const RECOVERY_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

type FactorDeps = Pick<AccountDeps, "db" | "secrets" | "nowMs">;

/** What a member's sign-in needs: on, off, or off although an operator here must have it. */
export function secondFactorState(
  member: { readonly isOperator: boolean; readonly hasSecondFactor: boolean },
  operatorsNeedSecondFactor: boolean,
): SecondFactor["state"] {
  if (member.hasSecondFactor) return "on";
  return operatorsNeedSecondFactor && member.isOperator ? "required" : "off";
}

export async function readSecondFactor(deps: AccountDeps, member: MemberActor): Promise<SecondFactor> {
  const row = await readSecondFactorRow(deps.db, member.memberId);
  return {
    state: secondFactorState(
      { isOperator: member.isOperator, hasSecondFactor: row !== null },
      deps.operatorsNeedSecondFactor,
    ),
    enabledAt: row?.confirmed_at.toISOString() ?? null,
    recoveryCodesLeft: row?.codes_left ?? 0,
  };
}

/** Creates a secret for the member's device. It has no effect until a first code confirms it. */
export async function startSecondFactor(
  deps: AccountDeps,
  member: MemberActor,
  password: string,
  sender: Sender,
): Promise<SecondFactorSecret> {
  const secret = new Secret({ size: SECRET_BYTES });
  await proveIdentity(deps, member, password, sender, async (tx) => {
    const sealed = deps.secrets.seal(secret.base32, secretPlace(member.memberId));
    if (!(await insertSecondFactor(tx, member.memberId, sealed)))
      throw new AppError("invalid_state", "The second factor is already on; turn it off first.");
  });
  const issuer = `Parley (${new URL(deps.publicUrl()).hostname})`;
  const uri = new TOTP({ ...CODE, issuer, label: member.email ?? member.memberId, secret }).toString();
  return { secret: secret.base32, uri };
}

/**
 * Turns the second factor on. Every other session ends: one that was stolen before must not gain what the second factor
 * now opens.
 */
export async function confirmSecondFactor(
  deps: AccountDeps,
  member: MemberActor,
  code: string,
  sender: Sender,
): Promise<RecoveryCodes> {
  const limit = passwordChangeLimit(member.memberId);
  const attempt = await countAttempt(deps.db, [limit]);
  return inTransaction(deps.db, async (tx) => {
    const factor = await lockSecondFactor(tx, member.memberId, "unconfirmed");
    if (!factor) {
      throw new AppError(
        "invalid_state",
        "There is no second factor to confirm: it is already on, or setup was not started.",
      );
    }
    const secret = deps.secrets.open(factor.secret_sealed, secretPlace(member.memberId));
    const step = findStep(secret, bareCode(code), deps.nowMs());
    if (step === null) throw wrongCode();
    await setLastStep(tx, member.memberId, step);
    await confirmSecondFactorRow(tx, member.memberId);
    await forgiveAttempt(tx, attempt, [limit], [limit]);
    await deleteOtherSignIns(tx, member.memberId, member.signInId);
    await recordAudit(tx, noteOf(member, "second_factor.enabled", sender));
    return { recoveryCodes: await makeRecoveryCodes(tx, deps, member.memberId) };
  });
}

export async function replaceRecoveryCodes(
  deps: AccountDeps,
  member: MemberActor,
  proof: { readonly password: string; readonly code: string },
  sender: Sender,
): Promise<RecoveryCodes> {
  return proveIdentity(deps, member, proof.password, sender, async (tx) => {
    await demandCode(tx, deps, member, proof.code);
    await recordAudit(tx, noteOf(member, "second_factor.recovery_codes_replaced", sender));
    return { recoveryCodes: await makeRecoveryCodes(tx, deps, member.memberId) };
  });
}

export async function disableSecondFactor(
  deps: AccountDeps,
  member: MemberActor,
  proof: { readonly password: string; readonly code: string },
  sender: Sender,
): Promise<void> {
  await proveIdentity(deps, member, proof.password, sender, async (tx) => {
    await demandCode(tx, deps, member, proof.code);
    await deleteSecondFactor(tx, member.memberId);
    await recordAudit(tx, noteOf(member, "second_factor.disabled", sender));
  });
}

/** For the operator's command line, when a device is lost: whether the member had a second factor. */
export async function clearSecondFactor(deps: Pick<AccountDeps, "db">, email: string): Promise<boolean> {
  return inTransaction(deps.db, async (tx) => {
    const member = await findMemberByEmail(tx, email.toLowerCase());
    if (!member || !(await deleteSecondFactor(tx, member.id))) return false;
    await recordAudit(tx, {
      accountId: member.account_id,
      actor: "operator",
      action: "second_factor.reset",
      target: member.id,
    });
    return true;
  });
}

/** How a second factor was shown. */
export type ShownBy = "code" | "recovery_code";

/**
 * Accepts a code of the member's device, or a recovery code, and uses it up: RFC 6238 section 5.2, a code is accepted
 * once, and none of an earlier step after it. Null when it is neither.
 */
export async function acceptCode(tx: Tx, deps: FactorDeps, memberId: string, given: string): Promise<ShownBy | null> {
  const factor = await lockSecondFactor(tx, memberId, "confirmed");
  if (!factor) return null;
  const code = bareCode(given);
  if (/^\d{6}$/.test(code)) {
    const step = findStep(deps.secrets.open(factor.secret_sealed, secretPlace(memberId)), code, deps.nowMs());
    if (step === null || BigInt(step) <= factor.last_step) return null;
    await setLastStep(tx, memberId, step);
    return "code";
  }
  return (await useRecoveryCode(tx, memberId, recoveryDigest(deps, memberId, code))) ? "recovery_code" : null;
}

/** The time step a code belongs to, or null when it is of none that counts now. */
function findStep(base32: string, code: string, nowMs: number): number | null {
  const secret = Secret.fromBase32(base32);
  const delta = TOTP.validate({ ...CODE, token: code, secret, timestamp: nowMs, window: WINDOW_STEPS });
  return delta === null ? null : TOTP.counter({ period: PERIOD_SECONDS, timestamp: nowMs }) + delta;
}

/** Runs `work` for a member who knows their password. Wrong passwords and codes count like those of a password change. */
async function proveIdentity<T>(
  deps: AccountDeps,
  member: MemberActor,
  password: string,
  sender: Sender,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const limit = passwordChangeLimit(member.memberId);
  const attempt = await countAttempt(deps.db, [limit]);
  const stored = (await findMember(deps.db, member.memberId))?.password_hash ?? null;
  if (!(await deps.hasher.verify(password, stored))) {
    await recordAudit(deps.db, noteOf(member, "second_factor.refused", sender));
    throw invalidField("password", "wrong_password", "This is not the password of this account.");
  }
  return inTransaction(deps.db, async (tx) => {
    const result = await work(tx);
    await forgiveAttempt(tx, attempt, [limit], [limit]);
    return result;
  });
}

async function demandCode(tx: Tx, deps: AccountDeps, member: MemberActor, code: string): Promise<void> {
  if (!(await readSecondFactorRow(tx, member.memberId)))
    throw new AppError("invalid_state", "The second factor is off.");
  if (!(await acceptCode(tx, deps, member.memberId, code))) throw wrongCode();
}

async function makeRecoveryCodes(tx: Tx, deps: FactorDeps, memberId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: RECOVERY_CHARS }, () => RECOVERY_ALPHABET.charAt(randomInt(RECOVERY_ALPHABET.length))).join(
      "",
    ),
  );
  await replaceRecoveryCodeRows(
    tx,
    memberId,
    codes.map((code) => recoveryDigest(deps, memberId, code)),
  );
  return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`);
}

function recoveryDigest(deps: FactorDeps, memberId: string, code: string): Buffer {
  return deps.secrets.digest(`recovery code\n${memberId}\n${code}`);
}

function bareCode(given: string): string {
  return given.replaceAll(/[\s-]/g, "").toLowerCase();
}

function wrongCode(): AppError {
  return invalidField("code", "wrong_code", "code is wrong or was used already. Wait for the next one.");
}

/** The place of a secret for its encryption: it can be decrypted only there. */
function secretPlace(memberId: string): string {
  return `second_factors/${memberId}/secret`;
}

function noteOf(member: MemberActor, action: Extract<AuditAction, `second_factor.${string}`>, sender: Sender) {
  return { accountId: member.accountId, actor: member.memberId, action, target: member.memberId, ...sender };
}
