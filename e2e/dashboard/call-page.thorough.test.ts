import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBarriers } from "../harness/browser.ts";
import { placeCall, untilPhase } from "../harness/calls.ts";
import { looksOfJourney } from "./looks.ts";
import { beginWork, type MemberAtWork } from "./member-at-work.ts";
import { type DashboardScene, openDashboard, PATIENCE_MS } from "./visitor.ts";

const NUMBER = "+15550104711";
const VARIABLES = { first_name: "Ada", from_whom: "Green Street Dental", appointment_time: "tomorrow at 9" };
/** One side speaks, the other stays on the line long enough for a recording in which one can skip. */
const TALK = {
  answerAfterMs: 0,
  script: [{ say: "Hello?" }, { waitForTurn: true }, { waitMs: 6000 }, { hangUp: true }],
};

let scene: DashboardScene;

beforeAll(async () => {
  scene = await openDashboard({ PARLEY_CONVERSATION_THREADS: "1" });
});
afterAll(() => scene?.close());

describe.each(looksOfJourney({ theme: "light", width: 390 }))("$theme, $width px wide", (look) => {
  let at: MemberAtWork;
  let page: Page;
  let callId: string;

  beforeAll(async () => {
    at = await beginWork(scene, look);
    page = at.page;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const agents = await at.read("agents");
    const { id: agentId } = agents.find(({ name }: { name: string }) => name === "Appointment confirmation");
    const caller = { ...at.caller, agentId };
    const request = { variables: VARIABLES, metadata: { order: "secret-17" }, simulation: TALK };
    callId = await placeCall(caller, NUMBER, request);
    await untilPhase(caller, callId, "ended", PATIENCE_MS);
    await open();
  });

  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: typeof name === "string" });
  const dialog = () => page.getByRole("dialog");
  const more = () => button("More actions");
  const position = () => page.getByTestId("position").textContent();

  async function open(): Promise<void> {
    await page.goto(`${scene.service.url}/calls/${callId}`);
    await button("Play the recording").waitFor();
    await page.getByRole("list", { name: "Transcript" }).getByRole("button").first().waitFor();
  }

  /** Searches the list of calls for words. */
  async function search(words: string): Promise<void> {
    await page.goto(`${scene.service.url}/calls`);
    await page.getByRole("table", { name: "Calls" }).waitFor();
    await at.keys.write(page.getByLabel("Search calls"), words);
  }

  test("tags and a note are written, and the search finds the call by them", async () => {
    const tags = () => page.getByRole("list", { name: "Tags" }).getByRole("listitem").allTextContents();
    await at.keys.write(page.getByLabel("Add a tag"), "invoice");
    await at.keys.press("Enter");
    await expect.poll(tags).toEqual(["invoice"]);
    await page.keyboard.type("Follow up");
    await at.keys.press("Enter");
    await expect.poll(tags).toEqual(["invoice", "Follow up"]);
    await at.keys.write(page.getByLabel("Note", { exact: true }), "Wants a quotation for marmalade");
    await at.keys.enter(button("Save note"));
    await button("Save note").waitFor({ state: "detached" });
    expect(await at.keys.isAt(page.getByLabel("Note", { exact: true }))).toBe(true);
    expect(await findBarriers(page)).toEqual([]);
    await expect
      .poll(() => at.read(`calls/${callId}/notes`))
      .toMatchObject({ tags: ["invoice", "Follow up"], note: "Wants a quotation for marmalade" });
    for (const [words, found] of [
      ["invoice", "Tag: invoice"],
      ["marmalade", "Note: Wants a quotation for marmalade"],
    ] as const) {
      await search(words);
      await page.getByRole("table", { name: "Calls" }).getByText(found).waitFor();
      await page.locator("mark", { hasText: words }).waitFor();
      await page.getByText("1 match", { exact: true }).waitFor();
    }
  });

  test("a removed tag is gone, for the search too", async () => {
    await open();
    await page.getByText("Wants a quotation for marmalade").waitFor();
    await at.keys.enter(button("Remove the tag invoice"));
    await button("Remove the tag invoice").waitFor({ state: "detached" });
    // The button is gone; the focus is not lost.
    await expect.poll(() => at.keys.place()).not.toBeNull();
    await expect.poll(() => at.read(`calls/${callId}/notes`)).toMatchObject({ tags: ["Follow up"] });
    await search("invoice");
    await page.getByText("No matching calls").waitFor();
    await open();
    expect(await page.getByRole("list", { name: "Tags" }).getByRole("listitem").allTextContents()).toEqual([
      "Follow up",
    ]);
  });

  test("the ID is copied, and the call is read as the API returns it", async () => {
    await at.keys.pick(more(), "Copy call ID");
    await page.getByText("Call ID copied.").first().waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(callId);
    await at.keys.pick(more(), "View as JSON");
    await dialog().waitFor();
    const shown = JSON.parse((await dialog().locator("pre").first().textContent()) ?? "");
    expect(shown).toEqual(await at.read(`calls/${callId}`));
    await at.keys.enter(button("Copy: Response"));
    await expect
      .poll(async () => JSON.parse(String(await page.evaluate("navigator.clipboard.readText()"))))
      .toEqual(shown);
    expect(await findBarriers(page)).toEqual([]);
    await at.keys.press("Escape");
    await dialog().waitFor({ state: "detached" });
    await expect.poll(() => at.keys.isAt(more())).toBe(true);
  });

  test("the analysis says how it turned out, and is made again", async () => {
    const analysis = page.getByRole("region", { name: "Analysis" });
    await analysis.getByText("The callee hung up").waitFor();
    await analysis.getByText("Unsuccessful").waitFor();
    await analysis.getByText("The agent’s flow").waitFor();
    await at.keys.enter(button("Analyze again"));
    await page.getByText("The call was analyzed again.").first().waitFor();
    const events = await at.readAll(`calls/${callId}/events`);
    expect(events.map(({ type }) => type)).toContain("call.reanalyzed");
  });

  test("space and arrows play the recording wherever the focus is on the page", async () => {
    await open();
    await page.evaluate("document.activeElement?.blur()");
    await at.keys.press("Space");
    await button("Pause").waitFor();
    await expect.poll(position).not.toBe("0:00");
    await at.keys.press("Space");
    await button("Play the recording").waitFor();
    await at.keys.press("ArrowLeft", "ArrowLeft", "ArrowLeft");
    await expect.poll(position).toBe("0:00");
    await at.keys.press("ArrowRight");
    await expect.poll(position).toBe("0:05");
    // In a field the keys belong to the text.
    await at.keys.write(page.getByLabel("Add a tag"), "a b");
    await at.keys.press("ArrowLeft");
    expect(await position()).toBe("0:05");
    expect(await button("Pause").count()).toBe(0);
    await at.keys.press("Control+A", "Delete");
  });

  test("the player stays in view while what was said is read, where there is room for it", async () => {
    const playerTop = async () => (await page.getByRole("region", { name: "Recording" }).boundingBox())?.y;
    await page.setViewportSize({ width: look.width, height: 500 });
    await page.getByRole("tab", { name: "Timeline" }).click();
    await page.getByRole("tabpanel").getByText("Accepted").waitFor();
    await page.evaluate("scrollTo(0, 450)");
    await expect.poll(() => page.evaluate("scrollY")).toBe(450);
    expect(await playerTop()).toBe(64);
    const box = await page.getByRole("region", { name: "Recording" }).boundingBox();
    if (look.width < 640) expect(box?.height).toBeLessThan(140);
    // As on a phone that lies on its side.
    await page.setViewportSize({ width: look.width, height: 390 });
    await page.evaluate("scrollTo(0, 450)");
    await expect.poll(playerTop).toBeLessThan(0);
    await page.setViewportSize({ width: look.width, height: 900 });
  });

  describe("a link for those without an account", () => {
    let visitor: Page;
    let complaints: string[];

    beforeAll(async () => {
      ({ page: visitor, complaints } = await scene.visit(look));
    });

    /** Creates a link by keyboard and returns it. */
    async function share(days: string): Promise<string> {
      await open();
      await at.keys.pick(more(), "Share…");
      await dialog().waitFor();
      await at.keys.choose(page.getByLabel("The link works for"), days);
      await at.keys.enter(button("Create link"));
      await page.getByText("Link (shown only once)").waitFor();
      return (await dialog().locator("pre").textContent()) ?? "";
    }

    test("shows what was said and nothing that is not for them", async () => {
      const link = await share("1 day");
      expect(await findBarriers(page)).toEqual([]);
      await at.keys.enter(button("Copy: Link (shown only once)"));
      await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(link);
      await visitor.goto(link);
      await visitor.getByRole("heading", { name: /^Call to / }).waitFor();
      await visitor.getByRole("list", { name: "Transcript" }).getByText("Green Street Dental").first().waitFor();
      await visitor.getByText(/^This link works until /).waitFor();
      expect(await visitor.locator("audio[aria-label=Recording]").count()).toBe(1);
      await expect
        .poll(() => visitor.evaluate("document.querySelector('audio').duration"), { timeout: PATIENCE_MS })
        .toBeGreaterThan(5);
      const content = await visitor.content();
      for (const secret of [NUMBER, "secret-17", "marmalade", "Follow up", at.member.email]) {
        expect(content).not.toContain(secret);
      }
      expect(await findBarriers(visitor)).toEqual([]);
    });

    test("says so once it was revoked", async () => {
      const expires = dialog().getByText(/^Until /);
      await expires.waitFor();
      await at.keys.enter(button("Revoke"));
      await expires.waitFor({ state: "detached" });
      await visitor.reload();
      await visitor.getByRole("heading", { name: "This link does not work" }).waitFor();
      await visitor.getByText("It has expired or was revoked. Ask for a new one.").waitFor();
      expect(await visitor.content()).not.toContain("Green Street Dental");
      expect(await findBarriers(visitor)).toEqual([]);
      await at.keys.enter(button("Done"));
      await dialog().waitFor({ state: "detached" });
    });

    test("says so once its time is over, and is no longer listed", async () => {
      const link = await share("30 days");
      await visitor.goto(link);
      await visitor.getByRole("heading", { name: /^Call to / }).waitFor();
      const [share30] = await at.read(`calls/${callId}/shares`);
      expect(Date.parse(share30.expiresAt) - Date.now()).toBeGreaterThan(29 * 86_400_000);
      await scene.query(`update call_shares set expires_at = now() - interval '1 second' where call_id = '${callId}'`);
      await visitor.reload();
      await visitor.getByRole("heading", { name: "This link does not work" }).waitFor();
      await open();
      await at.keys.pick(more(), "Share…");
      await dialog().waitFor();
      await button("Create link").waitFor();
      await expect
        .poll(() =>
          dialog()
            .getByText(/^Until /)
            .count(),
        )
        .toBe(0);
      await at.keys.press("Escape");
      await dialog().waitFor({ state: "detached" });
    });

    test("opens without an error or a request to another host", () => {
      expect(complaints).toEqual([]);
    });
  });

  test("the same person is called again with the same values", async () => {
    await at.keys.enter(button("Call again"));
    await dialog().waitFor();
    expect(await page.getByLabel("Phone number").inputValue()).toBe(NUMBER);
    await expect.poll(() => page.getByLabel("Appointment time").inputValue()).toBe("tomorrow at 9");
    await at.keys.enter(button("Call now"));
    await page.waitForURL((url) => url.pathname.startsWith("/calls/call_") && !url.pathname.endsWith(callId));
    const again = await at.read(`calls/${new URL(page.url()).pathname.split("/").at(-1)}`);
    expect(again).toMatchObject({ phoneNumber: NUMBER, variables: VARIABLES, metadata: { order: "secret-17" } });
    await at.keys.enter(button(/^(Hang up|Cancel call)$/));
    await button("Call again").waitFor();
  });

  test("in all of this nothing was wrong with the page or with the focus", () => {
    expect(at.complaints).toEqual([]);
    expect(at.keys.takeFaults()).toEqual([]);
  });
});
