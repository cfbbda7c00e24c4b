import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { expect, test } from "vitest";
import { builtManifest } from "./build-package.ts";

const root = resolve(import.meta.dirname, "../..");
const BROWSER_BYTES_MAX = 12_000;

test("the package.json of a built package names JavaScript and declarations, and may be published", () => {
  expect(
    builtManifest({
      name: "@parley/thing",
      private: true,
      exports: { ".": "./src/thing.ts" },
      imports: { "#file": { node: "./src/file-node.ts", default: "./src/file-web.ts" } },
      bin: { thing: "./src/main.ts" },
      devDependencies: { other: "1.0.0" },
    }),
  ).toEqual({
    name: "@parley/thing",
    exports: { ".": { types: "./thing.d.ts", default: "./thing.js" } },
    imports: { "#file": { node: "./file-node.js", default: "./file-web.js" } },
    bin: { thing: "./main.js" },
    publishConfig: { access: "public", provenance: true },
  });
});

test("the SDK knows its own version", () => {
  const { version } = JSON.parse(readFileSync(join(root, "sdk/typescript/package.json"), "utf8"));
  expect(readFileSync(join(root, "sdk/typescript/src/version.ts"), "utf8")).toContain(`"${version}"`);
  expect(readFileSync(join(root, "sdk/python/src/parley/_version.py"), "utf8")).toContain(`"${version}"`);
  expect(readFileSync(join(root, "sdk/python/pyproject.toml"), "utf8")).toContain(`version = "${version}"`);
});

test("bundled for a browser, the whole SDK has at most 12 kB and no module of Node", async () => {
  const output = await build({
    configFile: false,
    logLevel: "error",
    root,
    build: {
      write: false,
      target: "es2022",
      minify: true,
      lib: { entry: join(root, "sdk/typescript/src/parley.ts"), formats: ["es"] },
    },
  });
  const [bundle] = Array.isArray(output) ? output : [output];
  if (!bundle || !("output" in bundle)) throw new Error("nothing was built");
  const [chunk, ...others] = bundle.output;
  expect(others).toEqual([]);
  expect(chunk.code).toContain("createAndWait");
  expect(chunk.code).not.toContain("node:");
  const sizeBytes = gzipSync(chunk.code).length;
  console.log(`the SDK for browsers: ${sizeBytes} bytes`);
  expect(sizeBytes).toBeLessThanOrEqual(BROWSER_BYTES_MAX);
});
