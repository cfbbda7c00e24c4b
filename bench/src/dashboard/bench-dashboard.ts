import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { giveBuiltDashboard } from "@parley/e2e/dashboard/built-once";
import { openBrowser } from "@parley/e2e/harness/browser";
import { startEmbeddedPostgres } from "@parley/server/platform/database/embedded/start-embedded-postgres";
import pg from "pg";
import { workMsPerFrame } from "../builder/read-trace.ts";
import { traced } from "../builder/trace-page.ts";
import type { Goal } from "../goals.ts";
import { installPeer } from "../install-peer.ts";
import { isQuick } from "../quick.ts";
import { median, percentile } from "../statistics.ts";
import { startService } from "../webhooks/start-processes.ts";

const CALLS = isQuick ? 100 : 100_000;
/** Rows that are loaded before the scrolling is measured, which is then as slow as it gets for a person. */
const LOADED_ROWS = isQuick ? 0 : 50_000;
const SCROLLED_FRAMES = isQuick ? 10 : 600;
/** Fast, but so that rows can still be read. */
const SCROLLED_PX = 120;
/** At 60 frames per second: how long the page may work for a frame. Whether the screen shows it in time also depends on the machine. */
const FRAME_MS_MAX = 16.7;
const BUILT_WITHIN_MS = 180_000;
const ENTRY_KB_MAX = 200;
const GOALS = { desktop: 98, mobile: 90 } as const;
/** `--scrolling`: how the list scrolls, and nothing else. */
const isScrollingOnly = process.argv.includes("--scrolling");
const log = { info: () => undefined, warn: () => undefined, error: console.error };

/**
 * The load time of the dashboard: Lighthouse on the first page and on a list of 100,000 calls; and how smoothly that list
 * scrolls. The quick form does without Lighthouse, which is not installed with the project.
 */
export async function benchDashboard(): Promise<Goal[]> {
  findChromium();
  const peer = isQuick || isScrollingOnly ? null : installPeer("lighthouse");
  const dataDir = await mkdtemp(join(tmpdir(), "parley-bench-"));
  await chmod(dataDir, 0o711);
  await giveBuiltDashboard(dataDir);
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  const running: ChildProcess[] = [];
  try {
    const { url } = await startService(postgres.url, dataDir, running, "on");
    await waitUntilBuilt(url);
    const { cookie, accountId } = await signUp(url);
    await fillCalls(postgres.url, accountId);
    const entrySize: Goal = { name: "entry_js_gzip", value: await entrySizeKb(url), max: ENTRY_KB_MAX, unit: " kB" };
    const scrolling = await scrollCalls(url, cookie);
    if (peer === null) return [entrySize, ...scrolling];
    const pages: JudgedPage[] = [
      { name: "calls", url: `${url}/calls`, cookie },
      { name: "sign_in", url: `${url}/sign-in`, cookie: null },
    ];
    const found = new Map<string, Judgement>();
    for (const preset of ["desktop", "mobile"] as const) {
      for (const page of pages) found.set(`${page.name} ${preset}`, await judgePage(peer, page, preset));
    }
    console.table(Object.fromEntries(found));
    // The worse of the two pages is what is claimed.
    const worst = (preset: "desktop" | "mobile") =>
      Math.min(...pages.map(({ name }) => found.get(`${name} ${preset}`)?.score ?? 0));
    return [
      { name: "performance_desktop", value: worst("desktop"), min: GOALS.desktop },
      { name: "performance_mobile", value: worst("mobile"), min: GOALS.mobile },
      entrySize,
      ...scrolling,
    ];
  } finally {
    for (const child of running) child.kill("SIGKILL");
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function waitUntilBuilt(base: string): Promise<void> {
  const giveUpAtMs = Date.now() + BUILT_WITHIN_MS;
  while (Date.now() < giveUpAtMs) {
    if ((await fetchPage(base)).includes("/assets/")) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error("the dashboard was not built in time");
}

async function signUp(base: string): Promise<{ cookie: string; accountId: string }> {
  const reply = await fetch(`${base}/auth/sign-up`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: base },
    body: JSON.stringify({ email: "bench@example.com", password: "a-password-of-the-benchmark" }),
  });
  if (!reply.ok) throw new Error(`sign-up failed: ${await reply.text()}`);
  const { data } = (await reply.json()) as { data: { account: { id: string } } };
  return { cookie: reply.headers.getSetCookie()[0]?.split(";")[0] ?? "", accountId: data.account.id };
}

/** Ended test calls, one a minute, back in time, by the account's own agents. */
async function fillCalls(databaseUrl: string, accountId: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `insert into calls (id, account_id, mode, phone_number, agent_id, agent_version, engine, max_duration_seconds, ring_timeout_seconds,
       status, state, end_reason, ended_by, ended_at, created_at, duration_seconds, cost_micros)
     select 'call_' || lpad(n::text, 26, '0'), $1, 'test', '+1555' || lpad((n * 37 % 10000000)::text, 7, '0'),
       (select id from agents where account_id = $1 order by id limit 1), 1, 'local', 600, 30,
       case when n % 4 = 0 then 'failed' else 'completed' end, 'ended',
       case when n % 4 = 0 then 'busy' else 'callee_hangup' end, 'callee',
       now() - make_interval(mins => n), now() - make_interval(mins => n), n % 300, 0
     from generate_series(1, $2::int) n`,
    [accountId, CALLS],
  );
  await client.query("vacuum analyze calls");
  await client.end();
}

