import qrReader from "jsqr";
import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claimFirst, PASSWORD, type SignedInMember } from "../harness/accounts.ts";
import { findBarriers } from "../harness/browser.ts";
import { sendPatiently } from "../harness/http-client.ts";
import { type DashboardScene, openDashboard, signInOnPage, signUpOnPage } from "./visitor.ts";

const STEP_MS = 30_000;
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true }).first().waitFor();

/** A service accepts each code once, so every sign-in here shows the code of a later step, as time would bring it. */
function createDevice(secret: string) {
  let lastStep = 0;
  return {
    nextCode(): string {
      const nowStep = TOTP.counter({ timestamp: Date.now() });
      lastStep = Math.max(lastStep + 1, nowStep);
      return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: lastStep * STEP_MS });
    },
  };
}

/** What a phone scans from the screen. */
async function readQrCode(page: Page): Promise<string | undefined> {
  const picture = page.getByRole("img", { name: "QR code of the key below" });
  const modules = Number((await picture.getAttribute("viewBox"))?.split(" ")[2]);
  const drawn = (await picture.locator("path").getAttribute("d")) ?? "";
  const scale = 4;
  const side = modules * scale;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  for (const [, x, y] of drawn.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let at = 0; at < scale * scale; at += 1) {
      const column = Number(x) * scale + (at % scale);
      const row = Number(y) * scale + Math.floor(at / scale);
      pixels.fill(0, (row * side + column) * 4, (row * side + column) * 4 + 3);
    }
  }
  return qrReader.default(pixels, side, side)?.data;
}

/** Sets up two-factor authentication on the Security page, and returns the device and the recovery codes. */
async function enrolOnPage(page: Page) {
  await button(page, "Set up").click();
  await page.getByLabel("Your password").fill(PASSWORD);
  await button(page, "Continue").click();
  await page.getByText("It is shown only once").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  const secret = ((await page.getByRole("dialog").locator("code").textContent()) ?? "").replaceAll(" ", "");
  expect(await readQrCode(page)).toContain(`secret=${secret}`);
  const device = createDevice(secret);
  await page.getByLabel("Code from the app").fill(device.nextCode());
  await button(page, "Turn on").click();
  await page.getByText("Store these recovery codes somewhere safe").waitFor();
  const codes = ((await page.getByRole("dialog").locator("code").textContent()) ?? "").split("\n");
  await button(page, "I have saved them").click();
  await page.getByText("10 are left").waitFor();
  return { secret, device, codes };
}

async function signOutOnPage(page: Page): Promise<void> {
  await page
    .getByRole("button", { name: /^Account menu for/ })
    .first()
    .click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await heading(page, "Sign in");
}

