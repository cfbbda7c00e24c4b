import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKey, PASSWORD, signInAgain } from "../harness/accounts.ts";
import { ask } from "../harness/api-client.ts";
import { completeCall } from "../harness/calls.ts";
import { isThorough } from "../harness/thoroughness.ts";
import { sitAtKeyboard } from "./keyboard/by-keyboard.ts";
import { changeLook, expectNoBarriers, LOOKS, type Look } from "./looks.ts";
import { type DashboardScene, openDashboard, PATIENCE_MS, signInOnPage, signUpOnPage } from "./visitor.ts";

let scene: DashboardScene;
let email: string;
let callId: string;
let agentId: string;
let readAgent: () => Promise<{ readonly name: string }>;

beforeAll(async () => {
  scene = await openDashboard();
  const { page } = await scene.visit();
  email = await signUpOnPage(page, scene.service.url);
  await page.context().close();
  const { cookie } = await signInAgain(scene.service.url, email);
  const { key } = await createKey(scene.service.url, cookie, { name: "Nightly export <b>&amp;" });
  const agents = await ask(scene.service.url, "/api/v1/agents", { key });
  agentId = agents.body.data[0].id;
  readAgent = async () => (await ask(scene.service.url, `/api/v1/agents/${agentId}`, { key })).body.data;
  callId = await completeCall({ url: scene.service.url, key, agentId });
});
afterAll(() => scene?.close());

interface Stop {
  readonly name: string;
  readonly path: string;
  /** What brings about the state to check. */
  arrive(page: Page): Promise<void>;
}

const heading = (name: string) => (page: Page) => page.getByRole("heading", { name }).first().waitFor();
const press = (name: string) => async (page: Page) => {
  await page.getByRole("button", { name }).first().click();
  await page.getByRole("dialog").waitFor();
};

const OUTSIDE: readonly Stop[] = [
  { name: "sign in", path: "/sign-in", arrive: heading("Sign in") },
  { name: "sign up", path: "/sign-up", arrive: heading("Create an account") },
  { name: "claim", path: "/claim?token=lt_x", arrive: heading("Claim your account") },
  { name: "reset", path: "/reset", arrive: heading("Forgot your password?") },
];
const INSIDE: readonly Stop[] = [
  { name: "overview", path: "/", arrive: heading("How calls ended") },
  { name: "usage", path: "/usage", arrive: (page) => page.getByRole("table", { name: "Outcome" }).waitFor() },
  { name: "usage of a version", path: "/usage?by=version&measure=minutes", arrive: heading("Choose an agent") },
  {
    name: "no usage",
    path: "/usage?from=2020-01-01&to=2020-01-31",
    arrive: heading("No calls in this period"),
  },
  { name: "agents", path: "/agents", arrive: (page) => page.getByRole("list", { name: "Agents" }).waitFor() },
  { name: "new agent", path: "/agents", arrive: press("New agent") },
  { name: "an agent", path: "/agents/AGENT", arrive: (page) => page.getByRole("list", { name: "Versions" }).waitFor() },
  { name: "account", path: "/settings/account", arrive: heading("Password") },
  { name: "security", path: "/settings/security", arrive: (page) => page.getByText("This device").waitFor() },
  { name: "calls", path: "/calls", arrive: (page) => page.getByRole("link", { name: /^\+1555/ }).waitFor() },
  { name: "no calls", path: "/calls?status=failed", arrive: heading("No matching calls") },
  { name: "calls in progress", path: "/calls?show=live", arrive: heading("No calls in progress") },
  { name: "new call", path: "/calls", arrive: press("New call") },
  { name: "batches", path: "/calls/batches", arrive: heading("No batches yet") },
  { name: "a new batch", path: "/calls/batches/new", arrive: heading("New batch") },
  { name: "a call", path: "/calls/CALL", arrive: heading("Outcome") },
  { name: "a call that is not there", path: "/calls/call_x", arrive: heading("Test call not found") },
  { name: "keys", path: "/settings/developer", arrive: (page) => page.getByText("Nightly export").waitFor() },
  { name: "new key", path: "/settings/developer", arrive: press("Create an API key") },
  { name: "revoking", path: "/settings/developer", arrive: press("Revoke Nightly") },
  { name: "an unknown page", path: "/no-such-page", arrive: heading("Page not found") },
  { name: "unknown settings", path: "/settings/no-such-page", arrive: heading("Page not found") },
];

