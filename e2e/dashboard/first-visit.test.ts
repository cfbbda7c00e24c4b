import type { TranscriptItem } from "@parley/contract/transcripts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, until } from "../harness/api-client.ts";
import { findBarriers } from "../harness/browser.ts";
import { looksOfJourney } from "./looks.ts";
import { type DashboardScene, openDashboard, PATIENCE_MS, signInOnPage, signUpOnPage } from "./visitor.ts";

describe.each(looksOfJourney({ theme: "light", width: 390 }))("$theme, $width px wide", (look) => {
  let scene: DashboardScene;
  let page: Page;
  let complaints: string[];
  let email: string;
  let key: string;
  let callId: string;

  // From an empty database to a revoked key, as one person does it: each step builds on the previous one.
  beforeAll(async () => {
    scene = await openDashboard({ PARLEY_CONVERSATION_THREADS: "1", PARLEY_NATURAL_VOICES: "off" });
    ({ page, complaints } = await scene.visit(look));
  });
  afterAll(() => scene?.close());

  const clock = (text: string | null) => {
    const [minutes = 0, seconds = 0] = (text ?? "").split(":").map(Number);
    return 60 * minutes + seconds;
  };

  test("signing in shows before any file of the app is there, in the visitor's language and theme, and takes no input yet", async () => {
    const { page: early } = await scene.visit({ theme: "dark", locale: "de-DE" });
    await early.route("**/assets/*.js", (route) => route.abort());
    await early.goto(`${scene.service.url}/sign-in`);
    await early.getByText("Willkommen zurück.").waitFor();
    expect(await early.locator("html").getAttribute("data-theme")).toBe("dark");
    expect(await early.locator("input, button, a[href]").count()).toBe(0);
    await early.unroute("**/assets/*.js");
    await early.reload();
    await early.getByLabel("E-Mail").fill("early@example.com");
    await early.close();
  });

  test("a new account shows the 10 USD that come with it", async () => {
    email = await signUpOnPage(page, scene.service.url);
    await expect.poll(() => page.getByTestId("credit").textContent()).toBe("$10.00");
  });

  test("a key created under Settings > Developer is shown once, with a warning and a line to try it", async () => {
    await page.getByRole("link", { name: "Settings" }).first().click();
    await page.getByRole("link", { name: "Developer" }).click();
    await page.getByRole("button", { name: "Create an API key" }).first().click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByRole("checkbox", { checked: false }).count()).toBe(0);
    await dialog.getByLabel("Name").fill("Booking server");
    await dialog.getByRole("button", { name: "Create key" }).click();
    await dialog.getByText("it is never shown again").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    key = (await dialog.locator("code").first().textContent()) ?? "";
    expect(key).toMatch(/^svc_test_[0-9A-Za-z]{38}$/);
    await expect.poll(() => dialog.locator("code").last().textContent()).toContain(`Authorization: Bearer ${key}`);
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: "I have copied it" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await page.content()).not.toContain(key);
    await page.reload();
    await page.getByText("Booking server").waitFor();
    expect(await page.content()).not.toContain(key);
  });

  test("a call that a program places with the key appears in the list that is open, and can be watched as it happens", async () => {
    await page.getByRole("link", { name: "Calls" }).first().click();
    await page.getByText("Place your first call").waitFor();
    const agents = await ask(scene.service.url, "/api/v1/agents?limit=100", { key });
    const agent = agents.body.data.find((one: { name: string }) => one.name === "Appointment confirmation");
    const body = { phoneNumber: "+15550100001", agentId: agent.id, engine: "local" };
    const placed = await ask(scene.service.url, "/api/v1/calls", { key, body });
    expect(placed.status).toBe(200);
    callId = placed.body.data.id;
    await page.getByRole("table", { name: "Calls" }).getByRole("link", { name: "+15550100001" }).click();
    await page.getByText("Talking").waitFor();
    await page.getByRole("button", { name: "Hang up" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    // Nothing is reloaded: the transcript arrives automatically.
    await page.getByRole("list", { name: "Transcript" }).getByText("I'm an automated assistant").waitFor();
    await page.getByText("Completed").first().waitFor();
  });

  test("its recording plays: the position moves, and the line being heard is marked", async () => {
    await page.getByRole("button", { name: "Play the recording" }).click();
    const position = page.getByTestId("position");
    const moved = await until(
      async () => clock(await position.textContent()),
      (seconds) => seconds >= 2,
      PATIENCE_MS,
    );
    expect(moved).toBeGreaterThanOrEqual(2);
    await page.locator("li[aria-current=true]").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    const sound = (await page.evaluate("document.querySelector('audio').currentTime")) as number;
    expect(sound).toBeGreaterThan(1);
    await page.getByRole("button", { name: "Pause" }).click();
  });

  test("a click on a line of the transcript plays from there", async () => {
    const line = page.getByRole("list", { name: "Transcript" }).getByRole("button").last();
    const startsAt = clock(await line.locator("span").first().textContent());
    await line.click();
    const at = (await page.evaluate("document.querySelector('audio').currentTime")) as number;
    expect(at).toBeGreaterThanOrEqual(startsAt);
  });

  test("the timeline, the delays and the outcome say what the API says", async () => {
    const { body } = await ask(scene.service.url, `/api/v1/calls/${callId}`, { key });
    const delays = page.getByRole("list", { name: "Transcript" }).getByText(/^Answered after [\d.]+ m?s: [a-z]/);
    const said = await ask(scene.service.url, `/api/v1/calls/${callId}/transcript`, { key });
    const timed = (said.body.data.items as TranscriptItem[]).filter((item) => item.type === "speech" && item.timing);
    expect(await delays.count()).toBe(timed.length);
    await page.getByRole("tab", { name: "Timeline" }).click();
    for (const words of ["Accepted", "Ringing", "Answered", "The recording is ready"])
      await page.getByRole("tabpanel").getByText(words, { exact: true }).waitFor();
    await page.getByRole("tab", { name: "Latency" }).click();
    expect(await page.getByRole("tabpanel").getByRole("row").count()).toBeGreaterThanOrEqual(
      body.data.latency.turns > 0 ? 2 : 0,
    );
    await page.getByText(callId).waitFor();
  });

  test("the list is narrowed by the address, and clearing it can be undone", async () => {
    await page.goto(`${scene.service.url}/calls?status=failed`);
    await page.getByText("No matching calls").waitFor();
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await page.getByRole("link", { name: "+15550100001" }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("No matching calls").waitFor();
    expect(page.url()).toContain("status=failed");
  });

  test("a call is found by words that were said in it", async () => {
    await page.goto(`${scene.service.url}/calls?q=zeppelin`);
    await page.getByText("No matching calls").waitFor();
    await page.getByLabel("Search calls").fill("automa");
    await page.getByRole("link", { name: "+15550100001" }).waitFor();
    await page.getByText("1 match", { exact: true }).waitFor();
    await page.locator("mark", { hasText: "automated" }).first().waitFor();
    expect(page.url()).toContain("search=automa");
  });

  test("a revoked key is rejected by the API, and only after confirmation", async () => {
    await page.getByRole("link", { name: "Settings" }).first().click();
    await page.getByRole("link", { name: "Developer" }).click();
    await page.getByRole("button", { name: "Revoke Booking server" }).click();
    await page.getByRole("button", { name: "Keep it" }).click();
    expect((await ask(scene.service.url, "/api/v1/calls", { key })).status).toBe(200);
    await page.getByRole("button", { name: "Revoke Booking server" }).click();
    await page.getByRole("button", { name: "Revoke key" }).click();
    await page.getByText("Revoked", { exact: true }).waitFor();
    const refused = await until(
      () => ask(scene.service.url, "/api/v1/calls", { key }),
      ({ status }) => status !== 200,
      PATIENCE_MS,
    );
    expect(refused.status).toBe(401);
  });

  test("signing out and in again leads back to the requested page", async () => {
    await page
      .getByRole("button", { name: /^Account menu/ })
      .first()
      .click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.goto(`${scene.service.url}/settings/developer`);
    await signInOnPage(page, email, "not-the-right-password");
    await page.getByRole("alert").waitFor();
    await signInOnPage(page, email);
    await page.getByRole("heading", { name: "Developer" }).waitFor();
  });

  test("in all of this the page violated no rule of its policy, had no error and contacted no other host", () => {
    expect(complaints).toEqual([]);
  });
});
