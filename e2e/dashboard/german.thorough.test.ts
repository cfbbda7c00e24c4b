import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dataOf, PASSWORD } from "../harness/accounts.ts";
import { findBarriers } from "../harness/browser.ts";
import { sendPatiently } from "../harness/http-client.ts";
import { type EnglishTexts, findEnglish, readEnglishTexts } from "./interface-texts.ts";
import { makePageIds, type PageIds } from "./page-ids.ts";
import { IS_SETTLED, OUTSIDE_PAGES, readRoutedPages } from "./routed-pages.ts";
import { type DashboardScene, openDashboard } from "./visitor.ts";

const PAGES = await readRoutedPages();

let scene: DashboardScene;
let made: PageIds;
let page: Page;
let complaints: string[];
let english: EnglishTexts;
/** Names and texts that people gave, in any language. */
let written: Set<string>;

beforeAll(async () => {
  scene = await openDashboard();
  made = await makePageIds(scene.service);
  english = await readEnglishTexts();
  written = new Set();
  const agent = `agents/${made.ids["agentId"]}`;
  for (const path of [
    "agents",
    agent,
    `${agent}/scenarios?limit=100`,
    "engines",
    `calls/${made.ids["callId"]}/transcript?mode=test`,
  ]) {
    const headers = made.operator.cookie;
    const reply = await sendPatiently(scene.service.url, { path: `/api/v1/${path}`, headers });
    for (const text of textsIn(dataOf(reply))) written.add(text.replaceAll(/\s+/g, " ").trim());
  }
  ({ page, complaints } = await scene.visit({ locale: "de-DE" }));
});
afterAll(async () => {
  made?.close();
  await scene?.close();
});

function textsIn(data: unknown): string[] {
  if (typeof data === "string") return [data];
  return typeof data === "object" && data !== null ? Object.values(data).flatMap(textsIn) : [];
}

async function look(route: string): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(made.addressOf(route));
  await page.locator("h1, main").first().waitFor();
  await expect.poll(() => page.evaluate(IS_SETTLED)).toBe(true);
  expect(await page.evaluate("document.documentElement.lang")).toBe("de");
  expect(await findEnglish(page, english, written)).toEqual([]);
  expect(await findBarriers(page)).toEqual([]);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  }
}

test.each(PAGES.filter((route) => OUTSIDE_PAGES.has(route)))("in a German browser, %s is German", look);

test("a member signs in in German", async () => {
  await page.goto(`${scene.service.url}/sign-in`);
  await page.getByLabel("E-Mail").fill(made.operator.email);
  await page.getByLabel("Passwort").fill(PASSWORD);
  await page.getByRole("button", { name: "Anmelden" }).click();
  await page.getByRole("heading", { name: "Übersicht", level: 1 }).waitFor();
});

test.each(PAGES.filter((route) => !OUTSIDE_PAGES.has(route)))("in a German browser, %s is German", look);

test("English is chosen in the account menu, and stays chosen", async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${scene.service.url}/calls`);
  await page
    .getByRole("button", { name: /^Kontomenü von/ })
    .first()
    .click();
  await page.getByRole("menuitemradio", { name: "English" }).click();
  await page.getByRole("heading", { name: "Calls", level: 1 }).waitFor();
  await page.goto(`${scene.service.url}/usage`);
  await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
  expect(await page.evaluate("document.documentElement.lang")).toBe("en");
  // What finds no English on the German pages finds it here.
  expect(await findEnglish(page, english, written)).toEqual(
    expect.arrayContaining(["Usage", "Calls", "Settings", "Skip to content", "Test calls that have ended."]),
  );
  await page
    .getByRole("button", { name: /^Account menu for/ })
    .first()
    .click();
  await page.getByRole("menuitemradio", { name: "Browser default" }).click();
  await page.getByRole("heading", { name: "Nutzung", level: 1 }).waitFor();
});

test("the pages report no errors", () => {
  expect(complaints).toEqual([]);
});
