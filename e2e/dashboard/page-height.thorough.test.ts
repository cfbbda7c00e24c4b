import type { FlowNode } from "@parley/contract/flow";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dataOf } from "../harness/accounts.ts";
import { sendPatiently } from "../harness/http-client.ts";
import { makePageIds, type PageIds } from "./page-ids.ts";
import { IS_SETTLED, OUTSIDE_PAGES, readRoutedPages } from "./routed-pages.ts";
import { type DashboardScene, openDashboard, signInOnPage } from "./visitor.ts";

type NodeType = FlowNode["type"];

/** Enough content in each kind of node to make its panel longer than the screen. */
const many = <T>(make: (number: number) => T) => Array.from({ length: 15 }, (_, index) => make(index + 1));
const LONG_NODES: { readonly [T in NodeType]: Omit<Extract<FlowNode, { type: T }>, "id" | "type" | "position"> } = {
  start: {},
  say: { text: "A long text. ".repeat(60) },
  ask: {
    text: "Which one?",
    answer: "choice",
    exits: many((number) => ({ when: `choice ${number}`, phrases: [`the ${number}th`, `number ${number}`] })),
  },
  conversation: { prompt: "Talk. ".repeat(200), exits: many((number) => ({ when: `they say ${number}` })) },
  branch: { exits: many((number) => ({ when: `collected.guests > ${number}` })) },
  tool: {
    request: { method: "POST", url: "https://example.com/", body: Object.fromEntries(many((n) => [`name_${n}`, n])) },
    saves: many((number) => ({ path: `value_${number}`, saveAs: `value_${number}` })),
  },
  set: { values: many((number) => ({ saveAs: `value_${number}`, value: String(number) })) },
  transfer: { to: "+15550100001", text: "One moment. ".repeat(30) },
  dtmf: { keys: "123#" },
  subflow: { exits: many((number) => ({ when: `outcome ${number}` })) },
  voicemail: { text: "Please call back. ".repeat(30) },
  end: { text: "Goodbye. ".repeat(60) },
};
const NODE_TYPES = Object.keys(LONG_NODES) as NodeType[];
const PAGES = await readRoutedPages();
const TABS = ["Node", "Try", "Scenarios", "Settings"];

let scene: DashboardScene;
let made: PageIds;
let longAgentId: string;

beforeAll(async () => {
  scene = await openDashboard();
  made = await makePageIds(scene.service);
  const nodes = NODE_TYPES.map((type, index) => ({
    ...LONG_NODES[type],
    id: `the_${type}`,
    type,
    position: { x: 320 * (index % 4), y: 260 * Math.floor(index / 4) },
  }));
  const agent = { name: "One of each", flow: { schemaVersion: 1, nodes } };
  const reply = await sendPatiently(scene.service.url, {
    path: "/api/v1/agents",
    headers: made.operator.cookie,
    json: agent,
  });
  longAgentId = dataOf(reply).id;
});
afterAll(async () => {
  made?.close();
  await scene?.close();
});

/** By how many pixels the document is longer than the screen and than what is laid out on it. */
const EXCESS = `(() => {
  const laidOut = Math.max(innerHeight, Math.ceil(document.body.getBoundingClientRect().height));
  return document.documentElement.scrollHeight - laidOut;
})()`;
/** By how many pixels the document is longer than the screen. */
const BEYOND_SCREEN = "document.documentElement.scrollHeight - innerHeight";

const ON_A_DESK = { width: 1440, height: 900 };
const ON_A_PHONE = { width: 390, height: 740 };

describe("on a phone and then on a desk", () => {
  let page: Page;

  beforeAll(async () => {
    ({ page } = await scene.visit({ width: ON_A_PHONE.width }));
  });
  afterAll(() => page?.context().close());

  async function look(route: string): Promise<void> {
    await page.setViewportSize(ON_A_PHONE);
    await page.goto(made.addressOf(route));
    await page.locator("h1, main").first().waitFor();
    for (const size of [ON_A_PHONE, ON_A_DESK]) {
      await page.setViewportSize(size);
      await expect.poll(() => page.evaluate(IS_SETTLED)).toBe(true);
      expect(await page.evaluate(EXCESS), `${size.width} px wide`).toBeLessThanOrEqual(0);
    }
  }

  test.each(PAGES.filter((route) => OUTSIDE_PAGES.has(route)))("%s is as long as what is on it", look);

  test("a member signs in", async () => {
    await page.goto(`${scene.service.url}/sign-in`);
    await signInOnPage(page, made.operator.email);
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  });

  test.each(PAGES.filter((route) => !OUTSIDE_PAGES.has(route)))("%s is as long as what is on it", look);
});

