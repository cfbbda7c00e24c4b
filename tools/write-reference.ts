import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { REFERENCE_PAGES } from "./reference/pages.ts";

// Rewrites the generated pages of docs/reference.
const root = resolve(import.meta.dirname, "..");
for (const [path, render] of Object.entries(REFERENCE_PAGES)) {
  mkdirSync(dirname(resolve(root, path)), { recursive: true });
  writeFileSync(resolve(root, path), render());
  console.log(`wrote ${path}`);
}
