import type { Flow } from "@parley/contract/flow";
import type { Locator, Page } from "playwright-core";
import { createKey, type SignedInMember, signUp } from "../harness/accounts.ts";
import { ask } from "../harness/api-client.ts";
import type { WatchedPage } from "../harness/browser.ts";
import type { DashboardScene, VisitOptions } from "./visitor.ts";
import { signInOnPage } from "./visitor.ts";

/** The builder as a person sees it: its parts by the names that they have there. */
export function viewOfBuilder(page: Page) {
  const canvas = page.getByRole("region", { name: "Canvas" });
  const panel = page.getByRole("tabpanel");
  const card = (title: string): Locator =>
    page
      .locator(".react-flow__node")
      .filter({ has: page.locator(".step-title", { hasText: new RegExp(`^${RegExp.escape(title)}$`) }) });
  const untilChosen = (title: string) => card(title).locator('.step[data-selected="true"]').waitFor();
  /** Until keys belong to this node. */
  const untilFocused = (title: string) => card(title).and(page.locator(":focus")).waitFor();
  /** Types into a popup and takes the first result. */
  async function take(dialog: string, words: string): Promise<void> {
    await page.getByRole("dialog", { name: dialog }).getByRole("combobox").fill(words);
    await page.keyboard.press("Enter");
  }
  return {
    canvas,
    panel,
    card,
    untilChosen,
    untilFocused,
    take,
    button: (name: string) => page.getByRole("button", { name, exact: true }),
    field: (label: string) => panel.getByLabel(label, { exact: true }),
    tab: (name: string) => page.getByRole("tab", { name }).click(),
    said: page.getByRole("list", { name: "What was said" }),
    saved: () => page.locator("[data-testid=save-state][data-state=saved]").waitFor(),
    /** What the list of problems says about the current flow. */
    judged: (words: string) =>
      page
        .locator("[data-testid=problems][data-current=true]")
        .filter({ hasText: new RegExp(`^${words}$`) })
        .waitFor(),
    /** Selects a node that is in view, so that keys belong to the canvas. */
    async choose(title: string): Promise<void> {
      await card(title).locator(".step-header").click();
      await untilChosen(title);
    },
    /** Selects a node wherever it is: the search brings it into view. */
    async find(title: string): Promise<void> {
      await page.getByRole("button", { name: "Find a node" }).click();
      await take("Find a node", title);
      await untilChosen(title);
    },
    async pickFromMore(item: string): Promise<void> {
      await page.getByRole("button", { name: "More", exact: true }).click();
      await page.getByRole("menuitem", { name: item }).click();
    },
  };
}
export type BuilderView = ReturnType<typeof viewOfBuilder>;

/** A member with an account of their own, and one of its agents open in the builder. */
export interface OpenBuilder extends WatchedPage {
  readonly owner: SignedInMember;
  readonly key: string;
  readonly agentId: string;
  readonly view: BuilderView;
  readFlow(): Promise<Flow>;
}

export async function openBuilder(
  scene: DashboardScene,
  visit: VisitOptions,
  agent: { readonly name: string; readonly flow?: Flow },
): Promise<OpenBuilder> {
  const { url } = scene.service;
  const owner = await signUp(url);
  const { key } = await createKey(url, owner.cookie);
  const agentId: string = (await ask(url, "/api/v1/agents", { key, body: agent })).body.data.id;
  const { page, complaints } = await scene.visit(visit);
  await page.goto(`${url}/agents/${agentId}/build`);
  await signInOnPage(page, owner.email);
  const view = viewOfBuilder(page);
  await view.canvas.waitFor();
  const readFlow = async () => (await ask(url, `/api/v1/agents/${agentId}`, { key })).body.data.flow;
  return { page, complaints, owner, key, agentId, view, readFlow };
}
