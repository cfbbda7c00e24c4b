import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  addMember,
  claimFirst,
  createKey,
  dataOf,
  freshEmail,
  PASSWORD,
  type SignedInMember,
  signUp,
} from "../harness/accounts.ts";
import { type Caller, placeCall, SILENT_NUMBER, untilPhase } from "../harness/calls.ts";
import { sendPatiently } from "../harness/http-client.ts";
import { REPOSITORY } from "../harness/service-process.ts";
import { type Keyboard, sitAtKeyboard } from "./by-keyboard.ts";
import { readRoutedPages } from "./routed-pages.ts";
import { type DashboardScene, openDashboard, PATIENCE_MS } from "./visitor.ts";

/** A page, and what is done there with keys alone. Every page is also walked through from end to end. */
interface KeyboardPage {
  /** As the router knows it. */
  readonly route: string;
  /** Where it is, if not at its route. */
  readonly path?: () => string;
  /** What shows that it is there. */
  readonly sign: () => Locator;
  readonly deeds: Readonly<Record<string, () => Promise<void>>>;
}

let scene: DashboardScene;
let page: Page;
let complaints: string[];
let keys: Keyboard;
let operator: SignedInMember;
let colleague: SignedInMember;
let customer: SignedInMember;
let receiver: Server;
let receiverUrl: string;
let caller: Caller;
let callId: string;
let webhookId: string;
let deliveryId: string;
let trunkId: string;
let builtId: string;
let changedId: string;
let email: string;

beforeAll(async () => {
  scene = await openDashboard({ PARLEY_CONVERSATION_THREADS: "1" });
  const { url } = scene.service;
  operator = await claimFirst(scene.service);
  const { key } = await createKey(url, operator.cookie, { name: "Booking server" });
  const [agent] = await read("agents");
  caller = { url, key, agentId: agent.id };
  receiver = createServer((request, reply) => request.resume().once("end", () => reply.end()));
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  webhookId = (await post("webhooks", { url: receiverUrl })).id;
  callId = await placeCall(caller, "+15550100001", {
    simulation: { answerAfterMs: 0, script: [{ say: "Hello?" }, { waitMs: 2500 }, { hangUp: true }] },
  });
  [colleague, customer] = await Promise.all([addMember(url, operator.cookie), signUp(url)]);
  await post("suppressions", { phoneNumber: "+15550107712", reason: "Asked not to be called." });
  await post(`webhooks/${webhookId}/test`, {});
  [{ id: deliveryId }] = await read(`webhooks/${webhookId}/deliveries`);
  trunkId = (await post("operator/trunks", { name: "Carrier One", host: "127.0.0.1", isEnabled: false })).id;
  builtId = (await post("agents", { name: "Built by keys" })).id;
  changedId = await makeChangedAgent(agent.id);
  await untilPhase(caller, callId, "ended", PATIENCE_MS);
  ({ page, complaints } = await scene.visit());
  keys = await sitAtKeyboard(page);
});
afterAll(async () => {
  receiver?.closeAllConnections();
  receiver?.close();
  await scene?.close();
});
afterEach(() => expect(keys.takeFaults()).toEqual([]));

async function read(path: string) {
  return dataOf(await sendPatiently(scene.service.url, { path: `/api/v1/${path}`, headers: operator.cookie }));
}
async function post(path: string, json: object) {
  return dataOf(await sendPatiently(scene.service.url, { path: `/api/v1/${path}`, headers: operator.cookie, json }));
}
/** An agent whose draft is newer than its version. */
async function makeChangedAgent(sampleId: string): Promise<string> {
  const { flow } = await read(`agents/${sampleId}`);
  const { id } = await post("agents", { name: "Changed since", flow });
  await post(`agents/${id}/publish`, {});
  const comments = [{ id: "later", text: "Changed since.", position: { x: 0, y: 0 } }];
  await sendPatiently(scene.service.url, {
    method: "PATCH",
    path: `/api/v1/agents/${id}`,
    headers: { ...operator.cookie, "if-match": "1" },
    json: { flow: { ...flow, comments } },
  });
  return id;
}
const open = async (path: string, sign: Locator) => {
  await page.goto(scene.service.url + path);
  await sign.first().waitFor();
  await settled();
};
/** Until nothing on the page is on its way any more. */
const settled = () => expect.poll(() => page.evaluate(IS_SETTLED)).toBe(true);
/** Whoever is signed in has a menu, which comes last. */
const IS_SETTLED = `document.querySelector("main .animate-pulse, [aria-busy=true]") === null &&
  (document.querySelector("nav") === null || document.querySelector("nav [aria-haspopup=menu]") !== null)`;
