import type { IntentRanker } from "@parley/voice/ports/intent-ranker";
import { ProviderError } from "@parley/voice/ports/provider-error";

/** Resolves once the ranker answers. On a busy machine loading it takes longer than the timeout of one request. */
export async function loadRanker(ranker: IntentRanker): Promise<void> {
  for (;;) {
    try {
      await ranker.rank("hello", [{ id: "hello", phrases: ["hello there"] }]);
      return;
    } catch (error) {
      if (!(error instanceof ProviderError && error.retryable)) throw error;
    }
  }
}
