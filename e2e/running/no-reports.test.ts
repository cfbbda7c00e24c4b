import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { REPOSITORY } from "../harness/service-process.ts";

/** Loads a model and returns what was left in the home folder. The library that runs models keeps its reports there. */
function filesLeftBy(...start: string[]): string[] {
  const home = mkdtempSync(join(tmpdir(), "parley-home-"));
  try {
    const { status, stderr } = spawnSync(process.execPath, [...start, "e2e/running/detect-speech.ts"], {
      cwd: REPOSITORY,
      // A proxy that does not exist, so that a report does not leave the machine.
      env: { PATH: process.env["PATH"] ?? "", HOME: home, https_proxy: "http://127.0.0.1:9" },
      encoding: "utf8",
    });
    expect(status, stderr).toBe(0);
    return readdirSync(home, { recursive: true, encoding: "utf8" });
  } finally {
    rmSync(home, { recursive: true });
  }
}

test("speech models run without reporting anything to anyone", () => {
  expect(filesLeftBy("tools/run.mjs")).toEqual([]);
});

test("a report would be noticed", () => {
  expect(filesLeftBy()).toContainEqual(expect.stringContaining("onnxruntime"));
});
