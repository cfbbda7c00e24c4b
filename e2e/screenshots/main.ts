import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { FIND_TOOL, type McpFarEnd, openMcpFarEnd } from "@parley/server/agents/mcp/testing/mcp-far-end";
import type { Browser, Page } from "playwright-core";
import { giveBuiltDashboard } from "../dashboard/built-once.ts";
import { until } from "../harness/api-client.ts";
import { openApiWorld } from "../harness/api-world.ts";
import { openBrowser } from "../harness/browser.ts";
import { REPOSITORY } from "../harness/service-process.ts";
import { type DemoAccount, fillDemoAccount } from "./demo-account.ts";
import { PLACES, type Place } from "./places.ts";
import { takeScreenshot } from "./take-screenshot.ts";

// `npm run screenshots -- [--only NAME,NAME] [--into FOLDER]`: every page of the dashboard from a filled demo account.
const { values } = parseArgs({ options: { only: { type: "string" }, into: { type: "string" } } });
const FOLDER = values.into ?? join(REPOSITORY, "docs/screenshots");
const BYTES_MAX = 4_400_000;
const PATIENCE_MS = 60_000;
const VIEWS = (["light", "dark"] as const).flatMap((theme) => [
  { theme, view: "desktop", width: 1280, height: 800 },
  { theme, view: "phone", width: 390, height: 844 },
]);

/** What the customer database of the demo offers to agents. */
const MCP_TOOLS: McpFarEnd["tools"] = [
  FIND_TOOL,
  {
    name: "list_appointments",
    description: "Lists the free appointments of a day.",
    inputSchema: { type: "object", properties: { day: { type: "string", format: "date" } }, required: ["day"] },
    annotations: { readOnlyHint: true },
  },
  {
    name: "book_appointment",
    description: "Books an appointment for a customer.",
    inputSchema: {
      type: "object",
      properties: { customerId: { type: "string" }, start: { type: "string", format: "date-time" } },
      required: ["customerId", "start"],
    },
  },
];
/** Colors change over some frames, such as those of a button that becomes less prominent. */
const UNTIL_STILL = `Promise.all(document.getAnimations()
  .filter((animation) => animation.effect.getComputedTiming().iterations !== Infinity)
  .map((animation) => animation.finished.catch(() => undefined)))`;

const only = values.only?.split(",");
const places = PLACES.filter(({ name }) => !only || only.includes(name));
const world = await openApiWorld({ unchecked: "the calls of the demo account are copied" });
// Where the demo's events go: nothing beyond this machine is contacted.
const receiver = createServer((request, reply) => request.resume().once("end", () => reply.end())).listen(
  0,
  "127.0.0.1",
);
const mcpServer = await openMcpFarEnd();
mcpServer.tools = MCP_TOOLS;
try {
  await giveBuiltDashboard(world.dataDir);
  const service = await world.start({
    PARLEY_DASHBOARD: "on",
    PARLEY_ROLES: "api,calls,jobs",
    PARLEY_CONVERSATION_THREADS: "1",
    PARLEY_NATURAL_VOICES: "off",
    PARLEY_LOG_LEVEL: "info",
    PARLEY_OUTBOUND_ALLOW: "loopback",
  });
  await until(
    async () => service.output(),
    (printed) => printed.includes("dashboard is ready"),
    PATIENCE_MS,
  );
  console.log("Filling the demo account: calls are held for real, which takes a minute or two.");
  const demo = await fillDemoAccount(world, service, {
    receiverUrl: `http://127.0.0.1:${portOf(receiver)}/parley-events`,
    mcpUrl: mcpServer.url,
  });
  await mkdir(FOLDER, { recursive: true });
  const browser = await openBrowser();
  try {
    for (const view of VIEWS) await takeAll(browser, service.url, demo, view);
  } finally {
    await browser.close();
  }
} finally {
  await world.close();
  receiver.close();
  await mcpServer.close();
}
await judgeSize();

function portOf(server: Server): number {
  const at = server.address();
  return typeof at === "object" && at !== null ? at.port : 0;
}

async function takeAll(browser: Browser, base: string, demo: DemoAccount, view: (typeof VIEWS)[number]): Promise<void> {
  for (const place of places.filter((each) => isTakenIn(each, view))) {
    const { width, height } = (view.view === "desktop" ? place.desktop : undefined) ?? view;
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: view.theme,
      reducedMotion: "reduce",
      locale: "en-US",
    });
    context.setDefaultTimeout(PATIENCE_MS);
    const [name = "", value = ""] = demo.owner.cookie["cookie"]?.split("=") ?? [];
    if (!place.isSignedOut) await context.addCookies([{ name, value, url: base }]);
    const finish = await place.prepare?.(demo);
    const page = await context.newPage();
    await page.goto(base + place.path(demo));
    await settle(page, place);
    const file = `${place.name}-${view.view}-${view.theme}.webp`;
    console.log(`${file}: ${Math.round((await takeScreenshot(page, join(FOLDER, file))) / 1000)} kB`);
    await context.close();
    await finish?.();
  }
}

function isTakenIn({ isTakenOnce }: Place, { view, theme }: (typeof VIEWS)[number]): boolean {
  return isTakenOnce !== true || (view === "desktop" && theme === "light");
}

/** A picture is taken when everything has loaded: no placeholder is left. */
async function settle(page: Page, { act, isSignedOut }: Place): Promise<void> {
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  // It is loaded last, beside the page.
  const menu = page.getByRole("button", { name: /^Account menu/ }).filter({ visible: true });
  if (!isSignedOut) await menu.first().waitFor();
  await untilWhole(page);
  await act?.(page);
  await page.evaluate("document.fonts.ready");
  await untilWhole(page);
  await page.evaluate(UNTIL_STILL);
}

async function untilWhole(page: Page): Promise<void> {
  await until(
    () => page.locator(".animate-pulse").count(),
    (left) => left === 0,
    PATIENCE_MS,
  );
}

async function judgeSize(): Promise<void> {
  const names = await readdir(FOLDER);
  const known = new Set(
    VIEWS.flatMap((view) =>
      PLACES.filter((place) => isTakenIn(place, view)).map(({ name }) => `${name}-${view.view}-${view.theme}.webp`),
    ),
  );
  // Pictures of removed pages would only mislead.
  for (const name of names.filter((one) => one.endsWith(".webp") && !known.has(one))) await rm(join(FOLDER, name));
  const sizes = await Promise.all((await readdir(FOLDER)).map(async (name) => (await stat(join(FOLDER, name))).size));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`${sizes.length} pictures, ${(bytes / 1e6).toFixed(2)} MB`);
  if (bytes > BYTES_MAX) {
    console.error(`That is more than ${BYTES_MAX / 1e6} MB.`);
    process.exitCode = 1;
  }
}
