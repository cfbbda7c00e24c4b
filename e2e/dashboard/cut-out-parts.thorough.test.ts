import type { Flow } from "@parley/contract/flow";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createKey, signInAgain } from "../harness/accounts.ts";
import { ask } from "../harness/api-client.ts";
import { findBarriers } from "../harness/browser.ts";
import { type DashboardScene, openDashboard, signUpOnPage } from "./visitor.ts";

let scene: DashboardScene;
let page: Page;
let complaints: string[];
let key: string;
let agentId: string;

const FLOW: Flow = {
  schemaVersion: 1,
  variables: [],
  settings: { voice: "slt", disclosure: null },
  nodes: [
    { id: "start", type: "start", position: { x: 0, y: 0 }, next: "when" },
    {
      id: "when",
      type: "ask",
      position: { x: 360, y: 0 },
      text: "Which day suits you?",
      answer: "date",
      saveAs: "day",
      exits: [],
      next: "bye",
      otherwise: "bye",
    },
    { id: "bye", type: "end", position: { x: 720, y: 0 }, text: "Goodbye." },
  ],
};
const EXPECTED = [
  { type: "collected", name: "day" },
  { type: "ended", reason: "agent_hangup" },
];

beforeAll(async () => {
  scene = await openDashboard({ PARLEY_CONVERSATION_THREADS: "1" });
  ({ page, complaints } = await scene.visit());
  const email = await signUpOnPage(page, scene.service.url);
  const { cookie } = await signInAgain(scene.service.url, email);
  ({ key } = await createKey(scene.service.url, cookie));
  agentId = (await ask(scene.service.url, "/api/v1/agents", { key, body: { name: "Booking", flow: FLOW } })).body.data
    .id;
  const scenario = { name: "Names a day", steps: [{ say: "Tomorrow" }], expect: EXPECTED };
  await ask(scene.service.url, `/api/v1/agents/${agentId}/scenarios`, { key, body: scenario });
});
afterAll(() => scene?.close());

const expectations = async () =>
  (await ask(scene.service.url, `/api/v1/agents/${agentId}/scenarios`, { key })).body.data[0].expect;

test("a scenario says what it expects of a node that was deleted, and a button removes that", async () => {
  await page.goto(`${scene.service.url}/agents/${agentId}/build`);
  await page.getByRole("tab", { name: "Scenarios" }).click();
  await page.getByText("Names a day").waitFor();
  expect(await page.getByText(/nothing in the flow saves it anymore/).count()).toBe(0);
  await page.locator(".react-flow__node").filter({ hasText: "Which day suits you?" }).locator(".step-header").click();
  await page.keyboard.press("Delete");
  await page.getByRole("tab", { name: "Scenarios" }).click();
  await page.getByText(/Expects to collect “day”, but nothing in the flow saves it anymore/).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole("button", { name: "Remove the expectation" }).click();
  await expect.poll(expectations).toEqual(EXPECTED.slice(1));
  await page.locator("li, div").filter({ hasText: "was removed" }).getByRole("button", { name: "Undo" }).last().click();
  await expect.poll(expectations).toEqual(EXPECTED);
});

test("in German, the scenario and the service both speak German", async () => {
  await page.evaluate("localStorage.setItem('parley.language', 'de')");
  await page.reload();
  await page.getByRole("tab", { name: "Szenarien" }).click();
  await page.getByText(/Erwartet, dass „day“ erfasst wird, aber nichts im Ablauf speichert diesen Wert mehr/).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.goto(`${scene.service.url}/settings/webhooks`);
  await page.getByRole("button", { name: "Endpunkt hinzufügen" }).first().click();
  await page.getByRole("dialog").getByRole("textbox").first().fill("https://user:secret@hooks.example/in");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /hinzufügen|erstellen/i })
    .click();
  await page.getByText("Die URL darf keinen Benutzernamen und kein Passwort enthalten.", { exact: false }).waitFor();
});

test("nothing was reported on the console of the browser", () => {
  // The refused address is a failed request.
  expect(complaints.filter((each) => !each.includes("422"))).toEqual([]);
});
