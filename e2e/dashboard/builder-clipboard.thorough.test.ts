import type { Flow } from "@parley/contract/flow";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "../harness/api-client.ts";
import { type OpenBuilder, openBuilder } from "./builder-view.ts";
import { looksOfJourney } from "./looks.ts";
import { type DashboardScene, openDashboard } from "./visitor.ts";

const FLOW: Flow = {
  schemaVersion: 1,
  variables: [],
  settings: { disclosure: null },
  nodes: [
    { id: "start", type: "start", position: { x: 0, y: 0 }, next: "coming" },
    {
      ...{ id: "coming", type: "ask", position: { x: 300, y: 0 }, text: "Will you come?", answer: "yes_no" },
      exits: [
        { when: "yes", next: "thanks" },
        { when: "no", next: "thanks" },
      ],
      otherwise: "thanks",
    },
    { id: "thanks", type: "end", position: { x: 600, y: 0 }, text: "Thank you." },
  ],
};

let scene: DashboardScene;
beforeAll(async () => {
  scene = await openDashboard();
});
afterAll(() => scene?.close());

describe.each(looksOfJourney({ theme: "dark", width: 1280 }))("$theme, $width px wide", (look) => {
  let builder: OpenBuilder;
  let otherId: string;

  // One person takes a part of one agent to another: each step builds on the previous one.
  beforeAll(async () => {
    builder = await openBuilder(scene, look, { name: "Source", flow: FLOW });
    await builder.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const { key } = builder;
    otherId = (await ask(scene.service.url, "/api/v1/agents", { key, body: { name: "Target" } })).body.data.id;
    await builder.view.card("Coming").waitFor();
  });

  const readOther = async (): Promise<Flow> =>
    (await ask(scene.service.url, `/api/v1/agents/${otherId}`, { key: builder.key })).body.data.flow;
  const clipboard = (): Promise<string> => builder.page.evaluate("navigator.clipboard.readText()");

  test("all nodes are copied, as text that a colleague could be sent", async () => {
    const { page, view } = builder;
    await view.find("Coming");
    await view.untilFocused("Coming");
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Control+c");
    const part = JSON.parse(await clipboard());
    expect(part).toMatchObject({ parleyFlowPart: 1 });
    expect(part.nodes.map(({ id }: { id: string }) => id)).toEqual(["start", "coming", "thanks"]);
  });

  test("another agent gets them with the lines between them, selected, and undo takes them back", async () => {
    const { page, view } = builder;
    await page.goto(`${scene.service.url}/agents/${otherId}/build`);
    await page.getByRole("heading", { name: "What should the agent do?" }).waitFor();
    await page.keyboard.press("Control+v");
    await view.card("Thanks").waitFor();
    await expect.poll(() => page.locator('.step[data-selected="true"]').count()).toBe(3);
    await view.judged("No problems");
    await view.saved();
    const { nodes } = await readOther();
    expect(nodes).toMatchObject(FLOW.nodes.map(({ position: _, ...node }) => node));
    await page.keyboard.press("Control+z");
    await page.getByRole("heading", { name: "What should the agent do?" }).waitFor();
    await page.keyboard.press("Control+Shift+z");
    await view.card("Thanks").waitFor();
  });

  test("what is there already is pasted under another id, and a second start is left out", async () => {
    const { page, view } = builder;
    await page.keyboard.press("Control+v");
    await view.card("Thanks 2").waitFor();
    await view.saved();
    const { nodes } = await readOther();
    expect(nodes.map(({ id }) => id)).toEqual(["start", "coming", "thanks", "coming_2", "thanks_2"]);
    expect(nodes[3]).toMatchObject({ exits: [{ next: "thanks_2" }, { next: "thanks_2" }], otherwise: "thanks_2" });
    await page.keyboard.press("Control+x");
    await view.card("Thanks 2").waitFor({ state: "detached" });
    expect(JSON.parse(await clipboard()).nodes.map(({ id }: { id: string }) => id)).toEqual(["coming_2", "thanks_2"]);
  });

  test("in a text field the keys copy and paste words, and a text that is no part of a flow changes nothing", async () => {
    const { page, view } = builder;
    await view.find("Thanks");
    const words = view.field("Last words (optional)");
    await words.focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Control+c");
    expect(await clipboard()).toBe("Thank you.");
    await page.keyboard.press("End");
    await page.keyboard.press("Control+v");
    await expect.poll(() => words.inputValue()).toBe("Thank you.Thank you.");
    await page.keyboard.press("Escape");
    await view.untilFocused("Thanks");
    await page.keyboard.press("Control+v");
    await view.saved();
    expect((await readOther()).nodes).toHaveLength(3);
    expect(builder.complaints).toEqual([]);
  });
});
