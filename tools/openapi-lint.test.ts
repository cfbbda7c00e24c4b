import { join } from "node:path";
import { expect, test } from "vitest";
import { LINT_TIMEOUT_MS, lintOpenApi, ROOT } from "./lint-openapi.ts";

test(
  "Redocly finds neither an error nor a warning in the OpenAPI document",
  () => {
    const args = ["--config", join(ROOT, "tools/redocly.yaml"), "--format", "json"];
    const { status, output } = lintOpenApi("@redocly/cli/bin/cli.js", args);
    expect(output).toContain('"totals"');
    expect(problemsOf(output)).toEqual([]);
    expect(status).toBe(0);
  },
  LINT_TIMEOUT_MS,
);

function problemsOf(output: string): unknown[] {
  const begin = output.indexOf("{");
  const report = JSON.parse(output.slice(begin, output.lastIndexOf("}") + 1)) as { problems: { message: string }[] };
  return report.problems;
}
