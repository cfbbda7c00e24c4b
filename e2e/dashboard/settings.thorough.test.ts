import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKey, freshEmail, PASSWORD, signInAgain } from "../harness/accounts.ts";
import { ask, until } from "../harness/api-client.ts";
import { findBarriers } from "../harness/browser.ts";
import { completeCall } from "../harness/calls.ts";
import { freePort } from "../harness/free-port.ts";
import { type FollowedChild, startExampleReceiver } from "../webhooks/example-receiver.ts";
import { type DashboardScene, openDashboard, PATIENCE_MS, signInOnPage, signUpOnPage } from "./visitor.ts";

/** Right to left, with multi-byte characters, looking like code, and long. */
const NAUGHTY = `\u202eمرحبا 🙏🏽 <script>alert(1)</script> "'\`&amp; ${"long".repeat(50)}`;

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let scene: DashboardScene;
let page: Page;
let complaints: string[];
let owner: { email: string; cookie: Readonly<Record<string, string>> };
let receiver: FollowedChild | undefined;
let moody: Server;
let moodyUrl: string;
let moodyStatus = 500;
const received: Received[] = [];

// One person goes through the settings of an account: each test builds on the previous one.
beforeAll(async () => {
  scene = await openDashboard();
  moody = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    response.writeHead(moodyStatus).end(NAUGHTY);
  });
  await new Promise<void>((resolve) => moody.listen(0, "127.0.0.1", resolve));
  moodyUrl = `http://127.0.0.1:${(moody.address() as AddressInfo).port}/moody`;
  ({ page, complaints } = await scene.visit());
  const email = await signUpOnPage(page, scene.service.url);
  owner = { email, cookie: (await signInAgain(scene.service.url, email)).cookie };
});
afterAll(async () => {
  await receiver?.end();
  await new Promise((resolve) => moody.close(resolve));
  await scene?.close();
});

const open = async (path: string, heading: string) => {
  await page.goto(scene.service.url + path);
  await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
};
const button = (name: string | RegExp, within: Page | Locator = page) =>
  within.getByRole("button", { name, exact: typeof name === "string" });
const dialog = () => page.getByRole("dialog");
const card = (name: string) => page.getByRole("region", { name });
/** An earlier change may still offer to be undone: the last is meant. */
const undo = () => button("Undo").last().click();
const said = (words: string | RegExp) => page.getByText(words).first().waitFor();

