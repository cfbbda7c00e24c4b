import type { Alert } from "@parley/contract/alerts";
import { type MailServer, openMailServer } from "@parley/server/platform/mail/testing/mail-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, until } from "../harness/api-client.ts";
import { completeCall, placeCall, untilPhase } from "../harness/calls.ts";
import { claim, makeKey, readClaimToken } from "../harness/claim.ts";
import { freePort } from "../harness/free-port.ts";
import { Scene } from "../harness/scene.ts";
import { startExampleReceiver } from "./example-receiver.ts";

const BUSY_NUMBER = "+15550100002";
/** Figures are compared every minute. */
const COMPARED_WITHIN_MS = 150_000;

let scene: Scene;
let mail: MailServer;
beforeAll(async () => {
  [scene, mail] = await Promise.all([Scene.open(), openMailServer()]);
});
afterAll(async () => {
  await scene?.close();
  await mail?.close();
});

test("an answer rate that falls and recovers is reported once each, by webhook, e-mail and in the list", async () => {
  const service = await scene.start({ env: { PARLEY_SMTP_URL: mail.url, PARLEY_MAIL_FROM: "parley@example.com" } });
  const { url } = service;
  const owner = await claim(url, await readClaimToken(service));
  const key = await makeKey(url, owner.cookie);
  const agents = await ask(url, "/api/v1/agents", { key });
  const caller = { url, key, agentId: agents.body.data[0].id };
  const port = await freePort();
  const endpoint = await ask(url, "/api/v1/webhooks", { key, body: { url: `http://127.0.0.1:${port}/` } });
  const receiver = await startExampleReceiver(endpoint.body.data.secret, port);
  const rules = { answerRate: { belowPercent: 50, hours: 2, callsMin: 2 }, quietMinutes: 0 };
  const asOwner = { cookie: owner.cookie, origin: url, "x-parley-mode": "test" };
  const set = await ask(url, "/api/v1/alert-rules", { method: "PATCH", headers: asOwner, body: rules });
  expect(set.status, JSON.stringify(set.body)).toBe(200);

  for (let calls = 0; calls < 2; calls += 1) await untilPhase(caller, await placeCall(caller, BUSY_NUMBER), "ended");
  await receiver.untilLine(/^alert\.raised/, COMPARED_WITHIN_MS);
  const readAlerts = async (): Promise<Alert[]> => (await ask(url, "/api/v1/alerts", { headers: asOwner })).body.data;
  expect(await readAlerts()).toMatchObject([
    { cause: { type: "answer_rate", percent: 0, calls: 2, belowPercent: 50 }, resolvedAt: null },
  ]);
  await until(
    async () => mail.letters.filter(({ to }) => to.includes(owner.email)),
    (letters) => letters.some(({ content }) => content.includes("0% of 2 calls")),
    30_000,
  );

  for (let calls = 0; calls < 3; calls += 1) await completeCall(caller);
  await receiver.untilLine(/^alert\.resolved/, COMPARED_WITHIN_MS);
  expect(await readAlerts()).toMatchObject([{ cause: { type: "answer_rate" }, resolvedAt: expect.any(String) }]);
  expect(receiver.lines().filter((line) => line.startsWith("alert."))).toHaveLength(2);
  await receiver.end();
}, 500_000);
