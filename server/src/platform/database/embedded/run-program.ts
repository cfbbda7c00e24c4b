import { spawn } from "node:child_process";
import type { Identity } from "./unprivileged-identity.ts";

/** Nothing of our own environment reaches PostgreSQL: a stray PGDATA or locale would change what it does. */
export const programEnvironment = { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

export function identityOptions(identity: Identity | undefined): { uid?: number; gid?: number } {
  return identity === undefined ? {} : { uid: identity.uid, gid: identity.gid };
}

/** Runs a program to its end; rejects with all its output when it fails. */
export function runProgram(path: string, args: readonly string[], identity: Identity | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, {
      cwd: "/",
      env: programEnvironment,
      stdio: ["ignore", "pipe", "pipe"],
      // A Ctrl-C at the terminal is for the service, which ends in order, and not for what it is in the middle of.
      detached: true,
      ...identityOptions(identity),
    });
    let said = "";
    const listen = (chunk: Buffer) => {
      said = (said + chunk.toString("utf8")).slice(-4_000);
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.once("error", (error) => reject(cannotRun(path, error)));
    child.once("close", (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${path} failed (${signal ?? `exit ${code}`}): ${said.trim()}`));
    });
  });
}

export function cannotRun(path: string, cause: Error): Error {
  return new Error(
    `Cannot run ${path}: ${cause.message}. The embedded PostgreSQL needs glibc 2.27 or later (Alpine has none); otherwise set DATABASE_URL.`,
    { cause },
  );
}