/** The page that every address of the dashboard begins with; only requests for a page get it. */
async function fetchPage(base: string): Promise<string> {
  return (await fetch(`${base}/sign-in`, { headers: { accept: "text/html" } })).text();
}

/** The JavaScript that every first page loads before it shows anything, compressed as it is served, in kB. */
async function entrySizeKb(base: string): Promise<number> {
  const page = await fetchPage(base);
  const named = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path = ""]) => path);
  if (named.length === 0) throw new Error("the page names no script");
  let bytes = 0;
  for (const path of new Set(named)) {
    const script = Buffer.from(await (await fetch(`${base}${path}`)).arrayBuffer());
    bytes += gzipSync(script, { level: 9 }).length;
  }
  return bytes / 1000;
}

/**
 * Scrolls the list of calls with the wheel, one notch per frame, while further rows are loaded. What is measured is how long
 * the main thread works for each frame, not when the frame is presented: a browser without a screen presents none.
 */
async function scrollCalls(base: string, cookie: string): Promise<Goal[]> {
  const browser = await openBrowser();
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const [name = "", ...value] = cookie.split("=");
    await context.addCookies([{ name, value: value.join("="), url: base }]);
    const page = await context.newPage();
    await page.goto(`${base}/calls`);
    await page.getByRole("table", { name: "Calls" }).getByRole("link").first().waitFor();
    const rowHeight = (await page.evaluate(
      "document.querySelector('[role=table] a, table a').closest('tr, [role=row]').getBoundingClientRect().height",
    )) as number;
    const bottom = (height: number) => `new Promise((resolve) => {
      const look = () => {
        scrollTo(0, document.documentElement.scrollHeight);
        document.documentElement.scrollHeight >= ${height} ? resolve() : requestAnimationFrame(look);
      };
      look();
    })`;
    await page.evaluate(bottom(LOADED_ROWS * rowHeight));
    await page.mouse.move(720, 450);
    const { thread } = await traced(page, async () => {
      for (let frame = 0; frame < SCROLLED_FRAMES; frame += 1) {
        await page.mouse.wheel(0, SCROLLED_PX);
        await page.evaluate("new Promise(requestAnimationFrame)");
      }
    });
    const frames = workMsPerFrame(thread);
    if (frames.length === 0) throw new Error("nothing was drawn while the list was scrolled");
    const late = frames.filter((ms) => ms > FRAME_MS_MAX).length;
    console.log(
      `Scrolling ${CALLS.toLocaleString("en")} calls, ${LOADED_ROWS.toLocaleString("en")} of them loaded; the work of the main thread for each of ${frames.length} frames: ` +
        `p50 ${median(frames).toFixed(1)} ms, p95 ${percentile(frames, 95).toFixed(1)} ms, longest ${Math.max(...frames).toFixed(1)} ms`,
    );
    return [
      { name: "scroll_frame_p95", value: percentile(frames, 95), max: FRAME_MS_MAX, unit: " ms" },
      { name: "scroll_frames_late", value: late / frames.length, max: 0.01 },
    ];
  } finally {
    await browser.close();
  }
}

