import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { SLOWEST } from "./slowest-first.ts";

test("every file that is started first exists", () => {
  const root = resolve(import.meta.dirname, "../..");
  expect(SLOWEST.filter((path) => !existsSync(resolve(root, path)))).toEqual([]);
});
