import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectNoBarriers } from "./looks.ts";
import { makePageIds, type PageIds } from "./page-ids.ts";
import { IS_SETTLED, OUTSIDE_PAGES, readRoutedPages } from "./routed-pages.ts";
import { type DashboardScene, openDashboard, signInOnPage } from "./visitor.ts";

const PAGES = await readRoutedPages();

let scene: DashboardScene;
let made: PageIds;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  scene = await openDashboard();
  made = await makePageIds(scene.service);
  ({ page, complaints } = await scene.visit());
});
afterAll(async () => {
  made?.close();
  await scene?.close();
});

async function look(route: string): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(made.addressOf(route));
  await page.locator("h1, main").first().waitFor();
  await expect.poll(() => page.evaluate(IS_SETTLED)).toBe(true);
  await expectNoBarriers(page);
}

const TITLE = "%s has no accessibility barriers, in both themes, on a wide screen, a laptop and a phone";

test.each(PAGES.filter((route) => OUTSIDE_PAGES.has(route)))(TITLE, look);

test("an operator signs in", async () => {
  await page.goto(`${scene.service.url}/sign-in`);
  await signInOnPage(page, made.operator.email);
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
});

test.each(PAGES.filter((route) => !OUTSIDE_PAGES.has(route)))(TITLE, look);

test("the pages report no errors", () => {
  expect(complaints).toEqual([]);
});
