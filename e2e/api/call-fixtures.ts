import { run } from "@parley/server/platform/database/database";
import { dataOf } from "../harness/accounts.ts";
import { send } from "../harness/http-client.ts";
import type { Fixture } from "./fixture.ts";
import type { MatrixAccount } from "./matrix-world.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

export const aCall = (account: MatrixAccount, mode: "test" | "live") => ({ params: { id: account.calls[mode] } });

/** A call that has ended, since only those can be erased: it was scheduled for tomorrow and is canceled immediately. */
export async function aCanceledCall(account: MatrixAccount, mode: "test" | "live"): Promise<Fixture> {
  const scheduledAt = new Date(Date.now() + DAY_MS).toISOString();
  const json = { phoneNumber: "+15550100001", agentId: account.agentId, scheduledAt };
  const headers = account.keys[mode];
  const { id } = dataOf(await send(account.base, { path: "/api/v1/calls", headers, json }));
  await send(account.base, { method: "POST", path: `/api/v1/calls/${id}/hangup`, headers });
  return { params: { id } };
}

export async function aRecordingLink(account: MatrixAccount, mode: "test" | "live"): Promise<Fixture> {
  const id = account.calls[mode];
  const path = `/api/v1/calls/${id}/recording/link`;
  const { url } = dataOf(await send(account.base, { method: "POST", path, headers: account.keys[mode] }));
  return { params: { id }, query: { token: new URL(url).searchParams.get("token") ?? "" } };
}

/**
 * A batch that can be paused, resumed and canceled. A row is placed as soon as it is created, also for a call of tomorrow,
 * and then the batch is done: this one is paused with a row left.
 */
export async function aBatch(account: MatrixAccount, mode: "test" | "live"): Promise<Fixture> {
  const scheduledAt = new Date(Date.now() + DAY_MS).toISOString();
  const json = { name: "A batch", agentId: account.agentId, scheduledAt, rows: [{ phoneNumber: "+15550100001" }] };
  const { id } = dataOf(await send(account.base, { path: "/api/v1/batches", headers: account.keys[mode], json }));
  await run(account.db, "update call_batches set status = 'paused' where id = $1", [id]);
  await run(
    account.db,
    "insert into call_batch_rows (batch_id, number, phone_number, fields) values ($1, 2, '+15550100001', '{}')",
    [id],
  );
  return { params: { id } };
}

/** A link to a call that has ended. */
export async function aCallShare(account: MatrixAccount, mode: "test" | "live") {
  const id = (await aCanceledCall(account, mode)).params?.["id"] ?? "";
  const path = `/api/v1/calls/${id}/shares`;
  const made = dataOf(await send(account.base, { method: "POST", path, headers: account.keys[mode] }));
  return {
    share: { params: { id, shareId: made.id } } satisfies Fixture,
    token: new URL(made.url).searchParams.get("token") ?? "",
  };
}
