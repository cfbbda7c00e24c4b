import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

/** Where Debian puts it. `CHROMIUM_PATH` names another. */
const DEBIAN_CHROMIUM = "/usr/bin/chromium-headless-shell";
const axeScript = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

export interface BrowserOptions {
  /** A WAV file that replaces the microphone, played in a loop. */
  readonly microphoneFile?: string;
}

/** Starts a real Chromium that reaches only this machine. */
export async function openBrowser({ microphoneFile }: BrowserOptions = {}): Promise<Browser> {
  const executablePath = process.env["CHROMIUM_PATH"] ?? DEBIAN_CHROMIUM;
  if (!existsSync(executablePath)) throw new Error(`there is no browser at ${executablePath}; set CHROMIUM_PATH`);
  return chromium.launch({
    executablePath,
    args: [
      // Root may not use the sandbox; the pages are our own.
      "--no-sandbox",
      // One process for all pages, and none for a graphics card: a start takes half, a page load a sixth less.
      "--no-zygote",
      "--in-process-gpu",
      "--renderer-process-limit=1",
      "--autoplay-policy=no-user-gesture-required",
      "--mute-audio",
      ...(microphoneFile === undefined
        ? []
        : // No one is there to be asked: microphone access is always granted.
          [
            "--use-fake-ui-for-media-stream",
            "--use-fake-device-for-media-stream",
            `--use-file-for-fake-audio-capture=${microphoneFile}`,
          ]),
    ],
  });
}

export interface WatchedPage {
  readonly page: Page;
  /** What the page must never do: errors, forbidden loads, requests to other hosts. */
  readonly complaints: string[];
}

/** A page whose errors are collected, and which may contact nothing outside the service. */
export async function openPage(context: BrowserContext, base: string): Promise<WatchedPage> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("console", (message) => {
    // A refusal that the page shows in words is also logged to the console by the browser itself.
    const isRefusal = /Failed to load resource: the server responded with a status of (401|404|409|412|422|429)/.test(
      message.text(),
    );
    if (message.type() === "error" && !isRefusal) complaints.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(base) && !url.startsWith("data:") && !url.startsWith("blob:"))
      complaints.push(`outside: ${url}`);
  });
  return { page, complaints };
}

// During its transition from disabled to enabled a button has an intermediate colour. Endless animations are not
// awaited.
const COME_TO_REST = `(async () => {
  const passing = () => document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  // An inherited colour transitions in the child after the parent.
  for (let round = 0; round < 20; round += 1) {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const under = passing();
    if (under.length === 0) return;
    await Promise.allSettled(under.map(({ finished }) => finished));
  }
})()`;

/**
 * The rule `region` wants everything in a landmark, so that it is found by going from landmark to landmark. It does not apply
 * to an open menu, which is drawn at the end of the document: it has the focus and goes away with it.
 */
const OPEN_MENU = /^<div data-radix-popper-co/;

/** The accessibility violations that axe finds on a page, as lines of text. */
export async function findBarriers(page: Page): Promise<string[]> {
  // The page's policy allows no script by a tag; the debugging protocol is not bound by it.
  if (!(await page.evaluate("typeof globalThis.axe === 'object'"))) await page.evaluate(await readAxe());
  await page.evaluate(COME_TO_REST);
  const violations = (await page.evaluate(
    "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)",
  )) as {
    id: string;
    nodes: { html: string; failureSummary?: string }[];
  }[];
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .filter(({ html }) => !(id === "region" && OPEN_MENU.test(html)))
      .map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary ?? ""}`),
  );
}

let axe: Promise<string> | null = null;
function readAxe(): Promise<string> {
  axe ??= import("node:fs/promises").then(({ readFile }) => readFile(axeScript, "utf8"));
  return axe;
}
