import type { PoolFailure } from "@parley/threads/pool";
import { ProviderError } from "@parley/voice/ports/provider-error";

/** Turns the failures of a pool into those of a provider. One that is a ProviderError already stays as it is. */
export function toProviderError(provider: string): (failure: PoolFailure) => ProviderError {
  return ({ message, retryable, cause }) =>
    cause instanceof ProviderError
      ? cause
      : new ProviderError(provider, `${provider}: ${message}`, { retryable, cause });
}
