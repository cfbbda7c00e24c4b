import { test } from "vitest";

/**
 * Whether every variant is tried, as by `npm run test:all`: each theme at each width, each moment of a kill, many random
 * requests per route. `npm test` tries those that differ most.
 */
export const isThorough = process.env["PARLEY_TESTS_THOROUGH"] === "1";

/** Declares a test of a further variant, which only thorough runs have. */
export function testThoroughly(title: string, options: { readonly timeout: number }, run: () => Promise<void> | void) {
  if (isThorough) test(title, options, run);
}
