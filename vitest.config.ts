import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Vitest keeps one core for itself, which on two is half of them. */
const maxWorkers = availableParallelism();
/** Each of these starts services and databases of its own and mostly waits for them. */
const servicesAtOnce = Math.min(4, maxWorkers);

/**
 * In order of speed: unit (nothing needed), database (a real PostgreSQL), e2e (the whole service), and chaos, which
 * kills what it started by the clock and wants the machine to itself. A group begins when the one before it is over.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["{contract,audio,telephony,voice,providers,server,tools,bench}/**/*.test.ts"],
          exclude: ["**/*.db.test.ts", "**/node_modules/**"],
          testTimeout: 30_000,
          hookTimeout: 30_000,
          maxWorkers,
        },
      },
      {
        test: {
          name: "database",
          include: ["server/**/*.db.test.ts"],
          globalSetup: ["server/src/database/testing/global-setup.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          maxWorkers,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          exclude: ["e2e/chaos/**", "**/node_modules/**"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: servicesAtOnce,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "chaos",
          include: ["e2e/chaos/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
