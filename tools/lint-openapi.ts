import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buildOpenApi } from "@parley/contract/openapi";

export const ROOT = resolve(import.meta.dirname, "..");
export const LINT_TIMEOUT_MS = 60_000;

/** Runs a linter on the OpenAPI document; it must not phone home, and its colours would hide the words we search for. */
export function lintOpenApi(program: string, args: readonly string[]): { status: number | null; output: string } {
  const folder = mkdtempSync(join(tmpdir(), "parley-openapi-"));
  try {
    const file = join(folder, "openapi.json");
    writeFileSync(file, JSON.stringify(buildOpenApi({ version: "0.1.0" })));
    const ran = spawnSync(process.execPath, [join(ROOT, "node_modules", program), "lint", file, ...args], {
      cwd: folder,
      encoding: "utf8",
      timeout: LINT_TIMEOUT_MS,
      env: {
        PATH: process.env["PATH"],
        NO_COLOR: "1",
        REDOCLY_TELEMETRY: "off",
        REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
      },
    });
    return { status: ran.status, output: `${ran.stdout}${ran.stderr}` };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