describe("webhooks", () => {
  let secret: string;

  test("an endpoint is added with the chosen events, and its secret is shown", async () => {
    await page.getByRole("link", { name: "Settings" }).first().click();
    await page.getByRole("link", { name: "Webhooks" }).click();
    await said("No endpoint for test calls yet");
    await button("Add endpoint").click();
    await dialog().getByLabel("URL").fill(NAUGHTY);
    await button("Add endpoint", dialog()).click();
    await until(
      () => dialog().getByLabel("URL").getAttribute("aria-invalid"),
      (invalid) => invalid === "true",
      PATIENCE_MS,
    );
    const port = await freePort();
    await dialog().getByLabel("URL").fill(`http://127.0.0.1:${port}/`);
    await dialog().getByLabel("Description").fill(NAUGHTY);
    await dialog().getByLabel("Selected events").check();
    await dialog().getByLabel("A recording can be fetched").check();
    await dialog().getByText("Additional headers (optional)").click();
    await dialog().getByLabel("Headers", { exact: true }).fill(NAUGHTY.replaceAll(":", ""));
    await expect.poll(() => dialog().getByLabel("Headers", { exact: true }).getAttribute("aria-invalid")).toBe("true");
    await dialog().getByLabel("Headers", { exact: true }).fill("X-Team: phones");
    await button("Add endpoint", dialog()).click();
    secret = (await dialog().locator("code").textContent()) ?? "";
    expect(secret).toMatch(/^whsec_/);
    receiver = await startExampleReceiver(secret, port);
    await button("Open endpoint").click();
    await page.getByRole("heading", { name: "Endpoint", level: 1 }).waitFor();
    await card("About").getByText(NAUGHTY).waitFor();
    await card("About").getByText("X-Team").waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  test("a test shows what the receiver answered", async () => {
    await button("Send a test").click();
    await said(/Accepted with 204 in \d+ ms/);
    await receiver?.untilLine(/^webhook\.test/);
    await page.getByRole("link", { name: "webhook.test" }).waitFor();
  });

  test("the deliveries of a call are listed, filtered, inspected and sent again", async () => {
    const { key } = await createKey(scene.service.url, owner.cookie);
    const agents = await ask(scene.service.url, "/api/v1/agents", { key });
    const callId = await completeCall({ url: scene.service.url, key, agentId: agents.body.data[0].id });
    await receiver?.untilLine(/^call\.completed/);
    await page.reload();
    await page.getByLabel("Event").selectOption("call.completed");
    await page.getByRole("link", { name: "call.completed" }).waitFor();
    await page.getByRole("link", { name: "webhook.test" }).waitFor({ state: "detached" });
    expect(page.url()).toContain("eventType=call.completed");
    await page.getByLabel("Status").selectOption("failed");
    await said("No matching deliveries");
    await page.getByLabel("Status").selectOption("delivered");
    await page.getByRole("link", { name: "call.completed" }).click();
    await page.getByRole("heading", { name: "Delivery", level: 1 }).waitFor();
    await card("Attempts").getByText("204", { exact: true }).waitFor();
    await card("Request").getByText(callId).first().waitFor();
    await page.getByRole("link", { name: callId }).waitFor();
    await button("Send again").click();
    await card("Attempts").getByText("Attempt 2").waitFor();
    await page.getByRole("link", { name: "The endpoint" }).click();
    await button("Send again since…").click();
    await dialog().getByLabel("Skip events that were already accepted").uncheck();
    await button("Send again", dialog()).click();
    // The subscribed events: the end of the call and its recording, not the test.
    await said(/\d events? (is|are) on the way/);
  });

  test("its secret is shown on request, and rotated with a day of overlap", async () => {
    const secrets = card("Signing secret");
    await button("Show secret").click();
    await secrets.getByText(secret).waitFor();
    await button("Rotate").click();
    await dialog().getByText("For 24 hours, each request carries two signatures").waitFor();
    await button("Rotate secret").click();
    await secrets.getByText("Previous secret", { exact: true }).waitFor();
    const [now, before] = await secrets.locator("code").allTextContents();
    expect([before, now === secret]).toEqual([secret, false]);
    await secrets.getByText(/events are also signed with the previous secret/).waitFor();
    // The receiver knows only the old one, and still accepts.
    await button("Send a test").click();
    await said(/Accepted with 204/);
    await button("Hide").click();
    await secrets.getByText(secret).waitFor({ state: "detached" });
  });

  test("when disabled it says why, and can be enabled by a click", async () => {
    await button("Disable").click();
    await said("A member or an API request disabled it.");
    await undo();
    await button("Disable").waitFor();
    await button("Edit").click();
    await dialog().getByLabel("All events").check();
    await button("Save", dialog()).click();
    await card("About").getByText("All, including those added in later releases").waitFor();
  });

  test("an endpoint that fails shows what it answered, and the example on the page accepts what was sent", async () => {
    await open("/settings/webhooks", "Webhooks");
    await button("Add endpoint").click();
    await dialog().getByLabel("URL").fill(moodyUrl);
    await button("Add endpoint", dialog()).click();
    const moodySecret = (await dialog().locator("code").textContent()) ?? "";
    await button("Open endpoint").click();
    await button("Send a test").click();
    await said(/Not accepted: .*500/);
    await page.getByRole("link", { name: "Details" }).click();
    await page.getByText("Response", { exact: true }).click();
    await card("Attempts").getByText(NAUGHTY).waitFor();
    await page.getByRole("link", { name: "The endpoint" }).click();
    await said(/Nothing has been accepted since/);
    await page.getByRole("tab", { name: "Without a library" }).click();
    const code = (await page.getByRole("tabpanel").locator("code").textContent()) ?? "";
    const { isOurs } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    const [request] = received;
    expect(isOurs(moodySecret, request?.headers, request?.body)).toBe(true);
    expect(isOurs(moodySecret, request?.headers, `${request?.body} `)).toBe(false);
    moodyStatus = 410;
    await button("Send a test").click();
    await said("It responded with 410 Gone, which asks us to stop sending.");
    await button("Delete endpoint").click();
    await button("Keep it").click();
    await button("Delete endpoint").click();
    await button("Delete it").click();
    await page.getByRole("heading", { name: "Webhooks", level: 1 }).waitFor();
    await page.getByRole("link", { name: moodyUrl }).waitFor({ state: "detached" });
  });
});

describe("money", () => {
  test("balance, ledger and the price of a number are shown in plain words", async () => {
    await open("/settings/billing", "Billing");
    await page.getByRole("definition").filter({ hasText: "$10.00" }).first().waitFor();
    await card("Ledger").getByText("Free credit for a new account").waitFor();
    await page.getByLabel("Phone number").fill(NAUGHTY);
    await button("Look up").click();
    await said("Enter the number with its country code");
    await page.getByLabel("Phone number").fill("+44 (0) 20 7183 8750".replace("(0) ", ""));
    await button("Look up").click();
    await card("What a call costs").getByText("United Kingdom").waitFor();
    await card("What a call costs")
      .getByRole("row", { name: /^local/ })
      .waitFor();
  });

  test("a cap is saved immediately, refused when it is not an amount, and undone by a click", async () => {
    const cap = page.getByLabel("All calls in a day", { exact: true });
    await cap.fill(NAUGHTY);
    await said("Enter an amount such as 5.00");
    await expect.poll(() => button("Save: All calls in a day").isDisabled()).toBe(true);
    await cap.fill("5");
    await cap.press("Enter");
    await said("Of your $5.00 daily cap (UTC).");
    await untilSetting("dailySpendCap", "5.00");
    await undo();
    await said("No daily cap.");
    await untilSetting("dailySpendCap", null);
    await expect.poll(() => cap.inputValue()).toBe("");
    const warning = page.getByLabel("Warn when the credit falls below", { exact: true });
    await warning.fill("2.50");
    await button("Save: Warn when the credit falls below").click();
    await untilSetting("creditLowAt", "2.50");
  });
});

async function readSetting(name: string): Promise<unknown> {
  const { body } = await ask(scene.service.url, "/api/v1/settings", { headers: owner.cookie });
  return body.data[name];
}

/** The service may receive what the page already shows a moment later. */
function untilSetting(name: string, wanted: unknown): Promise<unknown> {
  return until(
    () => readSetting(name),
    (seen) => JSON.stringify(seen) === JSON.stringify(wanted),
    PATIENCE_MS,
  );
}

describe("limits and hours", () => {
  test("calling hours are set, kept and put back", async () => {
    await open("/settings/limits", "Limits and hours");
    await card("Test calls").getByText("0 of").first().waitFor();
    await page.getByLabel("Narrower hours for this account").check();
    await page.getByLabel("From").fill("19:00");
    await said("The end must be after the start.");
    await page.getByLabel("From").fill("10:00");
    await button("Save calling hours").click();
    await said("People are called from 10:00 until 18:00.");
    await untilSetting("callingHours", { start: "10:00", end: "18:00" });
    await undo();
    await untilSetting("callingHours", null);
    await page.getByLabel("From").waitFor({ state: "detached" });
  });

  test("what would be erased sooner requires confirmation", async () => {
    await page.getByLabel("Recordings (days)").fill(NAUGHTY);
    await said("Enter 1 to 3650 days, or leave it empty.");
    await page.getByLabel("Recordings (days)").fill("30");
    await button("Save retention").click();
    await button("Keep everything").click();
    expect(await readSetting("retentionDays")).toBeNull();
    await button("Save retention").click();
    await button("Save and erase").click();
    await said("Retention saved.");
    await untilSetting("retentionDays", { recordings: 30, transcripts: null, calls: null });
    await page.getByLabel("Calls (days)").fill("29");
    await said("Enter 30 to 3650 days, or leave it empty.");
    await page.getByLabel("Calls (days)").fill("365");
    await button("Save retention").click();
    await page.getByRole("dialog").getByText("Older calls are removed from every list").waitFor();
    await button("Save and erase").click();
    await untilSetting("retentionDays", { recordings: 30, transcripts: null, calls: 365 });
    await page.reload();
    await expect.poll(() => page.getByLabel("Recordings (days)").inputValue()).toBe("30");
  });

  test("what callees are told is worded once for all agents", async () => {
    await page.getByLabel("Text", { exact: true }).fill("Hello {{name}}");
    await said("Variables cannot be used here");
    await page.getByLabel("Text", { exact: true }).fill(NAUGHTY);
    await button("Save disclosure").click();
    await untilSetting("disclosure", NAUGHTY);
    await page.getByLabel("Text", { exact: true }).fill("");
    await button("Save disclosure").click();
    await untilSetting("disclosure", null);
  });

  test("how a name is said is listed once for all agents, and can be heard before it is saved", async () => {
    const list = card("Pronunciation");
    await list.getByRole("button", { name: "Add a word" }).click();
    await list.getByLabel("Written").fill("Siobhan");
    await list.getByLabel("Said").fill("/shi7/");
    await said("Must be a respelling such as");
    await list.getByLabel("Said").fill("/ʃɪˈvɔn/");
    const preview = page.waitForResponse((response) => response.url().endsWith("/preview"));
    await list.getByRole("button", { name: "Listen to Siobhan" }).click();
    const heard = await preview;
    expect([heard.status(), heard.headers()["content-type"]]).toEqual([200, "audio/wav"]);
    expect(heard.request().postDataJSON()).toMatchObject({
      text: "Siobhan",
      pronunciations: [{ written: "Siobhan", spoken: "/ʃɪˈvɔn/" }],
    });
    await button("Save pronunciations").click();
    await untilSetting("pronunciations", [{ written: "Siobhan", spoken: "/ʃɪˈvɔn/" }]);
    await page.reload();
    await expect.poll(() => card("Pronunciation").getByLabel("Said").inputValue()).toBe("/ʃɪˈvɔn/");
    await button("Remove Siobhan").click();
    await button("Save pronunciations").click();
    await untilSetting("pronunciations", []);
  });
});

describe("the suppression list", () => {
  const listed = async (startsWith = "") => {
    const query = startsWith ? `?startsWith=${encodeURIComponent(startsWith)}` : "";
    const { body } = await ask(scene.service.url, `/api/v1/suppressions${query}`, { headers: owner.cookie });
    return body.data.map(({ phoneNumber }: { phoneNumber: string }) => phoneNumber).sort();
  };

  test("a number is put on it by keyboard alone", async () => {
    await open("/settings/suppressions", "Suppression list");
    await said("The list is empty");
    await button("Add number").focus();
    await page.keyboard.press("Enter");
    await dialog().waitFor();
    await dialog().getByLabel("Phone number").focus();
    await page.keyboard.type("030 1234567");
    await page.keyboard.press("Enter");
    await said("Enter the number with its country code");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("+49 30 1234567");
    await page.keyboard.press("Tab");
    await page.keyboard.insertText(NAUGHTY);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await dialog().waitFor({ state: "detached" });
    await page.getByText(NAUGHTY).waitFor();
    expect(await page.evaluate("document.activeElement.textContent")).toContain("Add number");
    expect(await listed()).toEqual(["+49301234567"]);
  });

  test("a pasted list accepts numbers as people write them, and invalid ones are named", async () => {
    await button("Import").click();
    const numbers = Array.from({ length: 60 }, (_, index) => `+1 (555) 010-${String(index + 1000)}`);
    await dialog()
      .getByLabel("Numbers")
      .fill(`${NAUGHTY.replaceAll(/[,;]/g, "")}\n${numbers.join("\n")}\n+49 30 1234567`);
    await dialog().getByText("61 numbers found.").waitFor();
    await dialog()
      .getByText(/Skipped: .*<script>/)
      .waitFor();
    await dialog().getByLabel("Reason").fill(NAUGHTY);
    await button("Add 61", dialog()).click();
    await said("60 numbers were added. 1 was already on the list.");
    await button("Show more").click();
    await until(
      () =>
        page
          .getByRole("listitem")
          .filter({ has: button(/^Remove \+/) })
          .count(),
      (count) => count === 61,
      PATIENCE_MS,
    );
  });

  test("numbers are found by prefix, and removed with an undo", async () => {
    await page.getByLabel("Find numbers by their first digits").fill(NAUGHTY.replaceAll(/\d/g, ""));
    await page.getByLabel("Find numbers by their first digits").fill("+99");
    await said("No matching numbers");
    await page.getByLabel("Find numbers by their first digits").fill("+49 30");
    await button("Remove +49301234567 from the list").click();
    await said("+49301234567 may be called again.");
    expect(await listed("+49")).toEqual([]);
    await undo();
    await button("Remove +49301234567 from the list").waitFor();
    expect(await listed("+49")).toEqual(["+49301234567"]);
  });
});

describe("members", () => {
  let invitation: string;
  const email = freshEmail();

  test("a person is invited by a link that is handed over if there is no mail", async () => {
    await open("/settings/members", "Members");
    await button("Invite").click();
    await dialog().getByLabel("Email").fill(NAUGHTY);
    await button("Invite", dialog()).click();
    await until(
      () => dialog().getByLabel("Email").getAttribute("aria-invalid"),
      (invalid) => invalid === "true",
      PATIENCE_MS,
    );
    await dialog().getByLabel("Email").fill(email);
    await button("Invite", dialog()).click();
    await dialog().getByText("No email was sent.").waitFor();
    const lost = (await dialog().locator("code").textContent()) ?? "";
    await button("Done").click();
    await page.getByText("Invited", { exact: true }).waitFor();
    await button(`New link for ${email}`).click();
    await button("Create link").click();
    invitation = (await dialog().locator("code").textContent()) ?? "";
    await button("Done").click();
    expect(new URL(invitation).searchParams.get("token")).not.toBe(new URL(lost).searchParams.get("token"));
  });

  test("an invited person joins the account, and sees what members may and no more", async () => {
    const { page: hers, complaints: herComplaints } = await scene.visit();
    await hers.goto(invitation);
    await hers.getByRole("heading", { name: "Join the account" }).waitFor();
    expect(await hers.getByLabel("Email").count()).toBe(0);
    await hers.getByLabel("Password").fill(PASSWORD);
    await hers.getByRole("button", { name: "Join the account" }).click();
    await hers.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    await hers.goto(`${scene.service.url}/settings/billing`);
    await hers.getByText("Free credit for a new account").waitFor();
    const places = hers.getByRole("navigation", { name: "Settings" });
    await places.getByRole("link", { name: "Suppression list" }).waitFor();
    expect(await places.getByRole("link", { name: /Members|Audit log/ }).count()).toBe(0);
    expect(await hers.getByText("Caps and warnings").count()).toBe(0);
    for (const place of ["members", "audit", "limits"]) {
      await hers.goto(`${scene.service.url}/settings/${place}`);
      await hers.getByRole("heading", { name: "For owners" }).waitFor();
      expect(await hers.getByRole("button", { name: /Invite|Save/ }).count()).toBe(0);
      expect(await findBarriers(hers)).toEqual([]);
    }
    await hers.goto(`${scene.service.url}/settings/webhooks`);
    await hers.getByRole("button", { name: "Add endpoint" }).waitFor();
    expect(herComplaints).toEqual([]);

    // A changed role takes effect with her next page.
    await page.reload();
    await page.getByLabel(`Role of ${email}`).selectOption("owner");
    await said(`${email} is now an owner.`);
    await hers.goto(`${scene.service.url}/settings/members`);
    await hers.getByText(owner.email).waitFor();
    await page.getByLabel(`Role of ${email}`).selectOption("member");
    await said(`${email} is now a member.`);
    await button(`Remove ${email}`).click();
    await button("Remove", dialog()).click();
    await page.getByLabel(`Role of ${email}`).waitFor({ state: "detached" });
    await hers.goto(`${scene.service.url}/settings/members`);
    await hers.getByRole("heading", { name: "Sign in" }).waitFor();
    await hers.context().close();
  });

  test("the audit log describes who did what, and is filtered by the address", async () => {
    await open("/settings/audit", "Audit log");
    await said(`${owner.email} removed ${email}`);
    await page.getByLabel("Subject").selectOption("settings");
    await said("All calls in a day: none → 5.00");
    await page.getByText(`removed ${email}`).first().waitFor({ state: "detached" });
    expect(page.url()).toContain("action=settings");
    await page.getByLabel("Subject").selectOption("credit");
    await said("No matching entries");
    await button("Clear filters").click();
    await page.getByLabel("Actor").selectOption({ label: owner.email });
    await said(`${owner.email} removed ${email}`);
    await said("created the account");
  });
});

const PAGES = [
  { path: "/settings/webhooks", sign: "http://127.0.0.1" },
  { path: "/settings/alerts", sign: "Email owners" },
  { path: "/settings/billing", sign: "Free credit for a new account" },
  { path: "/settings/limits", sign: "Anything older is permanently deleted" },
  { path: "/settings/suppressions", sign: "+49301234567" },
  { path: "/settings/members", sign: "Joined" },
  { path: "/settings/audit", sign: "signed in" },
];

describe.each([
  { theme: "light", width: 1440 },
  { theme: "dark", width: 360 },
] as const)("in the $theme theme, $width px wide", ({ theme, width }) => {
  test("every page of the settings has no accessibility barriers and does not scroll sideways", async () => {
    const { page: visited, complaints: theirs } = await scene.visit({ theme, width });
    await visited.goto(`${scene.service.url}/sign-in`);
    await signInOnPage(visited, owner.email);
    await visited.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    const look = async (name: string) => {
      expect(await findBarriers(visited), name).toEqual([]);
      expect(await visited.evaluate("document.documentElement.scrollWidth - innerWidth"), name).toBeLessThanOrEqual(0);
    };
    for (const { path, sign } of PAGES) {
      await visited.goto(scene.service.url + path);
      await visited.getByText(sign).first().waitFor();
      await look(path);
    }
    await visited.goto(`${scene.service.url}/settings/webhooks`);
    await visited.getByRole("link", { name: /^http:/ }).click();
    await visited.getByRole("link", { name: "call.completed" }).first().waitFor();
    await look("an endpoint");
    await visited.getByRole("link", { name: "call.completed" }).first().click();
    await visited.getByText("Attempt 1", { exact: true }).waitFor();
    await look("a delivery");
    for (const [path, name] of [
      ["/settings/webhooks", "Add endpoint"],
      ["/settings/suppressions", "Import"],
      ["/settings/members", "Invite"],
    ] as const) {
      await visited.goto(scene.service.url + path);
      await visited.getByRole("button", { name, exact: true }).click();
      await visited.getByRole("dialog").waitFor();
      await look(name);
    }
    expect(theirs).toEqual([]);
    await visited.context().close();
  });
});

test("in all of this the page violated no rule of its policy, had no error and contacted no other host", () => {
  expect(complaints).toEqual([]);
});
