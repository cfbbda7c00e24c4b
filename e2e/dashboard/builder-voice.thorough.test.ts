import { isDeepStrictEqual } from "node:util";
import type { Flow } from "@parley/contract/flow";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createKey, signInAgain } from "../harness/accounts.ts";
import { ask, until } from "../harness/api-client.ts";
import { findBarriers } from "../harness/browser.ts";
import { type DashboardScene, openDashboard, PATIENCE_MS, signUpOnPage } from "./visitor.ts";

let scene: DashboardScene;
let page: Page;
let complaints: string[];
let key: string;
let agentId: string;

const FLOW: Flow = {
  schemaVersion: 1,
  variables: [],
  settings: { disclosure: null },
  nodes: [
    { id: "start", type: "start", next: "hello" },
    { id: "hello", type: "say", text: "Hello Siobhan.", next: "bye" },
    { id: "bye", type: "end", text: "Goodbye." },
  ],
};
const SIOBHAN = { written: "Siobhan", spoken: "/ʃɪˈvɔn/" };

// One member sets the voice of an agent: each step builds on the previous one.
beforeAll(async () => {
  scene = await openDashboard({ PARLEY_CONVERSATION_THREADS: "1" });
  ({ page, complaints } = await scene.visit());
  const email = await signUpOnPage(page, scene.service.url);
  const { cookie } = await signInAgain(scene.service.url, email);
  ({ key } = await createKey(scene.service.url, cookie));
  const made = await ask(scene.service.url, "/api/v1/agents", { key, body: { name: "Callbacks", flow: FLOW } });
  agentId = made.body.data.id;
  await page.goto(`${scene.service.url}/agents/${agentId}/build`);
  await openSettings();
});
afterAll(() => scene?.close());

const openSettings = () => page.getByRole("tab", { name: "Settings" }).click();
const section = (name: string) => page.getByRole("tabpanel").getByRole("region", { name, exact: true });
const voice = (label: string) => section("Voice").getByRole("radio", { name: label });
const pace = () => section("Voice").getByLabel("Pace", { exact: true });
const entry = (number: number) =>
  section("Pronunciation").getByRole("group", { name: `Pronunciation ${number}`, exact: true });

const readSettings = async (path = "") =>
  (await ask(scene.service.url, `/api/v1/agents/${agentId}${path}`, { key })).body.data.flow.settings;
/** Until the draft has these settings, besides those that it began with. */
const untilSaved = (settings: object) =>
  until(
    () => readSettings(),
    (saved) => isDeepStrictEqual(saved, { ...FLOW.settings, ...settings }),
    PATIENCE_MS,
  );

/** Presses a button that speaks, and returns what the service was asked for once it has answered with audio. */
async function listen(
  within: string,
  button: string,
): Promise<{ readonly voice: string | undefined; readonly body: unknown }> {
  const answered = page.waitForResponse((response) => response.url().endsWith("/preview"));
  await section(within).getByRole("button", { name: button, exact: true }).click();
  const response = await answered;
  expect([response.status(), response.headers()["content-type"]]).toEqual([200, "audio/wav"]);
  expect((await response.body()).length).toBeGreaterThan(4_000);
  return { voice: /voices\/(\w+)\/preview$/.exec(response.url())?.[1], body: response.request().postDataJSON() };
}

test("a voice is heard before it is chosen, and the draft keeps the choice", async () => {
  await voice("Heart (woman, American), default").waitFor();
  expect(await voice("Heart (woman, American), default").isChecked()).toBe(true);
  expect(await section("Voice").getByRole("radio").count()).toBe(6);
  const heard = await listen("Voice", "Listen to Emma");
  expect(heard).toEqual({ voice: "bf_emma", body: { text: expect.stringContaining("appointment") } });
  // Listening to a voice does not choose it.
  expect(await voice("Heart (woman, American), default").isChecked()).toBe(true);
  await voice("Emma (woman, British)").check();
  await untilSaved({ voice: "bf_emma" });
  expect(await section("Voice").getByLabel("All voices").inputValue()).toBe("bf_emma");
});

test("a voice that is not recommended is found in the list of all voices, light ones too", async () => {
  const all = section("Voice").getByLabel("All voices");
  await all.selectOption("slt");
  await untilSaved({ voice: "slt" });
  expect(await section("Voice").getByRole("radio", { checked: true }).count()).toBe(0);
  expect(await listen("Voice", "Hear this voice")).toMatchObject({ voice: "slt" });
  await voice("Emma (woman, British)").check();
  await untilSaved({ voice: "bf_emma" });
});

test("a pace is chosen, and heard in the samples", async () => {
  expect(await pace().inputValue()).toBe("1");
  await pace().selectOption({ label: "A little slower" });
  await untilSaved({ voice: "bf_emma", pace: 0.9 });
  expect(await listen("Voice", "Listen to George")).toMatchObject({ voice: "bm_george", body: { pace: 0.9 } });
});

