import { defineConfig } from "vitest/config";

/** Three tiers, in order of speed: unit (nothing needed), database (a real PostgreSQL), e2e (the whole service). */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["{contract,audio,telephony,voice,providers,server,tools,bench}/**/*.test.ts"],
          exclude: ["**/*.db.test.ts", "**/node_modules/**"],
        },
      },
      {
        test: {
          name: "database",
          include: ["server/**/*.db.test.ts"],
          globalSetup: ["server/src/database/testing/global-setup.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
