import { type MailServer, openMailServer } from "@parley/server/platform/mail/testing/mail-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../harness/api-client.ts";
import { findBarriers } from "../harness/browser.ts";
import { placeCall, untilPhase } from "../harness/calls.ts";
import { freePort } from "../harness/free-port.ts";
import { startExampleReceiver } from "../webhooks/example-receiver.ts";
import { type Look, looksOfJourney } from "./looks.ts";
import { beginWork } from "./member-at-work.ts";
import { type DashboardScene, openDashboard, PATIENCE_MS } from "./visitor.ts";

const BUSY_NUMBER = "+15550100002";
/** Figures are compared every minute. */
const COMPARED_WITHIN_MS = 150_000;

let scene: DashboardScene;
let mail: MailServer;

beforeAll(async () => {
  mail = await openMailServer();
  scene = await openDashboard({ PARLEY_SMTP_URL: mail.url, PARLEY_MAIL_FROM: "parley@example.com" });
});
afterAll(async () => {
  await scene?.close();
  await mail?.close();
});

/** Sets a threshold through the page, and crosses it. The alert comes later. */
async function crossThreshold(look: Look) {
  const at = await beginWork(scene, look);
  const { page, keys } = at;
  const port = await freePort();
  const { secret } = await at.post("webhooks", { url: `http://127.0.0.1:${port}/` });
  const receiver = await startExampleReceiver(secret, port);
  await page.goto(`${scene.service.url}/settings/alerts`);
  await page.getByText("No alerts").waitFor();
  await keys.to(page.getByRole("checkbox", { name: /^Answer rate/ }));
  await keys.press("Space");
  const save = page.getByRole("button", { name: "Save thresholds" });
  await keys.write(page.getByLabel("Below, in percent"), "500");
  await page.getByText("Enter a whole number from 1 to 100.").waitFor();
  expect(await save.isDisabled()).toBe(true);
  expect(await findBarriers(page)).toEqual([]);
  await keys.write(page.getByLabel("Below, in percent"), "50");
  await keys.write(page.getByLabel("Minimum number of calls"), "2");
  await keys.write(page.getByLabel("Minutes between repeat alerts"), "0");
  await keys.enter(save);
  await page.getByText("The thresholds were saved.").first().waitFor();
  await page.reload();
  await expect.poll(() => page.getByLabel("Below, in percent").inputValue()).toBe("50");
  for (let calls = 0; calls < 2; calls += 1) {
    await untilPhase(at.caller, await placeCall(at.caller, BUSY_NUMBER), "ended", PATIENCE_MS);
  }
  return { ...at, look, receiver };
}

/** All wait for the same comparison. */
test("a threshold that was set in the browser raises an alert there, by webhook and by e-mail", async () => {
  const members = [];
  for (const look of looksOfJourney({ theme: "light", width: 390 })) members.push(await crossThreshold(look));
  for (const { page, receiver, member, complaints, keys, look } of members) {
    const name = `${look.theme}, ${look.width} px wide`;
    await receiver.untilLine(/^alert\.raised/, COMPARED_WITHIN_MS);
    await until(
      async () => mail.letters.filter(({ to }) => to.includes(member.email)),
      (letters) => letters.some(({ content }) => content.includes("0% of 2 calls")),
      PATIENCE_MS,
    );
    await page.reload();
    const alert = page.getByRole("region", { name: "Alerts" }).getByRole("listitem");
    await alert.getByText("Few calls were answered").waitFor();
    await alert.getByText("0% of 2 calls in 2 hours; threshold 50%").waitFor();
    await alert.getByText("Ongoing").waitFor();
    expect(await findBarriers(page), name).toEqual([]);
    await receiver.end();
    expect(complaints, name).toEqual([]);
    expect(keys.takeFaults(), name).toEqual([]);
  }
}, 500_000);
