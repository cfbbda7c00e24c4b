import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKey, signInAgain } from "../harness/accounts.ts";
import { ask } from "../harness/api-client.ts";
import { findBarriers } from "../harness/browser.ts";
import { type BuilderView, viewOfBuilder } from "./builder-view.ts";
import { findEmptyPlace, middleOf, pressLong } from "./canvas-pointer.ts";
import { PHONE_LOOKS } from "./looks.ts";
import { type DashboardScene, openDashboard, signUpOnPage } from "./visitor.ts";

let scene: DashboardScene;
beforeAll(async () => {
  scene = await openDashboard({ PARLEY_CONVERSATION_THREADS: "1" });
});
afterAll(() => scene?.close());

describe.each(PHONE_LOOKS)("$theme, $width px wide", (look) => {
  let page: Page;
  let complaints: string[];
  let view: BuilderView;
  let key: string;

  // One person builds an agent on a phone, from nothing: each step builds on the previous one.
  beforeAll(async () => {
    ({ page, complaints } = await scene.visit({ ...look, hasTouch: true }));
    view = viewOfBuilder(page);
    const email = await signUpOnPage(page, scene.service.url);
    const { cookie } = await signInAgain(scene.service.url, email);
    ({ key } = await createKey(scene.service.url, cookie));
  });

  const readAgent = async () => {
    const agents = await ask(scene.service.url, "/api/v1/agents?limit=100", { key });
    const { id } = agents.body.data.find(({ name }: { name: string }) => name === "Built on a phone");
    return (await ask(scene.service.url, `/api/v1/agents/${id}`, { key })).body.data;
  };
  const dialog = (name: string) => page.getByRole("dialog", { name });
  const option = (name: RegExp) => page.getByRole("option", { name });

  async function lookAround(): Promise<void> {
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
  }

  test("an agent is created, and begun with a greeting", async () => {
    await page.goto(`${scene.service.url}/agents`);
    await page.getByRole("button", { name: "New agent" }).tap();
    await dialog("New agent").getByLabel("Name").fill("Built on a phone");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "What should the agent do?" }).waitFor();
    await lookAround();
    await view.button("Start with a greeting").tap();
    await view.card("Say").waitFor();
    await view.field("What to say").fill("Hello, this is Green Street Dental.");
  });

  test("nodes are added with the button, and connected by their fields", async () => {
    await view.button("Add").tap();
    await dialog("Add a node").waitFor();
    await lookAround();
    await option(/^Ask/).tap();
    await view.untilChosen("Ask");
    await view.field("The question").fill("Will you come on Tuesday?");
    await view.button("Add").tap();
    await dialog("Add a node").getByRole("combobox").fill("hang up");
    await option(/^End/).tap();
    await view.untilChosen("End");
    await view.field("Last words (optional)").fill("See you then. Goodbye.");
    await view.find("Say");
    await view.field("Then go to").selectOption({ label: "Ask" });
    await view.find("Ask");
    await view.panel.getByRole("group", { name: "Answer 1" }).getByLabel("Go to").selectOption({ label: "End" });
    await view.saved();
    const { flow } = await readAgent();
    expect(flow.nodes.map(({ id, next }: { id: string; next?: string }) => [id, next])).toEqual([
      ["start", "say"],
      ["say", "ask"],
      ["ask", undefined],
      ["end", undefined],
    ]);
    await lookAround();
  });

  test("with keys a node is added after another, moved, deleted and brought back", async () => {
    await view.card("Ask").focus();
    await page.keyboard.press("c");
    await view.take("Connect which exit?", "no");
    await view.take("Where does it lead?", "end");
    await view.untilChosen("End 2");
    await view.field("Last words (optional)").fill("We will call you back. Goodbye.");
    await page.keyboard.press("Escape");
    await view.untilFocused("End 2");
    const place = () => view.card("End 2").getAttribute("style");
    const before = await place();
    await page.keyboard.press("ArrowDown");
    await expect.poll(place).not.toBe(before);
    await page.keyboard.press("Delete");
    await view.card("End 2").waitFor({ state: "detached" });
    await view.button("Undo").first().tap();
    await view.card("End 2").waitFor();
  });

  test("what is missing is listed, and is fixed by the button beside it", async () => {
    await view.judged("1 problem");
    await page.getByRole("region", { name: "Problems" }).getByRole("button", { expanded: false }).tap();
    const line = page.getByRole("listitem").filter({ hasText: "Ask: Choose where “Not understood” leads." });
    await line.waitFor();
    await lookAround();
    await line.getByRole("button", { name: "Connect…" }).tap();
    await dialog("Where does it lead?").getByRole("combobox").fill("call you back");
    await option(/^End 2/).tap();
    await view.judged("No problems");
  });

  test("a node is copied by the menu of a finger that stays, and pasted into another agent", async () => {
    const made = await ask(scene.service.url, "/api/v1/agents", { key, body: { name: "Pasted on a phone" } });
    const address = page.url();
    await view.find("End 2");
    await pressLong(page, await middleOf(view.card("End 2").locator(".step-header")));
    await page.getByRole("menuitem", { name: "Copy" }).tap();
    await page.goto(`${scene.service.url}/agents/${made.body.data.id}/build`);
    await page.getByRole("heading", { name: "What should the agent do?" }).waitFor();
    await pressLong(page, await findEmptyPlace(page));
    await page.getByRole("menuitem", { name: "Paste" }).tap();
    await view.card("End 2").getByText("We will call you back. Goodbye.").waitFor();
    await view.saved();
    await page.goto(address);
    await view.judged("No problems");
  });

  test("it is tried by text", async () => {
    await view.tab("Try");
    await view.button("Start").tap();
    await view.said.getByText("Will you come on Tuesday?").waitFor();
    await lookAround();
    await view.button("no").tap();
    await view.said.getByText("We will call you back. Goodbye.").waitFor();
    await view.said.getByText("The call is over").waitFor();
  });

  test("it is published, changed, published again, and rolled back", async () => {
    await view.button("Publish").tap();
    await dialog("Publish the first version").getByRole("button", { name: "Publish" }).tap();
    await page.getByText("Version 1 is published").first().waitFor();
    await view.find("Say");
    await view.tab("Node");
    await view.field("What to say").fill("Good day, this is Green Street Dental.");
    await view.judged("No problems");
    await view.button("Publish").tap();
    await dialog("Publish a new version").getByText("Good day, this is Green Street Dental.").waitFor();
    await lookAround();
    await dialog("Publish a new version").getByRole("button", { name: "Publish" }).tap();
    await page.getByText("Version 2 is published").first().waitFor();
    await view.button("More").tap();
    await page.getByRole("menuitem", { name: "Versions" }).tap();
    await view.button("Roll back to version 1").waitFor();
    await lookAround();
    await view.button("Roll back to version 1").tap();
    await view.button("Roll back").tap();
    await page.getByText("Rolled back to version 1").first().waitFor();
    expect((await readAgent()).publishedVersion).toBe(1);
    expect(complaints).toEqual([]);
  });
});