const WIDE = { theme: "light", width: 1440 } as const;
/** Every page is loaded once, wide and light, and then checked in these looks: in all of them, or in one of them in turn. */
const ALL_LOOKS: readonly Look[] = [...LOOKS, { theme: "light", width: 360 }];
const looksOf = (index: number) => (isThorough ? ALL_LOOKS : LOOKS.slice(index % LOOKS.length).slice(0, 1));

describe("in both themes, on a wide screen, a laptop and a phone", () => {
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    ({ page, complaints } = await scene.visit());
  });
  afterAll(() => page?.context().close());

  let looked = 0;
  async function look({ path, arrive }: Stop): Promise<void> {
    await page.goto(scene.service.url + path.replace("CALL", callId).replace("AGENT", agentId));
    await arrive(page);
    await expectNoBarriers(page, looksOf(looked++));
    await changeLook(page, WIDE);
  }

  test.each(OUTSIDE)("$name has no accessibility barriers and does not scroll sideways", look);

  test("a member signs in by keyboard alone", async () => {
    await page.goto(`${scene.service.url}/sign-in`);
    await page.getByLabel("Email").focus();
    await page.keyboard.type(email);
    await page.keyboard.press("Tab");
    await page.keyboard.type("correct-horse-47-battery");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  });

  test.each(INSIDE)("$name has no accessibility barriers and does not scroll sideways", look);

  test("the page violated no rule of its policy and contacted no other host", () => expect(complaints).toEqual([]));
});

describe("by keyboard", () => {
  test("a member signs in, places a call, reads it, changes its agent and comes to publish it", async () => {
    const { page, complaints } = await scene.visit();
    const keys = await sitAtKeyboard(page);
    await page.goto(`${scene.service.url}/sign-in`);
    await keys.write(page.getByLabel("Email"), email);
    await keys.write(page.getByLabel("Password"), PASSWORD);
    await keys.press("Enter");
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();

    await keys.enter(page.getByRole("button", { name: "New call" }).first());
    const dialog = page.getByRole("dialog", { name: "New call" });
    await keys.write(dialog.getByLabel("Phone number"), "+15550100002");
    await keys.enter(dialog.getByRole("button", { name: "Call now" }));
    await page.getByRole("heading", { name: "+15550100002", level: 1 }).waitFor();
    await page.getByRole("heading", { name: "Outcome" }).waitFor({ timeout: PATIENCE_MS });

    const { name } = await readAgent();
    await keys.press("Control+k");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.type(name);
    await page.locator('[role=option][aria-selected="true"]', { hasText: name }).waitFor();
    await keys.press("Enter");
    await keys.enter(page.getByRole("link", { name: "Open builder" }));
    await page.getByRole("region", { name: "Canvas" }).waitFor();
    await page.locator(".react-flow__node").first().waitFor();

    // The first node that is found by its kind; then its first field.
    await keys.press("Control+k");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.type("End");
    await keys.press("Enter");
    await page.locator('.step[data-selected="true"]').waitFor();
    await keys.press("e");
    await page.getByRole("tabpanel").locator("input:focus, textarea:focus").waitFor();
    await page.keyboard.type(" (revised)");
    await page.locator("[data-testid=save-state][data-state=saved]").waitFor();
    const publish = page.getByRole("button", { name: "Publish", exact: true });
    await expect.poll(() => publish.isDisabled()).toBe(false);
    await keys.enter(publish);
    await page.getByRole("dialog", { name: /^Publish/ }).waitFor();
    expect(keys.takeFaults()).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("a dialog takes the focus, gives it back, and a call in the list is opened with Enter", async () => {
    const { page } = await scene.visit();
    await page.goto(`${scene.service.url}/sign-in`);
    await signInOnPage(page, email);
    await page.getByRole("link", { name: "Calls", exact: true }).first().click();
    await page
      .getByRole("link", { name: /^\+1555/ })
      .first()
      .waitFor();
    await page.getByRole("button", { name: "New call" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    expect(await page.evaluate("document.activeElement.closest('[role=dialog]') !== null")).toBe(true);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    // The focus returns a moment after the dialog is gone.
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("New call");
    await page
      .getByRole("link", { name: /^\+1555/ })
      .first()
      .focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Outcome" }).waitFor();
    await page.context().close();
  });
});
