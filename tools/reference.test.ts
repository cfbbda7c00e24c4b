import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { ERROR_CODES } from "@parley/contract/errors";
import { SETTING_NAMES } from "@parley/server/platform/config/settings";
import { expect, test } from "vitest";
import { REFERENCE_PAGES, renderErrors, renderSettings } from "./reference/pages.ts";

const root = resolve(import.meta.dirname, "..");

test.each(Object.entries(REFERENCE_PAGES))(
  "%s says what the code says (else: node tools/run.mjs tools/write-reference.ts)",
  (path, render) => {
    expect(readFileSync(resolve(root, path), "utf8")).toBe(render());
  },
);

test("every error code is explained", () => {
  const page = renderErrors();
  for (const code of ERROR_CODES) expect(page).toContain(`\`${code}\` |`);
});

test("every setting is described, with its default", () => {
  const page = renderSettings();
  expect(page).not.toContain("[object");
  for (const name of SETTING_NAMES) expect(page).toContain(`| \`${name}\` |`);
  expect(page).toContain("| `PARLEY_PORT` | `3000` |");
  expect(page).toContain("| `PARLEY_ROLES` | `api,calls,jobs` |");
});
