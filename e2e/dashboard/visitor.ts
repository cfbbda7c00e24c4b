import { join } from "node:path";
import { connectionUrl, readConnectionFile } from "@parley/server/platform/database/embedded/connection-file";
import { query } from "@parley/server/platform/database/embedded/testing/embedded-scene";
import type { Browser, Page } from "playwright-core";
import { freshEmail, PASSWORD } from "../harness/accounts.ts";
import { until } from "../harness/api-client.ts";
import { type BrowserOptions, openBrowser, openPage, type WatchedPage } from "../harness/browser.ts";
import { makeDataFolder } from "../harness/data-folder.ts";
import { type ServiceProcess, type StartOptions, startService } from "../harness/service-process.ts";
import { giveBuiltDashboard } from "./built-once.ts";

/** A service with its dashboard, and a browser. */
export interface DashboardScene {
  readonly service: ServiceProcess;
  /** After the service was ended: the same one at the same address. */
  startAgain(): Promise<void>;
  /** Queries its database directly, for what no one can do in a browser, such as let time pass. */
  query(text: string): Promise<Record<string, unknown>[]>;
  /** A visitor with a browser profile of their own. */
  visit(options?: VisitOptions): Promise<WatchedPage>;
  close(): Promise<void>;
}

export interface VisitOptions {
  readonly theme?: "light" | "dark";
  readonly width?: number;
  /** The language of the browser; English unless given. */
  readonly locale?: string;
  /** Whether the screen feels fingers. */
  readonly hasTouch?: boolean;
}

/** What a loaded machine may need for what takes seconds on an idle one. Beyond it something hangs. */
export const PATIENCE_MS = 90_000;
/** Where the embedded database of an installation is. */
const CONNECTION_FILE = "postgres/database/connection.json";

export async function openDashboard(
  env: Readonly<Record<string, string>> = {},
  built: "before" | "by the service" = "before",
  { microphoneFile, ...checked }: Pick<StartOptions, "unchecked"> & BrowserOptions = {},
): Promise<DashboardScene> {
  const folder = await makeDataFolder();
  if (built === "before") await giveBuiltDashboard(folder.path);
  const start = (port?: number) =>
    startService({
      dataDir: folder.path,
      env: { PARLEY_DASHBOARD: "on", ...env },
      ...checked,
      ...(port === undefined ? {} : { port }),
    });
  let service = await start();
  // An earlier visitor is asked to wait; what that looks like is tested next to the code that serves it.
  try {
    await until(
      async () => service.output(),
      (printed) => printed.includes("dashboard is ready"),
      PATIENCE_MS,
    );
  } catch (error) {
    await service.end("SIGINT");
    throw error;
  }
  let browser: Browser | null = null;
  return {
    get service() {
      return service;
    },
    async startAgain() {
      service = await start(service.port);
    },
    query: (text) => query(connectionUrl(readConnectionFile(join(folder.path, CONNECTION_FILE))), text),
    async visit({ theme = "light", width = 1440, locale = "en-US", hasTouch = false } = {}) {
      browser ??= await openBrowser(microphoneFile === undefined ? {} : { microphoneFile });
      const context = await browser.newContext({
        viewport: { width, height: 900 },
        colorScheme: theme,
        locale,
        hasTouch,
        reducedMotion: "reduce",
        permissions: microphoneFile === undefined ? [] : ["microphone"],
      });
      context.setDefaultTimeout(PATIENCE_MS);
      return openPage(context, service.url);
    },
    async close() {
      await browser?.close();
      await service.end("SIGINT");
      await folder.remove();
    },
  };
}

/** Creates an account through the page, and ends on the list of calls. */
export async function signUpOnPage(page: Page, base: string): Promise<string> {
  const email = freshEmail();
  await page.goto(`${base}/sign-up`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Create an account" }).click();
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  await page.getByRole("link", { name: "Calls", exact: true }).first().click();
  await page.getByRole("heading", { name: "Calls", level: 1 }).waitFor();
  return email;
}

export async function signInOnPage(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}