const heading = (name: string) => page.getByRole("heading", { name, exact: true });
const button = (name: string | RegExp) => page.getByRole("button", { name, exact: typeof name === "string" });
const link = (name: string | RegExp) => page.getByRole("link", { name, exact: typeof name === "string" });
const tab = (name: string) => page.getByRole("tab", { name });
const dialog = () => page.getByRole("dialog");
const field = (label: string, within: Page | Locator = page) => within.getByLabel(label, { exact: true });
const said = (words: string | RegExp) => page.getByText(words).first().waitFor();
const gone = (what: Locator) => what.waitFor({ state: "detached" });
const chosen = (name: string) => page.getByRole("tab", { name, selected: true }).waitFor();
const card = (title: string) =>
  page.locator(".react-flow__node").filter({ has: page.locator(".step-title", { hasText: new RegExp(`^${title}$`) }) });
const placeOf = async (title: string) => (await card(title).getAttribute("style")) ?? "";
/** The focus goes to a card a moment after the card is there. */
const isSomewhere = () => expect.poll(() => keys.place()).not.toBeNull();
const isAt = (what: Locator) => expect.poll(() => keys.isAt(what)).toBe(true);

describe("somebody new", () => {
  test("makes an account, and begins at the content when they ask to", async () => {
    await open("/sign-up", heading("Make an account"));
    await keys.walk();
    email = freshEmail();
    await keys.write(field("E-mail"), email);
    await keys.write(field("Password"), PASSWORD);
    await keys.press("Enter");
    await heading("Three steps to your first call").waitFor();
    await page.reload();
    await heading("Three steps to your first call").waitFor();
    await keys.press("Tab");
    expect(await keys.place()).toContain("Skip to the content");
    await keys.press("Enter", "Tab");
    expect(await keys.isAt(button("New call").first())).toBe(true);
    await keys.walk();
  });

  test("takes the three steps, or puts them away and brings them back", async () => {
    await keys.enter(button("Dismiss the first steps"));
    await keys.undo();
    await keys.enter(button("Listen"));
    await said("1 of 3 done");
    await keys.peek(button("Place a call"), "New call");
    await keys.enter(link("Make a key"));
    await heading("Developer").waitFor();
    await keys.walk();
  });

  test("makes a key, sees it once, and revokes it", async () => {
    await keys.enter(button("Create New API Key").first());
    await dialog().waitFor();
    expect(await keys.isAt(field("Name"))).toBe(true);
    await keys.walk();
    await keys.write(field("Name"), "Typed");
    await keys.press("Enter");
    await said("It cannot be shown again");
    await keys.walk();
    await keys.enter(button("I have copied it"));
    await gone(dialog());
    await keys.peek(button("Revoke Typed"), "Revoke “Typed”?");
    await keys.enter(button("Revoke Typed"));
    await keys.enter(button("Revoke the key"));
    await said("Revoked");
    await isSomewhere();
  });

  test("places a call, listens in and hangs up", async () => {
    await keys.enter(link("Calls").first());
    await heading("Place your first call").waitFor();
    await keys.enter(button("New call").first());
    await keys.write(field("Phone number", dialog()), SILENT_NUMBER);
    await keys.press("Enter");
    await said("Talking");
    await keys.enter(button("Listen in"));
    await button("Mute").waitFor();
    await keys.walk();
    await keys.enter(button("Mute"));
    await said("Muted");
    await keys.enter(button("Stop listening"));
    await keys.enter(button("Hang up"));
    await link("See the path it took").waitFor();
    await isSomewhere();
  });

  test("chooses the theme in the menu of the account, looks at live calls, and signs out", async () => {
    const menu = button(/^Account menu of/).first();
    await keys.enter(menu);
    await page.getByRole("menu").waitFor();
    await keys.press("Escape");
    await gone(page.getByRole("menu"));
    await isAt(menu);
    await keys.pick(menu, "Dark");
    await page.locator("html[data-theme=dark]").waitFor();
    await keys.to(page.getByRole("radio", { name: "Test" }));
    await keys.arrow("ArrowRight", page.getByRole("radio", { name: "Live" }));
    await said("Live calls don’t reach anyone yet");
    await keys.arrow("ArrowLeft", page.getByRole("radio", { name: "Test" }));
    await gone(page.getByText("Live calls don’t reach anyone yet"));
    await keys.pick(menu, "Sign out");
    await heading("Sign in").waitFor();
  });
});

