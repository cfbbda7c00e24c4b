import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { packPackage } from "./pack-package.ts";

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
}

const ROOT = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "parley-packed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(["sdk/cli", "sdk/mcp"])(
  "the package of %s names the packages in its bundle with their licences, and its README has no dead link",
  async (source) => {
    const tarball = await packPackage(source, folder);
    execFileSync("tar", ["-xzf", tarball, "-C", folder]);
    const read = (file: string) => readFileSync(join(folder, "package", file), "utf8");
    const [, ...sections] = read("THIRD-PARTY.txt").split(`\n${"-".repeat(80)}\n`);
    const named = sections.map((section) => section.trim().split(" ")[0]);
    const manifest = JSON.parse(readFileSync(join(ROOT, source, "package.json"), "utf8")) as Manifest;
    const used = Object.keys(manifest.dependencies).filter((name) => !name.startsWith("@parley/"));
    expect(used.length).toBeGreaterThan(0);
    expect(named).toEqual(expect.arrayContaining(used));
    for (const section of sections) expect(section).toMatch(/ \([\w.-]+\)\n\n.*(?:copyright|licen[cs]e)/is);
    const links = [...read("README.md").matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
    expect(
      links.filter((target) => !target.startsWith("https://") && !existsSync(join(folder, "package", target))),
    ).toEqual([]);
  },
);
