import { spawnSync } from "node:child_process";

/** Linux has a policy for what runs only while nothing else wants the processor. */
const IDLE_POLICY = ["chrt", "--idle", "0"];
/** Elsewhere the least of the usual priorities is near enough. */
const LEAST_NICE = ["nice", "-n", "19"];

let prefix: readonly string[] | undefined;

/** The words of a command that runs this program on what others leave of the processor. */
export function atLeastPriority(words: readonly [string, ...string[]]): [string, ...string[]] {
  prefix ??= isPossible(IDLE_POLICY) ? IDLE_POLICY : LEAST_NICE;
  return [...prefix, ...words] as [string, ...string[]];
}

/** A container may forbid to change the policy. */
function isPossible([command = "", ...options]: readonly string[]): boolean {
  return spawnSync(command, [...options, process.execPath, "--version"]).status === 0;
}
