import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBarriers, openBrowser, openPage, type WatchedPage } from "../harness/browser.ts";
import { Scene } from "../harness/scene.ts";
import { isThorough } from "../harness/thoroughness.ts";

let scene: Scene;
let browser: Browser;
let url: string;

beforeAll(async () => {
  scene = await Scene.open();
  [{ url }, browser] = await Promise.all([scene.start(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await scene?.close();
});

async function visit(theme: "light" | "dark", width: number): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: theme });
  return openPage(context, url);
}

const WAYS = [
  ["light", 1440],
  ["dark", 390],
  ["dark", 1440],
  ["light", 390],
] as const;

describe.each(isThorough ? WAYS : WAYS.slice(0, 2))("in the %s theme at %i pixels", (theme, width) => {
  test.each([
    "/docs",
    "/docs/guides/webhooks",
    "/docs/guides/dashboard",
    "/docs/errors",
    "/docs/status",
    "/docs/reference/settings",
  ])("%s has no barriers, loads nothing from elsewhere and does not scroll sideways", async (path) => {
    const { page, complaints } = await visit(theme, width);
    await page.goto(`${url}${path}`, { waitUntil: "networkidle" });
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe(theme);
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(await page.getByRole("link", { name: "Dashboard", exact: true }).first().isVisible()).toBe(true);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

test("a reader finds a page by keyboard alone", async () => {
  const { page, complaints } = await visit("light", 1440);
  await page.goto(`${url}/docs`);
  await page.keyboard.press("/");
  await page.keyboard.type("webhook signature");
  const first = page.locator("#results a").first();
  await first.waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${url}/docs/guides/webhooks#verify-the-signature`);
  expect(await page.locator("nav [aria-current=page]").textContent()).toBe("Webhooks");
  expect(complaints).toEqual([]);
});

test("words that are nowhere are said to be, and Escape closes the search", async () => {
  const { page } = await visit("light", 1440);
  await page.goto(`${url}/docs`);
  await page.getByRole("searchbox").fill("zzzzqqq");
  await page.getByText('Nothing found for "zzzzqqq".').waitFor();
  await page.keyboard.press("Escape");
  expect(await page.locator("#results").isHidden()).toBe(true);
});

test.each([1440, 390])("what is found is shown inside a window of %i pixels", async (width) => {
  const { page } = await visit("light", width);
  await page.goto(`${url}/docs`);
  await page.getByRole("searchbox").fill("webhook");
  await page.locator("#results a").first().waitFor();
  const box = await page.locator("#results").boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? width)).toBeLessThanOrEqual(width);
});

test("the chosen theme is kept, and shared with the dashboard", async () => {
  const { page } = await visit("light", 1440);
  await page.goto(`${url}/docs`);
  await page.getByRole("button", { name: "Use the dark theme" }).click();
  await page.goto(`${url}/docs/guides/agents`);
  expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
  expect(await page.evaluate("localStorage.getItem('parley.theme')")).toBe("dark");
});

test("a block is copied as it is written", async () => {
  const { page } = await visit("light", 1440);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: url });
  await page.goto(`${url}/docs/guides/quick-start`);
  await page.getByRole("button", { name: "Copy" }).first().click();
  // "Copied" is shown for two seconds only, which a busy machine may miss.
  await expect
    .poll(() => page.evaluate("navigator.clipboard.readText()"))
    .toContain("export PARLEY_URL=http://127.0.0.1:3000");
});

test("the API reference shows the routes, and leads back", async () => {
  const { page, complaints } = await visit("dark", 1440);
  await page.goto(`${url}/docs/api`);
  // Sections are rendered as they come into view.
  await page.getByText("An API call in, a phone call out").first().waitFor();
  await page.getByRole("link", { name: "Calls" }).first().waitFor();
  expect(await page.evaluate("getComputedStyle(document.querySelector('.back')).color")).toBe("rgb(233, 237, 237)");
  await page.getByRole("link", { name: "Parley docs" }).click();
  await page.waitForURL(`${url}/docs`);
  expect(complaints).toEqual([]);
});
