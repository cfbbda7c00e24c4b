/**
 * `--quick`: so little that a benchmark takes seconds. Its figures are then meaningless and compared with no goal; `npm
 * test` only checks that it runs.
 */
export const isQuick = process.argv.includes("--quick");
