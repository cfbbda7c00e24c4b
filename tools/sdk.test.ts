import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { renderSdks } from "./sdk/generated-files.ts";

const root = resolve(import.meta.dirname, "..");

test.each(Object.entries(renderSdks()))(
  "%s is generated from the current contract (else: npm run sdk)",
  (path, text) => {
    expect(readFileSync(resolve(root, path), "utf8") === text).toBe(true);
  },
);

test("the clients have every resource", () => {
  const read = (path: string) => readFileSync(resolve(root, path), "utf8");
  const resources = [...read("sdk/typescript/src/generated/resources.ts").matchAll(/^export class (\w+)/gm)]
    .map(([, name = ""]) => name)
    .filter((name) => name !== "CallsResource");
  expect(resources.length).toBeGreaterThan(10);
  const typescript = read("sdk/typescript/src/parley.ts");
  const python = read("sdk/python/src/parley/_client.py");
  expect(resources.filter((name) => !typescript.includes(`new ${name}(`))).toEqual([]);
  expect(resources.filter((name) => !python.includes(`r.${name}(`) || !python.includes(`r.Async${name}(`))).toEqual([]);
});
