import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { findMissingPackages, planPackages } from "./debian-packages.ts";
import { withoutStartingServices } from "./without-starting-services.ts";

/** Ensures that the needed packages are installed. Returns the message for the user if they cannot be. */
export function installPackages(): string | null {
  const path = process.env["PATH"] ?? "";
  const plan = planPackages(findMissingPackages(path), {
    isRoot: process.getuid?.() === 0,
    hasApt: existsSync("/usr/bin/apt-get"),
  });
  if (plan.kind === "ready") return null;
  if (plan.kind === "stop") return plan.message;
  return withoutStartingServices(() => {
    for (const [program, ...args] of plan.commands) {
      const { status } = spawnSync(program, args, {
        stdio: ["ignore", "inherit", "inherit"],
        env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      });
      if (status !== 0) return `${program} ${args.join(" ")} failed.`;
    }
    const missing = findMissingPackages(path);
    return missing.length === 0 ? null : `${missing.join(" ")} was installed, but its program is not there.`;
  });
}
