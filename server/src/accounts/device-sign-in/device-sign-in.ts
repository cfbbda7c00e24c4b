import { randomInt } from "node:crypto";
import type { DeviceKey } from "@parley/contract/device-sign-in";
import { AppError } from "@parley/contract/errors";
import { makeId } from "@parley/contract/ids";
import type { Secrets } from "../../platform/config/secret.ts";
import { type Database, inTransaction, type Tx } from "../../platform/database/database.ts";
import { createApiKey } from "../api-keys/api-keys.ts";
import { type AttemptLimit, countAttempt, forgiveAttempt } from "../credentials/limit-attempts.ts";
import { looksLikeToken, makeToken } from "../credentials/make-token.ts";
import {
  type DeviceSignInRow,
  deleteDeadDeviceSignIns,
  deleteSignIn,
  formatUserCode,
  insertDeviceSignIn,
  lockOpenSignIn,
  lockSignInOfDevice,
} from "./device-sign-in-store.ts";

export interface DeviceSignInDeps {
  readonly db: Database;
  readonly secrets: Pick<Secrets, "digest">;
  readonly publicUrl: () => string;
  readonly nowMs: () => number;
}

const DEVICE_CODE_LASTS_SECONDS = 600;
const DEVICE_POLL_SECONDS = 2;

// RFC 8628 section 6.1: no vowels, so that no words appear.
const ALPHABET = "BCDFGHJKLMNPQRSTVWXZ";
const CODE_LENGTH = 8;
const ATTEMPTS_MAX = 5;

/** Begins a sign-in: the device code stays with the command line, the user code is shown to the person. */
export async function startDeviceSignIn(deps: DeviceSignInDeps, client: string, ip: string) {
  await countAttempt(deps.db, [startLimit(ip)]);
  await deleteDeadDeviceSignIns(deps.db);
  const deviceCode = makeToken("dt");
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const userCode = Array.from({ length: CODE_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join("");
    const isNew = await insertDeviceSignIn(deps.db, {
      id: makeId("deviceSignIn"),
      deviceCodeDigest: deps.secrets.digest(deviceCode),
      userCode,
      client,
      ip,
      expiresAt: new Date(deps.nowMs() + DEVICE_CODE_LASTS_SECONDS * 1000),
    });
    if (!isNew) continue;
    const shown = formatUserCode(userCode);
    return {
      deviceCode,
      userCode: shown,
      verificationUrl: `${deps.publicUrl()}/device?code=${shown}`,
      expiresInSeconds: DEVICE_CODE_LASTS_SECONDS,
      intervalSeconds: DEVICE_POLL_SECONDS,
    };
  }
  throw new AppError("unavailable", "No code is free at the moment.", { retryAfterSeconds: 5 });
}

/** Gives the command line its key once a member has approved. The key is created now, so that it is stored nowhere. */
export async function fetchDeviceKey(
  deps: DeviceSignInDeps,
  deviceCode: string,
  sender: { readonly ip: string; readonly client: string | null },
): Promise<DeviceKey> {
  const unknown: DeviceKey = { status: "expired", key: null };
  if (!looksLikeToken("dt", deviceCode)) return unknown;
  return inTransaction(deps.db, async (tx) => {
    const row = await lockSignInOfDevice(tx, deps.secrets.digest(deviceCode));
    if (row === null || row.expires_at.getTime() <= deps.nowMs()) return unknown;
    if (row.is_denied) return { status: "denied", key: null };
    const { account_id: accountId, member_id: memberId, mode, scopes } = row;
    if (accountId === null || memberId === null || mode === null) return { status: "pending", key: null };
    await deleteSignIn(tx, row.id);
    const input = {
      accountId,
      name: row.client,
      mode,
      scopes: scopes ?? [],
      createdBy: memberId,
      actor: memberId,
      ...sender,
    };
    const { key } = await createApiKey(tx, deps.secrets, input, deps.nowMs());
    return { status: "approved", key };
  });
}

/** Codes are short, so a member may not try many of them. */
export async function requireOpenSignIn(
  { db, nowMs }: Pick<DeviceSignInDeps, "db" | "nowMs">,
  tx: Tx,
  userCode: string,
  memberId: string,
): Promise<DeviceSignInRow> {
  const limit = { subject: `device-code ${memberId}`, max: 20, windowSeconds: DEVICE_CODE_LASTS_SECONDS };
  const counted = await countAttempt(db, [limit]);
  const stored = userCode.toUpperCase().replaceAll(/[^A-Z]/g, "");
  const row = await lockOpenSignIn(tx, stored, new Date(nowMs()));
  if (row === null) {
    throw new AppError("not_found", "Nothing waits to be let in with this code; it may have expired.");
  }
  await forgiveAttempt(tx, counted, [limit], []);
  return row;
}

function startLimit(ip: string): AttemptLimit {
  return { subject: `device-sign-in ${ip}`, max: 100, windowSeconds: DEVICE_CODE_LASTS_SECONDS };
}
