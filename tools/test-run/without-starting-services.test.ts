import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withoutStartingServices } from "./without-starting-services.ts";

let folder: string;
let policy: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-policy-"));
  policy = join(folder, "policy-rc.d");
});

afterEach(() => rmSync(folder, { recursive: true }));

test("no service is started while packages are installed, and the machine is left as it was", () => {
  const { status } = withoutStartingServices(() => spawnSync(policy, ["kamailio", "start"]), policy);
  expect(status).toBe(101);
  expect(existsSync(policy)).toBe(false);
});

test("an installation that fails leaves no policy behind", () => {
  const fail = () => {
    throw new Error("no such package");
  };
  expect(() => withoutStartingServices(fail, policy)).toThrow("no such package");
  expect(existsSync(policy)).toBe(false);
});

test("an existing policy of the machine is neither changed nor removed", () => {
  writeFileSync(policy, "#!/bin/sh\nexit 0\n", { mode: 0o755 });
  expect(withoutStartingServices(() => readFileSync(policy, "utf8"), policy)).toContain("exit 0");
  expect(readFileSync(policy, "utf8")).toContain("exit 0");
});