describe.each([
  { name: "on a desk", size: ON_A_DESK },
  { name: "on a phone", size: ON_A_PHONE },
])("the builder, $name", ({ size }) => {
  let page: Page;

  beforeAll(async () => {
    ({ page } = await scene.visit({ width: size.width }));
    await page.setViewportSize(size);
    await page.goto(`${scene.service.url}/sign-in`);
    await signInOnPage(page, made.operator.email);
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  });
  afterAll(() => page?.context().close());

  async function select(type: NodeType): Promise<void> {
    const finder = page.getByRole("dialog", { name: "Find a node" });
    // Keys belong to the canvas once nothing else has the focus.
    await page.evaluate("document.activeElement?.blur()");
    await page.keyboard.press("/");
    await finder.getByRole("combobox").fill(`The ${type}`);
    await page.keyboard.press("Enter");
    await finder.waitFor({ state: "detached" });
    await page.locator(`.react-flow__node[data-id="the_${type}"] .step[data-selected="true"]`).waitFor();
  }

  test("opens with one node of each kind", async () => {
    await page.goto(`${scene.service.url}/agents/${longAgentId}/build`);
    await page.locator(".react-flow__node").first().waitFor();
    await expect.poll(() => page.evaluate(IS_SETTLED)).toBe(true);
  });

  test.each(NODE_TYPES)("stays on the screen with a long %s node selected, on any tab", async (type) => {
    const tooLong: string[] = [];
    await select(type);
    for (const tab of TABS) {
      await page.getByRole("tab", { name: tab, exact: true }).click();
      await page.getByRole("tabpanel", { name: tab }).locator(":scope > *").first().waitFor();
      await expect.poll(() => page.evaluate(IS_SETTLED)).toBe(true);
      const beyond = await page.evaluate(BEYOND_SCREEN);
      if (beyond !== 0) tooLong.push(`${tab}: ${beyond} px`);
    }
    await page.getByRole("tab", { name: "Node", exact: true }).click();
    expect(tooLong).toEqual([]);
  });

  test("the panel of a long node scrolls separately, to its end", async () => {
    const panel = page.getByRole("tabpanel", { name: "Node" });
    await select("ask");
    const shown = 'document.querySelector("#details [role=tabpanel][data-state=active]")';
    await expect.poll(() => page.evaluate(`${shown}.scrollHeight > ${shown}.clientHeight`)).toBe(true);
    await panel.locator("input, textarea, select, button").last().focus();
    expect(await page.evaluate("scrollY")).toBe(0);
    expect(await page.evaluate(BEYOND_SCREEN)).toBe(0);
  });

  test("a node that is clicked stays in view when its details open", async () => {
    await page.goto(`${scene.service.url}/agents/${made.ids["agentId"]}/build`);
    const title = page.locator(".step-title", { hasText: "Outcome: wrong number" });
    const card = page.locator(".react-flow__node").filter({ has: title });
    await title.click();
    await page.getByRole("tabpanel", { name: "Node" }).getByLabel("Title").waitFor();
    const canvas = page.getByRole("region", { name: "Canvas" });
    await expect
      .poll(async () => {
        const [inner, outer] = await Promise.all([card.boundingBox(), canvas.boundingBox()]);
        return inner && outer && inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height;
      })
      .toBe(true);
  });

  test("the path of a call stays on the screen", async () => {
    await page.goto(`${scene.service.url}/agents/${made.ids["agentId"]}/build?call=${made.ids["callId"]}`);
    await page.getByRole("button", { name: "Back to the draft" }).waitFor();
    await expect.poll(() => page.evaluate(IS_SETTLED)).toBe(true);
    expect(await page.evaluate(BEYOND_SCREEN)).toBe(0);
  });
});
