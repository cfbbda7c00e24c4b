import { run } from "@parley/server/platform/database/database";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKey, signInAgain } from "../harness/accounts.ts";
import { ask, until } from "../harness/api-client.ts";
import { type ApiWorld, openApiWorld } from "../harness/api-world.ts";
import { findBarriers, openBrowser, openPage, type WatchedPage } from "../harness/browser.ts";
import { placeCall } from "../harness/calls.ts";
import type { ServiceProcess } from "../harness/service-process.ts";
import { giveBuiltDashboard } from "./built-once.ts";
import { looksOfJourney } from "./looks.ts";
import { PATIENCE_MS, signUpOnPage } from "./visitor.ts";

const CALLS = 10_000;
/** The visible ones and a few above and below. */
const ROWS_MAX = 60;
/** The same call repeatedly, a second apart, back in time. */
const MULTIPLY = `insert into calls select made.* from calls c, generate_series(1, ${CALLS - 1}) i,
    lateral jsonb_populate_record(c, jsonb_build_object(
      'id', 'call_' || lpad($2 || lpad(i::text, 6, '0'), 26, '0'),
      'created_at', c.created_at - i * interval '1 second')) made
  where c.id = $1`;

let world: ApiWorld;
let service: ServiceProcess;
let browser: Browser;

beforeAll(async () => {
  world = await openApiWorld({ unchecked: "calls are copied without their events" });
  await giveBuiltDashboard(world.dataDir);
  service = await world.start({ PARLEY_DASHBOARD: "on", PARLEY_LOG_LEVEL: "info" });
  await until(
    async () => service.output(),
    (printed) => printed.includes("dashboard is ready"),
    PATIENCE_MS,
  );
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

describe.each(looksOfJourney({ theme: "light", width: 1440 }))("$theme, $width px wide", ({ theme, width }) => {
  async function visit(): Promise<WatchedPage> {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: theme });
    context.setDefaultTimeout(PATIENCE_MS);
    return openPage(context, service.url);
  }

  test("in a list of 10,000 calls only the visible rows exist, more load on scrolling, and a new one appears on top", async () => {
    const { page, complaints } = await visit();
    const email = await signUpOnPage(page, service.url);
    const { cookie } = await signInAgain(service.url, email);
    const { key } = await createKey(service.url, cookie);
    const agents = await ask(service.url, "/api/v1/agents", { key });
    const caller = { url: service.url, key, agentId: agents.body.data[0].id };
    const callId = await placeCall(caller, "+15550100001");
    // Calls that wait would fill the queue.
    await ask(service.url, `/api/v1/calls/${callId}/hangup`, { key, method: "POST" });
    await run(world.db, MULTIPLY, [callId, `${width}${theme.length}`]);

    await page.reload();
    const rows = page.getByRole("table", { name: "Calls" }).getByRole("link");
    await rows.first().waitFor();
    for (let screens = 0; screens < 12; screens += 1) {
      const before = (await page.evaluate("document.documentElement.scrollHeight")) as number;
      await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
      await until(
        async () => (await page.evaluate("document.documentElement.scrollHeight")) as number,
        (height) => height > before,
        PATIENCE_MS,
      );
      expect(await rows.count()).toBeLessThan(ROWS_MAX);
    }

    await placeCall(caller, "+15550109999");
    await page.evaluate("scrollTo(0, 0)");
    await page.getByRole("link", { name: "+15550109999" }).waitFor();
    await expect.poll(() => rows.first().textContent()).toBe("+15550109999");
    expect(complaints).toEqual([]);
  });

  test("calls are found while typing: by part of a number, as people write it, by id, and by metadata", async () => {
    const { page, complaints } = await visit();
    const email = await signUpOnPage(page, service.url);
    const { cookie } = await signInAgain(service.url, email);
    const { key } = await createKey(service.url, cookie);
    const agents = await ask(service.url, "/api/v1/agents", { key });
    const agentId = agents.body.data[0].id;
    const body = { phoneNumber: "+15550100020", agentId, metadata: { customer: "Müller & Söhne" } };
    const found = await ask(service.url, "/api/v1/calls", { key, method: "POST", body });
    await placeCall({ url: service.url, key, agentId }, "+15552990002");
    await page.reload();
    const rows = page.getByRole("table", { name: "Calls" }).getByRole("link");
    const field = page.getByLabel("Search calls");
    await rows.nth(1).waitFor();
    for (const typed of ["(555) 010-0020", "+1 555 010 0020", "0100020", "+1 555 010", found.body.data.id, "mull"]) {
      await field.fill(typed);
      await expect.poll(() => rows.allTextContents(), { message: typed }).toEqual(["+15550100020"]);
    }
    await page.locator("mark", { hasText: "Müller" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await field.fill("!!!");
    await page.getByText("Enter a word, part of a phone number or a call ID.").waitFor();
    await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
    expect(await findBarriers(page)).toEqual([]);
    await field.fill("");
    await rows.nth(1).waitFor();
    // A phone shows no columns to sort by.
    if (width >= 1024) {
      await page.getByRole("columnheader", { name: "Time" }).getByRole("button").click();
      await expect.poll(() => rows.allTextContents()).toEqual(["+15550100020", "+15552990002"]);
    }
    await page.getByRole("radio", { name: "In progress" }).click();
    await page.getByRole("region", { name: "Waiting" }).getByRole("link", { name: "+15550100020" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
