import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { findBarriers } from "../harness/browser.ts";
import { isThorough } from "../harness/thoroughness.ts";

/** How a visitor sees the dashboard. */
export interface Look {
  readonly theme: "light" | "dark";
  readonly width: number;
}

/** A wide screen, a laptop and a phone, each in both themes. */
export const LOOKS = [
  { theme: "light", width: 1440 },
  { theme: "dark", width: 1440 },
  { theme: "light", width: 1280 },
  { theme: "dark", width: 1280 },
  { theme: "light", width: 390 },
  { theme: "dark", width: 390 },
] as const satisfies readonly Look[];

/**
 * The looks in which a journey is made: all of them in a thorough run, and one of them in `npm test`, another for each
 * journey, so that all widths and both themes occur.
 */
export function looksOfJourney(short: (typeof LOOKS)[number]): readonly Look[] {
  return isThorough ? LOOKS : [short];
}

export const isPhone = ({ width }: Look): boolean => width < 640;

/** For journeys with fingers on a phone. */
export const PHONE_LOOKS: readonly Look[] = LOOKS.filter(isPhone);

/** For journeys that drag from the palette and draw lines with a mouse: a phone has neither. */
export function looksWithMouse(short: (typeof LOOKS)[number]): readonly Look[] {
  return looksOfJourney(short).filter(({ width }) => width >= 1024);
}

/** Shows the loaded page as another visitor sees it. */
export async function changeLook(page: Page, { theme, width }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.setViewportSize({ width, height: 900 });
  await expect.poll(() => page.evaluate("document.documentElement.dataset.theme")).toBe(theme);
}

/** What opens over a page is a sheet on a phone and a card elsewhere. */
const LOOKS_OVER_PAGES = LOOKS.filter(({ width }) => width !== 1280);

/**
 * The barriers of what is open over a page, on a wide screen and on a phone, in both themes. A menu is open only where its
 * button is. Leaves the look as it was.
 */
export async function findBarriersOverPage(page: Page, button: Locator | null): Promise<string[]> {
  const before = page.viewportSize();
  const wasDark = await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches");
  // In another look the same words may name another button.
  const opener = await button?.elementHandle();
  const found: string[] = [];
  for (const { theme, width } of LOOKS_OVER_PAGES) {
    // A member may have chosen a theme, which then stays.
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: 900 });
    if (opener && !(await opener.isVisible())) continue;
    for (const barrier of await findBarriers(page)) found.push(`${theme}, ${width} px wide: ${barrier}`);
  }
  await page.emulateMedia({ colorScheme: wasDark ? "dark" : "light" });
  if (before) await page.setViewportSize(before);
  return found;
}

/** Checks the loaded page in each look: it has no accessibility barriers and does not scroll sideways. */
export async function expectNoBarriers(page: Page, looks: readonly Look[] = LOOKS): Promise<void> {
  for (const look of looks) {
    await changeLook(page, look);
    const name = `${look.theme}, ${look.width} px wide`;
    expect.soft(await findBarriers(page), name).toEqual([]);
    expect.soft(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), name).toBeLessThanOrEqual(0);
  }
}
