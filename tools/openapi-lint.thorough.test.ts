import { join } from "node:path";
import { expect, test } from "vitest";
import { LINT_TIMEOUT_MS, lintOpenApi, ROOT } from "./lint-openapi.ts";

test(
  "Spectral finds neither an error nor a warning in the OpenAPI document",
  () => {
    const args = ["--ruleset", join(ROOT, "tools/spectral.yaml"), "--fail-severity", "hint"];
    const { status, output } = lintOpenApi("@stoplight/spectral-cli/dist/index.js", args);
    expect(output.trim()).toBe("No results with a severity of 'hint' or higher found!");
    expect(status).toBe(0);
  },
  LINT_TIMEOUT_MS,
);