test("a word is listed with how it is said, and heard in the agent's voice and pace", async () => {
  await section("Pronunciation").getByRole("button", { name: "Add a word" }).click();
  await entry(1).getByLabel("Written").fill("Siobhan");
  await entry(1).getByText("Enter how it is pronounced.").waitFor();
  await entry(1).getByLabel("Said").fill("/shi7/");
  await entry(1).getByText("Must be a respelling such as").waitFor();
  const button = entry(1).getByRole("button", { name: "Listen to Siobhan", exact: true });
  expect(await button.getAttribute("aria-disabled")).toBe("true");
  await entry(1).getByLabel("Said").fill(SIOBHAN.spoken);
  const heard = await listen("Pronunciation", "Listen to Siobhan");
  expect(heard).toEqual({ voice: "bf_emma", body: { text: "Siobhan", pace: 0.9, pronunciations: [SIOBHAN] } });
  await untilSaved({ voice: "bf_emma", pace: 0.9, pronunciations: [SIOBHAN] });
  // The samples of the voices say it too.
  expect(await listen("Voice", "Listen to Emma")).toMatchObject({ body: { pronunciations: [SIOBHAN] } });
});

test("a word that is listed already is marked and not saved", async () => {
  await section("Pronunciation").getByRole("button", { name: "Add a word" }).click();
  await entry(2).getByLabel("Written").fill("SIOBHAN");
  await entry(2).getByLabel("Said").fill("see-o-ban");
  await entry(2).getByText("This word is already listed above.").waitFor();
  await entry(2).getByRole("button", { name: "Remove SIOBHAN", exact: true }).click();
  await entry(2).waitFor({ state: "detached" });
  await untilSaved({ voice: "bf_emma", pace: 0.9, pronunciations: [SIOBHAN] });
});

test("the texts in another language are written beside the originals, and it is said what is missing", async () => {
  const others = section("Other languages");
  await others.getByLabel("Add a language").selectOption({ label: "Spanish" });
  await others.getByText("Spanish: 2 of 2 texts missing").click();
  await others.getByLabel("Hello Siobhan.", { exact: true }).fill("Hola, Siobhan.");
  await others.getByText("Spanish: 1 of 2 texts missing").waitFor();
  await others.getByLabel("Goodbye.", { exact: true }).fill("Adiós.");
  await others.getByText("Spanish: complete").waitFor();
  const texts = { "Hello Siobhan.": "Hola, Siobhan.", "Goodbye.": "Adiós." };
  await untilSaved({
    ...{ voice: "bf_emma", pace: 0.9, pronunciations: [SIOBHAN] },
    translations: [{ language: "es-ES", texts }],
  });
});

test("the panels have no accessibility barriers, in both themes", async () => {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
    expect(await findBarriers(page)).toEqual([]);
  }
});

test("a language that is removed leaves nothing in the draft", async () => {
  await section("Other languages").getByRole("button", { name: "Remove Spanish", exact: true }).click();
  await untilSaved({ voice: "bf_emma", pace: 0.9, pronunciations: [SIOBHAN] });
});

test("what was published is what was heard, and is shown again after the page is reloaded", async () => {
  await page.locator("[data-testid=save-state][data-state=saved]").waitFor();
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
  await page.getByText("Version 1 is published").first().waitFor();
  const published = { ...FLOW.settings, voice: "bf_emma", pace: 0.9, pronunciations: [SIOBHAN] };
  expect(await readSettings("/versions/1")).toEqual(published);

  await page.reload();
  await openSettings();
  await voice("Emma (woman, British)").waitFor();
  expect(await voice("Emma (woman, British)").isChecked()).toBe(true);
  expect(await pace().inputValue()).toBe("0.9");
  expect(await entry(1).getByLabel("Written").inputValue()).toBe(SIOBHAN.written);
  expect(await entry(1).getByLabel("Said").inputValue()).toBe(SIOBHAN.spoken);
});

test("the default voice, the normal pace and an empty list leave nothing in the draft, and the published version as it is", async () => {
  await voice("Heart (woman, American), default").check();
  await untilSaved({ pace: 0.9, pronunciations: [SIOBHAN] });
  await pace().selectOption({ label: "Normal" });
  await untilSaved({ pronunciations: [SIOBHAN] });
  await entry(1).getByRole("button", { name: "Remove Siobhan", exact: true }).click();
  await untilSaved({});
  expect(await readSettings("/versions/1")).toMatchObject({ voice: "bf_emma", pace: 0.9 });
});

test("in all of this the page violated no rule of its policy, had no error and contacted no other host", () => {
  expect(complaints).toEqual([]);
});
