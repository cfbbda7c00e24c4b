import { expect, test } from "vitest";
import { fingerprintOf, planSecret } from "./restore-backup.ts";

const SECRET = "s".repeat(64);
const OTHER = "o".repeat(64);
const backup = { backedUp: SECRET, backedUpFingerprint: fingerprintOf(SECRET) };

test("a new data folder takes the secret of the backup", () => {
  expect(planSecret({ ...backup, configured: null, kept: null, force: false })).toEqual({
    replaceBy: SECRET,
    isRight: true,
  });
});

test("the same secret is left where it is", () => {
  expect(planSecret({ ...backup, configured: null, kept: SECRET, force: true })).toEqual({
    replaceBy: null,
    isRight: true,
  });
});

test("another secret is replaced only by force", () => {
  expect(planSecret({ ...backup, configured: null, kept: OTHER, force: false })).toEqual({
    replaceBy: null,
    isRight: false,
  });
  expect(planSecret({ ...backup, configured: null, kept: OTHER, force: true })).toEqual({
    replaceBy: SECRET,
    isRight: true,
  });
});

test("a secret in the settings stays in effect, right or wrong", () => {
  expect(planSecret({ ...backup, configured: SECRET, kept: null, force: false })).toEqual({
    replaceBy: null,
    isRight: true,
  });
  expect(planSecret({ ...backup, configured: OTHER, kept: SECRET, force: true })).toEqual({
    replaceBy: null,
    isRight: false,
  });
});

test("a backup without the secret shows whether the current one is right", () => {
  const without = { backedUp: null, backedUpFingerprint: fingerprintOf(SECRET), force: false };
  expect(planSecret({ ...without, configured: SECRET, kept: null }).isRight).toBe(true);
  expect(planSecret({ ...without, configured: null, kept: OTHER }).isRight).toBe(false);
  expect(planSecret({ ...without, configured: null, kept: null }).isRight).toBe(false);
});