const run = promisify(execFile);
const RUNS = 5;
const RUN_MS_MAX = 120_000;

interface JudgedPage {
  readonly name: string;
  readonly url: string;
  /** The session; null for a visitor who is not signed in. */
  readonly cookie: string | null;
}

interface Judgement {
  readonly score: number;
  readonly firstPaintMs: number;
  readonly largestPaintMs: number;
  readonly blockedMs: number;
  readonly shift: number;
}

/** Lighthouse's result, the median of five runs, each in a fresh browser. */
async function judgePage(peer: string, page: JudgedPage, preset: "desktop" | "mobile"): Promise<Judgement> {
  const found: Judgement[] = [];
  while (found.length < RUNS) found.push(await judgeOnce(peer, page, preset));
  const of = (figure: keyof Judgement) => median(found.map((one) => one[figure]));
  return {
    score: of("score"),
    firstPaintMs: of("firstPaintMs"),
    largestPaintMs: of("largestPaintMs"),
    blockedMs: of("blockedMs"),
    shift: of("shift"),
  };
}

async function judgeOnce(peer: string, { url, cookie }: JudgedPage, preset: string): Promise<Judgement> {
  const browser = await openChromium();
  try {
    const wish = JSON.stringify({ url, preset, port: browser.port, cookie });
    const { stdout } = await run(process.execPath, ["measure.mjs", wish], { cwd: peer, timeout: RUN_MS_MAX });
    const found = JSON.parse(stdout) as Judgement & { readonly address: string; readonly failure: string | null };
    if (found.failure !== null) throw new Error(`Lighthouse could not judge ${url}: ${found.failure}`);
    // Without a session the sign-in page would be measured.
    if (new URL(found.address).pathname !== new URL(url).pathname)
      throw new Error(`${url} led to ${found.address}, which is another page`);
    return found;
  } finally {
    await browser.close();
  }
}

/** Where Debian puts it. `CHROMIUM_PATH` names another. */
const DEBIAN_CHROMIUM = "/usr/bin/chromium-headless-shell";

interface OpenChromium {
  /** Where its debugging protocol listens. */
  readonly port: number;
  close(): Promise<void>;
}

/** The browser, or an error that says how to get one. */
function findChromium(): string {
  const program = process.env["CHROMIUM_PATH"] ?? DEBIAN_CHROMIUM;
  if (existsSync(program)) return program;
  throw new Error(
    `There is no browser at ${program}. Run \`apt-get install chromium-headless-shell\` as root, or set CHROMIUM_PATH.`,
  );
}

/** Starts a browser with an empty profile that can be driven from outside. */
async function openChromium(): Promise<OpenChromium> {
  const program = findChromium();
  const profile = await mkdtemp(join(tmpdir(), "parley-bench-browser-"));
  // Root may not use the sandbox; the pages are our own.
  const options = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--remote-debugging-port=0",
    `--user-data-dir=${profile}`,
  ];
  // Debian's program is a script that starts the browser: as a group both can be ended.
  const child = spawn(program, [...options, "about:blank"], { stdio: ["ignore", "ignore", "pipe"], detached: true });
  const exited = once(child, "exit");
  const close = async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
    await exited;
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    return { port: await readPort(child), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The browser says on its standard error where it listens. */
async function readPort({ stderr }: ChildProcess): Promise<number> {
  if (!stderr) throw new Error("the browser has no standard error");
  for await (const line of createInterface({ input: stderr })) {
    const port = /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(line)?.[1];
    if (port) {
      // The rest is discarded: a full pipe would block the browser.
      stderr.resume();
      return Number(port);
    }
  }
  throw new Error("the browser ended before it listened");
}
