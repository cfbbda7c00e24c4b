import type { Page } from "playwright-core";
import { expect } from "vitest";
import { createKey } from "../../harness/accounts.ts";
import { placeCall, untilPhase } from "../../harness/calls.ts";
import { PATIENCE_MS } from "../visitor.ts";
import { atKeyboard, type Installation, type KeyboardPage, testPages } from "./keyboard-scene.ts";

/** A call that was held, recorded and ended. */
async function seed({ url, operator, read }: Installation) {
  const { key } = await createKey(url, operator.cookie);
  const [agent] = await read("agents");
  const caller = { url, key, agentId: agent.id };
  const callId = await placeCall(caller, "+15550100001", {
    simulation: { answerAfterMs: 0, script: [{ say: "Hello?" }, { waitMs: 2500 }, { hangUp: true }] },
  });
  await untilPhase(caller, callId, "ended", PATIENCE_MS);
  return { callId };
}
type Seed = Awaited<ReturnType<typeof seed>>;

const soundAt = (page: Page) => page.evaluate<number>("document.querySelector('audio').currentTime");

const PAGES: readonly KeyboardPage<Seed>[] = [
  {
    route: "/",
    sign: ({ heading }) => heading("How calls ended"),
    deeds: {
      "the period is chosen, and a chart is read as a table": async ({ page, keys }) => {
        await keys.to(page.getByRole("radio", { name: "7 d" }));
        await keys.arrow("ArrowLeft", page.getByRole("radio", { name: "24 h" }));
        await page.waitForURL(/period=day/);
        const calls = page.getByRole("region", { name: "Calls", exact: true });
        await keys.enter(calls.locator("summary"));
        await calls.getByRole("table").waitFor();
        await keys.press("Tab");
        expect(await keys.isAt(calls.locator("[tabindex='0']"))).toBe(true);
      },
      "a reason leads to its calls": async ({ page, keys, heading, isSomewhere }) => {
        await keys.enter(page.getByRole("region", { name: "How calls ended" }).getByRole("link").first());
        await heading("Calls").waitFor();
        await isSomewhere();
      },
    },
  },
  {
    route: "/calls",
    sign: ({ link }) => link("+15550100001"),
    deeds: {
      "calls are narrowed, and what was cleared comes back": async ({ page, keys, button, link, field }) => {
        await keys.choose(field("Status"), "Failed");
        await page.waitForURL(/status=failed/);
        await keys.enter(button("Clear"));
        await link("+15550100001").waitFor();
        await expect.poll(() => keys.place()).toContain("search");
        await keys.undo();
        await page.waitForURL(/status=failed/);
        await keys.choose(field("Status"), "Any");
        await link("+15550100001").waitFor();
      },
      "words are looked for without leaving their field": async ({
        keys,
        heading,
        button,
        link,
        field,
        isSomewhere,
      }) => {
        const words = field("Words that were said");
        await keys.write(words, "zeppelin");
        await keys.press("Enter");
        await heading("No call is like this").waitFor();
        expect(await keys.isAt(words)).toBe(true);
        await keys.enter(button("Clear the filters"));
        await link("+15550100001").waitFor();
        await isSomewhere();
      },
      "the list is exported": async ({ page, keys, button }) => {
        const download = page.waitForEvent("download");
        await keys.enter(button("Export CSV"));
        expect((await download).suggestedFilename()).toMatch(/\.csv$/);
        expect(await keys.isAt(button("Export CSV"))).toBe(true);
      },
      "the form of a new call is opened and left": ({ keys, button }) => keys.peek(button("New call"), "New call"),
    },
  },
  {
    route: "/calls/$callId",
    path: ({ callId }) => `/calls/${callId}`,
    sign: ({ button }) => button("Play the recording"),
    deeds: {
      "the recording is played, moved and heard from a line on": async ({ page, keys, button }) => {
        const play = button(/^(Play the recording|Pause)$/);
        await keys.to(play);
        await keys.press("Space");
        await button("Pause").waitFor();
        await keys.press("Space");
        await button("Play the recording").waitFor();
        await keys.to(page.getByRole("slider"));
        await keys.press("End");
        const length = await soundAt(page);
        expect(length).toBeGreaterThan(0);
        await keys.enter(page.getByRole("list", { name: "Transcript" }).getByRole("button").first());
        await expect.poll(() => soundAt(page)).toBeLessThan(length);
      },
      "its parts are gone through by arrows": async ({ keys, settled, tab, chosen }) => {
        await keys.to(tab("Transcript"));
        for (const name of ["Timeline", "Latency", "Engine", "Webhooks"]) {
          await keys.press("ArrowRight");
          await chosen(name);
          await settled();
          await keys.walk();
          await keys.to(tab(name));
        }
      },
      "a scenario is made of it": async ({ keys, button }) => {
        await keys.enter(button("Make a scenario"));
        await button("Scenario made").waitFor();
        expect(await keys.isAt(button("Scenario made"))).toBe(true);
      },
      "the way it took is gone along, step by step": async ({ page, keys, link }) => {
        await keys.enter(link("See the path it took"));
        const step = page.getByRole("list", { name: "Steps" }).getByRole("button").first();
        await step.waitFor();
        await keys.walk();
        await keys.enter(step);
        await page.locator("li[aria-current=step]").waitFor();
        expect(await keys.isAt(step)).toBe(true);
      },
    },
  },
];
testPages(atKeyboard({ env: { PARLEY_CONVERSATION_THREADS: "1" }, as: "operator", seed }), PAGES);
