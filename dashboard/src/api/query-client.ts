import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { Refusal } from "./refusal.ts";

const RETRIES_MAX = 2;

/** Only what may succeed when it is asked again is asked again, and only reads: a request that changes something never is. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof Refusal && error.isOfNobody) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => error instanceof Refusal && error.retryable && failures < RETRIES_MAX,
      },
      mutations: { retry: false },
    },
  });
}
