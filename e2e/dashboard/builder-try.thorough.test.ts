import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Flow } from "@parley/contract/flow";
import { type ModelServer, startModelServer } from "@parley/providers/testing/model-server";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "../harness/api-client.ts";
import { findBarriers, openBrowser, openPage } from "../harness/browser.ts";
import { makeDataFolder } from "../harness/data-folder.ts";
import { type BuilderView, openBuilder, viewOfBuilder } from "./builder-view.ts";
import { looksOfJourney } from "./looks.ts";
import { repeatWithPauses } from "./microphone-sound.ts";
import { type DashboardScene, openDashboard, PATIENCE_MS, signInOnPage } from "./visitor.ts";

const FLOW: Flow = {
  schemaVersion: 1,
  variables: ["first_name"],
  // A light voice speaks immediately, so that nothing has to be rendered ahead.
  settings: { voice: "slt", disclosure: null, retries: { max: 2 }, callback: { offer: false } },
  nodes: [
    { id: "start", type: "start", next: "coming" },
    {
      id: "coming",
      type: "ask",
      text: "Hello {{first_name}}. Will you come on Tuesday?",
      answer: "yes_no",
      saveAs: "coming",
      exits: [
        { when: "yes", next: "thanks" },
        { when: "no", next: "other_day" },
      ],
      otherwise: "thanks",
    },
    {
      id: "other_day",
      type: "ask",
      text: "Which day is better?",
      answer: "date",
      saveAs: "day",
      exits: [],
      otherwise: "thanks",
    },
    { id: "thanks", type: "end", text: "Thank you. Goodbye." },
  ],
};

// Looks are tried one after the other, each by a person of their own.
let scene: DashboardScene;
let models: ModelServer;

beforeAll(async () => {
  models = await startModelServer();
  scene = await openDashboard({
    ...{ PARLEY_CONVERSATION_THREADS: "1", PARLEY_MODEL_URL: `${models.url}/v1`, PARLEY_MODEL_NAME: "large" },
    PARLEY_MODEL_FALLBACK: "openai-compatible/small",
  });
});
afterAll(async () => {
  await scene?.close();
  await models?.close();
});

