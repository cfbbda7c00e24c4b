import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type McpFarEnd, openMcpFarEnd } from "@parley/server/agents/mcp/testing/mcp-far-end";
import { afterAll, expect } from "vitest";
import { addMember, createKey, dataOf, freshEmail, PASSWORD } from "../../harness/accounts.ts";
import { sendPatiently } from "../../harness/http-client.ts";
import { atKeyboard, type Installation, type KeyboardPage, testPages } from "./keyboard-scene.ts";

const receiver = createServer((request, reply) => request.resume().once("end", () => reply.end()));
let crm: McpFarEnd | null = null;
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await crm?.close();
});

/** An account with a key, a colleague, a number it may not call, and an endpoint that was sent a test. */
async function seed({ url, operator, read, post }: Installation) {
  await createKey(url, operator.cookie, { name: "Booking server" });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const webhookId: string = (await post("webhooks", { url: receiverUrl })).id;
  await post("suppressions", { phoneNumber: "+15550107712", reason: "Asked not to be called." });
  await post(`webhooks/${webhookId}/test`, {});
  const [delivery] = await read(`webhooks/${webhookId}/deliveries`);
  const colleague = await addMember(url, operator.cookie);
  crm = await openMcpFarEnd();
  const mcp = { url: crm.url, serverId: (await post("mcp-servers", { name: "crm", url: crm.url })).id as string };
  return { receiverUrl, webhookId, deliveryId: delivery.id as string, colleague, mcp };
}
type Seed = Awaited<ReturnType<typeof seed>>;

