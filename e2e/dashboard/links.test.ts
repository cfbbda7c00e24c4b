import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKey, freshEmail, PASSWORD, signUp } from "../harness/accounts.ts";
import { ask } from "../harness/api-client.ts";
import { findBarriers } from "../harness/browser.ts";
import { completeCall } from "../harness/calls.ts";
import { readFirstRun } from "../harness/service-process.ts";
import { isThorough, testThoroughly } from "../harness/thoroughness.ts";
import { looksOfJourney } from "./looks.ts";
import { type DashboardScene, openDashboard, signInOnPage, signUpOnPage } from "./visitor.ts";

describe.each(looksOfJourney({ theme: "dark", width: 1280 }))("$theme, $width px wide", (look) => {
  let scene: DashboardScene;

  beforeAll(async () => {
    // npm-start.test.ts has the service build it too.
    scene = await openDashboard({}, isThorough ? "by the service" : "before");
  });
  afterAll(() => scene?.close());

  test("the link of a first start opens in the dashboard and claims the account", async () => {
    const { claimToken } = await readFirstRun(scene.service);
    const { page, complaints } = await scene.visit(look);
    // A page that is requested while the dashboard is being built is the plain one; the list of calls is the dashboard's.
    await page.goto(`${scene.service.url}/calls`);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.goto(`${scene.service.url}/claim?token=${claimToken}`);
    await page.getByLabel("Email").fill(freshEmail());
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Claim your account" }).click();
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    expect(page.url()).not.toContain(claimToken);
    expect(complaints).toEqual([]);
  });

  test("a link that was used up says so before anything is typed", async () => {
    const { page } = await scene.visit(look);
    for (const path of ["claim", "reset"]) {
      await page.goto(`${scene.service.url}/${path}?token=lt_used`);
      await page.getByText("This link has already been used or has expired.").waitFor();
      expect(await page.getByRole("textbox").count()).toBe(0);
    }
  });

  test("a password that is too short is refused next to its field", async () => {
    const { page } = await scene.visit(look);
    await page.goto(`${scene.service.url}/sign-up`);
    await page.getByLabel("Email").fill(freshEmail());
    await page.getByLabel("Password").fill("short");
    await page.getByRole("button", { name: "Create an account" }).click();
    await page.getByText("at least 12 characters").last().waitFor();
    await expect.poll(() => page.getByLabel("Password").getAttribute("aria-invalid")).toBe("true");
  });

  test("a link to sign in never leads to another site", async () => {
    const { page } = await scene.visit(look);
    const email = await signUpOnPage(page, scene.service.url);
    await page.context().clearCookies();
    await page.goto(`${scene.service.url}/sign-in?next=//evil.example/`);
    await signInOnPage(page, email);
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    expect(new URL(page.url()).origin).toBe(scene.service.url);
  });

  testThoroughly("one account does not see the call of another", { timeout: 180_000 }, async () => {
    const { url } = scene.service;
    const stranger = await signUp(url);
    const { key } = await createKey(url, stranger.cookie);
    const agents = await ask(url, "/api/v1/agents", { key });
    const callId = await completeCall({ url, key, agentId: agents.body.data[0].id });
    const { page } = await scene.visit(look);
    await signUpOnPage(page, url);
    await page.getByText("Place your first call").waitFor();
    await page.goto(`${url}/calls/${callId}`);
    await page.getByText("Test call not found").waitFor();
  });

  testThoroughly(
    "a person who guesses passwords is locked out for some time, and told how long",
    { timeout: 180_000 },
    async () => {
      const { page } = await scene.visit(look);
      const email = await signUpOnPage(page, scene.service.url);
      await page.context().clearCookies();
      await page.goto(`${scene.service.url}/sign-in`);
      for (let guesses = 0; guesses < 5; guesses += 1) {
        await signInOnPage(page, email, `not the password ${guesses}`);
        await page.getByRole("alert").getByText("wrong").waitFor();
      }
      await signInOnPage(page, email);
      await page.getByText(/Too many attempts.*Try again in \d+ minutes/).waitFor();
      expect(new URL(page.url()).pathname).toBe("/sign-in");
    },
  );

  test("a session that ends in the middle of work is renewed over the page, and nothing that was typed is lost", async () => {
    const { page, complaints } = await scene.visit(look);
    const email = await signUpOnPage(page, scene.service.url);
    await page.getByRole("button", { name: "New call" }).click();
    await page.getByRole("dialog").getByLabel("Phone number").fill("+15550100002");
    // Otherwise the check of the number may notice the end of the session before the call does.
    await page.getByText("This number can be called now.").waitFor();
    await page.context().clearCookies();
    await page.getByRole("button", { name: "Call now" }).click();
    const again = page.getByRole("dialog", { name: "Sign in again" });
    await expect.poll(() => again.getByLabel("Email").inputValue()).toBe(email);
    expect(await findBarriers(page)).toEqual([]);
    await again.getByLabel("Password").fill("not-the-right-password");
    await again.getByRole("button", { name: "Sign in" }).click();
    await again.getByRole("alert").waitFor();
    await again.getByLabel("Password").fill(PASSWORD);
    await again.getByRole("button", { name: "Sign in" }).click();
    await again.waitFor({ state: "detached" });
    await expect.poll(() => page.getByRole("dialog").getByLabel("Phone number").inputValue()).toBe("+15550100002");
    await page.getByRole("button", { name: "Call now" }).click();
    await page.waitForURL(/\/calls\/call_/);
    expect(complaints).toEqual([]);
  });

  testThoroughly("signing in as someone else shows nothing of the previous member", { timeout: 180_000 }, async () => {
    const { page } = await scene.visit(look);
    await signUpOnPage(page, scene.service.url);
    const other = await signUp(scene.service.url);
    await page.goto(`${scene.service.url}/settings/developer`);
    await page.getByRole("heading", { name: "Developer" }).waitFor();
    await page.context().clearCookies();
    await page.getByRole("radio", { name: "Live" }).click();
    await page.getByRole("link", { name: "Calls" }).first().click();
    const again = page.getByRole("dialog", { name: "Sign in again" });
    await again.getByLabel("Email").fill(other.email);
    await again.getByLabel("Password").fill(PASSWORD);
    await again.getByRole("button", { name: "Sign in" }).click();
    await again.waitFor({ state: "detached" });
    await page.getByRole("button", { name: new RegExp(`^Account menu for.*${other.email}`) }).waitFor();
  });

  test("the page says when the service is down, loses nothing that was typed, and continues automatically when it is back", async () => {
    const { page } = await scene.visit(look);
    await signUpOnPage(page, scene.service.url);
    await page.getByRole("button", { name: "New call" }).click();
    await page.getByRole("dialog").getByLabel("Phone number").fill("+15550100002");
    await scene.service.end("SIGKILL");
    await page.getByText("Reconnecting…").waitFor();
    await page.getByRole("button", { name: "Call now" }).click();
    await page.getByText("The service could not be reached.").waitFor();
    await scene.startAgain();
    await page.getByText("Reconnecting…").waitFor({ state: "detached" });
    await expect.poll(() => page.getByRole("dialog").getByLabel("Phone number").inputValue()).toBe("+15550100002");
    await page.getByRole("button", { name: "Call now" }).click();
    await page.waitForURL(/\/calls\/call_/);
  });
});
