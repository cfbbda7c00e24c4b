import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Vitest keeps one core for itself, which on two is half of them. */
const maxWorkers = availableParallelism();
/** Each of these starts services and databases of its own and mostly waits for them. */
const servicesAtOnce = Math.min(4, maxWorkers);

/** How long a test waits for what should come: a second is not long on a busy machine. */
const expectation = { poll: { timeout: 15_000 } };

/** What runs faster than life, is killed by the clock, talks in real time or crosses processes as sound. */
const alone = [
  "e2e/chaos/**/*.test.ts",
  "e2e/soak/soak.test.ts",
  "e2e/voice/**/*.test.ts",
  "telephony/src/simulated-network/remote-sound.test.ts",
];

/**
 * In order of speed: unit (nothing needed), database (a real PostgreSQL), e2e (the whole service), sip (sound in real time
 * with peers of other makes, which wait for each other but not for services that start), and last what runs alone. Unit
 * and database run together; each of the others begins when the one before it is over.
 */
export default defineConfig({
  test: {
    projects: [
      "dashboard/vitest.config.ts",
      {
        test: {
          name: "unit",
          include: ["{contract,audio,telephony,flow,voice,providers,server,dashboard,tools,bench}/**/*.test.ts"],
          exclude: ["**/*.db.test.ts", ...alone, "**/node_modules/**"],
          expect: expectation,
          testTimeout: 30_000,
          hookTimeout: 30_000,
          maxWorkers,
        },
      },
      {
        test: {
          name: "database",
          include: ["server/**/*.db.test.ts"],
          globalSetup: ["server/src/platform/database/testing/global-setup.ts"],
          expect: expectation,
          testTimeout: 30_000,
          hookTimeout: 60_000,
          maxWorkers,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          exclude: ["e2e/sip/**", ...alone, "**/node_modules/**"],
          expect: expectation,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: servicesAtOnce,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "sip",
          include: ["e2e/sip/**/*.test.ts"],
          expect: expectation,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: servicesAtOnce,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: "alone",
          include: alone,
          expect: expectation,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
