import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addMember, createKey, type SignedInMember, signInAgain } from "../harness/accounts.ts";
import { ask, until } from "../harness/api-client.ts";
import { findBarriers } from "../harness/browser.ts";
import { placeCall, QUICK_CALLEE, untilPhase } from "../harness/calls.ts";
import { testThoroughly } from "../harness/thoroughness.ts";
import { looksWithMouse } from "./looks.ts";
import { type DashboardScene, openDashboard, PATIENCE_MS, signInOnPage, signUpOnPage } from "./visitor.ts";

describe.each(looksWithMouse({ theme: "light", width: 1440 }))("$theme, $width px wide", (look) => {
  let scene: DashboardScene;
  let page: Page;
  let complaints: string[];
  let owner: SignedInMember;
  let key: string;
  let agentId: string;

  // One person builds an agent from nothing and maintains it: each step builds on the previous one.
  beforeAll(async () => {
    scene = await openDashboard({ PARLEY_CONVERSATION_THREADS: "1", PARLEY_NATURAL_VOICES: "off" });
    ({ page, complaints } = await scene.visit(look));
    const email = await signUpOnPage(page, scene.service.url);
    owner = await signInAgain(scene.service.url, email);
    ({ key } = await createKey(scene.service.url, owner.cookie));
  });
  afterAll(() => scene?.close());

  const canvas = () => page.getByRole("region", { name: "Canvas" });
  const card = (title: string, on: Page = page): Locator =>
    on.locator(".react-flow__node").filter({ has: on.locator(".step-title", { hasText: new RegExp(`^${title}$`) }) });
  const field = (label: string, on: Page = page) => on.getByRole("tabpanel").getByLabel(label, { exact: true });
  const saved = (on: Page = page) => on.locator("[data-testid=save-state][data-state=saved]").waitFor();
  /** What the list of problems says about the current flow. */
  const judged = (words: string) =>
    page
      .locator("[data-testid=problems][data-current=true]")
      .filter({ hasText: new RegExp(`^${words}$`) })
      .waitFor();
  const readAgent = async () => (await ask(scene.service.url, `/api/v1/agents/${agentId}`, { key })).body.data;

  async function tidyUp(): Promise<void> {
    await page.getByRole("button", { name: "Tidy up" }).click();
    await page.locator('[aria-label="Canvas"][aria-busy="false"]').waitFor();
  }

  /** Selects a card, so that keys belong to the canvas. */
  async function choose(title: string): Promise<void> {
    await card(title).locator(".step-header").click();
    await card(title).locator('.step[data-selected="true"]').waitFor();
  }

  /** Types into a popup and takes the first result. */
  async function take(dialog: string, words: string): Promise<void> {
    const input = page.getByRole("dialog", { name: dialog }).getByRole("combobox");
    await input.fill(words);
    await page.keyboard.press("Enter");
  }

  /** Draws a line with the mouse, from an exit of one card to another card. */
  async function draw(from: string, exit: string, to: string): Promise<void> {
    const outlet = card(from).locator(".step-exit", { hasText: exit }).locator(".step-outlet");
    const [begin, end] = await Promise.all([outlet.boundingBox(), card(to).locator(".step-inlet").boundingBox()]);
    if (!begin || !end) throw new Error(`there is no ${exit} of ${from}, or no ${to}`);
    await page.mouse.move(begin.x + begin.width / 2, begin.y + begin.height / 2);
    await page.mouse.down();
    await page.mouse.move(end.x - 30, end.y, { steps: 4 });
    await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 2 });
    await page.mouse.up();
  }

  test("a new agent opens on an empty canvas that offers a beginning, and nothing can be published yet", async () => {
    await page.goto(`${scene.service.url}/agents`);
    await page.getByRole("button", { name: "New agent" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Appointments");
    await page.getByRole("dialog").getByRole("button", { name: "Create agent" }).click();
    await page.waitForURL(/\/agents\/agt_\w+\/build/);
    agentId = /agt_\w+/.exec(page.url())?.[0] ?? "";
    await page.getByRole("heading", { name: "What should the agent do?" }).waitFor();
    // Beside the folded navigation, the palette and the open panel.
    if (look.width >= 1440) expect((await canvas().boundingBox())?.width).toBeGreaterThanOrEqual(1000);
    // The ring of a focused tab does not cut its words.
    expect(
      await page.evaluate("parseFloat(getComputedStyle(document.querySelector('#details [role=tab]')).paddingLeft)"),
    ).toBeGreaterThanOrEqual(4);
    await judged("1 problem");
    await expect.poll(() => page.getByRole("button", { name: "Publish" }).isDisabled()).toBe(true);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Start with a greeting" }).click();
    await card("Say").waitFor();
    await field("What to say").fill("Hello, this is Green Street Dental.");
  });

  test("questions are added and connected by keyboard alone", async () => {
    await choose("Say");
    await page.keyboard.press("c");
    await take("Where does it lead?", "ask");
    await card("Ask").waitFor();
    await field("The question").fill("Will you come to your appointment on Tuesday?");
    await choose("Ask");
    await page.keyboard.press("c");
    await take("Connect which exit?", "no");
    await take("Where does it lead?", "ask");
    await card("Ask 2").waitFor();
    await field("The question").fill("On which day would you rather come?");
    await field("Answer type").selectOption("date");
    await field("Save answer as").fill("new_date");
  });

  test("goodbyes are dragged from the palette and connected with the mouse", async () => {
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Show the whole flow" }).click();
    const pane = await canvas().boundingBox();
    if (!pane) throw new Error("there is no canvas");
    const palette = page.getByRole("region", { name: "Add a node" }).getByRole("button", { name: "End" });
    await palette.dragTo(canvas(), { targetPosition: { x: pane.width - 180, y: 120 } });
    await card("End").waitFor();
    await field("Last words (optional)").fill("See you then. Goodbye.");
    await palette.dragTo(canvas(), { targetPosition: { x: pane.width - 180, y: pane.height - 220 } });
    await card("End 2").waitFor();
    await field("Last words (optional)").fill("Thank you. We will call you back. Goodbye.");
    await draw("Ask", "yes", "End");
    await draw("Ask 2", "Answered", "End 2");
    await saved();
    const { flow } = await readAgent();
    expect(flow.nodes.find(({ id }: { id: string }) => id === "ask").exits).toEqual([
      { when: "yes", next: "end" },
      { when: "no", next: "ask_2" },
    ]);
    expect(flow.nodes.find(({ id }: { id: string }) => id === "ask_2")).toMatchObject({
      next: "end_2",
      saveAs: "new_date",
    });
  });

  test("what is missing is listed, a click goes there, and fixing it makes the list empty", async () => {
    await page.getByText("2 problems").click();
    const lines = page.getByRole("region", { name: "Problems" }).getByRole("listitem");
    await lines.filter({ hasText: "Ask: Choose where “Not understood” leads." }).getByRole("button").first().click();
    await card("Ask").locator('.step[data-selected="true"]').waitFor();
    await field("If not understood, go to").selectOption({ label: "End 2" });
    await judged("1 problem");
    await choose("Ask 2");
    await field("If not understood, go to").selectOption({ label: "End 2" });
    await judged("No problems");
  });

  test("what is deleted comes back by undo, and what was duplicated goes away by it", async () => {
    await choose("Ask 2");
    await page.keyboard.press("Delete");
    await card("Ask 2").waitFor({ state: "detached" });
    await page.getByText("1 node removed.").first().waitFor();
    await page.keyboard.press("Control+z");
    await card("Ask 2").waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Control+d");
    await card("Ask 3").waitFor();
    await page.keyboard.press("Control+z");
    await card("Ask 3").waitFor({ state: "detached" });
    await judged("No problems");
  });

  testThoroughly(
    "a notification offers to undo only its own change, and disappears when that was undone otherwise",
    { timeout: 180_000 },
    async () => {
      await tidyUp();
      await choose("Ask 2");
      const tidied = await card("Ask 2").getAttribute("style");
      const note = page.getByText("1 node removed.").first();
      // The toolbar has its own Undo.
      const undoOfNote = page
        .getByRole("region", { name: /^Notifications/ })
        .getByRole("button", { name: "Undo", exact: true });
      const remove = async () => {
        await choose("Ask 2");
        await page.keyboard.press("Delete");
        await note.waitFor();
      };
      // Undone by the key, then something else is the last step.
      await remove();
      await page.keyboard.press("Control+z");
      await card("Ask 2").waitFor();
      await note.waitFor({ state: "detached" });
      expect(await undoOfNote.count()).toBe(0);
      await expect.poll(() => card("Ask 2").getAttribute("style")).toBe(tidied);
      // Something else is done after it.
      await remove();
      await page.keyboard.press("Control+a");
      await page.keyboard.press("Control+d");
      await note.waitFor({ state: "detached" });
      await page.keyboard.press("Control+z");
      await page.keyboard.press("Control+z");
      await card("Ask 2").waitFor();
      // While it is the last step the note undoes it.
      await remove();
      await undoOfNote.click();
      await card("Ask 2").waitFor();
      await expect.poll(() => card("Ask 2").getAttribute("style")).toBe(tidied);
      await judged("No problems");
    },
  );

  testThoroughly(
    "a node from a line that was dropped at the edge has the focus and is in view, and its neighbour has neither ring",
    { timeout: 180_000 },
    async () => {
      await page.getByRole("button", { name: "Zoom to 100%" }).click();
      await choose("Ask 2");
      const outlet = card("Ask 2").locator(".step-exit").last();
      const [begin, pane] = await Promise.all([outlet.locator(".step-outlet").boundingBox(), canvas().boundingBox()]);
      if (!begin || !pane) throw new Error("there is no exit, or no canvas");
      await page.mouse.move(begin.x + begin.width / 2, begin.y + begin.height / 2);
      await page.mouse.down();
      await page.mouse.move(pane.x + pane.width - 40, pane.y + pane.height - 40, { steps: 4 });
      await page.mouse.up();
      await take("Where does it lead?", "New: Say");
      const fresh = page.locator('.react-flow__node:has(.step[data-selected="true"])');
      await fresh.and(page.locator(":focus")).waitFor();
      const isInside = async () => {
        const box = await fresh.boundingBox();
        return (
          box !== null &&
          box.x >= pane.x &&
          box.x + box.width <= pane.x + pane.width &&
          box.y >= pane.y &&
          box.y + box.height <= pane.y + pane.height
        );
      };
      await expect.poll(isInside).toBe(true);
      expect(await page.locator(".react-flow__node:focus-visible").count()).toBe(1);
      await page.keyboard.press("Control+z");
      await card("Ask 2").waitFor();
      await judged("No problems");
    },
  );

  testThoroughly("a node is found by what it says", { timeout: 180_000 }, async () => {
    await page.keyboard.press("/");
    await page.getByRole("dialog", { name: "Find a node" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await take("Find a node", "rather come");
    await card("Ask 2").locator('.step[data-selected="true"]').waitFor();
  });

  testThoroughly(
    "Ctrl K finds a node, also from a text field, and does not open the palette of the dashboard",
    { timeout: 180_000 },
    async () => {
      const palette = page.getByRole("dialog", { name: "Go to" });
      const finder = page.getByRole("dialog", { name: "Find a node" });
      // Loaded once, the palette would open with the key and not some time after it.
      await page.getByRole("button", { name: "Go to", exact: true }).click();
      await palette.waitFor();
      await page.keyboard.press("Control+k");
      await palette.waitFor({ state: "detached" });
      for (const focus of [() => choose("Ask 2"), () => field("The question").focus()]) {
        await focus();
        await page.keyboard.press("Control+k");
        await finder.waitFor();
        // A second press must not open the palette over the finder.
        await page.keyboard.press("Control+k");
        expect(await page.getByRole("dialog").count()).toBe(1);
        expect(await palette.count()).toBe(0);
        await page.keyboard.press("Escape");
        await finder.waitFor({ state: "detached" });
      }
      await saved();
      await page.getByRole("link", { name: "All agents" }).click();
      await page.getByRole("heading", { name: "Agents", level: 1 }).waitFor();
      await page.keyboard.press("Control+k");
      await palette.waitFor();
      await page.keyboard.press("Escape");
      await palette.waitFor({ state: "detached" });
      await page.goBack();
      await card("Ask 2").waitFor();
    },
  );

  testThoroughly(
    "the canvas has at least 1,000 pixels of a 1440-pixel screen, more with the details closed, and remembers it",
    { timeout: 180_000 },
    async () => {
      const width = async () => (await canvas().boundingBox())?.width ?? 0;
      // 1,000 of 1440.
      expect(await width()).toBeGreaterThanOrEqual(look.width - 440);
      const edge = page.getByRole("separator", { name: "Width of the details panel" });
      const box = await edge.boundingBox();
      if (!box) throw new Error("the panel has no edge");
      await page.mouse.move(box.x + box.width / 2, box.y + 300);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width / 2 - 120, box.y + 300, { steps: 4 });
      await page.mouse.up();
      await expect.poll(() => edge.getAttribute("aria-valuenow")).toBe("448");
      await edge.focus();
      await page.keyboard.press("ArrowRight");
      await expect.poll(() => edge.getAttribute("aria-valuenow")).toBe("424");
      await edge.dblclick();
      await page.getByRole("button", { name: "Close the details" }).click();
      await expect.poll(width).toBeGreaterThan(look.width - 190);
      await saved();
      await page.reload();
      await card("Ask").waitFor();
      expect(await width()).toBeGreaterThan(look.width - 190);
      await page.getByRole("complementary", { name: "Details" }).getByRole("button", { name: "Node" }).click();
      await expect.poll(width).toBeGreaterThanOrEqual(look.width - 440);
    },
  );

  testThoroughly(
    "it is zoomed by buttons and keys, and the whole flow is never too small to read",
    { timeout: 180_000 },
    async () => {
      const zoom = page.getByTestId("zoom");
      await page.getByRole("button", { name: "Zoom to 100%" }).click();
      await expect.poll(() => zoom.textContent()).toBe("100%");
      await page.getByRole("button", { name: "Zoom out" }).click();
      await expect.poll(() => zoom.textContent()).toBe("83%");
      await choose("Ask");
      await page.keyboard.press("0");
      await expect.poll(() => zoom.textContent()).toBe("100%");
      await page.keyboard.press("1");
      await expect.poll(async () => Number.parseInt((await zoom.textContent()) ?? "", 10)).toBeGreaterThanOrEqual(50);
    },
  );

  testThoroughly(
    "the menu of the right button duplicates a node, and pastes a copy where it was opened",
    { timeout: 180_000 },
    async () => {
      await card("End 2").locator(".step-header").click({ button: "right" });
      expect(await findBarriers(page)).toEqual([]);
      await page.getByRole("menuitem", { name: "Duplicate" }).click();
      await card("End 3").waitFor();
      await page.keyboard.press("Control+z");
      await card("End 3").waitFor({ state: "detached" });
      await card("End 2").locator(".step-header").click({ button: "right" });
      await page.getByRole("menuitem", { name: "Copy" }).click();
      const pane = await canvas().boundingBox();
      if (!pane) throw new Error("there is no canvas");
      await page.mouse.click(pane.x + pane.width - 320, pane.y + pane.height - 60, { button: "right" });
      await page.getByRole("menuitem", { name: "Paste" }).click();
      await card("End 3").waitFor();
      await page.keyboard.press("Control+z");
      await card("End 3").waitFor({ state: "detached" });
      await judged("No problems");
    },
  );

  testThoroughly(
    "a new node is no problem until it is left, and a problem is fixed by its button",
    { timeout: 180_000 },
    async () => {
      await choose("Say");
      await page.keyboard.press("a");
      await take("Add a node", "say");
      await card("Say 2").waitFor();
      await judged("The new node is not finished yet");
      expect(await card("Say 2").locator(".step-problem").count()).toBe(0);
      await choose("Ask");
      await judged("2 problems");
      await card("Say 2").locator(".step-problem").waitFor();
      await page.getByRole("region", { name: "Problems" }).getByRole("button", { expanded: false }).click();
      const line = page.getByRole("listitem").filter({ hasText: "Say 2: Choose where “Then” leads." });
      await line.getByRole("button", { name: "Connect…" }).click();
      await take("Where does it lead?", "End 2");
      await page.getByText("2 problems").waitFor();
      const lost = page.getByRole("listitem").filter({ hasText: "Say 2: Connect an exit to this node, or delete it" });
      await lost.getByRole("button", { name: "Delete the node" }).click();
      await card("Say 2").waitFor({ state: "detached" });
      await judged("No problems");
    },
  );

  test("it has no accessibility barriers, in both themes and on a phone", async () => {
    await tidyUp();
    await saved();
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
      expect(await findBarriers(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole("button", { name: "Add", exact: true }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
    await page.setViewportSize({ width: look.width, height: 900 });
  });

  test("it is published with a note, a call is placed with it, and the path of the call is drawn", async () => {
    await page.getByRole("button", { name: "Publish" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Note (optional)").fill("The first one");
    await dialog.getByRole("button", { name: "Publish" }).click();
    await page.getByText("Version 1 is published").first().waitFor();
    const caller = { url: scene.service.url, key, agentId };
    const callId = await placeCall(caller, "+15550100001", {
      simulation: { answerAfterMs: 0, script: [{ say: "Hello?" }, { say: "Yes, I will come." }] },
    });
    const call = await untilPhase(caller, callId, "ended", PATIENCE_MS);
    expect(call).toMatchObject({ status: "completed", agentVersion: 1 });
    await page.goto(`${scene.service.url}/calls/${callId}`);
    await page.getByRole("link", { name: "See the path it took" }).click();
    await page.getByText("The path of the call to").waitFor();
    await card("End").locator(".step-number").waitFor();
    const taken = await page.locator('.step[data-passing="passed"] .step-title').allTextContents();
    expect(taken.toSorted()).toEqual(["Ask", "End", "Say", "Start"]);
    expect(await card("Ask 2").locator(".step-number").count()).toBe(0);
    await page.getByText("This is version 1, which the call used; the draft hasn’t changed since.").waitFor();
    await page.getByRole("link", { name: /^Step 4 in the call/ }).click();
    await page.locator("[aria-current=true]").filter({ hasText: "See you then. Goodbye." }).waitFor();
    await page.goBack();
    await card("End").locator(".step-number").waitFor();
  });

  testThoroughly(
    "the path is drawn on the version of the call however the draft has changed, and cannot be changed itself",
    { timeout: 180_000 },
    async () => {
      await page.getByRole("button", { name: "Back to the draft" }).click();
      await judged("No problems");
      // The service does not receive the change until the path was checked.
      const looked = Promise.withResolvers<void>();
      await page.route("**/api/v1/agents/*", async (route) => {
        if (route.request().method() === "PATCH") await looked.promise;
        await route.continue();
      });
      await choose("End");
      await page.keyboard.press("Delete");
      await card("End").waitFor({ state: "detached" });
      await page.goBack();
      await page.getByText("This is version 1, which the call used; the draft has changed since.").waitFor();
      await card("End").locator('.step[data-passing="passed"]').waitFor();

      const steps = page.getByRole("list", { name: "Steps" }).getByRole("button");
      const titles = await steps.locator("[data-title]").allTextContents();
      expect(titles).toEqual(["Start", "Say", "Ask", "End"]);
      await steps.filter({ hasText: "See you then. Goodbye." }).click();
      const place = () => card("End").getAttribute("style");
      await card("End").locator('.step[data-selected="true"]').waitFor();
      const lay = await place();
      await card("End").locator(".step-header").hover();
      await page.mouse.down();
      await page.mouse.move(300, 300, { steps: 4 });
      await page.mouse.up();
      for (const key of ["ArrowRight", "Delete", "Control+d", "Control+z", "c"]) await page.keyboard.press(key);
      expect(await place()).toBe(lay);
      expect(await page.locator(".react-flow__node").count()).toBe(6);
      expect(await page.getByRole("dialog").count()).toBe(0);
      expect(await page.getByRole("button", { name: /^(Redo|Publish|More|Say)$/ }).count()).toBe(0);
      for (const colorScheme of ["dark", "light"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
        expect(await findBarriers(page)).toEqual([]);
      }
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await findBarriers(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
      await page.setViewportSize({ width: look.width, height: 900 });

      await page.getByRole("button", { name: "Back to the draft" }).click();
      await card("End 2").waitFor();
      expect(await card("End").count()).toBe(0);
      looked.resolve();
      await saved();
      expect((await readAgent()).flow.nodes.map(({ id }: { id: string }) => id)).not.toContain("end");
      await page.unroute("**/api/v1/agents/*");
      await page.keyboard.press("Control+z");
      await card("End").waitFor();
      await saved();
      await judged("No problems");
    },
  );

  testThoroughly(
    "a call that tried the draft is drawn on the draft, and labelled as such",
    { timeout: 180_000 },
    async () => {
      const caller = { url: scene.service.url, key, agentId };
      const callId = await placeCall(caller, "+15550100001", { ...QUICK_CALLEE, agentVersion: "draft" });
      await untilPhase(caller, callId, "ended", PATIENCE_MS);
      await page.goto(`${scene.service.url}/agents/${agentId}/build?call=${callId}`);
      await page.getByText("This call tried a draft, which isn’t kept as a version").waitFor();
      await card("End 2").waitFor();
      await page.getByRole("button", { name: "Back to the draft" }).click();
      await judged("No problems");
    },
  );

  testThoroughly(
    "a second version is compared with the first, and new calls are rolled back to the first",
    { timeout: 180_000 },
    async () => {
      await choose("Say");
      await field("What to say").fill("Good day, this is Green Street Dental.");
      await saved();
      await judged("No problems");
      await page.getByRole("button", { name: "Publish" }).click();
      await page.getByRole("dialog").getByText("Hello, this is Green Street Dental.").waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
      await page.getByText("Version 2 is published").first().waitFor();
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Versions" }).click();
      await page.getByRole("button", { name: "Compare version 1" }).click();
      await page.getByRole("dialog").getByText("Good day, this is Green Street Dental.").waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await page.getByRole("button", { name: "All versions" }).click();
      await page.getByRole("button", { name: "Roll back to version 1" }).click();
      const question = page.getByRole("dialog", { name: "Roll back to version 1?" });
      await question.getByText("instead of version 2").waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await question.getByRole("button", { name: "Keep version 2" }).click();
      await question.waitFor({ state: "detached" });
      expect((await readAgent()).publishedVersion).toBe(2);
      await page.getByRole("button", { name: "Roll back to version 1" }).click();
      await question.getByRole("button", { name: "Roll back", exact: true }).click();
      await page.getByText("Rolled back to version 1").first().waitFor();
      expect((await readAgent()).publishedVersion).toBe(1);
      await page.getByRole("button", { name: "Roll back to version 2" }).waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    },
  );

  testThoroughly(
    "of two people who edit at the same time the later one learns who was first, and loses nothing",
    { timeout: 180_000 },
    async () => {
      const colleague = await addMember(scene.service.url, owner.cookie);
      const { page: theirs } = await scene.visit(look);
      await theirs.goto(`${scene.service.url}/agents/${agentId}/build`);
      await signInOnPage(theirs, colleague.email);
      await card("Say", theirs).locator(".step-header").click();
      await field("What to say", theirs).fill("Hi from a colleague.");
      await saved(theirs);
      await theirs.context().close();
      await choose("Say");
      await field("What to say").fill("Hi from me.");
      const dialog = page.getByRole("dialog", { name: "Someone else changed this draft" });
      await dialog.getByText(colleague.email).waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await dialog.getByRole("button", { name: "Save mine as a copy and use theirs" }).click();
      await dialog.waitFor({ state: "detached" });
      await card("Say").getByText("Hi from a colleague.").waitFor();
      const agents = await ask(scene.service.url, "/api/v1/agents?limit=100", { key });
      const copy = agents.body.data.find(({ name }: { name: string }) => name === "Appointments (my copy)");
      const { body } = await ask(scene.service.url, `/api/v1/agents/${copy.id}`, { key });
      expect(JSON.stringify(body.data.flow)).toContain("Hi from me.");
      expect(JSON.stringify((await readAgent()).flow)).toContain("Hi from a colleague.");
    },
  );

  test("in all of this the page violated no rule of its policy, had no error, and contacted or linked no other host", async () => {
    expect(complaints).toEqual([]);
    await card("Say").waitFor();
    expect(await page.locator('a[href^="http"]').count()).toBe(0);
  });

  testThoroughly(
    "offline changes are kept, even if the page is closed, and saved when there is a connection",
    { timeout: 180_000 },
    async () => {
      await page.context().setOffline(true);
      await choose("Say");
      await field("What to say").fill("Written on a train.");
      await page.getByText("Kept in this browser").waitFor();
      await page.context().setOffline(false);
      await saved();
      expect(JSON.stringify((await readAgent()).flow)).toContain("Written on a train.");

      await page.route("**/api/v1/agents/*", (route) =>
        route.request().method() === "PATCH" ? route.abort() : route.continue(),
      );
      await field("What to say").fill("Written in a tunnel.");
      await page.getByText("Kept in this browser").waitFor();
      const again = await page.context().newPage();
      await page.close();
      page = again;
      await page.goto(`${scene.service.url}/agents/${agentId}/build`);
      await page.getByText("Unsaved changes from last time were restored.").first().waitFor();
      await card("Say").getByText("Written in a tunnel.").waitFor();
      const draft = await until(readAgent, ({ flow }) => JSON.stringify(flow).includes("in a tunnel"), PATIENCE_MS);
      expect(draft.revision).toBeGreaterThan(1);
    },
  );
});
