import { afterAll, beforeAll, expect, test } from "vitest";
import { claimFirst, createKey } from "../harness/accounts.ts";
import { ask } from "../harness/api-client.ts";
import { makeDataFolder } from "../harness/data-folder.ts";
import { type ServiceProcess, startService } from "../harness/service-process.ts";
import { describeHeld, holdCall } from "./held-calls.ts";

const DESK = "+15550100001";
const PASSES_ON = {
  schemaVersion: 1,
  settings: { disclosure: null },
  nodes: [
    { id: "start", type: "start", next: "desk" },
    { id: "desk", type: "transfer", text: "One moment, I connect you.", to: DESK, how: "bridge", failed: "bye" },
    { id: "bye", type: "end", text: "Nobody is there. Goodbye." },
  ],
};

let folder: Awaited<ReturnType<typeof makeDataFolder>>;
let service: ServiceProcess;

beforeAll(async () => {
  folder = await makeDataFolder();
  service = await startService({
    dataDir: folder.path,
    env: { PARLEY_CONVERSATION_THREADS: "1", PARLEY_CHARGE_SIMULATED_CALLS: "on" },
  });
}, 240_000);
afterAll(async () => {
  await service?.end("SIGINT");
  await folder?.remove();
});

test("a live call that is transferred over a second leg is charged for both, and for no engine meanwhile", async () => {
  const { url } = service;
  const { cookie } = await claimFirst(service);
  const { key } = await createKey(url, cookie, { mode: "live" });
  const made = await ask(url, "/api/v1/agents", {
    key,
    body: { name: "Passes everybody on", language: "en-US", flow: PASSES_ON },
  });
  const agentId: string = made.body.data.id;
  await ask(url, `/api/v1/agents/${agentId}/publish`, { key, method: "POST" });
  // Two friendly people talk for as long as they may.
  const held = await holdCall({ url, key, agentId }, "+15550100001", { maxDurationSeconds: 18 });
  expect(held.call, describeHeld(held)).toMatchObject({ status: "completed" });
  const lines = Object.fromEntries(held.call.cost?.lines.map((line) => [line.item, line]) ?? []);
  const { route, engine, transfer } = lines;
  expect(route?.seconds).toBe(held.call.durationSeconds);
  expect(transfer?.seconds, JSON.stringify(lines)).toBeGreaterThan(0);
  expect((engine?.seconds ?? 0) + (transfer?.seconds ?? 0)).toBe(route?.seconds);
  const micros = (usd: string | undefined) => Math.round(Number(usd) * 1e6);
  expect(micros(held.call.cost?.total)).toBe(micros(route?.amount) + micros(engine?.amount) + micros(transfer?.amount));
  const { body } = await ask(url, "/api/v1/account", { key });
  expect(micros(body.data.balance)).toBe(10_000_000 - micros(held.call.cost?.total));
});
