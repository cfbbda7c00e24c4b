import type { Flow } from "@parley/contract/flow";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBarriers } from "../harness/browser.ts";
import { type OpenBuilder, openBuilder } from "./builder-view.ts";
import { findEmptyPlace, middleOf, type Point, pressLong } from "./canvas-pointer.ts";
import { isPhone, looksOfJourney } from "./looks.ts";
import { type DashboardScene, openDashboard } from "./visitor.ts";

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

describe.each(looksOfJourney({ theme: "dark", width: 390 }))("$theme, $width px wide", (look) => {
  let builder: OpenBuilder;
  let page: Page;

  // One person arranges a canvas: each step builds on the previous one.
  beforeAll(async () => {
    builder = await openBuilder(scene, { ...look, hasTouch: isPhone(look) }, { name: "Arranged", flow: FLOW });
    ({ page } = builder);
    await builder.view.card("Hello").waitFor();
  });

  const openMenu = (at: Point) =>
    isPhone(look) ? pressLong(page, at) : page.mouse.click(at.x, at.y, { button: "right" });
  const item = (name: string) => page.getByRole("menuitem", { name });
  const menuClosed = () => page.getByRole("menu").waitFor({ state: "detached" });

  test("the view is zoomed by its control and by keys, down to the whole flow", async () => {
    const { view } = builder;
    const zoom = async () => Number.parseInt((await page.getByTestId("zoom").textContent()) ?? "", 10);
    const drawnWidth = async () => (await view.card("Start").boundingBox())?.width ?? 0;
    // It opens as a whole, where it fits. Smaller than half size it could not be read.
    const whole = isPhone(look) ? 50 : await zoom();
    await page.getByRole("button", { name: "Zoom to 100%" }).click();
    await expect.poll(zoom).toBe(100);
    const full = await drawnWidth();
    await view.button("Zoom out").click();
    await expect.poll(zoom).toBe(83);
    await expect.poll(drawnWidth).toBeLessThan(full);
    await view.button("Zoom in").click();
    await view.button("Zoom in").click();
    await expect.poll(zoom).toBeGreaterThan(100);
    await expect.poll(drawnWidth).toBeGreaterThan(full);
    await view.button("Show the whole flow").click();
    await expect.poll(zoom).toBe(whole);
    for (const [key, isReached] of [
      ["0", (now: number) => now === 100],
      ["+", (now: number) => now > 100],
      ["0", (now: number) => now === 100],
      ["-", (now: number) => now < 100],
      ["1", (now: number) => now === whole],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(async () => isReached(await zoom()), { message: `after ${key}` }).toBe(true);
    }
  });

  test("the flow is laid out from top to bottom, and from left to right", async () => {
    const { view } = builder;
    const places = async () => {
      await view.saved();
      return (await builder.readFlow()).nodes.map(({ position }) => position ?? { x: 0, y: 0 });
    };
    const runs = async (axis: "x" | "y") => {
      const along = (await places()).map((place) => place[axis]);
      return along.every((place, index) => index === 0 || place > (along[index - 1] ?? 0) + 50);
    };
    const tidy = (name: string, key: string) => (isPhone(look) ? view.pickFromMore(name) : page.keyboard.press(key));
    await tidy("Tidy up, top to bottom", "Shift+L");
    await expect.poll(() => runs("y")).toBe(true);
    expect(await runs("x")).toBe(false);
    await tidy("Tidy up, left to right", "l");
    await expect.poll(() => runs("x")).toBe(true);
    expect(await runs("y")).toBe(false);
    await page.locator('[aria-label="Canvas"][aria-busy="false"]').waitFor();
  });

  test("the menu of the empty canvas adds a sticky note, which is written on and colored", async () => {
    const { view } = builder;
    const note = page.getByRole("textbox", { name: "Comment" });
    await view.button("Show the whole flow").click();
    await openMenu(await findEmptyPlace(page));
    await item("Select all").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await item("Add a comment").click();
    await note.fill("Ask Ada whether this is polite.");
    await page.getByRole("button", { name: "Color: green" }).click();
    await page.locator('.comment[data-color="green"]').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await view.saved();
    expect((await builder.readFlow()).comments).toMatchObject([
      { text: "Ask Ada whether this is polite.", color: "green" },
    ]);
    await page.reload();
    await page.locator('.comment[data-color="green"]').waitFor();
  });

  test("the menu of a node belongs to that node, whatever was selected before", async () => {
    const { view } = builder;
    await view.find("Hello");
    await view.button("Show the whole flow").click();
    // So that its neighbor is in view on a phone, too.
    for (let step = 0; step < 2; step += 1) await view.button("Zoom out").click();
    await openMenu(await middleOf(view.card("Bye").locator(".step-header")));
    await view.untilChosen("Bye");
    await item("Duplicate").click();
    await view.card("Bye 2").waitFor();
    await menuClosed();
    await view.button("Undo").first().click();
    await view.card("Bye 2").waitFor({ state: "detached" });
  });

  test("the menu is opened by its key, and left by Escape", async () => {
    const { view } = builder;
    await view.find("Hello");
    await view.untilFocused("Hello");
    await page.keyboard.press("ContextMenu");
    await item("Create a sub-flow").waitFor();
    await page.keyboard.press("Escape");
    await menuClosed();
  });

  if (isPhone(look)) {
    test("the details are folded away, and come back with the next node", async () => {
      const { view } = builder;
      const height = async () => (await view.canvas.boundingBox())?.height ?? 0;
      await view.find("Hello");
      await view.field("What to say").waitFor();
      const small = await height();
      await view.button("Hide the details").tap();
      await expect.poll(height).toBeGreaterThan(small + 200);
      expect(await view.field("What to say").isVisible()).toBe(false);
      await view.button("Show the details").tap();
      await view.field("What to say").waitFor();
      await view.button("Hide the details").tap();
      await view.find("Bye");
      await view.field("Last words (optional)").waitFor();
    });
  } else {
    test("the panel is resized by mouse and keys, closed and opened, and the browser remembers all of it", async () => {
      const { view } = builder;
      const edge = page.getByRole("separator", { name: "Width of the details" });
      const width = async () =>
        Math.round((await page.getByRole("complementary", { name: "Details" }).boundingBox())?.width ?? 0);
      const before = await width();
      const { x } = await middleOf(edge);
      await page.mouse.move(x, 400);
      await page.mouse.down();
      await page.mouse.move(x - 96, 400, { steps: 4 });
      await page.mouse.up();
      await expect.poll(width).toBe(before + 96);
      await edge.focus();
      await page.keyboard.press("ArrowLeft");
      await expect.poll(width).toBe(before + 120);
      await page.reload();
      await view.card("Hello").waitFor();
      expect(await width()).toBe(before + 120);
      await view.button("Close the details").click();
      await expect.poll(width).toBeLessThan(60);
      await page.reload();
      await view.card("Hello").waitFor();
      expect(await width()).toBeLessThan(60);
      await page.getByRole("complementary", { name: "Details" }).getByRole("button", { name: "Settings" }).click();
      await page.getByRole("tab", { name: "Settings", selected: true }).waitFor();
      await expect.poll(width).toBe(before + 120);
      await edge.dblclick();
      await expect.poll(width).toBe(before);
    });
  }

  test("in all of this the page violated no rule of its policy, had no error and contacted no other host", () => {
    expect(builder.complaints).toEqual([]);
  });
});
