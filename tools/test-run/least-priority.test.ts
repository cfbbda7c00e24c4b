import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { atLeastPriority } from "./least-priority.ts";

test("a program gets its own arguments, and its exit code is kept", async () => {
  const words = [process.execPath, "-e", "process.exit(process.argv.length + 40)", "--", "one"] as const;
  const [command, ...rest] = atLeastPriority([...words]);
  const [code] = await once(spawn(command, rest), "exit");
  expect(code).toBe(42);
});

/** The policy is the 41st value of /proc/self/stat, and 5 is the one for what runs when nothing else does. */
const PRINT_RANK = `
  const { existsSync, readFileSync } = require("node:fs");
  const stat = existsSync("/proc/self/stat") ? readFileSync("/proc/self/stat", "utf8") : "";
  const policy = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[38];
  console.log(JSON.stringify({ isIdle: policy === "5", niceness: require("node:os").getPriority() }));`;

test("the system ranks it below every usual program", () => {
  const [command, ...rest] = atLeastPriority([process.execPath, "-e", PRINT_RANK]);
  const rank = JSON.parse(execFileSync(command, rest, { encoding: "utf8" }));
  if (existsSync("/usr/bin/chrt")) expect(rank.isIdle).toBe(true);
  else expect(rank.niceness).toBe(19);
});
