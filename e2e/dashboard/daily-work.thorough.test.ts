import { createServer, type Server } from "node:http";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKey, PASSWORD, signInAgain } from "../harness/accounts.ts";
import { ask, until } from "../harness/api-client.ts";
import { findBarriers } from "../harness/browser.ts";
import { freePort } from "../harness/free-port.ts";
import { looksOfJourney } from "./looks.ts";
import { type DashboardScene, openDashboard, PATIENCE_MS, signInOnPage, signUpOnPage } from "./visitor.ts";

describe.each(looksOfJourney({ theme: "light", width: 1440 }))("$theme, $width px wide", (look) => {
  let scene: DashboardScene;
  let page: Page;
  let complaints: string[];
  let email: string;
  let receiver: Server;
  let receiverUrl: string;

  // What one person does on the first day, in order: each step builds on the previous one.
  beforeAll(async () => {
    scene = await openDashboard({ PARLEY_CONVERSATION_THREADS: "1" });
    ({ page, complaints } = await scene.visit(look));
    const port = await freePort();
    receiverUrl = `http://127.0.0.1:${port}/events`;
    receiver = createServer((_request, response) => response.writeHead(204).end()).listen(port, "127.0.0.1");
  });
  afterAll(async () => {
    receiver?.closeAllConnections();
    receiver?.close();
    await scene?.close();
  });

  const go = async (name: string) => page.getByRole("link", { name, exact: true }).first().click();
  const steps = () => page.getByRole("region", { name: "Three steps to your first call" });

  test("a new account sees three steps instead of empty charts, and a key completes one", async () => {
    email = await signUpOnPage(page, scene.service.url);
    await go("Overview");
    await steps().getByText("0 of 3 done").waitFor();
    expect(await page.getByRole("heading", { name: "How calls ended" }).count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    const { cookie } = await signInAgain(scene.service.url, email);
    const { key } = await createKey(scene.service.url, cookie);
    await ask(scene.service.url, "/api/v1/webhooks", { key, body: { url: receiverUrl } });
    await page.reload();
    await steps().getByText("1 of 3 done").waitFor();
  });

  test("a sample agent is heard in its own voice, which completes another", async () => {
    const spoken = page.waitForResponse((reply) => reply.url().endsWith("/preview"));
    await steps().getByRole("button", { name: "Listen" }).click();
    const reply = await spoken;
    expect(reply.headers()["content-type"]).toBe("audio/wav");
    await steps().getByText("2 of 3 done").waitFor();
    await page.reload();
    await steps().getByText("2 of 3 done").waitFor();
  });

  test("the first steps can be put away, and brought back", async () => {
    await page.getByRole("button", { name: "Dismiss the first steps" }).click();
    await page.getByText("No test calls in the last 7 days").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await steps().getByText("2 of 3 done").waitFor();
  });

  test("a call whose reply was lost is placed once, however often the button is pressed", async () => {
    let isLost = false;
    await page.route("**/api/v1/calls?*", async (route) => {
      if (route.request().method() !== "POST" || isLost) return route.continue();
      isLost = true;
      await route.fetch();
      return route.abort();
    });
    await steps().getByRole("button", { name: "Place a call" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Phone number").fill("+15550100003");
    await dialog.getByRole("button", { name: "Call now" }).click();
    await dialog.getByText("The service could not be reached").waitFor();
    await dialog.getByRole("button", { name: "Call now" }).click();
    await page.getByRole("button", { name: "Cancel call" }).click();
    await page.getByText("Canceled").first().waitFor();
    await page.unroute("**/api/v1/calls?*");
    // The browser itself logs that a reply was lost.
    expect(complaints.splice(0)).toEqual(["console: Failed to load resource: net::ERR_FAILED"]);
    await go("Calls");
    await page.getByRole("link", { name: "+15550100003" }).waitFor();
    expect(await page.getByRole("link", { name: /^\+1555/ }).count()).toBe(1);
  });

  test("a call placed from the page is watched live, and a listener hears it continue", async () => {
    await page.getByRole("button", { name: "New call" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Agent").selectOption({ label: "Appointment confirmation" });
    await dialog.getByRole("button", { name: "Call now" }).click();
    await page.getByText("Talking").waitFor();
    await page.getByRole("button", { name: "Listen in" }).click();
    await page.getByText("Listening", { exact: true }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Mute" }).click();
    await page.getByText("Muted", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Unmute" }).click();
    const heard = await until(
      () => page.getByTestId("listened").textContent(),
      (clock) => clock !== null && clock >= "0:02",
      PATIENCE_MS,
    );
    expect(heard).toMatch(/^\d:\d\d$/);
    await page.getByRole("button", { name: "Stop listening" }).click();
    await page.getByRole("button", { name: "Hang up" }).click();
    await page.getByText("Completed").first().waitFor();
  });

  test("the call shows who was notified, why it was allowed, and the audio quality", async () => {
    await page.getByRole("tab", { name: "Webhooks" }).click();
    const sent = page.getByRole("tabpanel").getByRole("listitem").filter({ hasText: "call.completed" });
    await sent.getByText("Delivered").waitFor();
    await sent.getByText(receiverUrl).waitFor();
    await sent.getByText("1 attempt · answered 204").waitFor();
    await sent.getByRole("button", { name: "Send again: call.completed" }).click();
    await sent.getByText("2 attempts · answered 204").waitFor();
    await page.getByText("On the simulated network").waitFor();
    expect(await findBarriers(page)).toEqual([]);
  });

  test("the overview then shows the results of calls, in charts and as tables, for the period in the address", async () => {
    await go("Overview");
    await page.getByRole("heading", { name: "How calls ended" }).waitFor();
    await steps().waitFor({ state: "detached" });
    const calls = page.getByRole("region", { name: "Calls", exact: true });
    await calls.getByText("1 answered, 1 failed").waitFor();
    await calls.getByText("Show as table").click();
    expect(await calls.getByRole("row").count()).toBe(8);
    await page.getByRole("radio", { name: "24 h" }).click();
    await page.waitForURL(/period=day/);
    await until(
      () => calls.getByRole("row").count(),
      (rows) => rows === 25,
      PATIENCE_MS,
    );
    await page.reload();
    await page.getByText("Test calls from the last 24 hours.").waitFor();
    await page.getByRole("link", { name: /Hung up on request/ }).click();
    await page.getByRole("link", { name: "+15550100001" }).waitFor();
  });

  test("in live mode every page says that calls reach no one yet", async () => {
    await page.getByRole("radio", { name: "Live" }).click();
    await page.getByText("Live calls don’t reach anyone yet").waitFor();
    await go("Agents");
    await page.getByRole("heading", { name: "Agents", level: 1 }).waitFor();
    expect(await page.getByText("Live calls don’t reach anyone yet").count()).toBe(1);
    await page.getByRole("radio", { name: "Test" }).click();
    await page.getByText("Live calls don’t reach anyone yet").waitFor({ state: "detached" });
  });

  const NAUGHTY = `<script>alert(1)</script> "quotes" مرحبا 👩‍👩‍👧‍👦 ${"w".repeat(40)}`;

  test("an agent is created from a sample, renamed and published", async () => {
    await page.getByRole("button", { name: "New agent" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Second reminder");
    await dialog.getByLabel("Start from").selectOption({ label: "A copy of Payment reminder" });
    await dialog.getByRole("button", { name: "Create agent" }).click();
    // Its builder, from where the list leads to its page.
    await page.getByRole("heading", { name: "Second reminder", level: 1 }).waitFor();
    await page.getByRole("region", { name: "Canvas" }).waitFor();
    await page.getByRole("link", { name: "All agents" }).click();
    await page.getByRole("link", { name: "Second reminder", exact: true }).click();
    await page.getByText("Not published").waitFor();
    await page.getByRole("button", { name: "More actions for Second reminder" }).click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await dialog.getByLabel("Name").fill(NAUGHTY);
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: NAUGHTY, level: 1 }).waitFor();
    await page.getByRole("button", { name: "Publish draft" }).click();
    await dialog.getByLabel("Note (optional)").fill("First words");
    await dialog.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("list", { name: "Versions" }).getByText("First words").waitFor();
    expect(await page.getByRole("button", { name: "Publish draft" }).count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
  });

  test("calls are rolled back to an earlier version, and that can be undone", async () => {
    const { cookie } = await signInAgain(scene.service.url, email);
    const { key } = await createKey(scene.service.url, cookie);
    const id = page.url().split("/").at(-1) ?? "";
    await ask(scene.service.url, `/api/v1/agents/${id}/publish`, { key, body: { note: "Second words" } });
    await page.reload();
    const version = (number: number) =>
      page
        .getByRole("list", { name: "Versions" })
        .getByRole("listitem")
        .filter({ hasText: `Version ${number}` });
    await version(2).getByText("In use").waitFor();
    const rollBackTo = async (number: number) => {
      await page.getByRole("button", { name: `Roll back to version ${number}` }).click();
      await page.getByRole("dialog").getByText(`New calls will use version ${number}`).waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Roll back", exact: true }).click();
      await version(number).getByText("In use").waitFor();
    };
    await rollBackTo(1);
    await page.getByText("Draft is newer").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await version(2).getByText("In use").waitFor();
    const log = await ask(scene.service.url, "/api/v1/audit?action=agent.rolled_back", { headers: cookie });
    expect(log.body.data.map(({ data }: { data: { version: unknown } }) => data.version)).toEqual([
      { from: 1, to: 2 },
      { from: 2, to: 1 },
    ]);
  });

  test("undoing a roll back does nothing once calls use yet another version", async () => {
    const { cookie } = await signInAgain(scene.service.url, email);
    const { key } = await createKey(scene.service.url, cookie);
    const id = page.url().split("/").at(-1) ?? "";
    await page.getByRole("button", { name: "Roll back to version 1" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Roll back", exact: true }).click();
    await page.getByText("Rolled back to version 1").first().waitFor();
    await ask(scene.service.url, `/api/v1/agents/${id}/publish`, { key, body: { note: "Third words" } });
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Nothing was undone: new calls already use version 3.").first().waitFor();
    const agent = await ask(scene.service.url, `/api/v1/agents/${id}`, { key });
    expect(agent.body.data.publishedVersion).toBe(3);
  });

  test("a deleted agent is gone from the list, and undo brings it back with its versions", async () => {
    await page.getByRole("button", { name: /^More actions for/ }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "Agents", level: 1 }).waitFor();
    await page.getByRole("link", { name: NAUGHTY }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("link", { name: NAUGHTY }).click();
    await page.getByRole("list", { name: "Versions" }).getByText("Second words").waitFor();
  });

  test("the password is changed under Settings > Account, and signing out everywhere ends this browser too", async () => {
    const next = `${PASSWORD}-next`;
    await page.goto(`${scene.service.url}/settings/account`);
    await page.getByRole("main").getByText(email).first().waitFor();
    await page.getByLabel("Current password").fill("not-the-password");
    await page.getByLabel("New password").fill(next);
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("This is not the current password.").waitFor();
    await page.getByLabel("Current password").fill(PASSWORD);
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("Password changed.").first().waitFor();
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await signInOnPage(page, email, next);
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  });

  test("in all of this the page violated no rule of its policy, had no error and contacted no other host", () => {
    expect(complaints).toEqual([]);
  });
});
