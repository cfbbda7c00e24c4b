import { randomInt } from "node:crypto";
import type { DeviceKey } from "@parley/contract/device-sign-in";
import { AppError } from "@parley/contract/errors";
import { makeId } from "@parley/contract/ids";
import * as routes from "@parley/contract/routes/device-sign-in";
import type { Secrets } from "../../platform/config/secret.ts";
import { type Database, inTransaction, type Tx } from "../../platform/database/database.ts";
import { type BoundRoute, handle } from "../../platform/http/handler.ts";
import { createApiKey } from "../api-keys/api-keys.ts";
import { scopesFor } from "../api-keys/routes.ts";
import { auditRequest } from "../audit/record-audit.ts";
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
  toDeviceSignIn,
  writeApproval,
  writeDenial,
} from "./device-sign-in-store.ts";

/** Signing in command lines by a code that a member confirms in the dashboard (RFC 8628). */
export function deviceSignInRoutes(deps: DeviceSignInDeps): BoundRoute[] {
  return [
    handle(routes.startDeviceSignIn, async ({ body, ip }) => ({
      data: await startDeviceSignIn(deps, body.client, ip),
    })),
    handle(routes.fetchDeviceKey, async ({ body, ip, client }) => ({
      data: await fetchDeviceKey(deps, body.deviceCode, { ip, client }),
    })),
    handle(routes.getDeviceSignIn, ({ params, member }) =>
      inTransaction(deps.db, async (tx) => ({
        data: toDeviceSignIn(await requireOpenSignIn(deps, tx, params.code, member.memberId)),
      })),
    ),
    handle(routes.approveDeviceSignIn, (request) =>
      inTransaction(deps.db, async (tx) => {
        const { params, body, member } = request;
        const row = await requireOpenSignIn(deps, tx, params.code, member.memberId);
        const { accountId, memberId, role } = member;
        const scopes = scopesFor(role, body.scopes);
        await writeApproval(tx, row.id, { accountId, memberId, mode: body.mode, scopes });
        await auditRequest(tx, request, "device_sign_in.approved", row.id, { client: row.client, mode: body.mode });
        return { data: { ...toDeviceSignIn(row), isApproved: true } };
      }),
    ),
    handle(routes.denyDeviceSignIn, (request) =>
      inTransaction(deps.db, async (tx) => {
        const row = await requireOpenSignIn(deps, tx, request.params.code, request.member.memberId);
        await writeDenial(tx, row.id);
        await auditRequest(tx, request, "device_sign_in.denied", row.id, { client: row.client });
        return { data: {} };
      }),
    ),
  ];
}

interface DeviceSignInDeps {
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
async function startDeviceSignIn(deps: DeviceSignInDeps, client: string, ip: string) {
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
async function fetchDeviceKey(
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
async function requireOpenSignIn(
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
    throw new AppError("not_found", "No sign-in is waiting with this code; it may have expired.");
  }
  await forgiveAttempt(tx, counted, [limit], []);
  return row;
}

function startLimit(ip: string): AttemptLimit {
  return { subject: `device-sign-in ${ip}`, max: 100, windowSeconds: DEVICE_CODE_LASTS_SECONDS };
}
