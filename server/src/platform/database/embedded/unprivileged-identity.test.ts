import { chmodSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openFolder } from "./testing/embedded-scene.ts";
import { canUnprivilegedIdentityReach, findBarrier, findUnprivilegedIdentity } from "./unprivileged-identity.ts";

let folder: string;

beforeEach(() => {
  folder = openFolder();
});

afterEach(() => rmSync(folder, { recursive: true }));

it("lets nobody into folders that others may enter, also ones that do not exist yet", () => {
  expect(canUnprivilegedIdentityReach(folder)).toBe(true);
  expect(canUnprivilegedIdentityReach(join(folder, "not/made/yet"))).toBe(true);
});

it("names the folder that is closed, also behind a symbolic link", () => {
  const closed = join(folder, "closed");
  mkdirSync(join(closed, "data"), { recursive: true });
  chmodSync(closed, 0o700);
  symlinkSync(join(closed, "data"), join(folder, "link"));
  const stranger = { uid: (process.getuid?.() ?? 0) + 1, gid: (process.getgid?.() ?? 0) + 1 };
  expect(findBarrier(join(closed, "data/more"), stranger)).toBe(closed);
  expect(findBarrier(join(folder, "link"), stranger)).toBe(closed);
  expect(canUnprivilegedIdentityReach(join(folder, "link"))).toBe(
    process.getuid?.() === findUnprivilegedIdentity().uid,
  );
});

it("judges a folder by the rights of its owner when the identity owns it", () => {
  chmodSync(folder, 0o700);
  const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  expect(findBarrier(folder, owner)).toBeUndefined();
  expect(findBarrier(folder, { uid: owner.uid + 1, gid: owner.gid })).toBe(folder);
});
