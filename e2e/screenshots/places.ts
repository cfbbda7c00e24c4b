import type { Page } from "playwright-core";
import type { DemoAccount } from "./demo-account.ts";

/** A page to take a picture of. */
export interface Place {
  /** What its picture is called. */
  readonly name: string;
  path(demo: DemoAccount): string;
  /** What is done there first. */
  act?(page: Page): Promise<void>;
  readonly isSignedOut?: true;
  /** For what looks much the same elsewhere: it is only taken on a light desktop. */
  readonly isTakenOnce?: true;
  /** How large the screen of a desktop must be for it, if larger than for others. */
  readonly desktop?: { readonly width: number; readonly height: number };
}

const at = (name: string, path: string): Place => ({ name, path: () => path });

async function showWholeFlow(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: "Show the whole flow" });
  if (!(await button.isVisible())) return;
  await button.click();
  // Cards are drawn a few frames after the canvas has moved.
  await page.evaluate(`new Promise((done) => {
    let left = 30;
    requestAnimationFrame(function wait() { left -= 1; left > 0 ? requestAnimationFrame(wait) : done(); });
  })`);
}

/** The two questions, about to become a sub-flow. */
async function makeSubFlow(page: Page): Promise<void> {
  await showWholeFlow(page);
  const header = (title: string) => page.locator(".step-header").filter({ hasText: title });
  await header("Will they come?").click();
  await header("Another day?").click({ modifiers: ["Shift"] });
  await page.keyboard.press("s");
  await page.getByLabel("Name of the new agent").fill("Confirm an appointment");
}

export const PLACES: readonly Place[] = [
  { ...at("sign-in", "/sign-in"), isSignedOut: true },
  at("overview", "/"),
  { ...at("usage", "/usage?period=week"), desktop: { width: 1280, height: 1300 } },
  at("calls", "/calls"),
  { name: "call", path: ({ callId }) => `/calls/${callId}` },
  at("agents", "/agents"),
  { name: "agent", path: ({ agentId }) => `/agents/${agentId}` },
  {
    name: "builder",
    path: ({ builtId }) => `/agents/${builtId}/build`,
    // All of the flow is in the picture, and its words can be read.
    act: (page) => showWholeFlow(page),
    desktop: { width: 1600, height: 900 },
  },
  {
    name: "builder-sub-flow",
    path: ({ builtId }) => `/agents/${builtId}/build`,
    act: makeSubFlow,
    isTakenOnce: true,
    desktop: { width: 1600, height: 900 },
  },
  at("account", "/settings/account"),
  at("developer", "/settings/developer"),
  at("webhooks", "/settings/webhooks"),
  { name: "webhook", path: ({ webhookId }) => `/settings/webhooks/${webhookId}` },
  at("billing", "/settings/billing"),
  at("limits", "/settings/limits"),
  at("suppressions", "/settings/suppressions"),
  at("members", "/settings/members"),
  at("audit", "/settings/audit"),
  at("operator-trunks", "/operator/trunks"),
  { name: "operator-trunk", path: ({ trunkId }) => `/operator/trunks/${trunkId}` },
  at("operator-new-trunk", "/operator/trunks/new"),
  at("operator-routes", "/operator/routes"),
  at("operator-rates", "/operator/rates?q=germany"),
  at("operator-providers", "/operator/providers"),
  at("operator-engines", "/operator/engines"),
  at("operator-gate", "/operator/gate"),
  at("operator-accounts", "/operator/accounts"),
  { name: "operator-account", path: ({ customerId }) => `/operator/accounts/${customerId}` },
];
