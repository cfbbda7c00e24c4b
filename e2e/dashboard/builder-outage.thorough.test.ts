import type { Flow } from "@parley/contract/flow";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBarriers } from "../harness/browser.ts";
import { type OpenBuilder, openBuilder } from "./builder-view.ts";
import { looksOfJourney } from "./looks.ts";
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

describe.each(looksOfJourney({ theme: "light", width: 390 }))("$theme, $width px wide", (look) => {
  let builder: OpenBuilder;

  // One person goes on working while the service is ended and started again.
  beforeAll(async () => {
    builder = await openBuilder(scene, look, { name: "Outlives the service", flow: FLOW });
    await builder.view.card("Hello").waitFor();
  });

  const words = async () => (await builder.readFlow()).nodes.flatMap((node) => ("text" in node ? [node.text] : []));

  test("work goes on while the service is away: the page says where it is kept, and what cannot be done", async () => {
    const { page, view } = builder;
    await view.find("Hello");
    await scene.service.end("SIGTERM");
    await view.field("What to say").fill("Hello in the outage.");
    await page.getByText("Kept in this browser").waitFor();
    await view.card("Hello").getByText("Hello in the outage.").waitFor();
    await view.find("Bye");
    await view.field("Last words (optional)").fill("Goodbye in the outage.");
    await view.judged("No problems");
    await view.tab("Try");
    await view.panel.getByRole("button", { name: "Start", exact: true }).click();
    await view.panel.getByText("The service could not be reached", { exact: false }).first().waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    // The notice at the top takes its room from the canvas, and pushes nothing off the screen.
    await page.getByText("Reconnecting…").waitFor();
    expect(await page.evaluate("document.documentElement.scrollHeight - innerHeight")).toBeLessThanOrEqual(0);
    const problems = await page.getByTestId("problems").boundingBox();
    const height: number = await page.evaluate("innerHeight");
    expect((problems?.y ?? height) + (problems?.height ?? 0)).toBeLessThanOrEqual(height);
  });

  test("when it is back, everything is saved without a click, and the agent can be tried", async () => {
    const { page, view } = builder;
    await scene.startAgain();
    await view.saved();
    expect(await words()).toEqual(["Hello in the outage.", "Goodbye in the outage."]);
    await view.panel.getByRole("button", { name: "Start", exact: true }).click();
    await view.said.getByText("Hello in the outage.").waitFor();
    await view.said.getByText("Goodbye in the outage.").waitFor();
    await page.reload();
    await view.card("Hello").getByText("Hello in the outage.").waitFor();
    // The browser itself logs requests that reached no server.
    expect(builder.complaints.filter((each) => !each.includes("ERR_CONNECTION_REFUSED"))).toEqual([]);
  });
});
