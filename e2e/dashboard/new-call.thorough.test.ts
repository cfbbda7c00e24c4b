import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBarriers } from "../harness/browser.ts";
import { looksOfJourney } from "./looks.ts";
import { beginWork, type MemberAtWork } from "./member-at-work.ts";
import { type DashboardScene, openDashboard } from "./visitor.ts";

let scene: DashboardScene;

beforeAll(async () => {
  scene = await openDashboard({ PARLEY_CHARGE_SIMULATED_CALLS: "on" });
});
afterAll(() => scene?.close());

describe.each(looksOfJourney({ theme: "dark", width: 390 }))("$theme, $width px wide", (look) => {
  let at: MemberAtWork;
  let page: Page;

  beforeAll(async () => {
    at = await beginWork(scene, look);
    page = at.page;
    // One who speaks another language.
    const [{ id: sampleId }] = await at.read("agents");
    const { flow } = await at.read(`agents/${sampleId}`);
    const { id } = await at.post("agents", { name: "Erinnerung", language: "de-DE", flow });
    await at.post(`agents/${id}/publish`, {});
  });

  const dialog = () => page.getByRole("dialog", { name: "New call" });
  const field = (label: string) => dialog().getByLabel(label, { exact: true });
  const button = (name: string) => dialog().getByRole("button", { name, exact: true });
  const readCall = () => at.read(`calls/${new URL(page.url()).pathname.split("/").at(-1)}`);

  async function openDialog(): Promise<void> {
    await page.goto(`${scene.service.url}/calls`);
    await at.keys.enter(page.getByRole("button", { name: "New call", exact: true }));
    await dialog().waitFor();
    await at.keys.choose(field("Agent"), "Appointment");
    await field("Appointment time").waitFor();
  }

  test("what the agent needs to know are fields, and a required one that is empty is refused", async () => {
    await openDialog();
    await dialog()
      .getByText(/^Speaks .*English/)
      .waitFor();
    await expect.poll(() => field("First name").inputValue()).not.toBe("");
    await at.keys.write(field("First name"), "");
    await at.keys.enter(button("Call now"));
    await dialog().getByText("Required: the agent says this in a sentence.").waitFor();
    await expect.poll(() => field("First name").getAttribute("aria-invalid")).toBe("true");
    await dialog().getByText("Call without the missing values").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(await at.readAll("calls")).toEqual([]);
    await at.keys.write(field("First name"), "Grace");
    await dialog().getByText("Required: the agent says this in a sentence.").waitFor({ state: "detached" });
  });

  test("who may be called, their country and time, and the price are known before the button is pressed", async () => {
    await dialog().getByText("This number can be called now.").waitFor();
    await at.keys.write(field("Phone number"), "+49 30 901820");
    await dialog()
      .getByText(/^Germany · local time \d{1,2}:\d\d\s[AP]M · not charged$/i)
      .waitFor();
    await at.keys.write(field("Phone number"), "030 901820");
    await at.keys.enter(button("Call now"));
    await dialog().getByText("Enter the number with its country code, such as +1 555 010 0001.").waitFor();
    expect(await dialog().getByText("This number can be called now.").count()).toBe(0);
    expect(await at.readAll("calls")).toEqual([]);
  });

  test("a number on the suppression list is said to be on it, and is not called", async () => {
    await at.post("suppressions", { phoneNumber: "+15550107777" });
    await at.keys.write(field("Phone number"), "+1 (555) 010-7777");
    await dialog().getByText("This number can’t be called: It is on the suppression list.").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await at.keys.enter(button("Call now"));
    await expect.poll(() => at.complaints.splice(0)).toEqual([expect.stringContaining("status of 403")]);
    await expect.poll(() => field("Phone number").getAttribute("aria-invalid")).toBe("true");
    expect(await at.readAll("calls")).toEqual([]);
  });

  test("a line of metadata that cannot be read is refused, with its number", async () => {
    await at.keys.write(field("Phone number"), "+1 555 010 0002");
    await at.keys.enter(dialog().locator("summary"));
    const metadata = field("Metadata (optional)");
    for (const [typed, problem] of [
      ["order=4711\nMüller", "Line 2 has no equals sign. Write it as name=value."],
      ["=4711", "Line 1 has no name before the equals sign."],
      ["order=1\norder=2", "Line 2 repeats the name order."],
    ] as const) {
      await at.keys.write(metadata, typed);
      await at.keys.enter(button("Call now"));
      await dialog().getByText(problem).waitFor();
      await expect.poll(() => metadata.getAttribute("aria-invalid")).toBe("true");
    }
    await at.keys.write(field("Caller ID (optional)"), "12");
    await at.keys.enter(button("Call now"));
    await dialog().getByText("Enter it with its country code.").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(await at.readAll("calls")).toEqual([]);
  });

  test("a call is scheduled with a caller ID, an engine and metadata", async () => {
    await at.keys.write(field("Caller ID (optional)"), "+1 555 010 9999");
    await at.keys.write(field("Metadata (optional)"), "order=4711\nformula=a=b");
    await field("Engine").selectOption("local");
    const inLocalTime = (ms: number) => {
      const date = new Date(ms);
      return new Date(ms - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
    };
    await field("Call at (optional)").fill(inLocalTime(Date.now() - 3_600_000));
    await at.keys.enter(button("Schedule call"));
    await dialog().getByText("Choose a time in the future.").waitFor();
    const planned = inLocalTime(Date.now() + 86_400_000);
    await field("Call at (optional)").fill(planned);
    await at.keys.enter(button("Schedule call"));
    await page.waitForURL(/\/calls\/call_/);
    await page.getByText("Scheduled", { exact: true }).first().waitFor();
    expect(await readCall()).toMatchObject({
      ...{ phoneNumber: "+15550100002", phase: "scheduled", from: "+15550109999", engine: "local" },
      scheduledAt: new Date(planned).toISOString(),
      metadata: { order: "4711", formula: "a=b" },
      variables: { first_name: "Grace" },
    });
  });

  test("the language of the agent is named, and an engine that does not speak it is warned of", async () => {
    await openDialog();
    await field("Agent").selectOption({ label: "Erinnerung" });
    await dialog()
      .getByText(/^Speaks German/)
      .waitFor();
    await dialog()
      .getByText(/^The engine local does not speak German/)
      .waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await at.keys.press("Escape");
    await dialog().waitFor({ state: "detached" });
  });

  test("in live mode the price is shown before anyone is called", async () => {
    await page.goto(`${scene.service.url}/calls?mode=live`);
    await at.keys.enter(page.getByRole("button", { name: "New call", exact: true }).first());
    await dialog().getByText("Charged to your credit.").waitFor();
    await at.keys.write(field("Phone number"), "+1 202 555 0101");
    await dialog()
      .getByText(/^United States · .* · \$0\.\d+ per minute$/i)
      .waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await at.keys.press("Escape");
    await dialog().waitFor({ state: "detached" });
  });

  test("in all of this nothing was wrong with the page or with the focus", () => {
    expect(at.complaints).toEqual([]);
    expect(at.keys.takeFaults()).toEqual([]);
  });
});
