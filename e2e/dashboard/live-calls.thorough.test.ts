import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claimFirst, dataOf, type SignedInMember } from "../harness/accounts.ts";
import { findBarriers } from "../harness/browser.ts";
import { getCall, placeCall, SILENT_NUMBER, untilPhase } from "../harness/calls.ts";
import { sendPatiently } from "../harness/http-client.ts";
import { looksOfJourney } from "./looks.ts";
import { beginWork, type MemberAtWork } from "./member-at-work.ts";
import { type DashboardScene, openDashboard, PATIENCE_MS } from "./visitor.ts";

const RINGING_NUMBER = "+15550101001";
const SCHEDULED_NUMBER = "+15550102001";
const QUEUED_NUMBER = "+15550103001";
/** Answers, says something, and then stays on the line. */
const STAYING = { answerAfterMs: 0, script: [{ say: "Hello?" }, { waitMs: 600_000 }] };

let scene: DashboardScene;
let operator: SignedInMember;

beforeAll(async () => {
  const env = { PARLEY_CONVERSATION_THREADS: "1", PARLEY_ADMISSION: "slots", PARLEY_CHARGE_SIMULATED_CALLS: "on" };
  scene = await openDashboard(env);
  operator = await claimFirst(scene.service);
});
afterAll(() => scene?.close());

const secondsOf = (clock: string | null) => {
  const [, minutes, seconds] = /(\d+):(\d\d)/.exec(clock ?? "") ?? [];
  return Number(minutes) * 60 + Number(seconds);
};

describe.each(looksOfJourney({ theme: "dark", width: 1280 }))("$theme, $width px wide", (look) => {
  let at: MemberAtWork;
  let page: Page;

  beforeAll(async () => {
    at = await beginWork(scene, look);
    page = at.page;
  });

  const lane = (name: string) => page.getByRole("region", { name, exact: true });
  const card = (name: string, number: string) => lane(name).getByRole("listitem").filter({ hasText: number });
  const button = (name: string | RegExp) => page.getByRole("button", { name });
  /** Reads a clock twice: the second reading is later. */
  async function expectToGrow(read: () => Promise<string | null>): Promise<void> {
    await expect.poll(async () => secondsOf(await read()), { timeout: PATIENCE_MS }).toBeGreaterThanOrEqual(0);
    const before = secondsOf(await read());
    await expect.poll(async () => secondsOf(await read()), { timeout: PATIENCE_MS }).toBeGreaterThan(before);
  }

  test("the board is empty, and says so", async () => {
    await at.keys.to(page.getByRole("radio", { name: "All calls" }));
    await at.keys.arrow("ArrowRight", page.getByRole("radio", { name: "In progress" }));
    await page.getByText("No calls in progress").waitFor();
    await page.waitForURL(/show=live/);
  });

  test("calls appear by how far they are, with what each of them waits for, and their time grows", async () => {
    const ringing = await placeCall(at.caller, RINGING_NUMBER, { simulation: { answerAfterMs: 120_000 } });
    await untilPhase(at.caller, ringing, "ringing", PATIENCE_MS);
    const talking = await placeCall(at.caller, SILENT_NUMBER, { simulation: STAYING });
    await placeCall(at.caller, SCHEDULED_NUMBER, { scheduledAt: new Date(Date.now() + 86_400_000).toISOString() });
    await untilPhase(at.caller, talking, "talking", PATIENCE_MS);
    await card("Dialing", RINGING_NUMBER).getByText("Ringing", { exact: true }).waitFor();
    await card("Waiting", SCHEDULED_NUMBER)
      .getByText(/^Scheduled for /)
      .waitFor();
    await card("Talking", SILENT_NUMBER).getByText("Waiting for the callee to speak").waitFor();
    await card("Talking", SILENT_NUMBER)
      .getByText(/^Agent: “/)
      .waitFor();
    await expectToGrow(() => card("Talking", SILENT_NUMBER).textContent());
    await expectToGrow(() => card("Dialing", RINGING_NUMBER).textContent());
    expect(await findBarriers(page)).toEqual([]);
  });

  test("a call that has to wait for a limit says which", async () => {
    const path = `/api/v1/operator/accounts/${at.member.accountId}`;
    const limits = { method: "PATCH", path, headers: operator.cookie, json: { concurrencyMax: 1 } };
    dataOf(await sendPatiently(scene.service.url, limits));
    const queued = await placeCall(at.caller, QUEUED_NUMBER);
    const { waiting } = await getCall(at.caller, queued);
    expect(waiting.explanation).toContain("at once");
    await card("Waiting", QUEUED_NUMBER).getByText(waiting.explanation).waitFor();
    dataOf(await sendPatiently(scene.service.url, { ...limits, json: { concurrencyMax: 20 } }));
    await card("Waiting", QUEUED_NUMBER).waitFor({ state: "detached" });
  });

  test("a call of the board is opened, followed and ended, and leaves the board", async () => {
    await at.keys.enter(card("Dialing", RINGING_NUMBER).getByRole("link"));
    await page.getByRole("heading", { name: RINGING_NUMBER }).waitFor();
    await at.keys.enter(button("Cancel call"));
    await button("Call again").waitFor();
    await page.goBack();
    await lane("Talking").waitFor();
    await card("Dialing", RINGING_NUMBER).waitFor({ state: "detached" });
  });

  test("the page of a live call counts its time and its cost", async () => {
    await page.goto(`${scene.service.url}/calls?mode=live`);
    await at.keys.enter(page.getByRole("button", { name: "New call", exact: true }).first());
    const dialog = page.getByRole("dialog");
    // One who keeps talking, slowly.
    await at.keys.write(dialog.getByLabel("Phone number"), "+12025550014");
    await dialog.getByText(/per minute$/).waitFor();
    for (const [label, value] of [
      ["First name", "Ada"],
      ["From whom", "Green Street Dental"],
      ["Appointment time", "tomorrow at 9"],
    ] as const) {
      const field = dialog.getByLabel(label, { exact: true });
      if ((await field.count()) > 0) await at.keys.write(field, value);
    }
    await at.keys.enter(dialog.getByRole("button", { name: "Call now" }));
    await page.waitForURL(/\/calls\/call_/);
    await page.getByText("Talking", { exact: true }).first().waitFor();
    const cost = () => page.getByRole("region", { name: "Cost" }).textContent();
    const soFar = async () => Number(/About \$([\d.]+) so far/.exec((await cost()) ?? "")?.[1] ?? Number.NaN);
    await expect.poll(soFar, { timeout: PATIENCE_MS }).toBeGreaterThan(0);
    const before = await soFar();
    await expectToGrow(() => page.getByRole("main").locator("header").textContent());
    await expect.poll(soFar, { timeout: PATIENCE_MS }).toBeGreaterThan(before);
    expect(await findBarriers(page)).toEqual([]);
    await at.keys.enter(button(/^Hang up$/));
    await button("Call again").waitFor();
    await expect.poll(cost).toMatch(/\$\d/);
  });

  test("in all of this nothing was wrong with the page or with the focus", () => {
    expect(at.complaints).toEqual([]);
    expect(at.keys.takeFaults()).toEqual([]);
  });
});
