import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { findVersionFiles, replaceVersion } from "./version-files.ts";

const root = resolve(import.meta.dirname, "../..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

test("a release writes its version wherever a client or a guide names it", () => {
  expect(findVersionFiles(root, version)).toEqual(
    expect.arrayContaining([
      "docs/guides/command-line.md",
      "sdk/n8n/package.json",
      "sdk/python/pyproject.toml",
      "sdk/python/src/parley/_version.py",
      "sdk/typescript/src/version.ts",
    ]),
  );
});

test("and changes nothing that only looks like it", () => {
  const text = 'version = "0.1.0" parley-cli-0.1.0.tgz @v0.1.0. 10.1.0.0/16 0.1.0.1 0.1.01 20.1.0 1.0.1.0';
  expect(replaceVersion(text, "0.1.0", "0.2.0")).toBe(
    'version = "0.2.0" parley-cli-0.2.0.tgz @v0.2.0. 10.1.0.0/16 0.1.0.1 0.1.01 20.1.0 1.0.1.0',
  );
});
