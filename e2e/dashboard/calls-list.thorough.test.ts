import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBarriers } from "../harness/browser.ts";
import { completeCall, placeCall, untilPhase } from "../harness/calls.ts";
import { readFirstRun } from "../harness/service-process.ts";
import { looksOfJourney } from "./looks.ts";
import { beginWork, type MemberAtWork } from "./member-at-work.ts";
import { multiplyCall } from "./multiplied-calls.ts";
import { type DashboardScene, openDashboard, PATIENCE_MS, signInOnPage } from "./visitor.ts";

const BUSY_NUMBER = "+15550100002";
const COPIES = 320;
/** The agent says what the search looks for. */
const TALK = {
  variables: { first_name: "Ada", from_whom: "from Marmalade Dental", appointment_time: "tomorrow at 9" },
  simulation: { answerAfterMs: 0, script: [{ say: "Hello?" }, { waitForTurn: true }, { hangUp: true }] },
};

let scene: DashboardScene;

beforeAll(async () => {
  scene = await openDashboard({ PARLEY_CONVERSATION_THREADS: "1" }, "before", {
    unchecked: "calls are copied without their events",
  });
  // The first call waits for the speech models.
  await completeCall({ url: scene.service.url, ...(await readFirstRun(scene.service)) });
});
afterAll(() => scene?.close());

