import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { REPOSITORY } from "../harness/service-process.ts";

const manifest = JSON.parse(readFileSync(join(REPOSITORY, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};
const entryPoints = Object.entries(manifest.scripts).flatMap(([name, line]) => {
  const entry = /\btools\/run\.mjs (\S+)/.exec(line)?.[1];
  return entry ? [[name, entry] as const] : [];
});

/** This Node reporting an older version, so that the test does not depend on what is installed. */
const disguise = `data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.19.0"}})`;
const oldNodes: [string, string, string[]][] = [["one that says it is 20", process.execPath, ["--import", disguise]]];
for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
  const program = join(folder, "node");
  if (folder.includes("node_modules") || !existsSync(program)) continue;
  const major = Number(spawnSync(program, ["-p", "process.versions.node"], { encoding: "utf8" }).stdout.split(".")[0]);
  if (major < 26) oldNodes.push([program, program, []]);
}

test("every script that runs the code checks the Node it runs on", () => {
  expect(entryPoints.map(([name]) => name)).toEqual(expect.arrayContaining(["start", "test", "check"]));
  const unchecked = Object.values(manifest.scripts).filter((line) => line.includes("node ") && !/run\.mjs/.test(line));
  expect(unchecked).toEqual([]);
});

test.each(oldNodes)(
  "on an older Node (%s) every entry point says what to do and exits with 1",
  (_name, program, options) => {
    for (const [, entry] of entryPoints) {
      const ran = spawnSync(program, [...options, "tools/run.mjs", entry], {
        cwd: REPOSITORY,
        encoding: "utf8",
        env: { PATH: process.env["PATH"] },
      });
      expect(ran.stderr).toMatch(/^Parley runs on Node 26; this is Node \d+/);
      expect(ran.stderr).toContain("npm ci");
      expect([ran.status, ran.stdout]).toEqual([1, ""]);
    }
  },
);
