import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const SOURCE = fileURLToPath(new URL("../../", import.meta.url));

test("no two prepared statements share a name: a connection that knows one would refuse the other", () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith("-store.ts"));
  const names = files.flatMap((file) =>
    [...readFileSync(join(SOURCE, file), "utf8").matchAll(/["`]\/\* ([a-z_]+) \*\//g)].map((match) => match[1]),
  );
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});
