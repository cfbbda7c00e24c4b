import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { median } from "../statistics.ts";
import { openChromium } from "./open-chromium.ts";

const run = promisify(execFile);
const RUNS = 5;
const RUN_MS_MAX = 120_000;

export interface JudgedPage {
  readonly name: string;
  readonly url: string;
  /** The session; null for a visitor who is not signed in. */
  readonly cookie: string | null;
}

export interface Judgement {
  readonly score: number;
  readonly firstPaintMs: number;
  readonly largestPaintMs: number;
  readonly blockedMs: number;
  readonly shift: number;
}

/** Lighthouse's result, the median of five runs, each in a fresh browser. */
export async function judgePage(peer: string, page: JudgedPage, preset: "desktop" | "mobile"): Promise<Judgement> {
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
