import { type Credentials, dataOf } from "../harness/accounts.ts";
import { until } from "../harness/api-client.ts";
import { sendPatiently } from "../harness/http-client.ts";

const BATCH_WITHIN_MS = 240_000;
const ONE_DAY_MS = 24 * 3600_000;

/** One who comes, one who is busy, one who declines, one on the suppression list, and so on. */
const REMINDERS: readonly (readonly [phoneNumber: string, firstName: string])[] = [
  ["+15550110001", "Ada"],
  ["+15550120002", "Grace"],
  ["+15550130021", "Edsger"],
  ["+15550107712", "Barbara"],
  ["+15550140004", "Donald"],
  ["+15550150001", "Katherine"],
];

/** Long enough to be paused before all of it is placed. */
const LONG_LIST = Array.from({ length: 400 }, (_, index) => ({
  phoneNumber: `+1555016${String(index).padStart(4, "0")}`,
  variables: { first_name: "Alan" },
}));

/** A batch that is through, one that is paused, and one for tomorrow. Returns the first. */
export async function fillBatches(base: string, headers: Credentials, agentId: string): Promise<string> {
  const post = async (path: string, json: object) =>
    dataOf(await sendPatiently(base, { path: `/api/v1/batches${path}`, headers, json }));
  const rows = REMINDERS.map(([phoneNumber, first_name]) => ({ phoneNumber, variables: { first_name } }));
  const later = (days: number) => ({ scheduledAt: new Date(Date.now() + days * ONE_DAY_MS).toISOString() });
  const first = await post("", { name: "Check-ups on Tuesday", agentId, rows });
  await until(
    async () => dataOf(await sendPatiently(base, { path: `/api/v1/batches/${first.id}`, headers })).counts,
    ({ waiting, inProgress }) => waiting + inProgress === 0,
    BATCH_WITHIN_MS,
  );
  const paused = await post("", { name: "Follow-ups", agentId, rows: LONG_LIST, ...later(2) });
  await post(`/${paused.id}/pause`, {});
  await post("", { name: "Check-ups on Wednesday", agentId, rows: rows.slice(0, 4), ...later(1) });
  return first.id;
}
