import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshEmail, PASSWORD, signInAgain } from "../harness/accounts.ts";
import { ask, until } from "../harness/api-client.ts";
import { findBarriers } from "../harness/browser.ts";
import { looksOfJourney } from "./looks.ts";
import { NAUGHTY, type SettingsView, viewOfSettings } from "./settings-view.ts";
import { type DashboardScene, openDashboard, PATIENCE_MS, signUpOnPage } from "./visitor.ts";

let scene: DashboardScene;
beforeAll(async () => {
  scene = await openDashboard();
});
afterAll(() => scene?.close());

describe.each(looksOfJourney({ theme: "light", width: 1440 }))("$theme, $width px wide", (look) => {
  let page: Page;
  let complaints: string[];
  let owner: { email: string; cookie: Readonly<Record<string, string>> };
  let view: SettingsView;

  // One person goes through the settings of an account: each test builds on the previous one.
  beforeAll(async () => {
    ({ page, complaints } = await scene.visit(look));
    view = viewOfSettings(page, scene.service.url);
    const email = await signUpOnPage(page, scene.service.url);
    owner = { email, cookie: (await signInAgain(scene.service.url, email)).cookie };
  });

  describe("money", () => {
    test("balance, ledger and the price of a number are shown in plain words", async () => {
      await view.open("/settings/billing", "Billing");
      await page.getByRole("definition").filter({ hasText: "$10.00" }).first().waitFor();
      await view.card("Ledger").getByText("Free credit for a new account").waitFor();
      await page.getByLabel("Phone number").fill(NAUGHTY);
      await view.button("Look up").click();
      await view.said("Enter the number with its country code");
      await page.getByLabel("Phone number").fill("+44 (0) 20 7183 8750".replace("(0) ", ""));
      await view.button("Look up").click();
      await view.card("What a call costs").getByText("United Kingdom").waitFor();
      await view
        .card("What a call costs")
        .getByRole("row", { name: /^local/ })
        .waitFor();
    });

    test("a cap is saved immediately, refused when it is not an amount, and undone by a click", async () => {
      const cap = page.getByLabel("All calls in a day", { exact: true });
      await cap.fill(NAUGHTY);
      await view.said("Enter an amount such as 5.00");
      await expect.poll(() => view.button("Save: All calls in a day").isDisabled()).toBe(true);
      await cap.fill("5");
      await cap.press("Enter");
      await view.said("Of your $5.00 daily cap (UTC).");
      await untilSetting("dailySpendCap", "5.00");
      await view.undo();
      await view.said("No daily cap.");
      await untilSetting("dailySpendCap", null);
      await expect.poll(() => cap.inputValue()).toBe("");
      const warning = page.getByLabel("Warn when the credit falls below", { exact: true });
      await warning.fill("2.50");
      await view.button("Save: Warn when the credit falls below").click();
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
      await view.open("/settings/limits", "Limits and hours");
      await view.card("Test calls").getByText("0 of").first().waitFor();
      await page.getByLabel("Narrower hours for this account").check();
      await page.getByLabel("From").fill("19:00");
      await view.said("The end must be after the start.");
      await page.getByLabel("From").fill("10:00");
      await view.button("Save calling hours").click();
      await view.said("People are called from 10:00 until 18:00.");
      await untilSetting("callingHours", { start: "10:00", end: "18:00" });
      await view.undo();
      await untilSetting("callingHours", null);
      await page.getByLabel("From").waitFor({ state: "detached" });
    });

    test("what would be erased sooner requires confirmation", async () => {
      await page.getByLabel("Recordings (days)").fill(NAUGHTY);
      await view.said("Enter 1 to 3650 days, or leave it empty.");
      await page.getByLabel("Recordings (days)").fill("30");
      await view.button("Save retention").click();
      await view.button("Keep everything").click();
      expect(await readSetting("retentionDays")).toBeNull();
      await view.button("Save retention").click();
      await view.button("Save and erase").click();
      await view.said("Retention saved.");
      await untilSetting("retentionDays", { recordings: 30, transcripts: null, calls: null });
      await page.getByLabel("Calls (days)").fill("29");
      await view.said("Enter 30 to 3650 days, or leave it empty.");
      await page.getByLabel("Calls (days)").fill("365");
      await view.button("Save retention").click();
      await page.getByRole("dialog").getByText("Older calls are removed from every list").waitFor();
      await view.button("Save and erase").click();
      await untilSetting("retentionDays", { recordings: 30, transcripts: null, calls: 365 });
      await page.reload();
      await expect.poll(() => page.getByLabel("Recordings (days)").inputValue()).toBe("30");
    });

    test("what callees hear is worded once for all agents", async () => {
      await page.getByLabel("Text", { exact: true }).fill("Hello {{name}}");
      await view.said("Variables cannot be used here");
      await page.getByLabel("Text", { exact: true }).fill(NAUGHTY);
      await view.button("Save disclosure").click();
      await untilSetting("disclosure", NAUGHTY);
      await page.getByLabel("Text", { exact: true }).fill("");
      await view.button("Save disclosure").click();
      await untilSetting("disclosure", null);
    });

    test("how a name is said is listed once for all agents, and can be heard before it is saved", async () => {
      const list = view.card("Pronunciation");
      await list.getByRole("button", { name: "Add a word" }).click();
      await list.getByLabel("Written").fill("Siobhan");
      await list.getByLabel("Said").fill("/shi7/");
      await view.said("Must be a respelling such as");
      await list.getByLabel("Said").fill("/ʃɪˈvɔn/");
      const preview = page.waitForResponse((response) => response.url().endsWith("/preview"));
      await list.getByRole("button", { name: "Listen to Siobhan" }).click();
      const heard = await preview;
      expect([heard.status(), heard.headers()["content-type"]]).toEqual([200, "audio/wav"]);
      expect(heard.request().postDataJSON()).toMatchObject({
        text: "Siobhan",
        pronunciations: [{ written: "Siobhan", spoken: "/ʃɪˈvɔn/" }],
      });
      await view.button("Save pronunciations").click();
      await untilSetting("pronunciations", [{ written: "Siobhan", spoken: "/ʃɪˈvɔn/" }]);
      await page.reload();
      await expect.poll(() => view.card("Pronunciation").getByLabel("Said").inputValue()).toBe("/ʃɪˈvɔn/");
      await view.button("Remove Siobhan").click();
      await view.button("Save pronunciations").click();
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
      await view.open("/settings/suppressions", "Suppression list");
      await view.said("The list is empty");
      await view.button("Add number").focus();
      await page.keyboard.press("Enter");
      await view.dialog().waitFor();
      await view.dialog().getByLabel("Phone number").focus();
      await page.keyboard.type("030 1234567");
      await page.keyboard.press("Enter");
      await view.said("Enter the number with its country code");
      await page.keyboard.press("Control+A");
      await page.keyboard.type("+49 30 1234567");
      await page.keyboard.press("Tab");
      await page.keyboard.insertText(NAUGHTY);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await view.dialog().waitFor({ state: "detached" });
      await page.getByText(NAUGHTY).waitFor();
      expect(await page.evaluate("document.activeElement.textContent")).toContain("Add number");
      expect(await listed()).toEqual(["+49301234567"]);
    });

    test("a pasted list accepts numbers as people write them, and invalid ones are named", async () => {
      await view.button("Import").click();
      const numbers = Array.from({ length: 60 }, (_, index) => `+1 (555) 010-${String(index + 1000)}`);
      await view
        .dialog()
        .getByLabel("Numbers")
        .fill(`${NAUGHTY.replaceAll(/[,;]/g, "")}\n${numbers.join("\n")}\n+49 30 1234567`);
      await view.dialog().getByText("61 numbers found.").waitFor();
      await view
        .dialog()
        .getByText(/Skipped: .*<script>/)
        .waitFor();
      await view.dialog().getByLabel("Reason").fill(NAUGHTY);
      await view.button("Add 61", view.dialog()).click();
      await view.said("60 numbers were added. 1 was already on the list.");
      await view.button("Show more").click();
      await until(
        () =>
          page
            .getByRole("listitem")
            .filter({ has: view.button(/^Remove \+/) })
            .count(),
        (count) => count === 61,
        PATIENCE_MS,
      );
    });

    test("numbers are found by prefix, and removed with an undo", async () => {
      await page.getByLabel("Find numbers by their first digits").fill(NAUGHTY.replaceAll(/\d/g, ""));
      await page.getByLabel("Find numbers by their first digits").fill("+99");
      await view.said("No matching numbers");
      await page.getByLabel("Find numbers by their first digits").fill("+49 30");
      await view.button("Remove +49301234567 from the list").click();
      await view.said("+49301234567 may be called again.");
      expect(await listed("+49")).toEqual([]);
      await view.undo();
      await view.button("Remove +49301234567 from the list").waitFor();
      expect(await listed("+49")).toEqual(["+49301234567"]);
    });
  });

  describe("members", () => {
    let invitation: string;
    const email = freshEmail();

    test("a person is invited by a link that is handed over if there is no mail", async () => {
      await view.open("/settings/members", "Members");
      await view.button("Invite").click();
      await view.dialog().getByLabel("Email").fill(NAUGHTY);
      await view.button("Invite", view.dialog()).click();
      await until(
        () => view.dialog().getByLabel("Email").getAttribute("aria-invalid"),
        (invalid) => invalid === "true",
        PATIENCE_MS,
      );
      await view.dialog().getByLabel("Email").fill(email);
      await view.button("Invite", view.dialog()).click();
      await view.dialog().getByText("No email was sent.").waitFor();
      const lost = (await view.dialog().locator("code").textContent()) ?? "";
      await view.button("Done").click();
      await page.getByText("Invited", { exact: true }).waitFor();
      await view.button(`New link for ${email}`).click();
      await view.button("Create link").click();
      invitation = (await view.dialog().locator("code").textContent()) ?? "";
      await view.button("Done").click();
      expect(new URL(invitation).searchParams.get("token")).not.toBe(new URL(lost).searchParams.get("token"));
    });

    test("an invited person joins the account, and sees what members may and no more", async () => {
      const { page: hers, complaints: herComplaints } = await scene.visit(look);
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
      await view.said(`${email} is now an owner.`);
      await hers.goto(`${scene.service.url}/settings/members`);
      await hers.getByText(owner.email).waitFor();
      await page.getByLabel(`Role of ${email}`).selectOption("member");
      await view.said(`${email} is now a member.`);
      await view.button(`Remove ${email}`).click();
      await view.button("Remove", view.dialog()).click();
      await page.getByLabel(`Role of ${email}`).waitFor({ state: "detached" });
      await hers.goto(`${scene.service.url}/settings/members`);
      await hers.getByRole("heading", { name: "Sign in" }).waitFor();
      await hers.context().close();
    });

    test("the audit log describes who did what, and is filtered by the address", async () => {
      await view.open("/settings/audit", "Audit log");
      await view.said(`${owner.email} removed ${email}`);
      await page.getByLabel("Subject").selectOption("settings");
      await view.said("All calls in a day: none → 5.00");
      await page.getByText(`removed ${email}`).first().waitFor({ state: "detached" });
      expect(page.url()).toContain("action=settings");
      await page.getByLabel("Subject").selectOption("credit");
      await view.said("No matching entries");
      await view.button("Clear filters").click();
      await page.getByLabel("Actor").selectOption({ label: owner.email });
      await view.said(`${owner.email} removed ${email}`);
      await view.said("created the account");
    });
  });

  test.each([
    { path: "/settings/webhooks", sign: "No endpoint for test calls yet" },
    { path: "/settings/alerts", sign: "Email owners" },
    { path: "/settings/billing", sign: "Free credit for a new account" },
    { path: "/settings/limits", sign: "are permanently deleted" },
    { path: "/settings/suppressions", sign: /^\+1555/, form: "Import" },
    { path: "/settings/members", sign: "Joined", form: "Invite" },
    { path: "/settings/audit", sign: "signed in" },
  ])("$path has no accessibility barriers and does not scroll sideways", async ({ path, sign, form }) => {
    const lookAround = async (name: string) => {
      expect(await findBarriers(page), name).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), name).toBeLessThanOrEqual(0);
    };
    await page.goto(scene.service.url + path);
    await view.said(sign);
    await lookAround(path);
    if (form === undefined) return;
    await view.button(form).click();
    await view.dialog().waitFor();
    await lookAround(form);
  });

  test("in all of this the page violated no rule of its policy, had no error and contacted no other host", () => {
    expect(complaints).toEqual([]);
  });
});
