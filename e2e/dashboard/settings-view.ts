import type { Locator, Page } from "playwright-core";

/** Right to left, with multi-byte characters, looking like code, and long. */
export const NAUGHTY = `\u202eمرحبا 🙏🏽 <script>alert(1)</script> "'\`&amp; ${"long".repeat(50)}`;

/** The settings as a person sees them: their parts by the names that they have there. */
export function viewOfSettings(page: Page, url: string) {
  const button = (name: string | RegExp, within: Page | Locator = page) =>
    within.getByRole("button", { name, exact: typeof name === "string" });
  return {
    button,
    dialog: () => page.getByRole("dialog"),
    card: (name: string) => page.getByRole("region", { name }),
    async open(path: string, heading: string): Promise<void> {
      await page.goto(url + path);
      await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
    },
    /** An earlier change may still offer to be undone: the last is meant. */
    undo: () => button("Undo").last().click(),
    said: (words: string | RegExp) => page.getByText(words).first().waitFor(),
  };
}
export type SettingsView = ReturnType<typeof viewOfSettings>;
