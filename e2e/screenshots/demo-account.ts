import { run } from "@parley/server/platform/database/database";
import { byKey, claimFirst, createKey, dataOf, PASSWORD, type SignedInMember, signUp } from "../harness/accounts.ts";
import type { ApiWorld } from "../harness/api-world.ts";
import type { Caller } from "../harness/calls.ts";
import { sendPatiently } from "../harness/http-client.ts";
import type { ServiceProcess } from "../harness/service-process.ts";
import { fillBatches } from "./demo-batches.ts";
import { holdCalls, spreadCalls } from "./demo-calls.ts";
import { SMALL_FLOW } from "./small-flow.ts";

/** An account with some of everything, and the names of what the pictures show. */
export interface DemoAccount {
  readonly owner: SignedInMember;
  /** Who places calls with its agents. */
  readonly callers: Record<"sample" | "smallFlow", Caller>;
  readonly callId: string;
  /** Where the call is seen without an account. */
  readonly sharedPath: string;
  readonly batchId: string;
  readonly mcpServerId: string;
  readonly agentId: string;
  /** An agent whose flow is small enough to be read as a whole. */
  readonly builtId: string;
  readonly trunkId: string;
  readonly webhookId: string;
  readonly customerId: string;
}

/** Alerts as of an account that has been watched for a while. */
const ALERTS = `insert into alerts (id, account_id, mode, type, cause, raised_at, resolved_at) values
  ('alr_01k8m3v9zq4t6w8y0a2c4e6g8j', $1, 'test', 'answer_rate',
   '{"type": "answer_rate", "percent": 41.7, "calls": 36, "hours": 4, "belowPercent": 50}', now() - interval '6 days', now() - interval '6 days' + interval '95 minutes'),
  ('alr_01k9q7w2xk5r8t1v3b6d9f2h4m', $1, 'test', 'incidents',
   '{"type": "incidents", "incidents": 5, "hours": 1, "atLeast": 5}', now() - interval '2 days', now() - interval '2 days' + interval '40 minutes'),
  ('alr_01kag2y5nm8s4u7w0c3e6g9j1p', $1, 'test', 'answer_rate',
   '{"type": "answer_rate", "percent": 46.2, "calls": 26, "hours": 4, "belowPercent": 50}', now() - interval '70 minutes', null)`;

const EMAIL = "ada@bright-dental.example";
const DESKTOP =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
const TABLET =
  "Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15";
const LAPTOP = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0";

/** Other services on this machine that the account has to do with. */
interface DemoAddresses {
  readonly receiverUrl: string;
  readonly mcpUrl: string;
}

/** Fills the first account, through the API alone except for its past. */
export async function fillDemoAccount(
  world: ApiWorld,
  service: ServiceProcess,
  { receiverUrl, mcpUrl }: DemoAddresses,
): Promise<DemoAccount> {
  const base = service.url;
  const owner = await claimFirst(service);
  await run(world.db, "update accounts set name = 'Bright Dental' where id = $1", [owner.accountId]);
  await run(world.db, "update members set email = $2 where id = $1", [owner.memberId, EMAIL]);
  await run(world.db, "update sign_ins set client = $2 where member_id = $1", [owner.memberId, DESKTOP]);
  const customer = await signUp(base);
  await run(world.db, "update accounts set name = 'Harbour Parcels' where id = $1", [customer.accountId]);
  const post = async (path: string, json: object, method = "POST") =>
    dataOf(await sendPatiently(base, { method, path: `/api/v1/${path}`, headers: owner.cookie, json }));
  const patch = (path: string, json: object) => post(path, json, "PATCH");

  const { key } = await createKey(base, owner.cookie, { name: "Booking server" });
  await createKey(base, owner.cookie, { name: "Nightly export", scopes: ["calls:read"] });
  await createKey(base, owner.cookie, { name: "Reception", mode: "live", dailySpendCap: "5.00" });
  const webhook = await post("webhooks", { url: receiverUrl, description: "Booking system" });
  await post("suppressions", { phoneNumber: "+15550107712", reason: "Asked not to be called." });
  await post("suppressions", { phoneNumber: "+15550109003", reason: "Wrong number." });
  await post("members", { email: "grace@bright-dental.example", role: "member" });
  const trunk = await post("operator/trunks", {
    name: "Carrier One",
    host: "sip.carrier.example",
    username: "customer17",
    password: "not-a-real-password",
    isEnabled: false,
    callerIds: ["+15550100099"],
    channelsMax: 30,
    callsPerSecond: 5,
  });
  await post("operator/routes", { prefix: "", trunkId: trunk.id });
  await post("operator/routes", { prefix: "49", trunkId: trunk.id, priority: 1 });

  const agents = dataOf(await sendPatiently(base, { path: "/api/v1/agents?limit=100", headers: byKey(key) }));
  const agent = agents.find(({ name }: { name: string }) => name === "Appointment confirmation") ?? agents[0];
  const sample = { url: base, key, agentId: agent.id };
  const built = await post("agents", { name: "Check-up reminder", flow: SMALL_FLOW });
  await post(`agents/${built.id}/publish`, {});
  const smallFlow = { url: base, key, agentId: built.id };
  const callIds = await holdCalls(sample, smallFlow);
  const batchId = await fillBatches(base, owner.cookie, built.id);
  // Not before the calls, which would wait for a vendor that cannot be reached.
  await post("operator/providers", { name: "anthropic", apiKey: "sk-ant-not-a-real-key-7Q2x", use: "first" });
  await spreadCalls(world.db);

  const callId = callIds[1] ?? "";
  await patch(`calls/${callId}/notes`, { tags: ["moved", "follow up"], note: "Prefers afternoons." });
  const { url: sharedUrl } = await post(`calls/${callId}/shares`, { days: 30 });
  await post("call-views", { name: "Not answered", query: { status: "failed" } });
  await post("call-views", { name: "Moved to another day", query: { outcome: "moved" } });
  await patch("alert-rules", {
    answerRate: { belowPercent: 50, hours: 4, callsMin: 20 },
    incidents: { atLeast: 5, hours: 1 },
  });
  await run(world.db, ALERTS, [owner.accountId]);
  const mcpServer = await post("mcp-servers", { name: "crm", url: mcpUrl, headers: { Authorization: "Bearer demo" } });
  const [{ name, digest }] = mcpServer.tools;
  await post(`mcp-servers/${mcpServer.id}/approvals`, { approve: [{ name, digest }] });
  for (const userAgent of [TABLET, LAPTOP]) {
    const json = { email: EMAIL, password: PASSWORD };
    dataOf(await sendPatiently(base, { path: "/auth/sign-in", headers: { "user-agent": userAgent }, json }));
  }
  return {
    owner,
    callers: { sample, smallFlow },
    callId,
    sharedPath: sharedUrl.slice(new URL(sharedUrl).origin.length),
    batchId,
    mcpServerId: mcpServer.id,
    agentId: agent.id,
    builtId: built.id,
    trunkId: trunk.id,
    webhookId: webhook.id,
    customerId: customer.accountId,
  };
}
