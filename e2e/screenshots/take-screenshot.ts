import { writeFile } from "node:fs/promises";
import type { Page } from "playwright-core";

/** Small enough for a repository, and letters stay sharp. */
const QUALITY = 80;

/** What is in sight, as WebP. Playwright itself writes PNG and JPEG alone. */
export async function takeScreenshot(page: Page, file: string): Promise<number> {
  const browser = await page.context().newCDPSession(page);
  const { data } = await browser.send("Page.captureScreenshot", { format: "webp", quality: QUALITY });
  await browser.detach();
  const bytes = Buffer.from(data, "base64");
  await writeFile(file, bytes);
  return bytes.length;
}
