import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { looksOfJourney } from "../looks.ts";
import { type DashboardScene, openDashboard } from "../visitor.ts";
import { comeByKeys, signUpByKeys } from "./journey-by-keys.ts";
import type { AtPage } from "./keyboard-scene.ts";

const receiver = createServer((request, reply) => request.resume().once("end", () => reply.end()));
let receiverUrl: string;
let scene: DashboardScene;
beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  scene = await openDashboard();
});
afterAll(async () => {
  await scene?.close();
  receiver.closeAllConnections();
  receiver.close();
});

describe.each(looksOfJourney({ theme: "dark", width: 390 }))("$theme, $width px wide", (look) => {
  let at: AtPage;

  // One person sets up an endpoint: each step builds on the previous one.
  beforeAll(async () => {
    at = await comeByKeys(scene, look);
  });
  afterEach(() => expect(at.keys.takeFaults()).toEqual([]));

  test("an endpoint is added, after an address that was wrong, and its secret is shown", async () => {
    const { page, keys, heading, button, link, dialog, field, said, settled } = at;
    await signUpByKeys(at);
    await keys.enter(link("Settings").filter({ visible: true }));
    await heading("Account").first().waitFor();
    await keys.enter(link("Webhooks"));
    await said("No endpoint for test calls yet");
    await settled();
    await keys.walk();
    await keys.enter(button("Add endpoint").first());
    await keys.write(field("URL"), "not an address");
    await keys.press("Enter");
    await expect.poll(() => field("URL").getAttribute("aria-invalid")).toBe("true");
    await keys.write(field("URL"), receiverUrl);
    await keys.to(page.getByLabel("All events"));
    await keys.press("ArrowDown");
    await keys.to(page.getByRole("checkbox").first());
    await keys.press("Space");
    await keys.enter(button("Add endpoint").last());
    await dialog().locator("code").waitFor();
    await keys.walk();
    await keys.enter(button("Open endpoint"));
    await heading("Endpoint").waitFor();
  });

  test("a test is sent, its delivery is looked at and sent again", async () => {
    const { keys, heading, button, link, said, isSomewhere, settled } = at;
    await keys.enter(button("Send a test"));
    await said(/Accepted with 200/);
    expect(await keys.isAt(button("Send a test"))).toBe(true);
    await keys.enter(link("webhook.test"));
    await heading("Delivery").waitFor();
    await said("Attempt 1");
    await settled();
    await keys.walk();
    await keys.enter(button("Send again"));
    await said("Attempt 2");
    await isSomewhere();
    await keys.enter(link("The endpoint"));
    await heading("Endpoint").waitFor();
  });

  test("its secret is shown, rotated and hidden", async () => {
    const { page, keys, button, dialog, gone, isSomewhere, settled } = at;
    const secrets = page.getByRole("region", { name: "Signing secret" }).locator("code");
    await settled();
    await keys.enter(button("Show secret"));
    await button("Hide").waitFor();
    await isSomewhere();
    const before = await secrets.first().textContent();
    await keys.peek(button("Rotate"), "Rotate the secret?");
    await keys.enter(button("Rotate"));
    await keys.enter(button("Rotate secret"));
    await gone(dialog());
    await expect.poll(() => secrets.allTextContents()).toEqual([expect.stringMatching(/^whsec_/), before]);
    expect(await secrets.first().textContent()).not.toBe(before);
    await isSomewhere();
    await keys.walk();
    await keys.enter(button("Hide"));
    await isSomewhere();
    expect(at.complaints).toEqual([]);
  });
});
