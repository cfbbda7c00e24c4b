import type { Flow } from "@parley/contract/flow";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createKey, signInAgain } from "../harness/accounts.ts";
import { ask } from "../harness/api-client.ts";
import { findBarriers } from "../harness/browser.ts";
import { placeCall, untilPhase } from "../harness/calls.ts";
import { type DashboardScene, openDashboard, PATIENCE_MS, signUpOnPage } from "./visitor.ts";

let scene: DashboardScene;
let page: Page;
let complaints: string[];
let key: string;
let agentId: string;

const FLOW: Flow = {
  schemaVersion: 1,
  variables: [],
  // A light voice speaks immediately, so that nothing has to be rendered ahead.
  settings: { voice: "slt", disclosure: null, retries: { max: 2 }, callback: { offer: false } },
  nodes: [
    { id: "start", type: "start", position: { x: 0, y: 0 }, next: "hello" },
    { id: "hello", type: "say", position: { x: 360, y: 0 }, text: "Hello.", next: "news" },
    { id: "news", type: "say", position: { x: 720, y: 0 }, text: "Your order is here.", next: "bye" },
    { id: "bye", type: "end", position: { x: 1080, y: 0 }, text: "Goodbye." },
  ],
};

// One person divides an agent into parts: each step builds on the previous one.
beforeAll(async () => {
  scene = await openDashboard({ PARLEY_CONVERSATION_THREADS: "1" });
  ({ page, complaints } = await scene.visit());
  const email = await signUpOnPage(page, scene.service.url);
  const { cookie } = await signInAgain(scene.service.url, email);
  ({ key } = await createKey(scene.service.url, cookie));
  const made = await ask(scene.service.url, "/api/v1/agents", { key, body: { name: "Orders", flow: FLOW } });
  agentId = made.body.data.id;
  await page.goto(`${scene.service.url}/agents/${agentId}/build`);
});
afterAll(() => scene?.close());

const card = (title: string): Locator =>
  page.locator(".react-flow__node").filter({ has: page.locator(".step-title", { hasText: new RegExp(`^${title}$`) }) });
const frame = () => page.locator(".react-flow__node-group");
const saved = () => page.locator("[data-testid=save-state][data-state=saved]").waitFor();
const readFlow = async (): Promise<Flow> =>
  (await ask(scene.service.url, `/api/v1/agents/${agentId}`, { key })).body.data.flow;

async function choose(title: string, ...others: string[]): Promise<void> {
  await card(title).locator(".step-header").click();
  for (const other of others) {
    await card(other)
      .locator(".step-header")
      .click({ modifiers: ["Shift"] });
  }
  await card(others.at(-1) ?? title)
    .locator('.step[data-selected="true"]')
    .waitFor();
}

test("nodes are grouped from the menu, and the group is named", async () => {
  await choose("Hello", "News");
  await card("News").locator(".step-header").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Group" }).click();
  const name = frame().getByLabel("Name of the group");
  await name.fill("What is new");
  expect(await findBarriers(page)).toEqual([]);
  await saved();
  expect((await readFlow()).groups).toEqual([{ id: "group", name: "What is new", nodeIds: ["hello", "news"] }]);
});

test("the frame is dragged with its nodes, and follows a node that is dragged", async () => {
  const box = await frame().locator(".group-header").boundingBox();
  if (!box) throw new Error("there is no frame");
  await page.mouse.move(box.x + box.width - 40, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 40, box.y + box.height / 2 + 100, { steps: 5 });
  await page.mouse.up();
  await saved();
  await expect
    .poll(async () => (await readFlow()).nodes.map(({ position }) => (position?.y ?? 0) > 50))
    .toEqual([false, true, true, false]);
  const { nodes } = await readFlow();
  expect(nodes[1]?.position?.y).toBe(nodes[2]?.position?.y);
});

test("the group gets a color, is copied with its nodes, and is taken apart by key", async () => {
  await frame()
    .locator(".group-header")
    .click({ position: { x: 400, y: 8 } });
  await page.getByRole("button", { name: "Color: blue" }).click();
  await page.locator('.group-frame[data-color="blue"]').waitFor();
  await page.keyboard.press("Control+d");
  await card("News 2").waitFor();
  await expect.poll(() => frame().count()).toBe(2);
  await page.keyboard.press("Control+z");
  await expect.poll(() => frame().count()).toBe(1);
  await choose("Hello");
  await page.keyboard.press("Shift+G");
  await saved();
  await expect.poll(async () => (await readFlow()).groups?.[0]?.nodeIds).toEqual(["news"]);
  await page.keyboard.press("Control+z");
  await page.getByRole("button", { name: "Tidy up" }).click();
  await page.locator('[aria-label="Canvas"][aria-busy="false"]').waitFor();
  await saved();
  await expect
    .poll(async () => (await readFlow()).groups)
    .toEqual([{ id: "group", name: "What is new", nodeIds: ["hello", "news"], color: "blue" }]);
  expect(complaints).toEqual([]);
});