describe("a member", () => {
  let scene: DashboardScene;
  let page: Page;
  let complaints: string[];
  let email: string;
  let device: ReturnType<typeof createDevice>;
  let codes: readonly string[];

  beforeAll(async () => {
    scene = await openDashboard();
    ({ page, complaints } = await scene.visit());
    email = await signUpOnPage(page, scene.service.url);
  });
  afterAll(() => scene?.close());

  const enterCode = async (on: Page, code: string) => {
    await heading(on, "Enter your code");
    await on.getByLabel("Code", { exact: true }).fill(code);
    await button(on, "Sign in").click();
  };

  test("sets it up with the shown secret, and the secret is not shown again", async () => {
    await page.goto(`${scene.service.url}/settings/security`);
    const enrolled = await enrolOnPage(page);
    ({ device, codes } = enrolled);
    expect(codes).toHaveLength(10);
    await page.reload();
    await page.getByText("10 are left").waitFor();
    expect(await page.content()).not.toContain(enrolled.secret);
  });

  test("signs out, and in with password and code", async () => {
    await signOutOnPage(page);
    await signInOnPage(page, email);
    await enterCode(page, "000000");
    await page.getByRole("alert").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await enterCode(page, device.nextCode());
    await heading(page, "Overview");
  });

  test("signs in with a recovery code, which is then used up", async () => {
    await signOutOnPage(page);
    await signInOnPage(page, email);
    await enterCode(page, codes[0] ?? "");
    await heading(page, "Overview");
    await page.goto(`${scene.service.url}/settings/security`);
    await page.getByText("9 are left").waitFor();
  });

  test("sees a second browser among the sessions and ends it", async () => {
    const other = await scene.visit();
    await other.page.goto(`${scene.service.url}/sign-in`);
    await signInOnPage(other.page, email);
    await enterCode(other.page, codes[1] ?? "");
    await heading(other.page, "Overview");
    await page.reload();
    const ends = page.getByRole("button", { name: /^End the session on/ });
    await ends.waitFor();
    await page.getByText("This device").waitFor();
    await ends.click();
    await ends.waitFor({ state: "detached" });
    await other.page.goto(`${scene.service.url}/calls`);
    await heading(other.page, "Sign in");
    await other.page.context().close();
  });

  test("signs in again with a code over the page when the session ends in the middle of work", async () => {
    await page.goto(`${scene.service.url}/settings/account`);
    await heading(page, "Password");
    await page.context().clearCookies();
    await button(page, "Sign out everywhere").click();
    await page.getByRole("heading", { name: "Sign in again" }).waitFor();
    await page.getByRole("dialog").getByLabel("Password").fill(PASSWORD);
    await page.getByRole("dialog").getByRole("button", { name: "Sign in" }).click();
    await page
      .getByRole("dialog")
      .getByLabel("Code", { exact: true })
      .fill(codes[2] ?? "");
    await page.getByRole("dialog").getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Sign in again" }).waitFor({ state: "detached" });
    await heading(page, "Password");
  });

  test("creates new recovery codes and turns it off, each with password and a code", async () => {
    await page.goto(`${scene.service.url}/settings/security`);
    await button(page, "New recovery codes").click();
    await page.getByLabel("Your password").fill(PASSWORD);
    await page.getByLabel("Code", { exact: true }).fill(codes[3] ?? "");
    await button(page, "Create new codes").click();
    const fresh = page.getByRole("dialog").locator("code");
    await fresh.waitFor();
    const [first = ""] = ((await fresh.textContent()) ?? "").split("\n");
    expect(codes).not.toContain(first);
    await button(page, "I have saved them").click();
    await page.getByText("10 are left").waitFor();
    await button(page, "Turn off").click();
    await page.getByLabel("Your password").fill(PASSWORD);
    await page.getByLabel("Code", { exact: true }).fill(first);
    await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
    await button(page, "Set up").waitFor();
  });

  test("and the page violated no rule of its policy", () => expect(complaints).toEqual([]));
});

describe("an operator of an installation that other machines can reach", () => {
  let scene: DashboardScene;
  let operator: SignedInMember;

  beforeAll(async () => {
    scene = await openDashboard({ PARLEY_HOST: "0.0.0.0" });
    operator = await claimFirst(scene.service);
  });
  afterAll(() => scene?.close());

  test("is sent from the operator pages to the setup, and finds them open afterwards", async () => {
    const ask = () => sendPatiently(scene.service.url, { path: "/api/v1/operator/trunks", headers: operator.cookie });
    const refused = await ask();
    expect([refused.status, refused.body.error.code]).toEqual([403, "not_allowed"]);
    expect(refused.body.error.message).toContain("second factor");
    const { page, complaints } = await scene.visit();
    await page.goto(`${scene.service.url}/sign-in`);
    await signInOnPage(page, operator.email);
    await heading(page, "Overview");
    await page.getByRole("link", { name: "Operator", exact: true }).first().click();
    await heading(page, "Set up two-factor authentication first");
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("link", { name: "Go to Security" }).click();
    await page.getByText("must sign in with a second factor").waitFor();
    await enrolOnPage(page);
    await page.goto(`${scene.service.url}/operator`);
    await heading(page, "Trunks");
    expect(complaints).toEqual([]);
    // Turning it on ended the session that was opened without it.
    expect((await ask()).status).toBe(401);
  });
});
