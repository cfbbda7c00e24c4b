import { globSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { WEIGHT_PACKAGES } from "./weight-packages.ts";

const root = resolve(import.meta.dirname, "../..");
const WEIGHT_BYTES_MIN = 1024 * 1024;
/** Code, however large, can be rewritten; the runtime of the models is kept by its vendor. */
const IS_CODE = /\.(?:[cm]?js|ts|map|node|so[.\d]*|dylib|dll|json)$/;

test("every package of the providers that carries weights is mirrored", () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, "providers/package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  const carriesWeights = (name: string) => {
    const folder = join(root, "node_modules", name);
    return globSync("**/*", { cwd: folder, exclude: ["node_modules/**"] }).some((file) => {
      if (IS_CODE.test(file)) return false;
      const found = statSync(join(folder, file));
      return found.isFile() && found.size > WEIGHT_BYTES_MIN;
    });
  };
  const names = Object.keys(dependencies).filter((name) => !name.startsWith("@parley/") && carriesWeights(name));
  expect(names.toSorted()).toEqual([...WEIGHT_PACKAGES].toSorted());
});