const PAGES: readonly KeyboardPage[] = [
  {
    route: "/claim",
    path: () => "/claim?token=lt_used",
    sign: () => heading("Claim your account"),
    deeds: {
      "a link that was used up is refused": async () => {
        await keys.write(field("E-mail"), freshEmail());
        await keys.write(field("Password"), PASSWORD);
        await keys.enter(button("Claim your account"));
        await page.getByRole("alert").waitFor();
        expect(await keys.isAt(button("Claim your account"))).toBe(true);
      },
    },
  },
  {
    route: "/reset",
    sign: () => heading("Forgot the password?"),
    deeds: {
      "a link is asked for": async () => {
        await keys.write(field("E-mail"), email);
        await keys.press("Enter");
        await said("If there is an account with this e-mail");
      },
    },
  },
  {
    route: "/sign-in",
    sign: () => heading("Sign in"),
    deeds: {
      "somebody signs in": async () => {
        await keys.write(field("E-mail"), operator.email);
        await keys.write(field("Password"), PASSWORD);
        await keys.enter(button("Sign in"));
        await heading("Overview").waitFor();
      },
    },
  },
  {
    route: "/",
    sign: () => heading("How calls ended"),
    deeds: {
      "the period is chosen, and a chart is read as a table": async () => {
        await keys.to(page.getByRole("radio", { name: "7 d" }));
        await keys.arrow("ArrowLeft", page.getByRole("radio", { name: "24 h" }));
        await page.waitForURL(/period=day/);
        const calls = page.getByRole("region", { name: "Calls", exact: true });
        await keys.enter(calls.locator("summary"));
        await calls.getByRole("table").waitFor();
        await keys.press("Tab");
        expect(await keys.isAt(calls.locator("[tabindex='0']"))).toBe(true);
      },
      "a reason leads to its calls": async () => {
        await keys.enter(page.getByRole("region", { name: "How calls ended" }).getByRole("link").first());
        await heading("Calls").waitFor();
        await isSomewhere();
      },
    },
  },
  {
    route: "/calls",
    sign: () => link("+15550100001"),
    deeds: {
      "calls are narrowed, and what was cleared comes back": async () => {
        await keys.choose(field("Status"), "Failed");
        await page.waitForURL(/status=failed/);
        await keys.enter(button("Clear"));
        await link("+15550100001").waitFor();
        await expect.poll(() => keys.place()).toContain("search");
        await keys.undo();
        await page.waitForURL(/status=failed/);
        await keys.choose(field("Status"), "Any");
        await link("+15550100001").waitFor();
      },
      "words are looked for without leaving their field": async () => {
        const words = field("Words that were said");
        await keys.write(words, "zeppelin");
        await keys.press("Enter");
        await heading("No call is like this").waitFor();
        expect(await keys.isAt(words)).toBe(true);
        await keys.enter(button("Clear the filters"));
        await link("+15550100001").waitFor();
        await isSomewhere();
      },
      "the list is exported": async () => {
        const download = page.waitForEvent("download");
        await keys.enter(button("Export CSV"));
        expect((await download).suggestedFilename()).toMatch(/\.csv$/);
        expect(await keys.isAt(button("Export CSV"))).toBe(true);
      },
      "the form of a new call is opened and left": () => keys.peek(button("New call"), "New call"),
    },
  },
  {
    route: "/calls/$callId",
    path: () => `/calls/${callId}`,
    sign: () => button("Play the recording"),
    deeds: {
      "the recording is played, moved and heard from a line on": async () => {
        const play = button(/^(Play the recording|Pause)$/);
        await keys.to(play);
        await keys.press("Space");
        await button("Pause").waitFor();
        await keys.press("Space");
        await button("Play the recording").waitFor();
        await keys.to(page.getByRole("slider"));
        await keys.press("End");
        const length = await soundAt();
        expect(length).toBeGreaterThan(0);
        await keys.enter(page.getByRole("list", { name: "Transcript" }).getByRole("button").first());
        await expect.poll(soundAt).toBeLessThan(length);
      },
      "its parts are gone through by arrows": async () => {
        await keys.to(tab("Transcript"));
        for (const name of ["Timeline", "Latency", "Webhooks"]) {
          await keys.press("ArrowRight");
          await chosen(name);
          await settled();
          await keys.walk();
          await keys.to(tab(name));
        }
      },
      "a scenario is made of it": async () => {
        await keys.enter(button("Make a scenario"));
        await button("Scenario made").waitFor();
        expect(await keys.isAt(button("Scenario made"))).toBe(true);
      },
      "the way it took is gone along, step by step": async () => {
        await keys.enter(link("See the path it took"));
        const step = page.getByRole("list", { name: "Steps" }).getByRole("button").first();
        await step.waitFor();
        await keys.walk();
        await keys.enter(step);
        await page.locator("li[aria-current=step]").waitFor();
        expect(await keys.isAt(step)).toBe(true);
      },
    },
  },
  {
    route: "/agents",
    sign: () => page.getByRole("list", { name: "Agents" }),
    deeds: {
      "the forms of new agents are opened and left": async () => {
        await keys.peek(button("From a template"), "New agent from a template");
        await keys.peek(button("New agent"), "New agent");
      },
      "an agent is deleted from its menu, and comes back": async () => {
        await keys.pick(button("More for Built by keys"), "Delete");
        await gone(link("Built by keys"));
        await isSomewhere();
        await keys.undo();
        await link("Built by keys").waitFor();
      },
      "an agent is made of a template": async () => {
        await keys.enter(button("From a template"));
        await keys.enter(page.getByRole("list", { name: "Templates" }).getByRole("button").first());
        await button("Show the whole flow").waitFor();
        await isSomewhere();
      },
    },
  },
  {
    route: "/agents/$agentId",
    path: () => `/agents/${changedId}`,
    sign: () => page.getByRole("list", { name: "Versions" }),
    deeds: {
      "it is renamed from its menu, to which the focus returns": async () => {
        const menu = button(/^More for/);
        await keys.pick(menu, "Rename");
        await dialog().waitFor();
        expect(await keys.isAt(field("Name"))).toBe(true);
        await keys.press("Escape");
        await gone(dialog());
        await isAt(menu);
        await keys.pick(menu, "Rename");
        await keys.write(field("Name"), "Renamed by keys");
        await keys.press("Enter");
        await heading("Renamed by keys").waitFor();
      },
      "its draft is published, and calls go back to the version before": async () => {
        await keys.peek(button("Publish the draft"), "Publish the draft");
        await keys.enter(button("Publish the draft"));
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
    path: () => `/agents/${builtId}/build`,
    sign: () => heading("What shall the agent do?"),
    deeds: {
      "a flow is begun, and its words are written": async () => {
        await keys.enter(button("Start with a greeting"));
        await isAt(card("Say"));
        await keys.press("e");
        await isAt(field("Title"));
        await keys.write(field("What to say"), "Hello, this is Green Street Dental.");
        await keys.press("Escape");
        await isAt(card("Say"));
      },
      "nodes are added by typing and connected": async () => {
        await keys.press("c");
        await page.getByRole("dialog", { name: "Where does it lead?" }).waitFor();
        await page.keyboard.type("ask");
        await keys.press("Enter");
        await isAt(card("Ask"));
        await keys.press("c");
        await page.getByRole("dialog", { name: "Connect which exit?" }).waitFor();
        await page.keyboard.type("yes");
        await keys.press("Enter");
        await page.getByRole("dialog", { name: "Where does it lead?" }).waitFor();
        await page.keyboard.type("end");
        await keys.press("Enter");
        await isAt(card("End"));
      },
      "a node is taken from the palette, moved, deleted and brought back": async () => {
        const palette = page.getByRole("region", { name: "Add a node" });
        await keys.enter(palette.getByRole("button", { name: "End" }));
        await isAt(card("End 2"));
        const before = await placeOf("End 2");
        await keys.press("Shift+ArrowRight", "ArrowDown");
        await expect.poll(() => placeOf("End 2")).not.toBe(before);
        await keys.press("Delete");
        await gone(card("End 2"));
        await isSomewhere();
        await keys.undo();
        await card("End 2").waitFor();
        await keys.press("Control+z");
        await expect.poll(() => placeOf("End 2")).toBe(before);
      },
      "a comment is written and left": async () => {
        await keys.enter(page.getByRole("region", { name: "Add a node" }).getByRole("button", { name: "Comment" }));
        await isAt(field("Comment"));
        await page.keyboard.type("Ask Ada about this");
        await keys.press("Escape");
        expect(await keys.place()).toContain("Comment: Ask Ada about this");
        await keys.press("Delete");
        await gone(field("Comment"));
      },
      "Tab goes from node to node, and all of each is in view": () => keys.walk(),
      "a problem is gone to, and the canvas is skipped": async () => {
        await keys.enter(page.getByRole("region", { name: "Problems" }).getByRole("button").first());
        await keys.enter(
          page.getByRole("region", { name: "Problems" }).getByRole("listitem").getByRole("button").first(),
        );
        await expect.poll(() => keys.place()).toMatch(/“\w+: \w+/);
        await keys.enter(button("Skip the canvas"));
        expect(await keys.place()).toContain("Details");
      },
      "every panel is gone to by arrows, and walked through": async () => {
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
      "every dialog is opened and left": async () => {
        await keys.peek(button("Find a node"), "Find a node");
        for (const [item, title] of [
          ["Versions", "Versions"],
          ["Import a file", "Import a file"],
          ["Keys", "Keys"],
        ] as const) {
          await keys.pick(button("More"), item);
          await page.getByRole("dialog", { name: title }).waitFor();
          await keys.walk();
          await keys.press("Escape");
          await isAt(button("More"));
        }
      },
      "the builder is left": async () => {
        await keys.enter(link("All agents"));
        await page.getByRole("list", { name: "Agents" }).waitFor();
        await isSomewhere();
      },
    },
  },
  {
    route: "/settings/account",
    sign: () => heading("Password"),
    deeds: {
      "a wrong password is refused, and one is where one was": async () => {
        await keys.write(field("Current password"), "not-the-password");
        await keys.write(field("New password"), `${PASSWORD}-next`);
        await keys.enter(button("Change the password"));
        await said("currentPassword is wrong");
        expect(await keys.isAt(button("Change the password"))).toBe(true);
      },
    },
  },
  {
    route: "/settings/security",
    sign: () => page.getByRole("list", { name: "Sessions" }),
    deeds: {
      "another session is ended, and before all others are one is asked": async () => {
        const enter = () =>
          sendPatiently(scene.service.url, {
            path: "/auth/sign-in",
            headers: { "user-agent": "curl/8.5.0" },
            json: { email: operator.email, password: PASSWORD },
          });
        await enter();
        await page.reload();
        const end = button("End the session on curl");
        await end.waitFor();
        await keys.enter(end);
        await gone(end);
        await isSomewhere();
        await enter();
        await page.reload();
        await keys.peek(button("End all others"), "End all other sessions?");
      },
    },
  },
  {
    route: "/settings/developer",
    sign: () => button("Revoke Booking server"),
    deeds: {},
  },
  {
    route: "/settings/webhooks",
    sign: () => link(/^http:/),
    deeds: {
      "an endpoint is added and opened": async () => {
        await keys.peek(button("Add endpoint"), "Add endpoint");
        await keys.enter(button("Add endpoint"));
        await keys.write(field("URL"), `${receiverUrl}typed`);
        await keys.to(page.getByLabel("All of them"));
        await keys.press("ArrowDown");
        await keys.to(page.getByRole("checkbox").first());
        await keys.press("Space");
        await keys.enter(dialog().getByRole("button", { name: "Add endpoint" }));
        await dialog().locator("code").waitFor();
        await keys.enter(button("Open the endpoint"));
        await heading("Endpoint").waitFor();
      },
    },
  },
  {
    route: "/settings/webhooks/$webhookId",
    path: () => `/settings/webhooks/${webhookId}`,
    sign: () => link("webhook.test"),
    deeds: {
      "a test is sent, the secret is shown and rotated": async () => {
        await keys.enter(button("Send a test"));
        await said(/Accepted with 200/);
        expect(await keys.isAt(button("Send a test"))).toBe(true);
        await keys.enter(button("Show the secret"));
        await button("Hide").waitFor();
        await isSomewhere();
        await keys.peek(button("Rotate"), "Make a new secret?");
      },
      "it is edited, disabled, enabled again, and not deleted by accident": async () => {
        await keys.peek(button("Edit"), "Edit endpoint");
        await keys.enter(button("Disable"));
        await button("Enable").waitFor();
        await keys.undo();
        await button("Disable").waitFor();
        await keys.peek(button("Send again since…"), "Send again");
        await keys.peek(button("Delete endpoint"), "Delete this endpoint?");
      },
      "deliveries are narrowed, and one is opened": async () => {
        await keys.choose(page.getByLabel("Status"), "Delivered");
        await page.waitForURL(/status=delivered/);
        await keys.enter(link("webhook.test").first());
        await heading("Delivery").waitFor();
      },
    },
  },
  {
    route: "/settings/webhooks/$webhookId/deliveries/$deliveryId",
    path: () => `/settings/webhooks/${webhookId}/deliveries/${deliveryId}`,
    sign: () => page.getByText("Attempt 1", { exact: true }),
    deeds: {
      "it is sent again": async () => {
        await keys.enter(button("Send again"));
        await said("Attempt 2");
        await isSomewhere();
      },
    },
  },
  {
    route: "/settings/billing",
    sign: () => field("All calls of a day"),
    deeds: {
      "the price of a number is looked up": async () => {
        await keys.write(field("Phone number"), "+442071838750");
        await keys.press("Enter");
        await said("United Kingdom");
        expect(await keys.isAt(field("Phone number"))).toBe(true);
      },
      "a cap is set and taken back": async () => {
        await keys.write(field("All calls of a day"), "5");
        await keys.enter(button("Save: All calls of a day"));
        await said("Of $5.00 that a day (UTC) may cost.");
        expect(await keys.isAt(button("Save: All calls of a day"))).toBe(true);
        await keys.undo();
        await said("There is no cap.");
      },
    },
  },
  {
    route: "/settings/limits",
    sign: () => heading("How long things are kept"),
    deeds: {
      "calling hours are narrowed and put back": async () => {
        await keys.to(page.getByLabel("Narrower hours for this account"));
        await keys.press("Space");
        await keys.to(field("From"));
        await keys.enter(button("Save the calling hours"));
        await said(/People are phoned from \d\d:\d\d until/);
        await keys.undo();
        await gone(field("From"));
      },
      "what would be erased is asked about first": async () => {
        await keys.write(field("Recordings, days"), "30");
        await keys.peek(button("Save how long things are kept"), "Erase older recordings and transcripts?");
      },
    },
  },
  {
    route: "/settings/suppressions",
    sign: () => button("Take +15550107712 off the list"),
    deeds: {
      "a number is taken off, and put back": async () => {
        await keys.peek(button("Import"), "Import numbers");
        await keys.peek(button("Add number"), "Add number");
        await keys.write(field("Find numbers by how they begin"), "+1555");
        await keys.enter(button("Take +15550107712 off the list"));
        await gone(button("Take +15550107712 off the list"));
        await isSomewhere();
        await keys.undo();
        await button("Take +15550107712 off the list").waitFor();
      },
    },
  },
  {
    route: "/settings/members",
    sign: () => page.getByLabel(/^Role of/),
    deeds: {
      "somebody is invited": async () => {
        await keys.peek(button("Invite"), "Invite somebody");
        await keys.enter(button("Invite"));
        await keys.write(field("E-mail"), freshEmail());
        await keys.press("Enter");
        await said("No mail was sent.");
        await keys.enter(button("Done"));
        await gone(dialog());
        await isAt(button("Invite"));
      },
      "a role is changed and changed back": async () => {
        const role = page.getByLabel(`Role of ${colleague.email}`);
        await keys.choose(role, "Owner");
        await said(`${colleague.email} is an owner now.`);
        expect(await keys.isAt(role)).toBe(true);
        await keys.undo();
        await said(`${colleague.email} is a member now.`);
        await keys.peek(button(`Remove ${colleague.email}`), `Remove ${colleague.email}?`);
      },
    },
  },
  {
    route: "/settings/audit",
    sign: () => page.getByText("signed in"),
    deeds: {
      "the log is narrowed and widened": async () => {
        await keys.choose(field("About what"), "Credit");
        await heading("Nothing is like this").waitFor();
        await keys.enter(button("Clear the choices"));
        await said("signed in");
        await isSomewhere();
      },
    },
  },
  {
    route: "/operator/trunks",
    sign: () => link("Carrier One"),
    deeds: {
      "a trunk is opened": async () => {
        await keys.enter(link("Carrier One"));
        await button("Examine").waitFor();
      },
    },
  },
  {
    route: "/operator/trunks/new",
    sign: () => field("Server"),
    deeds: {
      "a trunk is added": async () => {
        await keys.write(field("Name"), "Typed");
        await keys.write(field("Server"), "127.0.0.1");
        await keys.choose(field("Transport"), "TCP");
        await keys.enter(page.locator("summary"));
        await keys.to(field("Our public host"));
        await keys.enter(button("Add the trunk"));
        await heading("Typed").waitFor();
      },
    },
  },
  {
    route: "/operator/trunks/$trunkId",
    path: () => `/operator/trunks/${trunkId}`,
    sign: () => button("Examine"),
    deeds: {
      "it is switched on, off again, examined, and not removed by accident": async () => {
        await keys.enter(button("Switch on"));
        await button("Switch off").waitFor();
        await keys.undo();
        await button("Switch on").waitFor();
        await keys.enter(button("Examine"));
        await page.locator("[aria-busy=true]").waitFor();
        expect(await keys.place()).toContain("Examin");
        await keys.peek(button("Remove"), "Remove “Carrier One”?");
      },
    },
  },
  {
    route: "/operator/trunks/$trunkId/edit",
    path: () => `/operator/trunks/${trunkId}/edit`,
    sign: () => field("Server"),
    deeds: {
      "it is changed": async () => {
        await keys.write(field("Calls at once"), "30");
        await keys.press("Enter");
        await said("0 of 30");
      },
    },
  },
  {
    route: "/operator/routes",
    sign: () => button("Add a route"),
    deeds: {
      "a route is added, changed, removed, and comes back": async () => {
        await keys.peek(button("Add a route").first(), "Add a route");
        await keys.enter(button("Add a route").first());
        await keys.write(field("Numbers that begin with"), "+4930");
        await keys.press("Enter");
        const remove = button(/^Remove the route of \+4930/);
        await remove.waitFor();
        await keys.peek(button(/^Change the route of \+4930/), "Change the route");
        await keys.enter(remove);
        await gone(remove);
        await isSomewhere();
        await keys.undo();
        await remove.waitFor();
      },
    },
  },
  {
    route: "/operator/rates",
    path: () => "/operator/rates?q=austria",
    sign: () => button(/^Change the rate of/),
    deeds: {
      "rates are found, changed, and brought in from a file": async () => {
        const search = field("A country or the beginning of a number");
        await keys.write(search, "germany");
        await keys.press("Enter");
        await said("Rates of Germany");
        expect(await keys.isAt(search)).toBe(true);
        await keys.peek(button("Change the rate of +49"), "The rate of +49");
        await keys.peek(button("Import CSV"), "Import a price list");
        const chooser = page.waitForEvent("filechooser");
        await keys.enter(button("Import CSV"));
        await keys.to(field("File"));
        await keys.press("Enter");
        const buffer = Buffer.from("prefix,rate\n+4930,0.02\n");
        await (await chooser).setFiles({ name: "prices.csv", mimeType: "text/csv", buffer });
        await keys.enter(button(/^Import 1 rate/));
        await gone(dialog());
        await isAt(button("Import CSV"));
      },
    },
  },
  {
    route: "/operator/models",
    sign: () => button("Set up Anthropic"),
    deeds: {
      "a key is set and forgotten": async () => {
        await keys.peek(button("Set up Anthropic"), "Set up Anthropic");
        await keys.enter(button("Set up Anthropic"));
        await keys.write(field("API key"), "sk-ant-api03-made-up-for-this-test-WXYZ");
        await keys.press("Enter");
        await said("key …WXYZ");
        await keys.peek(button("Forget the key of Anthropic"), "Forget the key of Anthropic?");
        await keys.enter(button("Forget the key of Anthropic"));
        await keys.enter(button("Forget the key"));
        await button("Set up Anthropic").waitFor();
        await isSomewhere();
      },
    },
  },
  {
    route: "/operator/gate",
    sign: () => field("Only these countries"),
    deeds: {
      "the gate is narrowed and taken back": async () => {
        const limit = field("Calls to one number a day");
        const before = await limit.inputValue();
        await keys.write(limit, "3");
        await keys.press("Enter");
        await said("The gate was changed");
        await keys.undo();
        await expect.poll(() => limit.inputValue()).toBe(before);
      },
    },
  },
  {
    route: "/operator/accounts",
    sign: () => heading("All accounts"),
    deeds: {},
  },
  {
    route: "/operator/accounts/$accountId",
    path: () => `/operator/accounts/${customer.accountId}`,
    sign: () => button("Change the credit"),
    deeds: {
      "credit is given and limits are set": async () => {
        await keys.write(field("Amount in USD"), "5");
        await keys.press("Enter");
        await said("$15.00");
        await keys.write(field("Calls at once"), "2");
        await keys.enter(button("Save the limits"));
        await said(/^The limits of .* were changed/);
        expect(await keys.isAt(button("Save the limits"))).toBe(true);
      },
    },
  },
];

const soundAt = () => page.evaluate<number>("document.querySelector('audio').currentTime");

describe.each(PAGES)("$route", ({ route, path, sign, deeds }) => {
  test("everything on it is come to by Tab, is seen when it is, and there is a way on", async () => {
    await open(path?.() ?? route, sign());
    await keys.walk();
  });

  test.each(Object.entries(deeds))("%s", (_, act) => act());
});

test("in all of this the page broke no rule of its policy, had no error and asked no other host", () => {
  expect(complaints).toEqual([]);
});

/** What is done by keyboard in the stories of other files. */
const ELSEWHERE: readonly { readonly file: string; readonly story: string }[] = [
  {
    file: "barriers.test.ts",
    story: "a dialog takes the focus, gives it back, and a call in the list is opened with Enter",
  },
  { file: "settings.test.ts", story: "a number is put on it by keyboard alone" },
  { file: "builder.test.ts", story: "what is deleted comes back by undo, and what was duplicated goes away by it" },
];

test.each(ELSEWHERE)("$file tells that $story", async ({ file, story }) => {
  expect(await readFile(`${REPOSITORY}/e2e/dashboard/${file}`, "utf8")).toContain(`"${story}"`);
});

test("no page of the dashboard is left out here", async () => {
  const shown = new Set(["/sign-up", ...PAGES.map(({ route }) => route)]);
  expect((await readRoutedPages()).filter((routed) => !shown.has(routed))).toEqual([]);
});
