import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBarriers } from "../harness/browser.ts";
import { placeCall } from "../harness/calls.ts";
import { looksOfJourney } from "./looks.ts";
import { beginWork, type MemberAtWork } from "./member-at-work.ts";
import { type DashboardScene, openDashboard } from "./visitor.ts";

let scene: DashboardScene;

beforeAll(async () => {
  scene = await openDashboard();
});
afterAll(() => scene?.close());

describe.each(looksOfJourney({ theme: "dark", width: 390 }))("$theme, $width px wide", (look) => {
  let at: MemberAtWork;
  let page: Page;
  let callId: string;

  beforeAll(async () => {
    at = await beginWork(scene, look);
    page = at.page;
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    callId = await placeCall(at.caller, "+15550104711", { scheduledAt: tomorrow });
    await placeCall(at.caller, "+15550102222", { scheduledAt: tomorrow });
  });

  const palette = () => page.getByRole("dialog", { name: "Go to" });
  const opener = () => page.getByRole("button", { name: "Go to" });
  const results = () => palette().getByRole("option");
  const chosen = () => palette().getByRole("option", { selected: true });
  const heading = (name: string) => page.getByRole("heading", { name, level: 1 }).waitFor();

  /** Opens it with its keys and types. */
  async function type(text: string): Promise<void> {
    await at.keys.press("Control+k");
    await palette().waitFor();
    await page.keyboard.type(text);
  }

  test("its button opens it, and Escape returns to the button", async () => {
    await at.keys.enter(opener());
    await palette().waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await at.keys.press("Escape");
    await palette().waitFor({ state: "detached" });
    await expect.poll(() => at.keys.isAt(opener())).toBe(true);
  });

  test("pages are found by their names and by other words for them", async () => {
    await type("new batch");
    await expect.poll(() => results().first().textContent()).toBe("New batchPage");
    await at.keys.press("Enter");
    await heading("New batch");
    await type("csv");
    await results().filter({ hasText: "Batches" }).waitFor();
    await at.keys.press("Escape");
    await palette().waitFor({ state: "detached" });
  });

  test("settings are found, and arrows choose among what was found", async () => {
    await type("settings");
    const settings = results().filter({ hasText: /Settings$/ });
    await settings.filter({ hasText: "Suppression list" }).waitFor();
    await settings.filter({ hasText: "Billing" }).waitFor();
    await page.keyboard.type(" cre");
    await expect.poll(() => results().allTextContents()).toEqual(["API keysSettings", "BillingSettings"]);
    await expect.poll(() => chosen().textContent()).toBe("API keysSettings");
    await at.keys.press("ArrowDown");
    await expect.poll(() => chosen().textContent()).toBe("BillingSettings");
    await at.keys.press("ArrowDown");
    await expect.poll(() => chosen().textContent()).toBe("API keysSettings");
    await at.keys.press("ArrowUp");
    await expect.poll(() => chosen().textContent()).toBe("BillingSettings");
    await at.keys.press("Enter");
    await heading("Billing");
  });

  test("an agent is found by its name", async () => {
    await type("survey satisf");
    await expect.poll(() => chosen().textContent()).toBe("Satisfaction surveyAgent");
    await at.keys.press("Enter");
    await heading("Satisfaction survey");
  });

  test("a call is found by part of its number, and by its ID", async () => {
    for (const text of ["010 4711", callId]) {
      await page.goto(`${scene.service.url}/agents`);
      await heading("Agents");
      await type(text);
      await expect
        .poll(() => results().allTextContents())
        .toEqual([expect.stringMatching(/^\+15550104711Call, scheduled, /)]);
      expect(await findBarriers(page)).toEqual([]);
      await at.keys.press("Enter");
      await heading("+15550104711");
      expect(new URL(page.url()).pathname).toBe(`/calls/${callId}`);
    }
  });

  test("what only operators have is not found, and what does not exist is said so", async () => {
    await type("trunks");
    await expect.poll(() => results().filter({ hasText: "Operator" }).count()).toBe(0);
    await at.keys.press("Control+A");
    await page.keyboard.type("zeppelin");
    await palette().getByText("Nothing found.").waitFor();
    await at.keys.press("Enter");
    await palette().waitFor();
    await at.keys.press("Control+k");
    await palette().waitFor({ state: "detached" });
  });

  test("a guide is found and opened, and leads back to the page it was opened from", async () => {
    await type("guide calling a list");
    await expect.poll(() => chosen().textContent()).toContain("Documentation");
    await at.keys.press("Enter");
    await page.waitForURL(/\/docs\/guides\//);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.getByRole("link", { name: "Dashboard", exact: true }).click();
    await heading("+15550104711");
    expect(new URL(page.url()).pathname).toBe(`/calls/${callId}`);
  });

  test("in all of this nothing was wrong with the page or with the focus", () => {
    expect(at.complaints).toEqual([]);
    expect(at.keys.takeFaults()).toEqual([]);
  });
});
