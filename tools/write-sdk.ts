import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { renderSdks } from "./sdk/generated-files.ts";

// Rewrites the generated files of the SDKs.
const root = resolve(import.meta.dirname, "..");
for (const [path, text] of Object.entries(renderSdks())) {
  mkdirSync(dirname(resolve(root, path)), { recursive: true });
  writeFileSync(resolve(root, path), text);
  console.log(`wrote ${path}`);
}
