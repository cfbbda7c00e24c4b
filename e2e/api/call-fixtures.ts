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
