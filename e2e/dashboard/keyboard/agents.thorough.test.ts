import type { Page } from "playwright-core";
import { expect } from "vitest";
import { sendPatiently } from "../../harness/http-client.ts";
import { atKeyboard, type Installation, type KeyboardPage, testPages } from "./keyboard-scene.ts";

/** An agent to be built, and one whose draft is newer than its version. */
async function seed({ url, operator, read, post }: Installation) {
  const [sample] = await read("agents");
  const builtId: string = (await post("agents", { name: "Built by keys" })).id;
  const { flow } = await read(`agents/${sample.id}`);
  const changedId: string = (await post("agents", { name: "Changed since", flow })).id;
  await post(`agents/${changedId}/publish`, {});
  const comments = [{ id: "later", text: "Changed since.", position: { x: 0, y: 0 } }];
  await sendPatiently(url, {
    method: "PATCH",
    path: `/api/v1/agents/${changedId}`,
    headers: { ...operator.cookie, "if-match": "1" },
    json: { flow: { ...flow, comments } },
  });
  return { builtId, changedId };
}
type Seed = Awaited<ReturnType<typeof seed>>;

const card = (page: Page, title: string) =>
  page.locator(".react-flow__node").filter({ has: page.locator(".step-title", { hasText: new RegExp(`^${title}$`) }) });
const placeOf = async (page: Page, title: string) => (await card(page, title).getAttribute("style")) ?? "";