const PART: Flow = {
  schemaVersion: 1,
  variables: ["name"],
  settings: { voice: "slt", disclosure: null, retries: { max: 2 }, callback: { offer: false } },
  nodes: [
    { id: "start", type: "start", next: "known" },
    {
      id: "known",
      type: "ask",
      text: "Am I speaking with {{name}}?",
      answer: "yes_no",
      saveAs: "is_known",
      exits: [
        { when: "yes", next: "right" },
        { when: "no", next: "wrong" },
      ],
      otherwise: "wrong",
    },
    { id: "right", type: "end", outcome: "right person" },
    { id: "wrong", type: "end", outcome: "wrong person" },
  ],
};

test("the flow of another agent is used as a node, and its exits are connected", async () => {
  const made = await ask(scene.service.url, "/api/v1/agents", { key, body: { name: "Who is it?", flow: PART } });
  const partId = made.body.data.id;
  await ask(scene.service.url, `/api/v1/agents/${partId}/publish`, { key, method: "POST" });
  await page.reload();
  await choose("Hello");
  await page.keyboard.press("c");
  await page.getByRole("dialog", { name: "Where does it lead?" }).getByRole("combobox").fill("sub-flow");
  await page.keyboard.press("Enter");
  const panel = page.getByRole("tabpanel");
  await panel.getByLabel("Which flow").selectOption({ label: "Who is it?" });
  await card("Who is it\\?").waitFor();
  await panel.getByLabel("right person").selectOption({ label: "News" });
  await panel.getByLabel("wrong person").selectOption({ label: "Bye" });
  await panel.getByLabel("name", { exact: true }).fill('"Ada"');
  await page
    .locator("[data-testid=problems][data-current=true]")
    .filter({ hasText: /^No problems$/ })
    .waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await saved();
  expect((await readFlow()).nodes.find(({ type }) => type === "subflow")).toMatchObject({
    agentId: partId,
    version: 1,
    inputs: [{ name: "name", value: '"Ada"' }],
    exits: [
      { when: "right person", next: "news" },
      { when: "wrong person", next: "bye" },
    ],
  });
});

test("the try goes through the sub-flow, and the canvas shows it", async () => {
  await page.getByRole("tab", { name: "Try" }).click();
  const panel = page.getByRole("tabpanel");
  await panel.getByRole("button", { name: "Start" }).click();
  const said = page.getByRole("list", { name: "What was said" });
  await said.getByText("Am I speaking with Ada?").waitFor();
  await card("Who is it\\?").locator('.step[data-active="true"]').waitFor();
  await panel.getByLabel("What you say").fill("yes");
  await page.keyboard.press("Enter");
  await said.getByText("Your order is here.").waitFor();
  await said.getByText("The call is over").waitFor();
});

