import type { Page } from "playwright-core";
import { expect } from "vitest";
import { createKey } from "../../harness/accounts.ts";
import { placeCall, untilPhase } from "../../harness/calls.ts";
import { PATIENCE_MS } from "../visitor.ts";
import { atKeyboard, type Installation, type KeyboardPage, testPages } from "./keyboard-scene.ts";

/** A call that was held, recorded and ended. */
async function seed({ url, operator, read, post }: Installation) {
  const { key } = await createKey(url, operator.cookie);
  const [agent] = await read("agents");
  const caller = { url, key, agentId: agent.id };
  const callId = await placeCall(caller, "+15550100001", {
    // On a busy machine the agent begins to speak late, and without its words there is no transcript.
    simulation: { answerAfterMs: 0, script: [{ say: "Hello?" }, { waitForTurn: true }, { hangUp: true }] },
  });
  await untilPhase(caller, callId, "ended", PATIENCE_MS);
  const batch = await post("batches", {
    name: "Tomorrow",
    agentId: agent.id,
    scheduledAt: new Date(Date.now() + 86_400_000).toISOString(),
    rows: [{ phoneNumber: "+15550100014" }],
  });
  return { callId, batchId: batch.id as string };
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
    route: "/usage",
    sign: ({ page }) => page.getByRole("table", { name: "Outcome" }),
    deeds: {
      "the chart is read by arrows, and as a table": async ({ page, keys }) => {
        const chart = page.getByRole("slider", { name: "Calls per day" });
        await keys.to(chart);
        // Midnight may have passed since the call.
        if (/, 0$/.test((await chart.getAttribute("aria-valuetext")) ?? "")) await keys.press("ArrowLeft");
        await expect.poll(() => chart.getAttribute("aria-valuetext")).toMatch(/, 1/);
        await keys.press("ArrowLeft");
        await expect.poll(() => chart.getAttribute("aria-valuetext")).toMatch(/, 0$/);
        await keys.enter(page.getByRole("region", { name: "Per day" }).locator("summary"));
        await page.getByRole("table", { name: "Calls per day" }).waitFor();
      },
      "the groups are chosen and sorted, and one leads to its calls": async ({ page, keys, field, heading }) => {
        await keys.to(field("Group by"));
        await keys.press("ArrowDown");
        const table = page.getByRole("table", { name: "Agent" });
        await table.waitFor();
        await keys.enter(table.getByRole("button", { name: "Calls" }));
        await page.waitForURL(/sort=-calls/);
        await keys.enter(table.getByRole("link").first());
        await heading("Calls").waitFor();
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
        const words = field("Search calls");
        await keys.write(words, "zeppelin");
        await heading("No matching calls").waitFor();
        expect(await keys.isAt(words)).toBe(true);
        await keys.enter(button("Clear filters"));
        await link("+15550100001").waitFor();
        await isSomewhere();
      },
      "the list is exported": async ({ page, keys, button }) => {
        const download = page.waitForEvent("download");
        await keys.enter(button("Export CSV"));
        expect((await download).suggestedFilename()).toMatch(/\.csv$/);
        expect(await keys.isAt(button("Export CSV"))).toBe(true);
      },
      "the form of a new call is opened and left": ({ keys, button, field }) =>
        keys.peek(button("New call"), "New call", field("First name")),
    },
  },
  {
    route: "/calls/batches",
    sign: ({ link }) => link("Tomorrow"),
    deeds: {
      "a batch is opened": async ({ keys, link, heading }) => {
        await keys.enter(link("Tomorrow"));
        await heading("Tomorrow").waitFor();
      },
    },
  },
  {
    route: "/calls/batches/new",
    sign: ({ heading }) => heading("New batch"),
    deeds: {
      "a list is checked": async ({ page, keys, button, field }) => {
        await keys.write(field("Name"), "By keyboard");
        await keys.write(page.getByPlaceholder("phone,first_name"), "+15550100001");
        await keys.enter(button(/^Check 1/));
        await button("Check again").waitFor();
      },
    },
  },
  {
    route: "/calls/batches/$batchId",
    path: ({ batchId }) => `/calls/batches/${batchId}`,
    sign: ({ heading }) => heading("Tomorrow"),
    deeds: {
      "its call is opened": async ({ keys, link, heading }) => {
        await keys.enter(link("+15550100014"));
        await heading("+15550100014").waitFor();
      },
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
        await keys.enter(button("Create scenario"));
        await button("Scenario created").waitFor();
        expect(await keys.isAt(button("Scenario created"))).toBe(true);
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
  {
    route: "/$",
    path: () => "/no-such-page",
    sign: ({ heading }) => heading("Page not found"),
    deeds: {
      "its link leads back to the calls": async ({ keys, heading, link }) => {
        await keys.enter(link("Go to calls"));
        await heading("Calls").waitFor();
      },
    },
  },
];
testPages(atKeyboard({ env: { PARLEY_CONVERSATION_THREADS: "1" }, as: "operator", seed }), PAGES);
