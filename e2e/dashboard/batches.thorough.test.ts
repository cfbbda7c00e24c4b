import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claimFirst, dataOf, type SignedInMember } from "../harness/accounts.ts";
import { findBarriers } from "../harness/browser.ts";
import { sendPatiently } from "../harness/http-client.ts";
import { looksOfJourney } from "./looks.ts";
import { beginWork, type MemberAtWork } from "./member-at-work.ts";
import { type DashboardScene, openDashboard, PATIENCE_MS } from "./visitor.ts";

/** More than the rows that one request checks. */
const ROWS = 300;
/** Fewer than the rows, so that a batch is still being placed when it is paused. */
const QUEUED_FIRST = 20;

let scene: DashboardScene;
let operator: SignedInMember;

beforeAll(async () => {
  scene = await openDashboard({ PARLEY_ADMISSION: "slots" });
  operator = await claimFirst(scene.service);
});
afterAll(() => scene?.close());

/** Busy callees end their calls immediately. */
const busyNumber = (n: number) => `+1555${100 + n}0002`;

describe.each(looksOfJourney({ theme: "light", width: 1440 }))("$theme, $width px wide", (look) => {
  let at: MemberAtWork;
  let page: Page;

  beforeAll(async () => {
    at = await beginWork(scene, look);
    page = at.page;
  });

  const changeLimits = async (json: object) => {
    const path = `/api/v1/operator/accounts/${at.member.accountId}`;
    dataOf(await sendPatiently(scene.service.url, { method: "PATCH", path, headers: operator.cookie, json }));
  };
  const problems = () => page.getByRole("list", { name: "Rows with problems" }).getByRole("listitem");
  const list = () => page.getByPlaceholder("phone,first_name");
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const figure = (name: string) =>
    page
      .getByRole("region", { name: "Progress" })
      .locator("dl > div", { has: page.getByText(name, { exact: true }) })
      .locator("dd")
      .textContent();
  const progress = () => page.getByRole("progressbar", { name: "Finished rows" }).getAttribute("aria-valuenow");
  const openBatch = () => at.read(`batches/${new URL(page.url()).pathname.split("/").at(-1)}`);

  const HEADER = "Mobile;Vorname;From whom;Appointment time;Order";
  const line = (number: string, name: string, order: number) =>
    `${number};${name};Green Street Dental;tomorrow at 9;${order}`;

  test("a list is dropped onto the page, and its columns are assigned", async () => {
    await at.keys.enter(page.getByRole("link", { name: "Batches", exact: true }));
    await page.getByText("No batches yet").waitFor();
    await at.keys.enter(page.getByRole("link", { name: "New batch" }).first());
    await page.getByRole("heading", { name: "New batch" }).waitFor();
    await at.keys.choose(page.getByLabel("Agent", { exact: true }), "Appointment");
    const csv = [
      HEADER,
      line(busyNumber(0), "Ada", 4711),
      line("030 12", "Grace", 4712),
      line(busyNumber(0), "Ada again", 4713),
      line(busyNumber(1), "", 4714),
      line(busyNumber(2), "Alan", 4715),
    ].join("\n");
    const dropped = await page.evaluateHandle(`(() => {
      const dropped = new DataTransfer();
      dropped.items.add(new File([${JSON.stringify(csv)}], "reminders.csv", { type: "text/csv" }));
      return dropped;
    })()`);
    await list().dispatchEvent("drop", { dataTransfer: dropped });
    await expect.poll(() => list().inputValue()).toBe(csv);
    const useOf = (column: string) => page.getByLabel(`Use ${column} as`);
    // Known by their names, as people write them.
    await expect.poll(() => useOf("Mobile").inputValue()).toBe("number");
    await expect.poll(() => useOf("From whom").inputValue()).toBe("variable:from_whom");
    await expect.poll(() => useOf("Appointment time").inputValue()).toBe("variable:appointment_time");
    expect(await useOf("Order").inputValue()).toBe("metadata");
    // A name in another language is not.
    expect(await useOf("Vorname").inputValue()).toBe("metadata");
    await at.keys.choose(useOf("Vorname"), "Variable first");
    await expect.poll(() => useOf("Vorname").inputValue()).toBe("variable:first_name");
    expect(await findBarriers(page)).toEqual([]);
  });

  test("each row is checked, and every wrong one is named with its mistake", async () => {
    await at.keys.enter(button("Check 5 rows"));
    await page.getByText("2 rows are ready to call. 3 rows have problems and are left out.").waitFor();
    expect(await problems().allTextContents()).toEqual([
      expect.stringMatching(/^Row 203012The phone number must be a plus sign/),
      expect.stringMatching(/^Row 3.*The number occurs earlier in the list\.$/),
      expect.stringMatching(/^Row 4.*The variable first_name has no value\.$/),
    ]);
    expect(await button("Place 2 calls").isDisabled()).toBe(true);
    await page.getByText("Give the batch a name first.").waitFor();
    expect(await findBarriers(page)).toEqual([]);
  });

  test("two rows are repaired, one is left out, and the others are called", async () => {
    const repaired = [
      HEADER,
      line(busyNumber(0), "Ada", 4711),
      line(busyNumber(3), "Grace", 4712),
      line(busyNumber(0), "Ada again", 4713),
      line(busyNumber(1), "Edsger", 4714),
      line(busyNumber(2), "Alan", 4715),
    ].join("\n");
    // The problems appeared above the button, and a person who reads on scrolls to it.
    await button("Check again").evaluate("(checkAgain) => checkAgain.scrollIntoView({ block: 'center' })");
    await at.keys.write(page.getByLabel("Name", { exact: true }), "Reminders for Monday");
    await at.keys.write(list(), repaired);
    // Another list may have other columns.
    await at.keys.choose(page.getByLabel("Use Vorname as"), "Variable first");
    await at.keys.enter(button("Check 5 rows"));
    await page.getByText("4 rows are ready to call. 1 row has a problem and is left out.").waitFor();
    expect(await problems().allTextContents()).toEqual([expect.stringMatching(/^Row 3/)]);
    await at.keys.enter(button("Place 4 calls"));
    await page.getByRole("heading", { name: "Reminders for Monday" }).waitFor();
    await page.getByText("Finished", { exact: true }).waitFor();
    expect(await figure("Failed")).toBe("4");
    const rows = await at.readAll(`batches/${(await openBatch()).id}/rows`);
    expect(rows.map(({ phoneNumber }) => phoneNumber)).toEqual([0, 3, 1, 2].map(busyNumber));
    const call = await at.read(`calls/${rows[2].call.id}`);
    expect(call).toMatchObject({
      variables: { first_name: "Edsger", from_whom: "Green Street Dental", appointment_time: "tomorrow at 9" },
      metadata: { Order: "4714" },
    });
  });

  test("a file of several hundred rows is checked in parts and placed", async () => {
    await changeLimits({ queuedMax: QUEUED_FIRST, concurrencyMax: 0, callsPerSecond: 100 });
    await page.goto(`${scene.service.url}/calls/batches/new`);
    await page.getByLabel("Name", { exact: true }).fill("Many reminders");
    await page.getByLabel("Agent", { exact: true }).selectOption({ label: "Appointment confirmation" });
    const lines = Array.from({ length: ROWS }, (_, n) => line(busyNumber(n), `Person ${n}`, n));
    const csv = [HEADER.replace("Vorname", "First name"), ...lines].join("\r\n");
    const file = { name: "many.csv", mimeType: "text/csv", buffer: Buffer.from(csv) };
    await page.getByLabel("Choose a file").setInputFiles(file);
    await at.keys.enter(button(`Check ${ROWS} rows`));
    await page.getByText(`${ROWS} rows are ready to call.`, { exact: true }).waitFor();
    await at.keys.enter(button(`Place ${ROWS} calls`));
    await page.getByRole("heading", { name: "Many reminders" }).waitFor();
    await page.getByText("Calling", { exact: true }).waitFor();
  });

  test("a paused batch places no further row, whatever becomes free", async () => {
    await expect.poll(async () => (await openBatch()).counts.inProgress).toBe(QUEUED_FIRST);
    await at.keys.enter(button("Pause"));
    await page.getByText("Paused", { exact: true }).waitFor();
    const { counts, status } = await openBatch();
    expect(status).toBe("paused");
    expect(counts.waiting).toBeGreaterThan(0);
    await changeLimits({ queuedMax: 1000, concurrencyMax: 50 });
    await expect.poll(async () => (await openBatch()).counts.inProgress, { timeout: PATIENCE_MS }).toBe(0);
    // The page follows without being loaded again.
    await expect.poll(() => figure("Not ended yet"), { timeout: PATIENCE_MS }).toBe("0");
    expect(await figure("Waiting")).toBe(String(counts.waiting));
    expect(await figure("Failed")).toBe(String(ROWS - counts.waiting));
    expect(await progress()).toBe(String(Math.round((100 * (ROWS - counts.waiting)) / ROWS)));
    expect(await findBarriers(page)).toEqual([]);
  });

  test("it is found in the list of batches, resumed, and followed to its end", async () => {
    await at.keys.enter(page.getByRole("link", { name: "Batches", exact: true }));
    const item = page.getByRole("listitem").filter({ hasText: "Many reminders" });
    await item.getByText("Paused", { exact: true }).waitFor();
    await at.keys.enter(item.getByRole("link", { name: "Many reminders" }));
    await at.keys.enter(button("Resume"));
    await page.getByText("Finished", { exact: true }).waitFor();
    await expect.poll(() => figure("Failed")).toBe(String(ROWS));
    expect(await progress()).toBe("100");
    expect(await button("Cancel").count()).toBe(0);
  });

  test("the file of results says of each row what the API says", async () => {
    const download = page.waitForEvent("download");
    await at.keys.enter(page.getByRole("link", { name: "Export CSV" }));
    const file = await download;
    expect(file.suggestedFilename()).toBe("Many reminders.csv");
    const [, ...lines] = (await readFile(await file.path(), "utf8")).trimEnd().split("\r\n");
    const rows = await at.readAll(`batches/${(await openBatch()).id}/rows`);
    expect(rows).toHaveLength(ROWS);
    // No cell before the variables has a comma.
    expect(lines.map((text) => text.split(",").slice(0, 7))).toEqual(
      rows.map(({ number, phoneNumber, status, call }) => [
        ...[String(number), phoneNumber, status, ""],
        ...[call.id, call.status, call.endReason],
      ]),
    );
    expect(new Set(rows.map(({ phoneNumber }) => phoneNumber)).size).toBe(ROWS);
    expect(lines[17]).toContain('""first_name"":""Person 17""');
  });

  test("a row leads to its call", async () => {
    await at.keys.enter(page.getByRole("link", { name: busyNumber(7) }));
    await page.getByRole("heading", { name: busyNumber(7) }).waitFor();
    await page.getByText("Busy", { exact: true }).first().waitFor();
  });

  test("in all of this nothing was wrong with the page or with the focus", () => {
    expect(at.complaints).toEqual([]);
    expect(at.keys.takeFaults()).toEqual([]);
  });
});
