import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { basename } from "node:path";

/**
 * Writes the tracked files of a checkout and the dashboard built from them into a compressed tar file. Unpacked, it is
 * installed by `npm ci --omit=dev`.
 */
export function writeArchive(repository: string, builtDashboard: string, file: string, version: string): void {
  const run = (program: string, args: readonly string[], input = "") => {
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd: repository,
      encoding: "utf8",
      input,
      maxBuffer: 64 * 1024 * 1024,
    });
    if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed: ${stderr}`);
    return stdout;
  };
  const dashboard = `dashboard/dist/${basename(builtDashboard)}`;
  const built = readdirSync(builtDashboard, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.replace(builtDashboard, dashboard));
  const tracked = run("git", ["ls-files", "-z"]).split("\0").filter(Boolean);
  const ownedByNobodyInParticular = ["--owner=0", "--group=0", "--numeric-owner"];
  const names = ["--null", "--verbatim-files-from", "--files-from=-", `--transform=s,^,parley-${version}/,S`];
  run(
    "tar",
    ["--create", "--gzip", `--file=${file}`, ...ownedByNobodyInParticular, ...names],
    [...tracked, ...built].join("\0"),
  );
}