describe.each(looksOfJourney({ theme: "light", width: 1440 }))("$theme, $width px wide", (look) => {
  let page: Page;
  let complaints: string[];
  let email: string;
  let key: string;
  let agentId: string;
  let view: BuilderView;

  // One person tries an agent in every way there is: each step builds on the previous one.
  beforeAll(async () => {
    const builder = await openBuilder(scene, look, { name: "Tuesday", flow: FLOW });
    ({ page, complaints, key, agentId, view } = builder);
    ({ email } = builder.owner);
    await ask(scene.service.url, `/api/v1/agents/${agentId}/publish`, { key, method: "POST" });
    await page.reload();
    await view.card("Coming").waitFor();
  });

  async function lookAround(): Promise<void> {
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
  }

  test("the agent is tried by text: it answers as in a call, and the canvas shows where it is", async () => {
    await view.tab("Try");
    await view.panel.getByText("Variables").click();
    await view.panel.getByLabel("first_name").fill("Ada");
    await view.panel.getByRole("button", { name: "Start" }).click();
    await view.said.getByText("Hello Ada. Will you come on Tuesday?").waitFor();
    await view.card("Coming").locator('.step[data-active="true"]').waitFor();
    await lookAround();
    await view.panel.getByLabel("What you say").fill("no, I can't");
    await page.keyboard.press("Enter");
    await view.said.getByText("Which day is better?").waitFor();
    await view.card("Other day").locator('.step[data-active="true"]').waitFor();
    await view.panel.getByLabel("What you say").fill("on the third of May");
    await page.keyboard.press("Enter");
    await view.said.getByText("Thank you. Goodbye.").waitFor();
    await view.said.getByText("The call is over").waitFor();
    await expect.poll(() => view.panel.getByRole("region", { name: "Collected" }).textContent()).toMatch(/day.*-05-03/);
  });

  test("the try is saved as a scenario, and holds when all scenarios are run", async () => {
    await view.panel.getByRole("button", { name: "Save as scenario" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Wants another day");
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    await view.tab("Scenarios");
    await view.panel.getByText("Wants another day").waitFor();
    await view.panel.getByRole("button", { name: "Run all" }).click();
    await view.panel.getByText("1 of 1 passed.").waitFor();
    await lookAround();
  });

  test("an agent that was broken fails it, with where it went wrong and the path there, and a warning before publishing", async () => {
    await view.find("Coming");
    await view.tab("Node");
    await view.panel
      .getByRole("group", { name: "Answer 2" })
      .getByLabel("Go to", { exact: true })
      .selectOption({ label: "Thanks" });
    await view.find("Other day");
    await view.untilFocused("Other day");
    await page.keyboard.press("Delete");
    await page.getByText("No problems").waitFor();
    await view.tab("Scenarios");
    await view.panel.getByRole("button", { name: "Run all" }).click();
    await view.panel.getByText("1 of 1 failed, 0 passed.").waitFor();
    await lookAround();
    await view.panel.getByRole("button", { name: /go to/i }).click();
    await page.locator('.step[data-selected="true"]').waitFor();
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByRole("dialog").getByText("A scenario expects something that is no longer in the flow.").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  });

  test("a simulated call is watched as it happens, and becomes a scenario in one click", async () => {
    await view.tab("Try");
    await view.panel.getByRole("radio", { name: "Simulated call" }).click();
    await view.panel.getByLabel("Which version").selectOption("published");
    await view.panel.getByRole("button", { name: "Call", exact: true }).click();
    await view.said.getByText("Will you come on Tuesday?").waitFor();
    await view.card("Thanks").locator(".step-number").waitFor();
    await view.panel.getByText("Completed").waitFor();
    await lookAround();
    await view.panel.getByRole("button", { name: "Create scenario" }).click();
    await view.panel.getByRole("button", { name: "Scenario created" }).waitFor();
    await view.tab("Scenarios");
    expect(await view.panel.getByRole("listitem").count()).toBeGreaterThanOrEqual(2);
  });

  test("the agent is talked with through the microphone, hears what is said, and says goodbye", async () => {
    const folder = await makeDataFolder();
    const file = join(folder.path, "microphone.wav");
    const spoken = await fetch(`${scene.service.url}/api/v1/voices/rms/preview`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ text: "Yes, I will." }),
    });
    expect(spoken.status).toBe(200);
    await writeFile(file, repeatWithPauses(Buffer.from(await spoken.arrayBuffer())));
    const browser = await openBrowser({ microphoneFile: file });
    try {
      const { theme: colorScheme, width } = look;
      const context = await browser.newContext({
        ...{ viewport: { width, height: 900 }, colorScheme, permissions: ["microphone"] },
      });
      context.setDefaultTimeout(PATIENCE_MS);
      const visitor = await openPage(context, scene.service.url);
      await visitor.page.goto(`${scene.service.url}/agents/${agentId}/build`);
      await signInOnPage(visitor.page, email);
      const talker = viewOfBuilder(visitor.page);
      await talker.tab("Try");
      await talker.panel.getByRole("radio", { name: "Voice" }).click();
      await talker.panel.getByRole("button", { name: "Start talking" }).click();
      await talker.panel.getByText("On the line").waitFor();
      await talker.said.getByText("Will you come on Tuesday?").waitFor();
      await talker.said.getByText(/yes/i).first().waitFor();
      await talker.said.getByText("Thank you. Goodbye.").waitFor();
      await talker.panel.getByText("Over", { exact: true }).waitFor();
      await expect
        .poll(() => talker.panel.getByRole("region", { name: "Collected" }).textContent())
        .toContain("coming");
      expect(visitor.complaints).toEqual([]);
    } finally {
      await browser.close();
      await folder.remove();
    }
  });

  test("a person without a microphone is told so", async () => {
    await view.tab("Try");
    await view.panel.getByRole("radio", { name: "Voice" }).click();
    await view.panel.getByRole("button", { name: "Start talking" }).click();
    await view.panel.getByRole("alert").waitFor();
    await view.panel.getByRole("button", { name: "Talk again" }).waitFor();
    await lookAround();
  });

  test("an empty canvas is filled from a template, with its scenarios", async () => {
    const made = await ask(scene.service.url, "/api/v1/agents", { key, body: { name: "From a template" } });
    await page.goto(`${scene.service.url}/agents/${made.body.data.id}/build`);
    await page.getByRole("button", { name: "Use a template" }).click();
    const gallery = page.getByRole("dialog").getByRole("list", { name: "Templates" });
    await gallery.getByRole("img", { name: "The flow of Appointment confirmation" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await gallery.getByRole("button", { name: /Appointment confirmation/ }).click();
    await page.getByText("No problems").waitFor();
    await view.tab("Scenarios");
    await view.panel.getByRole("button", { name: "Run all" }).click();
    await view.panel.getByText(/^(\d+) of \1 passed\.$/).waitFor();
  });

  test("a missing language model is pointed out, and the one chosen instead is the one that answers", async () => {
    const flow = {
      schemaVersion: 1,
      settings: { disclosure: null },
      nodes: [
        { id: "start", type: "start", next: "chat" },
        {
          ...{ id: "chat", type: "conversation", text: "How can I help?", prompt: "We close at six." },
          ...{ model: "openai/gone", otherwise: "bye" },
        },
        { id: "bye", type: "end", text: "Goodbye." },
      ],
    };
    const made = await ask(scene.service.url, "/api/v1/agents", { key, body: { name: "Choosing", flow } });
    await page.goto(`${scene.service.url}/agents/${made.body.data.id}/build`);
    await page.getByText("1 warning").click();
    const warned = /The model “openai\/gone” is not set up; calls use “openai-compatible\/large” instead/;
    await page.getByRole("region", { name: "Problems" }).getByRole("button", { name: warned }).click();
    const choice = view.panel.getByLabel("Language model");
    await expect
      .poll(() => choice.locator("option").allTextContents())
      .toEqual([
        "The installation’s model (openai-compatible/large)",
        "openai/gone (not set up)",
        "openai-compatible/large",
        "openai-compatible/small",
      ]);
    await lookAround();
    await choice.selectOption("openai-compatible/small");
    await page.getByText("No problems").waitFor();
    models.plan({ type: "stream", moves: [{ type: "text", text: "At six o'clock." }, { type: "end" }] });
    const askedBefore = models.requests.length;
    await view.tab("Try");
    await view.panel.getByRole("button", { name: "Start" }).click();
    await view.said.getByText("How can I help?").waitFor();
    await view.panel.getByLabel("What you say").fill("When do you close?");
    await page.keyboard.press("Enter");
    await view.said.getByText("At six o'clock.").waitFor();
    const asked = models.requests.slice(askedBefore);
    expect(asked.map(({ body }) => (body as { readonly model: string }).model)).toEqual(["small"]);
  });

  test("in all of this the page violated no rule of its policy, had no error and contacted no other host", () => {
    expect(complaints).toEqual([]);
  });
});