test("a simulated call of the published agent goes through it, also after the part has changed", async () => {
  await ask(scene.service.url, `/api/v1/agents/${agentId}/publish`, { key, method: "POST" });
  const subflow = (await readFlow()).nodes.find(({ type }) => type === "subflow");
  const partId = subflow?.type === "subflow" ? (subflow.agentId ?? "") : "";
  const { revision } = (await ask(scene.service.url, `/api/v1/agents/${partId}`, { key })).body.data;
  const flow = {
    ...PART,
    nodes: PART.nodes.map((node) => (node.type === "ask" ? { ...node, text: "Who are you?" } : node)),
  };
  await ask(scene.service.url, `/api/v1/agents/${partId}`, {
    ...{ key, method: "PATCH", body: { flow }, headers: { "if-match": String(revision) } },
  });
  await ask(scene.service.url, `/api/v1/agents/${partId}/publish`, { key, method: "POST" });
  const caller = { url: scene.service.url, key, agentId };
  const listens = { simulation: { answerAfterMs: 0, script: [{ waitMs: 6000 }, { hangUp: true }] } };
  const call = await placeCall(caller, "+15550100001", listens);
  await untilPhase(caller, call, "ended", PATIENCE_MS);
  const transcript = await ask(scene.service.url, `/api/v1/calls/${call}/transcript`, { key });
  const words = JSON.stringify(transcript.body.data);
  expect(words).toContain("Am I speaking with Ada?");
  expect(words).not.toContain("Who are you?");
  // The builder offers the newer version, and takes it only when asked.
  await page.reload();
  await choose("Who is it\\?");
  await page.getByRole("tab", { name: "Node" }).click();
  await page.getByRole("button", { name: "Update to version 2" }).click();
  await page.getByRole("tabpanel").getByText("Version 2", { exact: true }).waitFor();
  await saved();
  await expect.poll(async () => JSON.stringify(await readFlow())).toContain('"version":2');
  expect(await findBarriers(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test("nodes that are selected become a sub-flow, the call goes on as before, and undo brings them back", async () => {
  const flow: Flow = {
    ...FLOW,
    nodes: [
      { id: "start", type: "start", position: { x: 0, y: 0 }, next: "who" },
      {
        ...{ id: "who", type: "ask", position: { x: 360, y: 0 }, text: "Who is there?", answer: "name", exits: [] },
        ...{ saveAs: "caller", next: "thanks", otherwise: "bye" },
      },
      { id: "thanks", type: "say", position: { x: 720, y: 0 }, text: "Thank you, {{caller}}.", next: "more" },
      {
        ...{ id: "more", type: "ask", position: { x: 1080, y: 0 }, text: "More, {{caller}}?", answer: "yes_no" },
        ...{
          saveAs: "wants_more",
          exits: [
            { when: "yes", next: "who" },
            { when: "no", next: "bye" },
          ],
          otherwise: "bye",
        },
      },
      { id: "bye", type: "end", position: { x: 1440, y: 0 }, text: "Goodbye." },
    ],
  };
  const made = await ask(scene.service.url, "/api/v1/agents", { key, body: { name: "Doorbell", flow } });
  agentId = made.body.data.id;
  await page.goto(`${scene.service.url}/agents/${agentId}/build`);
  await card("Thanks").waitFor();

  // What cannot be cut out is said in the menu's dialog.
  await choose("Start", "Who");
  await card("Who").locator(".step-header").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Create a sub-flow…" }).click();
  const dialog = page.getByRole("dialog", { name: "Create a sub-flow from the selection" });
  await dialog.getByText("The start has to stay in this flow.").waitFor();
  await page.keyboard.press("Escape");

  // By key, and by searching for what can be done.
  await choose("Thanks", "More");
  await page.keyboard.press("s");
  await dialog.getByText("Thanks, More").waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Find a node" }).getByRole("combobox").fill("sub-flow from");
  await page.keyboard.press("Enter");
  await dialog.getByLabel("Name of the new agent").fill("Ask for more");
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await card("Ask for more").waitFor();
  await expect.poll(() => card("Thanks").count()).toBe(0);
  await page
    .locator("[data-testid=problems][data-current=true]")
    .filter({ hasText: /^No problems$/ })
    .waitFor();
  await saved();
  const part = (await readFlow()).nodes.find(({ type }) => type === "subflow");
  expect(part).toMatchObject({
    ...{ id: "ask_for_more", version: 1, inputs: [{ name: "caller", value: "collected.caller" }] },
    saves: [{ name: "wants_more", saveAs: "wants_more" }],
  });

  await page.getByRole("tab", { name: "Try" }).click();
  const panel = page.getByRole("tabpanel");
  const said = page.getByRole("list", { name: "What was said" });
  await panel.getByRole("button", { name: "Start" }).click();
  await said.getByText("Who is there?").waitFor();
  await panel.getByLabel("What you say").fill("Ada");
  await page.keyboard.press("Enter");
  await said.getByText("More, Ada?").waitFor();
  await card("Ask for more").locator('.step[data-active="true"]').waitFor();
  await panel.getByLabel("What you say").fill("no");
  await page.keyboard.press("Enter");
  await said.getByText("The call is over").waitFor();

  await page.getByRole("button", { name: "Undo", exact: true }).first().click();
  await card("Thanks").waitFor();
  await card("More").waitFor();
  await saved();
  expect((await readFlow()).nodes).toEqual(flow.nodes);
  const kept = await ask(scene.service.url, `/api/v1/agents/${part?.type === "subflow" ? part.agentId : ""}`, { key });
  expect(kept.body.data).toMatchObject({ name: "Ask for more", publishedVersion: 1 });
  expect(complaints).toEqual([]);
});
