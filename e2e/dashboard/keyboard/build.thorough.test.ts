import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type BuilderView, viewOfBuilder } from "../builder-view.ts";
import { looksOfJourney } from "../looks.ts";
import { type DashboardScene, openDashboard } from "../visitor.ts";
import { comeByKeys, makeAgentByKeys, signUpByKeys, takeByKeys, writeByKeys } from "./journey-by-keys.ts";
import type { AtPage } from "./keyboard-scene.ts";

let scene: DashboardScene;
beforeAll(async () => {
  scene = await openDashboard({ PARLEY_CONVERSATION_THREADS: "1" });
});
afterAll(() => scene?.close());

describe.each(looksOfJourney({ theme: "light", width: 390 }))("$theme, $width px wide", (look) => {
  let at: AtPage;
  let view: BuilderView;

  // One person builds an agent from nothing, tries it and publishes it: each step builds on the previous one.
  beforeAll(async () => {
    at = await comeByKeys(scene, look);
    view = viewOfBuilder(at.page);
  });
  afterEach(() => expect(at.keys.takeFaults()).toEqual([]));

  const take = (popup: string, words: string) => takeByKeys(at, popup, words);
  const writeInto = (label: string, words: string) => writeByKeys(at, label, words);

  async function openTab(name: string): Promise<void> {
    const tabs = at.page.getByRole("tablist", { name: "Details" });
    await at.keys.to(tabs.getByRole("tab", { selected: true }));
    for (let count = 0; count < 4 && !(await at.keys.isAt(at.tab(name))); count += 1) await at.keys.press("ArrowRight");
    await at.chosen(name);
  }

  test("an account and an agent are made", async () => {
    await signUpByKeys(at);
    await makeAgentByKeys(at, "Built by keys");
    await view.judged("1 problem");
    await at.keys.walk();
  });

  test("nodes are written and connected", async () => {
    const { keys, button, isAt } = at;
    await keys.enter(button("Start with a greeting"));
    await isAt(view.card("Say"));
    await writeInto("What to say", "Hello, this is Green Street Dental.");
    await keys.press("Escape");
    await isAt(view.card("Say"));
    await keys.press("c");
    await take("Where does it lead?", "ask");
    await isAt(view.card("Ask"));
    await writeInto("The question", "Will you come on Tuesday?");
    await keys.press("Escape");
    await isAt(view.card("Ask"));
    await keys.press("c");
    await take("Connect which exit?", "yes");
    await take("Where does it lead?", "end");
    await isAt(view.card("End"));
    await writeInto("Last words (optional)", "See you then. Goodbye.");
    await keys.press("Escape");
    await isAt(view.card("End"));
    await keys.enter(view.card("Ask"));
    await keys.press("c");
    await take("Connect which exit?", "no");
    await take("Where does it lead?", "see you then");
    await at.isSomewhere();
    await view.saved();
  });

  test("what is missing is listed, gone to, and fixed by the button beside it", async () => {
    const { page, keys, isSomewhere } = at;
    await view.judged("1 problem");
    const problems = page.getByRole("region", { name: "Problems" });
    await keys.enter(problems.getByRole("button", { expanded: false }));
    const line = problems.getByRole("listitem").filter({ hasText: "Ask: Choose where “Not understood” leads." });
    await line.waitFor();
    await keys.walk();
    await keys.enter(line.getByRole("button").first());
    await view.untilFocused("Ask");
    await keys.enter(line.getByRole("button", { name: "Connect…" }));
    await take("Where does it lead?", "see you then");
    await view.judged("No problems");
    await isSomewhere();
  });

  test("it is tried by text", async () => {
    const { keys, button, isSomewhere } = at;
    await openTab("Try");
    await keys.enter(button("Start"));
    await view.said.getByText("Will you come on Tuesday?").waitFor();
    await isSomewhere();
    await keys.walk();
    await keys.write(view.field("What you say"), "yes");
    await keys.press("Enter");
    await view.said.getByText("See you then. Goodbye.").waitFor();
    await view.said.getByText("The call is over").waitFor();
    await isSomewhere();
    await keys.peek(button("Save as scenario"), "Save as scenario");
  });

  test("it is tried in a simulated call, which is watched to its end", async () => {
    const { page, keys, button, said, isSomewhere } = at;
    await keys.to(page.getByRole("radio", { name: "Text" }));
    await keys.arrow("ArrowLeft", page.getByRole("radio", { name: "Simulated call" }));
    await keys.enter(button("Call"));
    await view.said.getByText("Will you come on Tuesday?").waitFor();
    await isSomewhere();
    await view.panel.getByText("Completed").waitFor();
    await button("Create scenario").waitFor();
    await keys.walk();
    await keys.enter(button("Create scenario"));
    await said("Scenario created");
  });

  test("it is published, changed, published again, and rolled back", async () => {
    const { page, keys, button, dialog, field, said, gone, isAt, isSomewhere } = at;
    const publish = () => dialog().getByRole("button", { name: "Publish", exact: true });
    await keys.enter(button("Publish"));
    await keys.write(field("Note (optional)", dialog()), "By keys");
    await keys.enter(publish());
    await said("Version 1 is published");
    await gone(dialog());
    await isSomewhere();
    await keys.press("/");
    await take("Find a node", "Say");
    await view.untilFocused("Say");
    await writeInto("What to say", "Good day, this is Green Street Dental.");
    await view.judged("No problems");
    await view.saved();
    await keys.peek(button("Publish"), "Publish a new version");
    await keys.enter(button("Publish"));
    await keys.enter(publish());
    await said("Version 2 is published");
    await gone(dialog());
    await keys.pick(button("More"), "Versions");
    await button("Roll back to version 1").waitFor();
    await keys.walk();
    await keys.enter(button("Roll back to version 1"));
    await keys.enter(button("Roll back"));
    await said("Rolled back to version 1");
    await isSomewhere();
    // Notifications are closed before what they cover.
    await expect
      .poll(async () => {
        await keys.press("Escape");
        return dialog().count();
      })
      .toBe(0);
    await isAt(button("More"));
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    expect(at.complaints).toEqual([]);
  });
});
