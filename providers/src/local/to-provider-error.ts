import type { PoolFailure } from "@parley/threads/pool";
import { ProviderError } from "@parley/voice/ports/provider-error";

/** Converts the failures of a pool into those of a provider. A ProviderError is returned unchanged. */
export function toProviderError(provider: string): (failure: PoolFailure) => ProviderError {
  return ({ message, retryable, cause }) =>
    cause instanceof ProviderError
      ? cause
      : new ProviderError(provider, `${provider}: ${message}`, { retryable, cause });
}
