import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKey, signInAgain } from "../harness/accounts.ts";
import { ask, until } from "../harness/api-client.ts";
import { findBarriers } from "../harness/browser.ts";
import { completeCall } from "../harness/calls.ts";
import { freePort } from "../harness/free-port.ts";
import { type FollowedChild, startExampleReceiver } from "../webhooks/example-receiver.ts";
import { looksOfJourney } from "./looks.ts";
import { NAUGHTY, type SettingsView, viewOfSettings } from "./settings-view.ts";
import { type DashboardScene, openDashboard, PATIENCE_MS, signUpOnPage } from "./visitor.ts";

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let scene: DashboardScene;
beforeAll(async () => {
  scene = await openDashboard();
});
afterAll(() => scene?.close());

describe.each(looksOfJourney({ theme: "dark", width: 390 }))("$theme, $width px wide", (look) => {
  let page: Page;
  let complaints: string[];
  let owner: { email: string; cookie: Readonly<Record<string, string>> };
  let view: SettingsView;
  let secret: string;
  let receiver: FollowedChild | undefined;
  let moody: Server;
  let moodyUrl: string;
  let moodyStatus = 500;
  const received: Received[] = [];

  // One person sets up endpoints: each test builds on the previous one.
  beforeAll(async () => {
    moody = createServer(async (request, response) => {
      received.push({ headers: request.headers, body: await text(request) });
      response.writeHead(moodyStatus).end(NAUGHTY);
    });
    await new Promise<void>((resolve) => moody.listen(0, "127.0.0.1", resolve));
    moodyUrl = `http://127.0.0.1:${(moody.address() as AddressInfo).port}/moody`;
    ({ page, complaints } = await scene.visit(look));
    view = viewOfSettings(page, scene.service.url);
    const email = await signUpOnPage(page, scene.service.url);
    owner = { email, cookie: (await signInAgain(scene.service.url, email)).cookie };
  });
  afterAll(async () => {
    await receiver?.end();
    moody.closeAllConnections();
    await new Promise((resolve) => moody.close(resolve));
  });

  async function lookAround(): Promise<void> {
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
  }

  test("an endpoint is added with the chosen events, and its secret is shown", async () => {
    await page.getByRole("link", { name: "Settings" }).first().click();
    await page.getByRole("link", { name: "Webhooks" }).click();
    await view.said("No endpoint for test calls yet");
    await view.button("Add endpoint").click();
    await view.dialog().waitFor();
    await lookAround();
    await view.dialog().getByLabel("URL").fill(NAUGHTY);
    await view.button("Add endpoint", view.dialog()).click();
    await until(
      () => view.dialog().getByLabel("URL").getAttribute("aria-invalid"),
      (invalid) => invalid === "true",
      PATIENCE_MS,
    );
    const port = await freePort();
    await view.dialog().getByLabel("URL").fill(`http://127.0.0.1:${port}/`);
    await view.dialog().getByLabel("Description").fill(NAUGHTY);
    await view.dialog().getByLabel("Selected events").check();
    await view.dialog().getByLabel("A recording can be fetched").check();
    await view.dialog().getByText("Additional headers (optional)").click();
    await view.dialog().getByLabel("Headers", { exact: true }).fill(NAUGHTY.replaceAll(":", ""));
    await expect
      .poll(() => view.dialog().getByLabel("Headers", { exact: true }).getAttribute("aria-invalid"))
      .toBe("true");
    await view.dialog().getByLabel("Headers", { exact: true }).fill("X-Team: phones");
    await view.button("Add endpoint", view.dialog()).click();
    secret = (await view.dialog().locator("code").textContent()) ?? "";
    expect(secret).toMatch(/^whsec_/);
    receiver = await startExampleReceiver(secret, port);
    await view.button("Open endpoint").click();
    await page.getByRole("heading", { name: "Endpoint", level: 1 }).waitFor();
    await view.card("About").getByText(NAUGHTY).waitFor();
    await view.card("About").getByText("X-Team").waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  test("a test shows what the receiver answered", async () => {
    await view.button("Send a test").click();
    await view.said(/Accepted with 204 in \d+ ms/);
    await receiver?.untilLine(/^webhook\.test/);
    await page.getByRole("link", { name: "webhook.test" }).waitFor();
    await lookAround();
  });

  test("the deliveries of a call are listed, filtered, inspected and sent again", async () => {
    const { key } = await createKey(scene.service.url, owner.cookie);
    const agents = await ask(scene.service.url, "/api/v1/agents", { key });
    const callId = await completeCall({ url: scene.service.url, key, agentId: agents.body.data[0].id });
    await receiver?.untilLine(/^call\.completed/);
    await page.reload();
    await page.getByLabel("Event").selectOption("call.completed");
    await page.getByRole("link", { name: "call.completed" }).waitFor();
    await page.getByRole("link", { name: "webhook.test" }).waitFor({ state: "detached" });
    expect(page.url()).toContain("eventType=call.completed");
    await page.getByLabel("Status").selectOption("failed");
    await view.said("No matching deliveries");
    await page.getByLabel("Status").selectOption("delivered");
    await page.getByRole("link", { name: "call.completed" }).click();
    await page.getByRole("heading", { name: "Delivery", level: 1 }).waitFor();
    await view.card("Attempts").getByText("204", { exact: true }).waitFor();
    await view.card("Request").getByText(callId).first().waitFor();
    await page.getByRole("link", { name: callId }).waitFor();
    await lookAround();
    await view.button("Send again").click();
    await view.card("Attempts").getByText("Attempt 2").waitFor();
    await page.getByRole("link", { name: "The endpoint" }).click();
    await view.button("Send again since…").click();
    await view.dialog().getByLabel("Skip events that were already accepted").uncheck();
    await view.button("Send again", view.dialog()).click();
    // The subscribed events: the end of the call and its recording, not the test.
    await view.said(/\d events? (is|are) on the way/);
  });

  test("its secret is shown on request, and rotated with a day of overlap", async () => {
    const secrets = view.card("Signing secret");
    await view.button("Show secret").click();
    await secrets.getByText(secret).waitFor();
    await view.button("Rotate").click();
    await view.dialog().getByText("For 24 hours, each request carries two signatures").waitFor();
    await view.button("Rotate secret").click();
    await secrets.getByText("Previous secret", { exact: true }).waitFor();
    const [now, before] = await secrets.locator("code").allTextContents();
    expect([before, now === secret]).toEqual([secret, false]);
    await secrets.getByText(/events are also signed with the previous secret/).waitFor();
    // The receiver knows only the old one, and still accepts.
    await view.button("Send a test").click();
    await view.said(/Accepted with 204/);
    await view.button("Hide").click();
    await secrets.getByText(secret).waitFor({ state: "detached" });
  });

  test("when disabled it says why, and can be enabled by a click", async () => {
    await view.button("Disable").click();
    await view.said("A member or an API request disabled it.");
    await view.undo();
    await view.button("Disable").waitFor();
    await view.button("Edit").click();
    await view.dialog().getByLabel("All events").check();
    await view.button("Save", view.dialog()).click();
    await view.card("About").getByText("All, including those added in later releases").waitFor();
  });

  test("an endpoint that fails shows what it answered, and the example on the page accepts what was sent", async () => {
    await view.open("/settings/webhooks", "Webhooks");
    await view.button("Add endpoint").click();
    await view.dialog().getByLabel("URL").fill(moodyUrl);
    await view.button("Add endpoint", view.dialog()).click();
    const moodySecret = (await view.dialog().locator("code").textContent()) ?? "";
    await view.button("Open endpoint").click();
    await view.button("Send a test").click();
    await view.said(/Not accepted: .*500/);
    await page.getByRole("link", { name: "Details" }).click();
    await page.getByText("Response", { exact: true }).click();
    await view.card("Attempts").getByText(NAUGHTY).waitFor();
    await page.getByRole("link", { name: "The endpoint" }).click();
    await view.said(/Nothing has been accepted since/);
    await page.getByRole("tab", { name: "Without a library" }).click();
    const code = (await page.getByRole("tabpanel").locator("code").textContent()) ?? "";
    const { isOurs } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    const [request] = received;
    expect(isOurs(moodySecret, request?.headers, request?.body)).toBe(true);
    expect(isOurs(moodySecret, request?.headers, `${request?.body} `)).toBe(false);
    moodyStatus = 410;
    await view.button("Send a test").click();
    await view.said("It responded with 410 Gone, which asks us to stop sending.");
    await view.button("Delete endpoint").click();
    await view.button("Keep it").click();
    await view.button("Delete endpoint").click();
    await view.button("Delete it").click();
    await page.getByRole("heading", { name: "Webhooks", level: 1 }).waitFor();
    await page.getByRole("link", { name: moodyUrl }).waitFor({ state: "detached" });
  });

  test("in all of this the page violated no rule of its policy, had no error and contacted no other host", () => {
    expect(complaints).toEqual([]);
  });
});
