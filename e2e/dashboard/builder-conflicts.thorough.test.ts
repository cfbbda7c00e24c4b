import type { Flow } from "@parley/contract/flow";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addMember, type SignedInMember } from "../harness/accounts.ts";
import { findBarriers, type WatchedPage } from "../harness/browser.ts";
import { type BuilderView, type OpenBuilder, openBuilder, viewOfBuilder } from "./builder-view.ts";
import { looksOfJourney } from "./looks.ts";
import { type DashboardScene, openDashboard, signInOnPage } from "./visitor.ts";

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

describe.each(looksOfJourney({ theme: "light", width: 1440 }))("$theme, $width px wide", (look) => {
  let mine: OpenBuilder;
  let colleague: SignedInMember;
  let theirs: WatchedPage;
  let theirView: BuilderView;

  // Two people of one account have the same agent open.
  beforeAll(async () => {
    mine = await openBuilder(scene, look, { name: "Shared", flow: FLOW });
    colleague = await addMember(scene.service.url, mine.owner.cookie);
    theirs = await scene.visit(look);
    await theirs.page.goto(address());
    await signInOnPage(theirs.page, colleague.email);
    theirView = viewOfBuilder(theirs.page);
    await theirView.card("Hello").waitFor();
  });

  const address = () => `${scene.service.url}/agents/${mine.agentId}/build`;
  const conflict = (page: Page) => page.getByRole("dialog", { name: "Someone else changed this draft" });
  const saysOf = async () => (await mine.readFlow()).nodes.flatMap((node) => (node.type === "say" ? [node.text] : []));
  /** What comes with the focus of a window, which a page in the background does not get by itself. */
  const lookAgain = (page: Page) => page.evaluate("dispatchEvent(new Event('focus'))");

  async function write(view: BuilderView, words: string): Promise<void> {
    await view.find("Hello");
    await view.field("What to say").fill(words);
  }

  /** The colleague saves first; then I write, and learn of it. */
  async function collide(their: string, my: string): Promise<void> {
    await write(theirView, their);
    await theirView.saved();
    await expect.poll(saysOf).toEqual([their]);
    await write(mine.view, my);
    await conflict(mine.page).getByText(colleague.email).waitFor();
  }

  describe("of two people", () => {
    beforeEach(async () => {
      // Both begin with what is saved.
      for (const { page } of [mine, theirs]) await page.reload();
    });

    test("the later one compares both and goes on with theirs, and undo brings their own words back", async () => {
      await collide("Hi from a colleague.", "Hi from me.");
      const dialog = conflict(mine.page);
      await dialog.getByRole("button", { name: "Compare both" }).click();
      const changes = dialog.getByRole("region", { name: "Changes from theirs to yours" });
      await changes.getByText("Hi from a colleague.").waitFor();
      await changes.getByText("Hi from me.").waitFor();
      expect(await findBarriers(mine.page)).toEqual([]);
      expect(await mine.page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
      await dialog.getByRole("button", { name: "Use theirs", exact: true }).click();
      await dialog.waitFor({ state: "detached" });
      await mine.view.card("Hello").getByText("Hi from a colleague.").waitFor();
      expect(await saysOf()).toEqual(["Hi from a colleague."]);
      await mine.view.button("Undo").first().click();
      await mine.view.card("Hello").getByText("Hi from me.").waitFor();
      await mine.view.saved();
      await expect.poll(saysOf).toEqual(["Hi from me."]);
    });

    test("the later one goes on with their own, which the other sees when they look at the page again", async () => {
      await collide("Good day from a colleague.", "Good day from me.");
      await conflict(mine.page).getByRole("button", { name: "Use mine" }).click();
      await conflict(mine.page).waitFor({ state: "detached" });
      await mine.page.getByText("The draft now has your version. Undo restores theirs.").first().waitFor();
      await mine.view.saved();
      await expect.poll(saysOf).toEqual(["Good day from me."]);
      await lookAgain(theirs.page);
      await theirs.page.getByText("You’re now on the latest version.").first().waitFor();
      await theirView.card("Hello").getByText("Good day from me.").waitFor();
      await mine.view.button("Undo").first().click();
      await mine.view.card("Hello").getByText("Good day from a colleague.").waitFor();
      await mine.view.saved();
      await expect.poll(saysOf).toEqual(["Good day from a colleague."]);
    });
  });

  describe("of two tabs of one person", () => {
    let second: Page;
    let secondView: BuilderView;

    beforeAll(async () => {
      await mine.page.reload();
      second = await mine.page.context().newPage();
      await second.goto(address());
      secondView = viewOfBuilder(second);
      await secondView.card("Hello").waitFor();
    });

    test("the one without changes shows what the other saves, without a question", async () => {
      await write(mine.view, "Written in the first tab.");
      await secondView.card("Hello").getByText("Written in the first tab.").waitFor();
      await second.getByText("You’re now on the latest version.").first().waitFor();
      await write(secondView, "Written in the second tab.");
      await mine.view.card("Hello").getByText("Written in the second tab.").waitFor();
      for (const page of [mine.page, second]) expect(await page.getByRole("dialog").count()).toBe(0);
    });

    test("the one with changes of its own is asked, in words that do not blame someone else", async () => {
      await mine.view.saved();
      // It hears nothing of the other tab, as in another browser.
      const held = Promise.withResolvers<void>();
      await mine.page.route(`**/api/v1/agents/${mine.agentId}*`, async (route) => {
        await held.promise;
        await route.continue();
      });
      await write(mine.view, "Kept in the first tab.");
      await write(secondView, "Saved in the second tab.");
      await secondView.saved();
      await expect.poll(saysOf).toEqual(["Saved in the second tab."]);
      held.resolve();
      const dialog = mine.page.getByRole("dialog", { name: "You changed this draft elsewhere" });
      await dialog.getByText("The changes in this window are still here, and nothing was overwritten.").waitFor();
      expect(await findBarriers(mine.page)).toEqual([]);
      await mine.page.unroute(`**/api/v1/agents/${mine.agentId}*`);
      await dialog.getByRole("button", { name: "Use mine" }).click();
      await dialog.waitFor({ state: "detached" });
      await secondView.card("Hello").getByText("Kept in the first tab.").waitFor();
      expect(await saysOf()).toEqual(["Kept in the first tab."]);
    });
  });

  test("in all of this the pages violated no rule of their policy, had no error and contacted no other host", () => {
    expect([...mine.complaints, ...theirs.complaints]).toEqual([]);
  });
});
