import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type BuilderView, viewOfBuilder } from "../builder-view.ts";
import { looksOfJourney } from "../looks.ts";
import { type DashboardScene, openDashboard } from "../visitor.ts";
import { comeByKeys, makeAgentByKeys, signUpByKeys, takeByKeys, writeByKeys } from "./journey-by-keys.ts";
import type { AtPage } from "./keyboard-scene.ts";

let scene: DashboardScene;
beforeAll(async () => {
  scene = await openDashboard();
});
afterAll(() => scene?.close());

describe.each(looksOfJourney({ theme: "light", width: 1440 }))("$theme, $width px wide", (look) => {
  let at: AtPage;
  let view: BuilderView;

  // One person goes on typing while the service is ended and started again.
  beforeAll(async () => {
    at = await comeByKeys(scene, look);
    view = viewOfBuilder(at.page);
  });
  afterEach(() => expect(at.keys.takeFaults()).toEqual([]));

  const words = () => view.field("Last words (optional)");

  test("the service goes away while one types: it is said, and the focus and the words stay", async () => {
    const { page, keys, button, said, isAt } = at;
    await signUpByKeys(at);
    await makeAgentByKeys(at, "Outlives the service");
    await keys.enter(button("Start with a greeting"));
    await isAt(view.card("Say"));
    await writeByKeys(at, "What to say", "Hello.");
    await keys.press("Escape");
    await isAt(view.card("Say"));
    await keys.press("c");
    await takeByKeys(at, "Where does it lead?", "end");
    await isAt(view.card("End"));
    await writeByKeys(at, "Last words (optional)", "Goodbye ");
    await view.saved();
    await scene.service.end("SIGTERM");
    await page.keyboard.type("in the ");
    await said("Kept in this browser");
    await said("Reconnecting…");
    expect(await keys.isAt(words())).toBe(true);
    await page.keyboard.type("outage.");
    expect(await words().inputValue()).toBe("Goodbye in the outage.");
    await view.card("End").getByText("Goodbye in the outage.").waitFor();
  });

  test("everything is still come to, and what needs the service says so where one is", async () => {
    const { page, keys, button, chosen, tab, isSomewhere } = at;
    await keys.walk();
    await keys.to(button("Try now"));
    await keys.press("Enter");
    expect(await keys.isAt(button("Try now"))).toBe(true);
    await keys.to(tab("Node"));
    await keys.press("ArrowRight");
    await chosen("Try");
    await keys.enter(button("Start"));
    await page.getByRole("tabpanel").getByText("The service could not be reached").first().waitFor();
    await isSomewhere();
  });

  test("once it is back, everything is saved by itself and one goes on where one was", async () => {
    const { page, keys, button, gone, settled, isSomewhere } = at;
    await scene.startAgain();
    await view.saved();
    await gone(page.getByText("Reconnecting…"));
    await isSomewhere();
    await keys.enter(button("Start"));
    await view.said.getByText("Goodbye in the outage.").waitFor();
    await page.reload();
    await view.card("End").getByText("Goodbye in the outage.").waitFor();
    await settled();
    await keys.walk();
    // The browser itself logs what it did not get from a service that is away, or still starting.
    const isOfOutage = /ERR_CONNECTION_REFUSED|status of 503|Failed to fetch dynamically imported module/;
    expect(at.complaints.filter((each) => !isOfOutage.test(each))).toEqual([]);
  });
});