const PAGES: readonly KeyboardPage<Seed>[] = [
  {
    route: "/settings/account",
    sign: ({ heading }) => heading("Password"),
    deeds: {
      "a wrong password is refused, and one is where one was": async ({ keys, button, field, said }) => {
        await keys.write(field("Current password"), "not-the-password");
        await keys.write(field("New password"), `${PASSWORD}-next`);
        await keys.enter(button("Change password"));
        await said("This is not the current password.");
        expect(await keys.isAt(button("Change password"))).toBe(true);
      },
    },
  },
  {
    route: "/settings/security",
    sign: ({ page }) => page.getByRole("list", { name: "Sessions" }),
    deeds: {
      "another session is ended, and before all others are one is asked": async ({
        page,
        keys,
        button,
        gone,
        isSomewhere,
        operator,
        url,
      }) => {
        const enter = () =>
          sendPatiently(url, {
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
    sign: ({ button }) => button("Revoke Booking server"),
    deeds: {},
  },
  {
    route: "/settings/webhooks",
    sign: ({ link }) => link(/^http:/),
    deeds: {
      "an endpoint is added and opened": async ({ page, keys, heading, button, dialog, field, receiverUrl }) => {
        await keys.peek(button("Add endpoint"), "Add endpoint");
        await keys.enter(button("Add endpoint"));
        await keys.write(field("URL"), `${receiverUrl}typed`);
        await keys.to(page.getByLabel("All events"));
        await keys.press("ArrowDown");
        await keys.to(page.getByRole("checkbox").first());
        await keys.press("Space");
        await keys.enter(dialog().getByRole("button", { name: "Add endpoint" }));
        await dialog().locator("code").waitFor();
        await keys.enter(button("Open endpoint"));
        await heading("Endpoint").waitFor();
      },
    },
  },
  {
    route: "/settings/webhooks/$webhookId",
    path: ({ webhookId }) => `/settings/webhooks/${webhookId}`,
    sign: ({ link }) => link("webhook.test"),
    deeds: {
      "a test is sent, the secret is shown and rotated": async ({ keys, button, said, isSomewhere }) => {
        await keys.enter(button("Send a test"));
        await said(/Accepted with 200/);
        expect(await keys.isAt(button("Send a test"))).toBe(true);
        await keys.enter(button("Show secret"));
        await button("Hide").waitFor();
        await isSomewhere();
        await keys.peek(button("Rotate"), "Rotate the secret?");
      },
      "it is edited, disabled, enabled again, and not deleted by accident": async ({ keys, button }) => {
        await keys.peek(button("Edit"), "Edit endpoint");
        await keys.enter(button("Disable"));
        await button("Enable").waitFor();
        await keys.undo();
        await button("Disable").waitFor();
        await keys.peek(button("Send again since…"), "Send again");
        await keys.peek(button("Delete endpoint"), "Delete this endpoint?");
      },
      "deliveries are narrowed, and one is opened": async ({ page, keys, heading, link }) => {
        await keys.choose(page.getByLabel("Status"), "Delivered");
        await page.waitForURL(/status=delivered/);
        await keys.enter(link("webhook.test").first());
        await heading("Delivery").waitFor();
      },
    },
  },
  {
    route: "/settings/mcp",
    sign: ({ link }) => link("crm"),
    deeds: {
      "an MCP server is added and opened": async ({ keys, heading, button, dialog, field, mcp }) => {
        await keys.enter(button("Add MCP server"));
        await keys.write(field("Name"), "typed");
        await keys.write(field("URL"), mcp.url);
        await keys.enter(dialog().getByRole("button", { name: "Add MCP server" }));
        await heading("typed").waitFor();
        await button("Approve find_customer").waitFor();
      },
    },
  },
  {
    route: "/settings/mcp/$serverId",
    path: ({ mcp }) => `/settings/mcp/${mcp.serverId}`,
    sign: ({ page }) => page.getByText("Finds a customer by phone number."),
    deeds: {
      "a tool is approved, and the approval withdrawn": async ({ keys, button }) => {
        await keys.enter(button("Approve find_customer"));
        await button("Revoke approval of find_customer").waitFor();
        await keys.enter(button("Revoke approval of find_customer"));
        await button("Approve find_customer").waitFor();
      },
      "it is edited, and not removed by accident": async ({ keys, button }) => {
        await keys.peek(button("Edit"), "Edit MCP server");
        await keys.peek(button("Remove MCP server"), "Remove crm?");
      },
    },
  },
  {
    route: "/device",
    sign: ({ field }) => field("Code"),
    deeds: {
      "a command line is let in by its code": async ({ keys, button, field, said, url }) => {
        const begun = await sendPatiently(url, { path: "/auth/device", json: { client: "parley on ada-laptop" } });
        await keys.write(field("Code"), dataOf(begun).userCode);
        await keys.enter(button("Continue"));
        await said("parley on ada-laptop");
        await keys.enter(button("Connect"));
        await said(/go back to your terminal/);
      },
    },
  },
  {
    route: "/settings/webhooks/$webhookId/deliveries/$deliveryId",
    path: ({ webhookId, deliveryId }) => `/settings/webhooks/${webhookId}/deliveries/${deliveryId}`,
    sign: ({ page }) => page.getByText("Attempt 1", { exact: true }),
    deeds: {
      "it is sent again": async ({ keys, button, said, isSomewhere }) => {
        await keys.enter(button("Send again"));
        await said("Attempt 2");
        await isSomewhere();
      },
    },
  },
  {
    route: "/settings/billing",
    sign: ({ field }) => field("All calls in a day"),
    deeds: {
      "the price of a number is looked up": async ({ keys, field, said }) => {
        await keys.write(field("Phone number"), "+442071838750");
        await keys.press("Enter");
        await said("United Kingdom");
        expect(await keys.isAt(field("Phone number"))).toBe(true);
      },
      "a cap is set and taken back": async ({ keys, button, field, said }) => {
        await keys.write(field("All calls in a day"), "5");
        await keys.enter(button("Save: All calls in a day"));
        await said("Of your $5.00 daily cap (UTC).");
        expect(await keys.isAt(button("Save: All calls in a day"))).toBe(true);
        await keys.undo();
        await said("No daily cap.");
      },
    },
  },
  {
    route: "/settings/alerts",
    sign: ({ heading }) => heading("Thresholds"),
    deeds: {
      "a threshold is set, and one is where one was": async ({ page, keys, button, field, said, isSomewhere }) => {
        await keys.to(page.getByRole("checkbox", { name: /^Answer rate/ }));
        await keys.press("Space");
        await keys.write(field("Below, in percent"), "35");
        await keys.enter(button("Save thresholds"));
        await said(/The thresholds were saved/);
        await isSomewhere();
      },
    },
  },
  {
    route: "/settings/limits",
    sign: ({ heading }) => heading("Retention"),
    deeds: {
      "calling hours are narrowed and put back": async ({ page, keys, button, field, said, gone }) => {
        await keys.to(page.getByLabel("Narrower hours for this account"));
        await keys.press("Space");
        await keys.to(field("From"));
        await keys.enter(button("Save calling hours"));
        await said(/People are called from \d\d:\d\d until/);
        await keys.undo();
        await gone(field("From"));
      },
      "what would be erased is asked about first": async ({ keys, button, field }) => {
        await keys.write(field("Recordings (days)"), "30");
        await keys.peek(button("Save retention"), "Permanently delete older data?");
      },
    },
  },
  {
    route: "/settings/suppressions",
    sign: ({ button }) => button("Remove +15550107712 from the list"),
    deeds: {
      "a number is taken off, and put back": async ({ keys, button, field, gone, isSomewhere }) => {
        await keys.peek(button("Import"), "Import numbers");
        await keys.peek(button("Add number"), "Add number");
        await keys.write(field("Find numbers by their first digits"), "+1555");
        await keys.enter(button("Remove +15550107712 from the list"));
        await gone(button("Remove +15550107712 from the list"));
        await isSomewhere();
        await keys.undo();
        await button("Remove +15550107712 from the list").waitFor();
      },
    },
  },
  {
    route: "/settings/members",
    sign: ({ page }) => page.getByLabel(/^Role of/),
    deeds: {
      "a member is invited": async ({ keys, button, dialog, field, said, gone, isAt }) => {
        await keys.peek(button("Invite"), "Invite a member");
        await keys.enter(button("Invite"));
        await keys.write(field("Email"), freshEmail());
        await keys.press("Enter");
        await said("No email was sent.");
        await keys.enter(button("Done"));
        await gone(dialog());
        await isAt(button("Invite"));
      },
      "a role is changed and changed back": async ({ page, keys, button, said, colleague }) => {
        const role = page.getByLabel(`Role of ${colleague.email}`);
        await keys.choose(role, "Owner");
        await said(`${colleague.email} is now an owner.`);
        expect(await keys.isAt(role)).toBe(true);
        await keys.undo();
        await said(`${colleague.email} is now a member.`);
        await keys.peek(button(`Remove ${colleague.email}`), `Remove ${colleague.email}?`);
      },
    },
  },
  {
    route: "/settings/audit",
    sign: ({ page }) => page.getByText("signed in"),
    deeds: {
      "the log is narrowed and widened": async ({ keys, heading, button, field, said, isSomewhere }) => {
        await keys.choose(field("Subject"), "Credit");
        await heading("No matching entries").waitFor();
        await keys.enter(button("Clear filters"));
        await said("signed in");
        await isSomewhere();
      },
    },
  },
];
testPages(atKeyboard({ as: "operator", seed }), PAGES);
