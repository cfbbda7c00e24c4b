import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { freshEmail, PASSWORD } from "../../harness/accounts.ts";
import { readClaimToken } from "../../harness/claim.ts";
import { looksOfJourney } from "../looks.ts";
import { type DashboardScene, openDashboard } from "../visitor.ts";
import { comeByKeys } from "./journey-by-keys.ts";
import type { AtPage } from "./keyboard-scene.ts";

describe.each(looksOfJourney({ theme: "dark", width: 1280 }))("$theme, $width px wide", (look) => {
  let scene: DashboardScene;
  let at: AtPage;

  // From the link of a new installation to the end of its first call: each step builds on the previous one.
  beforeAll(async () => {
    scene = await openDashboard({ PARLEY_CONVERSATION_THREADS: "1" });
    at = await comeByKeys(scene, look);
  });
  afterEach(() => expect(at?.keys.takeFaults()).toEqual([]));
  afterAll(() => scene?.close());

  test("the first account is claimed by its link, after a password that was too short", async () => {
    const { keys, open, heading, field, settled } = at;
    await open(`/claim?token=${await readClaimToken(scene.service)}`, heading("Claim your account"));
    await keys.walk();
    await keys.write(field("Email"), freshEmail());
    await keys.write(field("Password"), "short");
    await keys.press("Enter");
    await expect.poll(() => field("Password").getAttribute("aria-invalid")).toBe("true");
    await keys.write(field("Password"), PASSWORD);
    await keys.press("Enter");
    await heading("Overview").waitFor();
    await settled();
  });

  test("its first call is placed, and watched to its end", async () => {
    const { page, keys, heading, button, field, dialog, said, isSomewhere } = at;
    await keys.enter(button("New call").first());
    await keys.write(field("Phone number", dialog()), "+15550100001");
    await keys.press("Enter");
    await heading("+15550100001").waitFor();
    await said("Talking");
    await page.getByRole("list", { name: "Transcript" }).getByText("I'm an automated assistant").waitFor();
    await isSomewhere();
    await said("Completed");
    await heading("Outcome").waitFor();
    await isSomewhere();
  });

  test("what was said is heard, and the call is found in the list", async () => {
    const { page, keys, heading, button, link, settled } = at;
    const play = button(/^(Play the recording|Pause)$/);
    await play.waitFor();
    await settled();
    await keys.walk();
    await keys.to(play);
    await keys.press("Space");
    await button("Pause").waitFor();
    await keys.press("Space");
    await button("Play the recording").waitFor();
    await keys.to(page.getByRole("slider"));
    await keys.press("ArrowRight");
    await keys.enter(page.getByRole("main").getByRole("link", { name: "Calls", exact: true }));
    await heading("Calls").waitFor();
    await keys.enter(link("+15550100001"));
    await heading("+15550100001").waitFor();
    expect(at.complaints).toEqual([]);
  });
});
