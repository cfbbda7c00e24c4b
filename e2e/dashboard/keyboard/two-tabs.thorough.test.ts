import type { Flow } from "@parley/contract/flow";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openPage } from "../../harness/browser.ts";
import { type OpenBuilder, openBuilder, viewOfBuilder } from "../builder-view.ts";
import { looksOfJourney } from "../looks.ts";
import { type DashboardScene, openDashboard } from "../visitor.ts";
import { writeByKeys } from "./journey-by-keys.ts";
import { type AtPage, sitDown } from "./keyboard-scene.ts";

const FLOW: Flow = {
  schemaVersion: 1,
  variables: [],
  settings: { disclosure: null },
  nodes: [
    { id: "start", type: "start", position: { x: 0, y: 0 }, next: "hello" },
    { id: "hello", type: "say", position: { x: 300, y: 0 }, text: "Hello.", next: "bye" },
    { id: "bye", type: "end", position: { x: 600, y: 0 }, text: "Goodbye." },
  ],
};

let scene: DashboardScene;
beforeAll(async () => {
  scene = await openDashboard();
});
afterAll(() => scene?.close());

describe.each(looksOfJourney({ theme: "dark", width: 1280 }))("$theme, $width px wide", (look) => {
  let builder: OpenBuilder;
  let first: AtPage;
  let second: AtPage;

  // One person has the same agent open in two tabs: each step builds on the previous one.
  beforeAll(async () => {
    builder = await openBuilder(scene, look, { name: "Open twice", flow: FLOW });
    const { url } = scene.service;
    first = await sitDown(url, builder);
    second = await sitDown(url, await openPage(builder.page.context(), url));
  });
  afterEach(() => expect([...first.keys.takeFaults(), ...second.keys.takeFaults()]).toEqual([]));

  const says = async () => (await builder.readFlow()).nodes.flatMap((node) => (node.type === "say" ? [node.text] : []));
  const title = "You changed this draft elsewhere";

  async function write(at: AtPage, words: string): Promise<void> {
    await at.keys.enter(viewOfBuilder(at.page).card("Hello"));
    await writeByKeys(at, "What to say", words);
  }

  /** The second tab saves while the first has changes of its own and hears nothing of it, as in another browser. */
  async function collide(mine: string, theirs: string): Promise<void> {
    const held = Promise.withResolvers<void>();
    const requests = `**/api/v1/agents/${builder.agentId}*`;
    await first.page.route(requests, async (route) => {
      await held.promise;
      await route.continue();
    });
    await write(first, mine);
    await write(second, theirs);
    await expect.poll(says).toEqual([theirs]);
    held.resolve();
    await first.page.getByRole("dialog", { name: title }).waitFor();
    await first.page.unroute(requests);
  }

  test("what one tab saves is shown in the other without a question, and without taking the focus", async () => {
    for (const { open, page } of [first, second])
      await open(`/agents/${builder.agentId}/build`, viewOfBuilder(page).card("Hello"));
    const { page, keys } = second;
    const view = viewOfBuilder(page);
    await keys.to(view.card("Bye"));
    await write(first, "Written in the first tab.");
    await view.card("Hello").getByText("Written in the first tab.").waitFor();
    expect(await keys.isAt(view.card("Bye"))).toBe(true);
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  test("the question takes the focus, shows both versions, and one's own is kept", async () => {
    const { page, keys, button, gone, dialog, isSomewhere } = first;
    await collide("Kept in the first tab.", "Saved in the second tab.");
    await button("Use mine").waitFor();
    await keys.walk();
    // It is not left by accident: one of the two is to be chosen.
    await keys.press("Escape");
    await keys.enter(button("Compare both"));
    await page
      .getByRole("region", { name: "Changes from theirs to yours" })
      .getByText("Saved in the second tab.")
      .waitFor();
    await isSomewhere();
    await keys.walk();
    await keys.enter(button("Use mine"));
    await gone(dialog());
    await isSomewhere();
    await expect.poll(says).toEqual(["Kept in the first tab."]);
    await viewOfBuilder(second.page).card("Hello").getByText("Kept in the first tab.").waitFor();
  });

  test("the other's is taken, and undo brings one's own words back", async () => {
    const { page, keys, button, gone, dialog, isSomewhere } = first;
    const view = viewOfBuilder(page);
    await collide("Once more in the first tab.", "Once more in the second tab.");
    await keys.enter(button("Use theirs"));
    await gone(dialog());
    await isSomewhere();
    await view.card("Hello").getByText("Once more in the second tab.").waitFor();
    await keys.to(view.card("Hello"));
    await keys.press("Control+z");
    await view.card("Hello").getByText("Once more in the first tab.").waitFor();
    await expect.poll(says).toEqual(["Once more in the first tab."]);
    expect([...first.complaints, ...second.complaints]).toEqual([]);
  });
});
