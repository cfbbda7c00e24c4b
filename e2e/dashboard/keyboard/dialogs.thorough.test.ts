import type { Flow } from "@parley/contract/flow";
import { describe, test } from "vitest";
import { createKey, dataOf } from "../../harness/accounts.ts";
import { completeCall } from "../../harness/calls.ts";
import { sendPatiently } from "../../harness/http-client.ts";
import { viewOfBuilder } from "../builder-view.ts";
import { atKeyboard, type Installation } from "./keyboard-scene.ts";

const FLOW: Flow = {
  schemaVersion: 1,
  variables: [],
  settings: { disclosure: null },
  nodes: [
    { id: "start", type: "start", position: { x: 0, y: 0 }, next: "hello" },
    { id: "hello", type: "say", position: { x: 300, y: 0 }, text: "Hello.", next: "bye" },
    { id: "bye", type: "end", position: { x: 600, y: 0 }, text: "Goodbye." },
  ],
};
const SCENARIO = { name: "Says nothing", steps: [], expect: [{ type: "not_ended" }] };

/** What there must be for each dialog and menu that no other file opens. */
async function seed({ url, operator, read, post }: Installation) {
  const { key } = await createKey(url, operator.cookie);
  const [sample] = await read("agents");
  const callId = await completeCall({ url, key, agentId: sample.id });
  await post("call-views", { name: "Failed ones", query: { status: "failed" } });
  const emptyId: string = (await post("agents", { name: "Nothing yet" })).id;
  const agentId: string = (await post("agents", { name: "Looked into", flow: FLOW })).id;
  await post(`agents/${agentId}/scenarios`, SCENARIO);
  for (const note of ["First", "Second"]) await post(`agents/${agentId}/publish`, { note });
  return { callId, emptyId, agentId };
}

const at = atKeyboard({ env: { PARLEY_CONVERSATION_THREADS: "1" }, as: "operator", seed });

describe("each dialog and menu takes the focus, is walked through, has no barrier in any look, and gives the focus back", () => {
  test("on every page: the palette and the account menu", async () => {
    const { page, keys, open, heading, button, gone, isAt } = at();
    await open("/", heading("Overview"));
    await keys.peek(button(/^Go to/), "Go to");
    const menu = button(/^Account menu for/).first();
    await keys.pick(menu, "System");
    await gone(page.getByRole("menu"));
    await isAt(menu);
  });

  test("on the list of calls: its views and columns", async () => {
    const { page, keys, open, button, link, gone, isAt } = at();
    await open("/calls", link("+15550100001"));
    await keys.peekFrom(button("Views"), "Save current view…", "Save view");
    await keys.peekFrom(button("Views"), "Delete views…", "Saved views");
    await keys.pick(button("Columns"), "Compact");
    await gone(page.getByRole("menu"));
    await isAt(button("Columns"));
  });

  test("on a call: its data, its link and the same call again", async () => {
    const { callId, keys, open, heading, button, field } = at();
    await open(`/calls/${callId}`, heading("Outcome"));
    await keys.peekFrom(button("More actions"), "View as JSON", "Call as JSON");
    await keys.peekFrom(button("More actions"), "Share…", "Share this call");
    await keys.peek(button("Call again"), "Call again", field("First name"));
  });

  test("on an agent: the question before calls go back to an earlier version", async () => {
    const { agentId, page, keys, open, button } = at();
    await open(`/agents/${agentId}`, page.getByRole("list", { name: "Versions" }));
    await keys.peek(button("Roll back to version 1"), "Roll back to version 1?");
  });

  test("in the builder before there is a flow: templates, and the description of an agent", async () => {
    const { emptyId, page, keys, open, heading, button } = at();
    await open(`/agents/${emptyId}/build`, heading("What should the agent do?"));
    await keys.peek(
      button("Use a template"),
      "Use a template",
      page.getByRole("list", { name: "Templates" }).getByRole("img").first(),
    );
    await keys.peekFrom(button("More"), "Describe your agent", "Describe your agent");
  });

  test("in the builder: what its keys open", async () => {
    const { agentId, page, keys, open } = at();
    const card = viewOfBuilder(page).card("Hello");
    await open(`/agents/${agentId}/build`, card);
    await keys.enter(card);
    await keys.peekBy("a", card, "Add a node");
    await keys.peekBy("s", card, "Create a sub-flow from the selection");
    await keys.peekBy("?", card, "Keyboard shortcuts");
  });

  test("in the builder: the menu of a scenario", async () => {
    const { agentId, page, keys, open, tab, chosen, button } = at();
    await open(`/agents/${agentId}/build`, viewOfBuilder(page).card("Hello"));
    await keys.to(tab("Node"));
    await keys.press("ArrowRight", "ArrowRight");
    await chosen("Scenarios");
    await keys.peekFrom(button("Actions for “Says nothing”"), "Edit", "Edit scenario");
  });

  test("in the settings: a new MCP server, and two-factor authentication", async () => {
    const { keys, open, button } = at();
    await open("/settings/mcp", button("Add MCP server"));
    await keys.peek(button("Add MCP server").first(), "Add MCP server");
    await open("/settings/security", button("Set up"));
    await keys.peek(button("Set up"), "Set up two-factor authentication");
  });

  test("on a batch: the question before it is canceled", async () => {
    const { agentId, page, keys, heading, button, operator, post, url } = at();
    // Its second call waits for the first, and that for a line.
    const path = `/api/v1/operator/accounts/${operator.accountId}`;
    const json = { queuedMax: 1, concurrencyMax: 0 };
    dataOf(await sendPatiently(url, { method: "PATCH", path, headers: operator.cookie, json }));
    const rows = [{ phoneNumber: "+15550100014" }, { phoneNumber: "+15550100015" }];
    const { id } = await post("batches", { name: "Waiting", agentId, rows });
    await page.goto(`${url}/calls/batches/${id}`);
    await heading("Waiting").waitFor();
    await keys.peek(button("Cancel"), "Cancel this batch?");
  });

  test("on any page once the session has ended: signing in again", async () => {
    const { page, keys, open, heading, button, dialog } = at();
    await open("/settings/account", heading("Password"));
    await keys.to(button("Sign out everywhere"));
    await page.context().clearCookies();
    await keys.press("Enter");
    await page.getByRole("dialog", { name: "Sign in again" }).waitFor();
    await keys.walk();
    // It is about to sign in, and not left by accident.
    await keys.press("Escape");
    await dialog().waitFor();
  });
});
