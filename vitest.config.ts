import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { componentProjects } from "./dashboard/vitest.config.ts";
import { SlowestFirst } from "./tools/test-run/slowest-first.ts";
import { ALONE, ISOLATED, REAL_TIME } from "./tools/test-run/test-groups.ts";

/** For the processes of the tests and those that they start: half of a start is to compile the sources. */
process.env["NODE_COMPILE_CACHE"] ??= resolve(import.meta.dirname, "node_modules/.cache/parley-compiled");

const cores = availableParallelism();
/** One more than there are cores, because some wait: for a database, a timer, audio in real time. */
const maxWorkers = cores + 1;
/** Each of these starts services and databases of its own and waits for them about half of the time. */
const servicesAtOnce = process.env["PARLEY_TESTS_ALONE"] ? 1 : Math.min(6, 2 * cores);

/** How long a test waits for what should come: a second is not long on a busy machine. */
const expectation = { poll: { timeout: 15_000 } };
const services = { expect: expectation, testTimeout: 180_000, hookTimeout: 180_000 };
const noServices = { expect: expectation, testTimeout: 60_000, hookTimeout: 60_000, maxWorkers };

/** One migrated database for all installations of a run, and one bundle of the service for all starts. */
const installations = ["e2e/harness/template-data-folder.ts", "e2e/harness/bundle-service.ts"];

const dependencies = "**/node_modules/**";
const database = "**/*.db.test.ts";
const long = "**/*.long.test.ts";
const thorough = "**/*.thorough.test.ts";

/**
 * In order of speed, where each group begins when the one before it is over:
 *
 * 0. `unit` needs nothing. Its files share their processes and the modules loaded there; those of `isolated` do not.
 *    `components` and `components-isolated` render the dashboard's components in the same two ways. `database` has a real PostgreSQL.
 * 1. `e2e` starts the whole service, and SIP peers of other vendors. `thorough` does the same for what `e2e` has in a shorter form
 *    or for fewer cases, and is run by `npm run test:all` only.
 * 2. `realtime` has audio in real time, and nothing but audio beside it.
 * 3. `alone` has the machine to itself.
 * 4. `long` takes minutes per test, or needs the machine to itself, and is run by `npm run test:all` only.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: SlowestFirst },
    projects: [
      ...componentProjects,
      {
        test: {
          ...noServices,
          name: "unit",
          include: ["**/*.test.ts"],
          exclude: ["e2e/**", database, long, thorough, ...ISOLATED, ...REAL_TIME, ...ALONE, dependencies],
          isolate: false,
          // It imports JSON in a way that bundlers allow and Node does not.
          server: { deps: { inline: ["@actions/workflow-parser"] } },
        },
      },
      {
        test: {
          ...noServices,
          name: "isolated",
          include: [...ISOLATED],
          exclude: [database, long, thorough, ...REAL_TIME, ...ALONE, dependencies],
        },
      },
      {
        test: {
          ...noServices,
          name: "database",
          include: ["server/**/*.db.test.ts"],
          globalSetup: ["server/src/platform/database/testing/global-setup.ts"],
          isolate: false,
        },
      },
      {
        test: {
          ...services,
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          exclude: [long, thorough, ...REAL_TIME, ...ALONE, dependencies],
          globalSetup: installations,
          maxWorkers: servicesAtOnce,
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...services,
          name: "thorough",
          include: [thorough],
          exclude: [dependencies],
          globalSetup: installations,
          maxWorkers: servicesAtOnce,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...services,
          name: "realtime",
          include: [...REAL_TIME],
          exclude: [long, dependencies],
          globalSetup: installations,
          maxWorkers: process.env["PARLEY_TESTS_ALONE"] ? 1 : 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...services,
          name: "alone",
          include: [...ALONE],
          exclude: [long, dependencies],
          globalSetup: installations,
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...services,
          name: "long",
          include: [long],
          exclude: [dependencies],
          globalSetup: installations,
          maxWorkers: 1,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
