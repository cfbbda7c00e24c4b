import { ProviderError } from "@parley/voice/ports/provider-error";
import { expect, test } from "vitest";
import { toProviderError } from "./to-provider-error.ts";

test("a failure of the pool names the provider, and says whether another attempt may help", () => {
  const cause = new Error("no memory");
  const error = toProviderError("acme")({ message: "no memory", retryable: true, cause });
  expect(error).toMatchObject({ name: "ProviderError", provider: "acme", message: "acme: no memory", retryable: true });
  expect(error.cause).toBe(cause);
});

test("a failure that the provider itself reported is passed on unchanged", () => {
  const cause = new ProviderError("acme", "acme: there is no such voice", { retryable: false });
  expect(toProviderError("acme")({ message: cause.message, retryable: true, cause })).toBe(cause);
});
