/**
 * `--quick`: so little that a benchmark takes seconds. Its figures mean nothing then and are held against no goal; that it runs at
 * all is what `npm test` wants to know.
 */
export const isQuick = process.argv.includes("--quick");
