import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

/** Component tests (`*.test.tsx`): they render into a simulated DOM. Tests of plain functions (`*.test.ts`) need none. */
export default defineConfig({
  // As for the other projects, so that a path from the root of the repository selects a test here too.
  root: resolve(import.meta.dirname, ".."),
  plugins: [react()],
  test: {
    name: "components",
    include: ["dashboard/src/**/*.test.tsx"],
    environment: "happy-dom",
    // Each file has its modules to itself: those that replace the links of the router would leave them to others.
    isolate: true,
    setupFiles: ["dashboard/src/testing/setup.ts"],
    testTimeout: 30_000,
    // As for the unit tests: projects that run at the same time must agree on it.
    maxWorkers: availableParallelism() + 1,
  },
});
