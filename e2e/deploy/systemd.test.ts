import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { NewCall } from "@parley/contract/calls";
import { readSettings } from "@parley/server/platform/config/read-settings";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { REPOSITORY } from "../harness/service-process.ts";

/** Where the units expect the program. */
const INSTALLED = "/opt/parley";
const UNITS = globSync("deploy/systemd/*.service", { cwd: REPOSITORY }).map((path) => basename(path));
/** Of 10, in tenths, as systemd adds it up. What is left is the network and code that is compiled while it runs. */
const EXPOSURE_MAX = 15;

const read = (unit: string) => readFileSync(join(REPOSITORY, "deploy/systemd", unit), "utf8");

/** The values of a key, in order. */
const valuesOf = (unit: string, key: string) =>
  read(unit)
    .split("\n")
    .filter((line) => line.startsWith(`${key}=`))
    .map((line) => line.slice(key.length + 1));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-units-"));
  // The program is here, not where it is installed.
  for (const unit of UNITS) writeFileSync(join(folder, unit), read(unit).replaceAll(INSTALLED, REPOSITORY));
  writeFileSync(
    join(folder, "misspelled.service"),
    read("parley.service").replaceAll(INSTALLED, REPOSITORY).replace("PrivateTmp", "PrivatTmp"),
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

function analyze(...args: string[]) {
  const { status, stdout, stderr } = spawnSync("systemd-analyze", args, { cwd: folder, encoding: "utf8" });
  return { status, output: stdout + stderr };
}

test("a mistake in a unit is noticed", () => {
  expect(analyze("verify", "./misspelled.service").output).toContain("Unknown key");
});

describe.each(UNITS)("%s", (unit) => {
  const named = `./${unit.replace("@", "@calls")}`;

  test("is a unit that systemd accepts without a complaint", () => {
    expect(analyze("verify", named)).toEqual({ status: 0, output: "" });
  });

  test("exposes little of the machine", () => {
    const { status, output } = analyze(
      "security",
      "--offline=true",
      "--no-pager",
      `--threshold=${EXPOSURE_MAX}`,
      named,
    );
    expect(status, output).toBe(0);
  });

  test("starts a program that exists, with settings that it accepts", () => {
    const [program = "", ...files] = (valuesOf(unit, "ExecStart")[0] ?? "").split(" ");
    for (const path of [program.replace(INSTALLED, REPOSITORY), ...files.map((file) => join(REPOSITORY, file))]) {
      expect(existsSync(path), path).toBe(true);
    }
    const variables = valuesOf(unit, "Environment").map((pair) => pair.replace("%i", "calls").split("="));
    const { PARLEY_SETTINGS_FILE: file, ...environment } = Object.fromEntries(variables) as Record<string, string>;
    expect(file).toBe("/etc/parley/parley.env");
    const { dataDir, roles } = readSettings(environment, folder);
    expect(dataDir).toBe(join("/var/lib", valuesOf(unit, "StateDirectory")[0] ?? ""));
    expect(roles).toEqual(unit.includes("@") ? ["calls"] : ["api", "calls", "jobs"]);
  });

  test("lets calls end before it is killed", () => {
    const { maxDurationSeconds, ringTimeoutSeconds } = NewCall.shape;
    const longest = Number(maxDurationSeconds.unwrap().maxValue) + Number(ringTimeoutSeconds.unwrap().maxValue);
    expect(Number(valuesOf(unit, "TimeoutStopSec")[0])).toBeGreaterThan(longest);
    expect(valuesOf(unit, "KillMode")).toEqual(["mixed"]);
  });
});

test("both units are confined alike", () => {
  const confinement = (unit: string) => read(unit).slice(read(unit).indexOf("# The code is read-only"));
  expect(confinement("parley@.service")).toBe(confinement("parley.service"));
});
