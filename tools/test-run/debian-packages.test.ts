import { expect, test } from "vitest";
import { findMissingPackages, NEEDED_PACKAGES, planPackages } from "./debian-packages.ts";

test("a machine that has everything is left alone", () => {
  expect(planPackages([], { isRoot: true, hasApt: true })).toEqual({ kind: "ready" });
});

test("root on Debian gets what is missing, without the recommended extras", () => {
  expect(planPackages(["postgresql", "sipp"], { isRoot: true, hasApt: true })).toEqual({
    kind: "install",
    commands: [
      ["apt-get", "update"],
      ["apt-get", "install", "-y", "--no-install-recommends", "postgresql", "sipp"],
    ],
  });
});

test("other users get the exact line to run, and the tests do not continue without", () => {
  const plan = planPackages(["postgresql"], { isRoot: false, hasApt: true });
  expect(plan).toMatchObject({
    kind: "stop",
    message: expect.stringContaining("sudo apt-get install -y --no-install-recommends postgresql"),
  });
});

test("without apt the package is named", () => {
  expect(planPackages(["postgresql"], { isRoot: true, hasApt: false })).toMatchObject({
    kind: "stop",
    message: expect.stringContaining("postgresql"),
  });
});

test("a program is found on the path or where Debian keeps it", () => {
  const needed = [{ name: "node", program: "env", alsoIn: ["/usr/b*"] }];
  expect(findMissingPackages("/usr/bin", [{ name: "coreutils", program: "env", alsoIn: [] }])).toEqual([]);
  expect(findMissingPackages("", needed)).toEqual([]);
  expect(findMissingPackages("/nowhere", [{ name: "ghost", program: "no-such-program", alsoIn: [] }])).toEqual([
    "ghost",
  ]);
});

test("what only one processor needs is not asked of others", () => {
  const needed = [{ name: "emulator", program: "no-such-program", alsoIn: [], onlyOn: "arm64" }] as const;
  expect(findMissingPackages("", needed, "x64")).toEqual([]);
  expect(findMissingPackages("", needed, "arm64")).toEqual(["emulator"]);
});

test("a machine without any package gets every peer that the tests talk to", () => {
  const missing = findMissingPackages(
    "/nowhere",
    NEEDED_PACKAGES.map((each) => ({ ...each, alsoIn: [] })),
  );
  expect(missing).toEqual(expect.arrayContaining(["sip-tester", "baresip-core", "kamailio", "rtpengine-daemon"]));
  expect(planPackages(missing, { isRoot: true, hasApt: true })).toMatchObject({
    kind: "install",
    commands: [
      ["apt-get", "update"],
      ["apt-get", "install", "-y", "--no-install-recommends", ...missing],
    ],
  });
});