const PAGES: readonly KeyboardPage<Seed>[] = [
  {
    route: "/agents",
    sign: ({ page }) => page.getByRole("list", { name: "Agents" }),
    deeds: {
      "the forms of new agents are opened and left": async ({ keys, button }) => {
        await keys.peek(button("From a template"), "New agent from a template");
        await keys.peek(button("New agent"), "New agent");
      },
      "an agent is deleted from its menu, and comes back": async ({ keys, button, link, gone, isSomewhere }) => {
        await keys.pick(button("More actions for Built by keys"), "Delete");
        await gone(link("Built by keys"));
        await isSomewhere();
        await keys.undo();
        await link("Built by keys").waitFor();
      },
      "an agent is made of a template": async ({ page, keys, button, isSomewhere }) => {
        await keys.enter(button("From a template"));
        await keys.enter(page.getByRole("list", { name: "Templates" }).getByRole("button").first());
        await button("Show the whole flow").waitFor();
        await isSomewhere();
      },
    },
  },
  {
    route: "/agents/$agentId",
    path: ({ changedId }) => `/agents/${changedId}`,
    sign: ({ page }) => page.getByRole("list", { name: "Versions" }),
    deeds: {
      "it is renamed from its menu, to which the focus returns": async ({ keys, heading, button, dialog, field }) => {
        const menu = button(/^More actions for/);
        await keys.peekFrom(menu, "Rename", "Rename agent");
        await keys.pick(menu, "Rename");
        await dialog().waitFor();
        expect(await keys.isAt(field("Name"))).toBe(true);
        await keys.write(field("Name"), "Renamed by keys");
        await keys.press("Enter");
        await heading("Renamed by keys").waitFor();
      },
      "its draft is published, and calls go back to the version before": async ({
        keys,
        button,
        dialog,
        field,
        isSomewhere,
      }) => {
        await keys.peek(button("Publish draft"), "Publish draft");
        await keys.enter(button("Publish draft"));
        await keys.write(field("Note (optional)"), "By keys");
        await keys.press("Enter");
        await button("Roll back to version 1").waitFor();
        await isSomewhere();
        await keys.enter(button("Roll back to version 1"));
        await keys.enter(dialog().getByRole("button", { name: "Roll back", exact: true }));
        await button("Roll back to version 2").waitFor();
        await keys.undo();
        await button("Roll back to version 1").waitFor();
      },
    },
  },
  {
    route: "/agents/$agentId/build",
    path: ({ builtId }) => `/agents/${builtId}/build`,
    sign: ({ heading }) => heading("What should the agent do?"),
    deeds: {
      "a flow is begun, and its words are written": async ({ page, keys, button, field, isAt }) => {
        await keys.enter(button("Start with a greeting"));
        await isAt(card(page, "Say"));
        await keys.press("e");
        await isAt(field("Title"));
        await keys.write(field("What to say"), "Hello, this is Green Street Dental.");
        await keys.press("Escape");
        await isAt(card(page, "Say"));
      },
      "nodes are added by typing and connected": async ({ page, keys, isAt }) => {
        await keys.press("c");
        await page.getByRole("dialog", { name: "Where does it lead?" }).waitFor();
        await page.keyboard.type("ask");
        await keys.press("Enter");
        await isAt(card(page, "Ask"));
        await keys.press("c");
        await page.getByRole("dialog", { name: "Connect which exit?" }).waitFor();
        await page.keyboard.type("yes");
        await keys.press("Enter");
        await page.getByRole("dialog", { name: "Where does it lead?" }).waitFor();
        await page.keyboard.type("end");
        await keys.press("Enter");
        await isAt(card(page, "End"));
      },
      "a node is taken from the palette, moved, deleted and brought back": async ({
        page,
        keys,
        gone,
        isSomewhere,
        isAt,
      }) => {
        const palette = page.getByRole("region", { name: "Add a node" });
        await keys.enter(palette.getByRole("button", { name: "End" }));
        await isAt(card(page, "End 2"));
        const before = await placeOf(page, "End 2");
        await keys.press("Shift+ArrowRight", "ArrowDown");
        await expect.poll(() => placeOf(page, "End 2")).not.toBe(before);
        await keys.press("Delete");
        await gone(card(page, "End 2"));
        await isSomewhere();
        await keys.undo();
        await card(page, "End 2").waitFor();
        await keys.press("Control+z");
        await expect.poll(() => placeOf(page, "End 2")).toBe(before);
      },
      "a comment is written and left": async ({ page, keys, gone, isAt }) => {
        // The button that adds a comment is called the same.
        const comment = page.getByRole("textbox", { name: "Comment" });
        await keys.enter(page.getByRole("region", { name: "Add a node" }).getByRole("button", { name: "Comment" }));
        await isAt(comment);
        await page.keyboard.type("Ask Ada about this");
        await keys.press("Escape");
        expect(await keys.place()).toContain("Comment: Ask Ada about this");
        await keys.press("Delete");
        await gone(comment);
      },
      "Tab goes from node to node, and all of each is in view": ({ keys }) => keys.walk(),
      "a problem is gone to, and the canvas is skipped": async ({ page, keys, button }) => {
        await keys.enter(page.getByRole("region", { name: "Problems" }).getByRole("button").first());
        await keys.enter(
          page.getByRole("region", { name: "Problems" }).getByRole("listitem").getByRole("button").first(),
        );
        await expect.poll(() => keys.place()).toMatch(/“\w+: \w+/);
        await keys.enter(button("Skip the canvas"));
        expect(await keys.place()).toContain("Details");
      },
      "every panel is gone to by arrows, and walked through": async ({ keys, settled, button, tab, chosen }) => {
        await keys.to(tab("Node"));
        for (const name of ["Try", "Scenarios", "Settings"]) {
          await keys.press("ArrowRight");
          await chosen(name);
          await settled();
          await keys.walk();
          await keys.to(tab(name));
        }
        await keys.press("ArrowLeft");
        await keys.peek(button("New scenario"), "New scenario");
      },
      "every dialog is opened and left": async ({ keys, button }) => {
        await keys.peek(button("Find a node"), "Find a node");
        for (const item of ["Versions", "Import a file", "Keyboard shortcuts"])
          await keys.peekFrom(button("More"), item, item);
      },
      "the builder is left": async ({ page, keys, link, isSomewhere }) => {
        await keys.enter(link("All agents"));
        await page.getByRole("list", { name: "Agents" }).waitFor();
        await isSomewhere();
      },
    },
  },
];
testPages(atKeyboard({ env: { PARLEY_CONVERSATION_THREADS: "1" }, as: "operator", seed }), PAGES);
