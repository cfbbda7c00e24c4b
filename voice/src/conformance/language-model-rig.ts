import type { LanguageModel } from "../ports/language-model.ts";

/** How the model under test handles a request, in terms that every protocol supports. */
export type PlannedReply =
  | { readonly type: "reply"; readonly texts: readonly string[]; readonly calls?: readonly PlannedCall[] }
  /** Nothing is sent, not even a beginning. */
  | { readonly type: "silence" }
  /** Nothing more is sent after these words. */
  | { readonly type: "stall"; readonly texts: readonly string[] }
  /** The connection ends after these words and calls, before the reply was complete. */
  | { readonly type: "cut"; readonly texts: readonly string[]; readonly calls?: readonly PlannedCall[] }
  /** The vendor cannot answer now. */
  | { readonly type: "overloaded" }
  /** The vendor will never answer this. */
  | { readonly type: "rejected" };

interface PlannedCall {
  readonly id: string;
  readonly tool: string;
  readonly input: object;
}

/** What the conformance suite needs to know about the model under test; created for each test. */
export interface LanguageModelRig {
  readonly model: LanguageModel;
  /** Plans the next replies, in order. */
  plan(...replies: readonly PlannedReply[]): void;
  /** How many requests have reached the vendor. */
  requestsSeen(): number;
  /** Resolves once the vendor has received a request for everything that was planned. */
  allTakenUp(): Promise<void>;
  /** Resolves once no reply is in progress any more, as seen from the vendor's side. */
  nothingLeft(): Promise<void>;
  close(): Promise<void>;
}
