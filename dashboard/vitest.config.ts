import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import react from "@vitejs/plugin-react";
import type { TestProjectInlineConfiguration } from "vitest/config";

/** As for the other projects, so that a path from the root of the repository selects a test here too. */
const root = resolve(import.meta.dirname, "..");
const ALL = "dashboard/src/**/*.test.tsx";
/** What they put in the place of a module, such as the links of the router, they would leave to others. */
const replacing = globSync(ALL, { cwd: root }).filter((path) =>
  /\bvi\.(?:mock|doMock|resetModules)\(/.test(readFileSync(resolve(root, path), "utf8")),
);

/**
 * Component tests (`*.test.tsx`): they render into a simulated DOM. Tests of plain functions (`*.test.ts`) need none. Files
 * share the DOM and the modules loaded there, which take longer than the tests; the setup file empties it after every
 * test. Files that replace modules have theirs to themselves.
 */
export const componentProjects: readonly TestProjectInlineConfiguration[] = [
  project("components", { include: [ALL], exclude: [...replacing, "**/node_modules/**"], isolate: false }),
  project("components-isolated", { include: replacing, isolate: true }),
];

function project(
  name: string,
  files: { include: string[]; exclude?: string[]; isolate: boolean },
): TestProjectInlineConfiguration {
  return {
    root,
    plugins: [react()],
    test: {
      ...files,
      name,
      environment: "happy-dom",
      setupFiles: ["dashboard/src/testing/setup.ts"],
      testTimeout: 30_000,
      // As for the unit tests: projects that run at the same time must agree on it.
      maxWorkers: availableParallelism() + 1,
    },
  };
}
