import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buildOpenApi } from "@parley/contract/openapi";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "parley-openapi-"));
const file = join(folder, "openapi.json");
const LINT_TIMEOUT_MS = 60_000;

beforeAll(() => writeFileSync(file, JSON.stringify(buildOpenApi({ version: "0.1.0" }))));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a linter; it must not phone home, and its colours would hide the words we search for. */
function lint(program: string, args: readonly string[]): { status: number | null; output: string } {
  const ran = spawnSync(process.execPath, [join(root, "node_modules", program), "lint", file, ...args], {
    cwd: folder,
    encoding: "utf8",
    timeout: LINT_TIMEOUT_MS,
    env: { PATH: process.env["PATH"], NO_COLOR: "1", REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  });
  return { status: ran.status, output: `${ran.stdout}${ran.stderr}` };
}

test(
  "Redocly finds neither an error nor a warning in the OpenAPI document",
  () => {
    const args = ["--config", join(root, "tools/redocly.yaml"), "--format", "json"];
    const { status, output } = lint("@redocly/cli/bin/cli.js", args);
    expect(output).toContain('"totals"');
    expect(problemsOf(output)).toEqual([]);
    expect(status).toBe(0);
  },
  LINT_TIMEOUT_MS,
);

test(
  "Spectral finds neither an error nor a warning in the OpenAPI document",
  () => {
    const args = ["--ruleset", join(root, "tools/spectral.yaml"), "--fail-severity", "hint"];
    const { status, output } = lint("@stoplight/spectral-cli/dist/index.js", args);
    expect(output.trim()).toBe("No results with a severity of 'hint' or higher found!");
    expect(status).toBe(0);
  },
  LINT_TIMEOUT_MS,
);

function problemsOf(output: string): unknown[] {
  const begin = output.indexOf("{");
  const report = JSON.parse(output.slice(begin, output.lastIndexOf("}") + 1)) as { problems: { message: string }[] };
  return report.problems;
}
