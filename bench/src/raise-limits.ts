import { spawnSync } from "node:child_process";
import { REPOSITORY } from "@parley/e2e/harness/service-process";

/** Lets an account hold this many calls at once, by the operator's command line. */
export function raiseLimits(dataDir: string, accountId: string, callsAtOnce: number): void {
  const limits = ["--concurrency", String(Math.max(100, callsAtOnce)), "--calls-per-second", "50"];
  const { status, stderr } = spawnSync(
    process.execPath,
    ["tools/run.mjs", "server/src/parley.ts", "accounts", "limits", accountId, ...limits],
    { cwd: REPOSITORY, env: { PATH: process.env["PATH"], PARLEY_DATA_DIR: dataDir }, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`the limits could not be raised:\n${stderr}`);
}
