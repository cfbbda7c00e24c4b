import { describe, expect, test } from "vitest";
import { isDatabaseAway } from "./failures.ts";

const refusal = (code: string) => Object.assign(new Error("as PostgreSQL says it"), { code });

describe("a database", () => {
  test.for([
    ["has no room on its disk", "53100"],
    ["has no memory left", "53200"],
    ["has no connection left", "53300"],
    ["has a disk that does not work", "58030"],
    ["took too long", "57014"],
    ["is shutting down", "57P01"],
    ["was made read-only by a fail-over", "25006"],
    ["refuses connections", "ECONNREFUSED"],
  ] as const)("that %s is unavailable, and the statement is retryable", ([, code]) => {
    expect(isDatabaseAway(refusal(code))).toBe(true);
  });

  test.for([
    ["a constraint", "23505"],
    ["the syntax", "42601"],
    ["a value", "22P02"],
    ["a missing table", "42P01"],
  ] as const)("that refuses a statement for %s is available, and the statement is not retryable", ([, code]) => {
    expect(isDatabaseAway(refusal(code))).toBe(false);
  });
});
