import type { Flow } from "@parley/contract/flow";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKey, type SignedInMember, signUp } from "../harness/accounts.ts";
import { ask } from "../harness/api-client.ts";
import { findBarriers } from "../harness/browser.ts";
import { placeCall, untilPhase } from "../harness/calls.ts";
import { type BuilderView, viewOfBuilder } from "./builder-view.ts";
import { isPhone, looksOfJourney } from "./looks.ts";
import { type DashboardScene, openDashboard, signInOnPage } from "./visitor.ts";

const FLOW: Flow = {
  schemaVersion: 1,
  variables: [],
  settings: { voice: "slt", disclosure: null, retries: { max: 2 }, callback: { offer: false } },
  nodes: [
    { id: "start", type: "start", position: { x: 0, y: 0 }, next: "color" },
    {
      ...{ id: "color", type: "ask", position: { x: 300, y: 0 }, text: "Do you want the red or the blue one?" },
      answer: "choice",
      exits: [
        { when: "red", next: "red_one" },
        { when: "blue", next: "blue_one" },
      ],
      otherwise: "nothing",
    },
    { id: "red_one", type: "end", position: { x: 600, y: 0 }, text: "The red one, then. Goodbye." },
    { id: "blue_one", type: "end", position: { x: 600, y: 150 }, text: "The blue one, then. Goodbye." },
    { id: "nothing", type: "end", position: { x: 600, y: 300 }, text: "Never mind. Goodbye." },
  ],
};

/** In real time, on a busy machine. */
const CALL_WITHIN_MS = 180_000;

let scene: DashboardScene;
let owner: SignedInMember;
let key: string;
let agentId: string;

beforeAll(async () => {
  scene = await openDashboard({ PARLEY_CONVERSATION_THREADS: "1" });
  const { url } = scene.service;
  owner = await signUp(url);
  ({ key } = await createKey(url, owner.cookie));
  agentId = (await ask(url, "/api/v1/agents", { key, body: { name: "Colors", flow: FLOW } })).body.data.id;
  await ask(url, `/api/v1/agents/${agentId}/publish`, { key, method: "POST" });
  const caller = { url, key, agentId };
  // One answers something else first, the other hangs up at the question.
  for (const [words, status] of [
    [[{ say: "Hello?" }, { say: "My grandmother's house." }, { say: "The red one." }], "completed"],
    [[{ say: "Hello?" }, { waitMs: 3000 }, { hangUp: true }], "completed"],
  ] as const) {
    const call = await placeCall(caller, "+15550100001", { simulation: { answerAfterMs: 0, script: words } });
    expect(await untilPhase(caller, call, "ended", CALL_WITHIN_MS)).toMatchObject({ status });
  }
}, 2 * CALL_WITHIN_MS);
afterAll(() => scene?.close());

describe.each(looksOfJourney({ theme: "dark", width: 1280 }))("$theme, $width px wide", (look) => {
  let page: Page;
  let complaints: string[];
  let view: BuilderView;

  // One person learns from calls: each step builds on the previous one, and the last leaves the draft as it was.
  beforeAll(async () => {
    ({ page, complaints } = await scene.visit(look));
    view = viewOfBuilder(page);
    await page.goto(`${scene.service.url}/agents/${agentId}/build`);
    await signInOnPage(page, owner.email);
    await view.card("Color").waitFor();
  });

  const numbersOf = (title: string) => view.card(title).getByRole("list", { name: "In the latest calls" });
  const answers = () => page.getByRole("region", { name: "Not understood in calls" });

  /** Says something to the agent and reads where that led. */
  async function tryAnswer(words: string): Promise<void> {
    await view.tab("Try");
    await page
      .getByRole("tabpanel")
      .getByRole("button", { name: /^Start/ })
      .click();
    await view.said.getByText("Do you want the red or the blue one?").waitFor();
    await view.field("What you say").fill(words);
    await page.keyboard.press("Enter");
  }

  test("each node shows what the latest calls did there, also after the page is loaded again", async () => {
    expect(await page.getByRole("list", { name: "In the latest calls" }).count()).toBe(0);
    if (isPhone(look)) {
      await view.button("More").click();
      await page.getByRole("menuitemcheckbox", { name: "Statistics of recent calls" }).click();
      await page.keyboard.press("Escape");
    } else await view.button("Statistics of recent calls").click();
    await numbersOf("Color").waitFor();
    expect(await numbersOf("Color").getByRole("listitem").allTextContents()).toEqual([
      "2 calls",
      "50% hung up",
      "1 unclear",
      expect.stringMatching(/^\d+(\.\d)? s$/),
    ]);
    await expect.poll(() => numbersOf("Red one").getByText("1 call", { exact: true }).count()).toBe(1);
    expect(await numbersOf("Blue one").count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    await page.reload();
    await numbersOf("Color").getByText("2 calls").waitFor();
  });

  test("what a callee said becomes a phrase, which the agent then understands", async () => {
    await view.find("Color");
    await answers().waitFor();
    const words = (await answers().getByRole("listitem").first().getByRole("paragraph").textContent()) ?? "";
    const said = /“(.+)”/.exec(words)?.[1] ?? "";
    expect(said).not.toBe("");
    await tryAnswer(said);
    await expect.poll(() => view.said.getByText(/red or the blue/i).count()).toBe(2);

    await view.tab("Node");
    const phrase = answers().getByLabel(`Add “${said}” as a phrase`);
    expect(await findBarriers(page)).toEqual([]);
    await phrase.selectOption("blue");
    await phrase.waitFor({ state: "detached" });
    await view.saved();
    const { flow } = (await ask(scene.service.url, `/api/v1/agents/${agentId}`, { key })).body.data;
    expect(flow.nodes[1].exits).toMatchObject([
      { when: "red" },
      { when: "blue", phrases: [said.replace(/[.!?]+$/, "")] },
    ]);
    await tryAnswer(said);
    await view.said.getByText("The blue one, then. Goodbye.").waitFor();
  });

  test("undo takes the phrase back, and the answer is offered again", async () => {
    await view.tab("Node");
    await view.button("Undo").first().click();
    await view.find("Color");
    await answers().waitFor();
    await view.saved();
    const { flow } = (await ask(scene.service.url, `/api/v1/agents/${agentId}`, { key })).body.data;
    expect(flow.nodes[1].exits[1].phrases).toBeUndefined();
    expect(complaints).toEqual([]);
  });
});