describe.each(looksOfJourney({ theme: "dark", width: 1280 }))("$theme, $width px wide", (look) => {
  let at: MemberAtWork;
  let page: Page;
  let talkedId: string;
  const hasColumns = look.width >= 1024;

  beforeAll(async () => {
    at = await beginWork(scene, look);
    page = at.page;
    const busyId = await placeCall(at.caller, BUSY_NUMBER);
    talkedId = await placeCall(at.caller, "+15550104711", TALK);
    await untilPhase(at.caller, busyId, "ended", PATIENCE_MS);
    await untilPhase(at.caller, talkedId, "ended", PATIENCE_MS);
    await scene.query(multiplyCall(busyId, COPIES, look));
    await openList();
  });

  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const field = (name: string) => page.getByLabel(name, { exact: true });
  const dialog = () => page.getByRole("dialog");
  const rows = () => page.getByRole("table", { name: "Calls" }).getByRole("link");
  const parameter = (name: string) => new URL(page.url()).searchParams.get(name);
  const hits = () => page.getByRole("main").getByRole("status").first().textContent();

  async function openList(search = ""): Promise<void> {
    await page.goto(`${scene.service.url}/calls${search}`);
    await rows().first().waitFor();
  }

  test("the search says all of what it finds before anything is typed", async () => {
    const isWhole = await page.evaluate(`(() => {
      const input = document.querySelector("main input[placeholder]");
      const { font, paddingLeft, paddingRight } = getComputedStyle(input);
      const pen = document.createElement("canvas").getContext("2d");
      pen.font = font;
      const room = input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
      return pen.measureText(input.placeholder).width <= room;
    })()`);
    expect(isWhole).toBe(true);
  });

  test("words that were said find their call, with the words around them and the place in the recording", async () => {
    await at.keys.write(field("Search calls"), "marmalade");
    await expect.poll(() => rows().allTextContents()).toEqual(["+15550104711"]);
    await page.locator("mark", { hasText: /marmalade/i }).waitFor();
    await page
      .getByRole("table", { name: "Calls" })
      .getByText(/^Agent: .*marmalade dental/i)
      .waitFor();
    await expect.poll(hits).toBe("1 match");
    expect(await findBarriers(page)).toEqual([]);
    await at.keys.enter(rows().first());
    await page.waitForURL(/atMs=\d+/);
    await page
      .getByRole("list", { name: "Transcript" })
      .getByText(/marmalade/i)
      .waitFor();
  });

  test("a range of dates leaves the calls of these days, and says how many they are", async () => {
    await openList();
    await expect.poll(hits).toBe(`${COPIES + 2} calls`);
    await at.keys.choose(field("Period"), "Last 24");
    const within = (hours: number) => `calls?createdAfter=${new Date(Date.now() - hours * 3_600_000).toISOString()}`;
    const ofDay = await at.readAll(within(24));
    await expect.poll(hits).toBe(`${ofDay.length} calls`);
    await field("Period").selectOption("custom");
    const day = (daysAgo: number) => {
      const date = new Date(Date.now() - daysAgo * 86_400_000);
      return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
        .map((part) => String(part).padStart(2, "0"))
        .join("-");
    };
    await page.getByRole("group", { name: "Dates" }).getByLabel("From").fill(day(4));
    await page.getByRole("group", { name: "Dates" }).getByLabel("to").fill(day(3));
    await expect.poll(hits).toBe("48 calls");
    const chosen = new URLSearchParams();
    for (const name of ["createdAfter", "createdBefore"]) chosen.set(name, parameter(name) ?? "");
    expect(await at.readAll(`calls?${chosen}`)).toHaveLength(48);
    await page.reload();
    await expect.poll(hits).toBe("48 calls");
    expect(await findBarriers(page)).toEqual([]);
    await at.keys.enter(button("Clear"));
    await expect.poll(hits).toBe(`${COPIES + 2} calls`);
  });

  // A phone shows no columns.
  if (hasColumns) {
    test("columns sort the calls, and are shown, hidden and remembered with the height of rows", async () => {
      await openList();
      const column = (name: string) => page.getByRole("columnheader", { name });
      await at.keys.enter(column("Duration").getByRole("button"));
      await page.waitForURL(/sort=-durationSeconds/);
      await expect.poll(() => rows().first().textContent()).toBe("+15550104711");
      expect(await column("Duration").getAttribute("aria-sort")).toBe("descending");
      await at.keys.enter(column("Time").getByRole("button"));
      await at.keys.enter(column("Time").getByRole("button"));
      await page.waitForURL(/sort=createdAt/);
      await expect.poll(() => rows().first().textContent()).toBe(`+1555${String(COPIES).padStart(7, "0")}`);
      expect(await column("Time").getAttribute("aria-sort")).toBe("ascending");
      await at.keys.enter(column("Time").getByRole("button"));
      await expect.poll(() => rows().first().textContent()).toBe("+15550104711");

      const toggle = async (name: string) => {
        await at.keys.enter(button("Columns"));
        const item = page.getByRole("menuitemcheckbox", { name }).or(page.getByRole("menuitemradio", { name }));
        await item.waitFor();
        // The menu moves the focus itself while it opens.
        await expect.poll(() => item.focus().then(() => at.keys.isAt(item))).toBe(true);
        await at.keys.press("Enter");
        await at.keys.press("Escape");
        await page.getByRole("menu").waitFor({ state: "detached" });
      };
      const heightOf = async () => (await page.getByRole("row").nth(2).boundingBox())?.height;
      const before = (await heightOf()) ?? 0;
      await toggle("Engine");
      await column("Engine").waitFor();
      await toggle("Answered by");
      await column("Answered by").waitFor({ state: "detached" });
      await toggle("Compact");
      await expect.poll(heightOf).toBeLessThan(before);
      await page.reload();
      await rows().first().waitFor();
      await column("Engine").waitFor();
      expect(await column("Answered by").count()).toBe(0);
      expect(await heightOf()).toBeLessThan(before);
      expect(await findBarriers(page)).toEqual([]);
    });
  }

  test("a view is saved with its filters, chosen again, replaced, deleted and brought back", async () => {
    await openList();
    await at.keys.choose(field("Status"), "Completed");
    await page.waitForURL(/status=completed/);
    await at.keys.pick(button("Views"), "Save current view…");
    await dialog().waitFor();
    await at.keys.write(field("Name"), "Answered calls");
    await at.keys.press("Enter");
    await dialog().waitFor({ state: "detached" });
    await at.keys.enter(button("Clear"));
    await expect.poll(hits).toBe(`${COPIES + 2} calls`);
    await at.keys.pick(button("Views"), "Answered calls");
    await page.waitForURL(/status=completed/);
    await expect.poll(hits).toBe("1 call");
    expect(await field("Status").inputValue()).toBe("completed");

    await field("Status").selectOption("failed");
    await expect.poll(hits).toBe(`${COPIES + 1} calls`);
    await at.keys.pick(button("Views"), "Save current view…");
    await at.keys.write(field("Name"), "Answered calls");
    await dialog().getByText("Replaces the view with this name.").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await at.keys.press("Enter");
    await dialog().waitFor({ state: "detached" });
    await openList();
    await at.keys.pick(button("Views"), "Answered calls");
    await page.waitForURL(/status=failed/);

    await at.keys.pick(button("Views"), "Delete views…");
    await at.keys.enter(button("Delete Answered calls"));
    await dialog().getByText("No saved views.").waitFor();
    await at.keys.enter(button("Done"));
    await at.keys.undo();
    await expect
      .poll(async () => (await at.read("call-views")).map(({ name }: { name: string }) => name))
      .toEqual(["Answered calls"]);
  });

  test("the filtered calls are exported, each of them once and as the API has it", async () => {
    await openList("?status=failed");
    await expect.poll(hits).toBe(`${COPIES + 1} calls`);
    const download = page.waitForEvent("download");
    await at.keys.enter(button("Export CSV"));
    const [head = "", ...lines] = (await readFile(await (await download).path(), "utf8")).trimEnd().split("\r\n");
    const names = head.split(",");
    const calls = await at.readAll("calls?status=failed");
    expect(calls).toHaveLength(COPIES + 1);
    const of = (cells: readonly string[], name: string) => cells[names.indexOf(name)];
    expect(
      lines
        .map((line) => line.split(","))
        .map((cells) => [of(cells, "id"), of(cells, "phoneNumber"), of(cells, "endReason")]),
    ).toEqual(calls.map(({ id, phoneNumber, endReason }) => [id, phoneNumber, endReason]));
    expect(lines.map((line) => of(line.split(","), "createdAt"))).toEqual(calls.map(({ createdAt }) => createdAt));
  });

  test("who comes back from a call is where they were in the list", async () => {
    await openList("?status=failed");
    const height = () => page.evaluate<number>("document.documentElement.scrollHeight");
    for (let screens = 0; screens < 3; screens += 1) {
      const before = await height();
      await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
      await expect.poll(height).toBeGreaterThan(before);
    }
    await page.evaluate("scrollTo(0, 5000)");
    /** The first call in the middle of the screen, or where a call is by now. */
    const find = (number: string | null) =>
      page.evaluate<{ number: string; top: number } | null>(`(() => {
        const shown = [...document.querySelectorAll("[role=table] a")].map((link) => ({
          number: link.textContent,
          top: Math.round(link.getBoundingClientRect().top),
        }));
        return shown.find(({ number, top }) => ${number === null ? "top > 300 && top < 700" : `number === "${number}"`}) ?? null;
      })()`);
    await expect.poll(() => find(null)).not.toBeNull();
    const seen = await find(null);
    const number = seen?.number ?? "";
    await page.mouse.click(100 + look.width / 3, (seen?.top ?? 0) + 10);
    await page.getByRole("heading", { name: number }).waitFor();
    expect(await page.evaluate("scrollY")).toBe(0);
    await page.goBack();
    await expect.poll(() => find(number)).toEqual(seen);
  });

  test("the way back that stands above a call leads to the same filters", async () => {
    await openList("?status=failed");
    await page.locator("[role=table] a").first().click();
    await page.getByRole("main").getByRole("link", { name: "Calls" }).click();
    await rows().first().waitFor();
    expect(parameter("status")).toBe("failed");
  });

  test("a link to live calls opens in live mode with its filters, also for those who have to sign in first", async () => {
    const isLive = () => page.getByRole("radio", { name: "Live" }).getAttribute("aria-checked");
    await page.goto(`${scene.service.url}/calls?mode=live`);
    await page.getByText("No live calls yet").waitFor();
    expect(await isLive()).toBe("true");
    await page.context().clearCookies();
    await page.goto(`${scene.service.url}/calls?mode=live&status=failed`);
    await signInOnPage(page, at.member.email);
    await page.getByRole("heading", { name: "No matching calls" }).waitFor();
    expect(await isLive()).toBe("true");
    expect(await field("Status").inputValue()).toBe("failed");
    await at.keys.to(page.getByRole("radio", { name: "Live" }));
    await at.keys.arrow("ArrowLeft", page.getByRole("radio", { name: "Test" }));
    await rows().first().waitFor();
    expect(parameter("mode")).toBeNull();
    expect(parameter("status")).toBe("failed");
  });

  test("in all of this nothing was wrong with the page or with the focus", () => {
    expect(at.complaints).toEqual([]);
    expect(at.keys.takeFaults()).toEqual([]);
  });
});
