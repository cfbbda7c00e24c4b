import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Where Debian puts it. `CHROMIUM_PATH` names another. */
const DEBIAN_CHROMIUM = "/usr/bin/chromium-headless-shell";

export interface OpenChromium {
  /** Where its debugging protocol listens. */
  readonly port: number;
  close(): Promise<void>;
}

/** The browser, or an error that says how to get one. */
export function findChromium(): string {
  const program = process.env["CHROMIUM_PATH"] ?? DEBIAN_CHROMIUM;
  if (existsSync(program)) return program;
  throw new Error(
    `There is no browser at ${program}. Run \`apt-get install chromium-headless-shell\` as root, or set CHROMIUM_PATH.`,
  );
}

/** Starts a browser with an empty profile that can be driven from outside. */
export async function openChromium(): Promise<OpenChromium> {
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
  const child = spawn(program, [...options, "about:blank"], { stdio: ["ignore", "ignore", "pipe"] });
  const exited = once(child, "exit");
  const close = async () => {
    child.kill("SIGKILL");
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
