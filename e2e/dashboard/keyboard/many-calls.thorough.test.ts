import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { placeCall, untilPhase } from "../../harness/calls.ts";
import { looksOfJourney } from "../looks.ts";
import { beginWork, type MemberAtWork } from "../member-at-work.ts";
import { multiplyCall } from "../multiplied-calls.ts";
import { type DashboardScene, openDashboard, PATIENCE_MS } from "../visitor.ts";

const BUSY_NUMBER = "+15550100002";
const CALLS = 1000;
/** As far as one tabs: six pages of the list. */
const WALKED = 300;

let scene: DashboardScene;
beforeAll(async () => {
  scene = await openDashboard({}, "before", { unchecked: "calls are copied without their events" });
});
afterAll(() => scene?.close());

describe.each(looksOfJourney({ theme: "light", width: 1280 }))("$theme, $width px wide", (look) => {
  let at: MemberAtWork;

  beforeAll(async () => {
    at = await beginWork(scene, look);
    const callId = await placeCall(at.caller, BUSY_NUMBER);
    await untilPhase(at.caller, callId, "ended", PATIENCE_MS);
    await scene.query(multiplyCall(callId, CALLS, look));
    await at.page.reload();
    await row(1).waitFor();
  });
  afterEach(() => expect(at.keys.takeFaults()).toEqual([]));

  /** The calls have the numbers of their places, below the one that was placed. */
  const numberOf = (place: number) => `+1555${String(place).padStart(7, "0")}`;
  const row = (place: number) => at.page.getByRole("link", { name: numberOf(place) });

  /** Presses Tab or Shift+Tab from one call to another, and is at each on the way. */
  async function walk(from: number, to: number): Promise<void> {
    const step = Math.sign(to - from);
    for (let place = from + step; place !== to + step; place += step) {
      await at.keys.press(step > 0 ? "Tab" : "Shift+Tab");
      await expect.poll(() => at.keys.place()).toBe(`link “${numberOf(place)}”`);
    }
  }

  test("Tab goes from call to call, as far as one likes: more are loaded on the way, and each is in view", async () => {
    await at.keys.to(row(1));
    await walk(1, WALKED);
  });

  test("a call is opened, and one comes back to it in the list", async () => {
    const { page, keys } = at;
    await keys.press("Enter");
    await page.getByRole("heading", { name: numberOf(WALKED), level: 1 }).waitFor();
    await page.goBack();
    await expect.poll(() => keys.isAt(row(WALKED))).toBe(true);
    await walk(WALKED, WALKED + 5);
  });

  test("Shift+Tab goes all the way back to the first call", async () => {
    await walk(WALKED + 5, 1);
    expect(at.complaints).toEqual([]);
  });
});
