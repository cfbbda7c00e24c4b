import type { Delivery } from "@parley/contract/webhook-deliveries";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, until } from "../harness/api-client.ts";
import { completeCall } from "../harness/calls.ts";
import { freePort } from "../harness/free-port.ts";
import { Scene } from "../harness/scene.ts";
import { readFirstRun, type ServiceProcess } from "../harness/service-process.ts";
import { follow, startExampleReceiver } from "./example-receiver.ts";

let scene: Scene;
let service: ServiceProcess;
let caller: { url: string; key: string; agentId: string };

beforeAll(async () => {
  scene = await Scene.open();
  service = await scene.start();
  caller = { url: service.url, ...(await readFirstRun(service)) };
});
afterAll(() => scene?.close());

test("a newcomer's receiver on the same machine is notified as a call progresses and ends, and can verify the sender", async () => {
  expect(service.output()).toContain("URLs written by customers may reach this machine (loopback)");
  const port = await freePort();
  const body = { url: `http://127.0.0.1:${port}/`, description: "my laptop" };
  const made = await ask(caller.url, "/api/v1/webhooks", { key: caller.key, body });
  expect(made.status).toBe(200);
  const { id, secret } = made.body.data as { id: string; secret: string };
  const receiver = await startExampleReceiver(secret, port);

  const tested = await ask(caller.url, `/api/v1/webhooks/${id}/test`, { key: caller.key, body: {} });
  expect(tested.status).toBe(200);
  await receiver.untilLine(/^webhook\.test$/);

  const callId = await completeCall(caller);
  await receiver.untilLine(new RegExp(`^call.completed ${callId} completed callee_hangup$`));
  const events = ["call.initiated", "call.in_progress", "call.completed", "call.transcript.ready", "call.analyzed"];
  for (const type of events) await receiver.untilLine(new RegExp(`^${type} ${callId} `));

  const deliveries = await until(
    async (): Promise<Delivery[]> =>
      (await ask(caller.url, `/api/v1/webhooks/${id}/deliveries`, { key: caller.key })).body.data,
    (rows) => rows.every(({ status }) => status === "delivered"),
    20_000,
  );
  const details = await ask(caller.url, `/api/v1/deliveries/${deliveries[0]?.id}`, { key: caller.key });
  expect(details.body.data.attempts).toMatchObject([{ ordinal: 1, isSuccess: true, status: 204 }]);
  expect(JSON.parse(details.body.data.body).id).toBe(deliveries[0]?.eventId);

  // Someone else who knows the address, but not the secret.
  const forged = await fetch(body.url, { method: "POST", body: "{}", headers: { "webhook-id": "evt_1" } });
  expect(forged.status).toBe(400);
  await receiver.untilLine(/^refused: /);
  await receiver.end();
});

test("`webhooks listen` prints what happens in an account without any endpoint, as webhooks carry it", async () => {
  const [{ id: accountId = "" } = {}] = (await scene.query("select id from accounts limit 1")) as { id: string }[];
  const listening = follow(["tools/run.mjs", "server/src/parley.ts", "webhooks", "listen", accountId], {
    PARLEY_DATA_DIR: scene.dataDir,
  });
  await listening.untilLine(/^Listening to /, 60_000);
  const callId = await completeCall(caller);
  const line = await listening.untilLine(new RegExp(`"type":"call.completed".*${callId}`));
  expect(JSON.parse(line)).toMatchObject({
    type: "call.completed",
    data: { call: { id: callId, status: "completed" } },
  });
  await listening.end("SIGINT");
});
