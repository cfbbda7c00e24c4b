import type { Page } from "playwright-core";
import { until } from "../harness/api-client.ts";
import type { DemoAccount } from "./demo-account.ts";
import { startLiveCalls } from "./demo-calls.ts";

/** A page to take a picture of. */
export interface Place {
  /** What its picture is called. */
  readonly name: string;
  path(demo: DemoAccount): string;
  /** What must happen in the account shortly before the picture. What it returns puts an end to it. */
  prepare?(demo: DemoAccount): Promise<() => Promise<void>>;
  /** What is done on the page first. */
  act?(page: Page): Promise<void>;
  readonly isSignedOut?: true;
  /** For what looks much the same elsewhere: it is only taken on a light desktop. */
  readonly isTakenOnce?: true;
  /** How large the screen of a desktop must be for it, if larger than for others. */
  readonly desktop?: { readonly width: number; readonly height: number };
}

const LOADED_WITHIN_MS = 30_000;

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

async function showNumbers(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Statistics of recent calls" }).click();
  await page
    .getByText(/^\d+ calls$/)
    .first()
    .waitFor();
  await showWholeFlow(page);
}

/** With the agent whose variables the dialog asks for. */
async function openNewCall(page: Page): Promise<void> {
  await page.getByRole("button", { name: "New call" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Agent", { exact: true }).selectOption({ label: "Appointment confirmation" });
  await dialog.getByLabel(/Appointment time/i).waitFor();
}

async function openViews(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Not answered" }).waitFor();
}

/** Until the player knows how long the recording is. */
async function loadRecording(page: Page): Promise<void> {
  await until(
    () => page.evaluate("document.querySelector('audio')?.duration > 0"),
    (isLoaded) => isLoaded === true,
    LOADED_WITHIN_MS,
  );
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder("Page, agent, phone number, words or call ID").fill("appointment");
  await page.getByRole("option", { name: /^Appointment confirmation/ }).waitFor();
  await page.getByRole("option", { name: /Call,/ }).first().waitFor();
}

export const PLACES: readonly Place[] = [
  { ...at("sign-in", "/sign-in"), isSignedOut: true },
  at("overview", "/"),
  { ...at("usage", "/usage?period=week"), desktop: { width: 1280, height: 1300 } },
  at("calls", "/calls"),
  {
    ...at("saved-views", "/calls"),
    act: openViews,
    isTakenOnce: true,
  },
  { ...at("new-call", "/calls"), act: openNewCall, isTakenOnce: true, desktop: { width: 1280, height: 1080 } },
  {
    ...at("live-calls", "/calls?show=live"),
    prepare: ({ callers }) => startLiveCalls(callers),
    act: (page) => page.getByRole("region", { name: "Talking" }).getByText(/“/).nth(1).waitFor(),
  },
  { ...at("command-palette", "/"), act: openPalette, isTakenOnce: true },
  { name: "call", path: ({ callId }) => `/calls/${callId}` },
  { name: "shared-call", path: ({ sharedPath }) => sharedPath, act: loadRecording, isSignedOut: true },
  at("batches", "/calls/batches"),
  { name: "batch", path: ({ batchId }) => `/calls/batches/${batchId}` },
  at("agents", "/agents"),
  {
    ...at("new-agent", "/agents"),
    act: (page) => page.getByRole("button", { name: "New agent" }).click(),
    isTakenOnce: true,
  },
  { name: "agent", path: ({ agentId }) => `/agents/${agentId}` },
  {
    name: "builder",
    path: ({ builtId }) => `/agents/${builtId}/build`,
    // All of the flow is in the picture, and its words can be read.
    act: (page) => showWholeFlow(page),
    desktop: { width: 1600, height: 900 },
  },
  {
    name: "builder-statistics",
    path: ({ builtId }) => `/agents/${builtId}/build`,
    act: showNumbers,
    isTakenOnce: true,
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
  at("security", "/settings/security"),
  at("developer", "/settings/developer"),
  at("webhooks", "/settings/webhooks"),
  { name: "webhook", path: ({ webhookId }) => `/settings/webhooks/${webhookId}` },
  // The alerts are listed below the thresholds.
  { ...at("alerts", "/settings/alerts"), desktop: { width: 1280, height: 1200 } },
  at("mcp-servers", "/settings/mcp"),
  { name: "mcp-server", path: ({ mcpServerId }) => `/settings/mcp/${mcpServerId}` },
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
