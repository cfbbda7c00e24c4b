/**
 * `--quick`: so little that a benchmark takes seconds. Its figures are then meaningless and compared with no goal; `npm
 * test` only checks that it runs.
 */
export const isQuick = process.argv.includes("--quick");

/**
 * What Node compiled before, for the processes that a quick run starts: it halves what a start costs. A measurement starts
 * them as an operator does.
 */
export const compileCache: Readonly<Record<string, string>> =
  isQuick && process.env["NODE_COMPILE_CACHE"] ? { NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] } : {};

/** What starts the service: in a quick run the bundle that its caller has made, if there is one. */
export const serviceProgram = (isQuick && process.env["TEST_SERVICE_BUNDLE"]) || "server/src/main.ts";
