import { describe, expect, test } from "vitest";
import { freshEmail, PASSWORD } from "../../harness/accounts.ts";
import { SILENT_NUMBER } from "../../harness/calls.ts";
import { atKeyboard, type KeyboardPage, testPages } from "./keyboard-scene.ts";

const email = freshEmail();
const at = atKeyboard({ env: { PARLEY_CONVERSATION_THREADS: "1" }, as: "nobody", seed: async () => ({}) });

describe("a newcomer", () => {
  test("creates an account, and skips to the content", async () => {
    const { page, keys, open, heading, button, field } = at();
    await open("/sign-up", heading("Create an account"));
    await keys.walk();
    await keys.write(field("Email"), email);
    await keys.write(field("Password"), PASSWORD);
    await keys.press("Enter");
    await heading("Three steps to your first call").waitFor();
    await page.reload();
    await heading("Three steps to your first call").waitFor();
    await keys.press("Tab");
    expect(await keys.place()).toContain("Skip to content");
    await keys.press("Enter", "Tab");
    expect(await keys.isAt(button("New call").first())).toBe(true);
    await keys.walk();
  });

  test("takes the three steps, or hides them and brings them back", async () => {
    const { keys, heading, button, link, field, said } = at();
    await keys.enter(button("Dismiss the first steps"));
    await keys.undo();
    await keys.enter(button("Listen"));
    await said("1 of 3 done");
    await keys.peek(button("Place a call"), "New call", field("First name"));
    await keys.enter(link("Create a key"));
    await heading("Developer").waitFor();
    await keys.walk();
  });

  test("creates a key, sees it once, and revokes it", async () => {
    const { keys, button, dialog, field, said, gone, isSomewhere } = at();
    await keys.enter(button("Create an API key").first());
    await dialog().waitFor();
    expect(await keys.isAt(field("Name"))).toBe(true);
    await keys.walk();
    await keys.write(field("Name"), "Typed");
    await keys.press("Enter");
    await said("it is never shown again");
    await keys.walk();
    await keys.enter(button("I have copied it"));
    await gone(dialog());
    await keys.peek(button("Revoke Typed"), "Revoke “Typed”?");
    await keys.enter(button("Revoke Typed"));
    await keys.enter(button("Revoke key"));
    await said("Revoked");
    await isSomewhere();
  });

  test("places a call, listens in and hangs up", async () => {
    const { page, keys, heading, button, link, dialog, field, said, isSomewhere } = at();
    await keys.enter(link("Calls").first());
    await heading("Place your first call").waitFor();
    await keys.enter(button("New call").first());
    await keys.write(field("Phone number", dialog()), SILENT_NUMBER);
    await keys.press("Enter");
    await said("Talking");
    await keys.enter(button("Listen in"));
    await button("Mute").waitFor();
    // Once the agent has started to speak, nothing new appears during the walk.
    await page.getByRole("list", { name: "Transcript" }).waitFor();
    await keys.walk();
    await keys.enter(button("Mute"));
    await said("Muted");
    await keys.enter(button("Stop listening"));
    await keys.enter(button("Hang up"));
    await link("See the path it took").waitFor();
    await isSomewhere();
  });

  test("chooses the theme in the account menu, looks at live calls, and signs out", async () => {
    const { page, keys, heading, button, said, gone, isAt } = at();
    const menu = button(/^Account menu for/).first();
    await keys.enter(menu);
    await page.getByRole("menu").waitFor();
    await keys.press("Escape");
    await gone(page.getByRole("menu"));
    await isAt(menu);
    await keys.pick(menu, "Dark");
    await page.locator("html[data-theme=dark]").waitFor();
    await keys.pick(menu, "System");
    await page.locator("html[data-theme=light]").waitFor();
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
    route: "/shared-call",
    path: () => "/shared-call?token=lt_expired",
    sign: ({ heading }) => heading("This link does not work"),
    deeds: {},
  },
  {
    route: "/claim",
    path: () => "/claim?token=lt_used",
    sign: ({ heading }) => heading("Claim your account"),
    deeds: {
      "a link that was used up leads to signing in": async ({ keys, heading, link, said }) => {
        await said("This link has already been used");
        await keys.enter(link("Sign in instead"));
        await heading("Sign in").waitFor();
      },
    },
  },
  {
    route: "/reset",
    sign: ({ heading }) => heading("Forgot your password?"),
    deeds: {
      "a link is asked for": async ({ keys, field, said }) => {
        await keys.write(field("Email"), email);
        await keys.press("Enter");
        await said("If there is an account with this email");
      },
    },
  },
  {
    route: "/sign-in",
    sign: ({ heading }) => heading("Sign in"),
    deeds: {
      "somebody signs in": async ({ keys, heading, button, field, operator }) => {
        await keys.write(field("Email"), operator.email);
        await keys.write(field("Password"), PASSWORD);
        await keys.enter(button("Sign in"));
        await heading("Overview").waitFor();
      },
    },
  },
];
testPages(at, PAGES);
