import type { Flow } from "@parley/contract/flow";
import { joinPronunciations, type Pronunciation } from "@parley/contract/pronunciations";

/** What an account sets for how all of its agents speak. */
export interface AccountSpeech {
  /** Null: the default of the service. */
  readonly disclosure: string | null;
  readonly pronunciations: readonly Pronunciation[];
}

/**
 * The flow with the account's settings for what it leaves open. An agent with its own disclosure, or explicitly none, keeps it; its
 * own pronunciations come before those of the account.
 */
export function withAccountSpeech(flow: Flow, { disclosure, pronunciations }: AccountSpeech): Flow {
  const isOpen = disclosure !== null && flow.settings?.disclosure === undefined;
  if (!isOpen && pronunciations.length === 0) return flow;
  const all = joinPronunciations(flow.settings?.pronunciations ?? [], pronunciations);
  return {
    ...flow,
    settings: {
      ...flow.settings,
      ...(isOpen ? { disclosure } : {}),
      ...(all.length > 0 ? { pronunciations: all } : {}),
    },
  };
}
