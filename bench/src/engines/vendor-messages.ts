/** Where the stand-ins listen. */
export interface VendorUrls {
  readonly deepgram: string;
  readonly openai: string;
  readonly elevenlabs: string;
}

/** What the vendors of one turn took, by their own clock. */
export interface VendorTurn {
  /** The connection to recognition, and the turn on it. */
  readonly stream: number;
  readonly turn: number;
  /** When the callee stopped speaking, in milliseconds since the epoch. */
  readonly speechEndedMs: number;
  /** From there to the end of the turn, counted in audio. */
  readonly recognitionMs: number;
  /** From the request to the word that completed what was spoken first. */
  readonly modelMs: number;
  /** From the request to the first audio. */
  readonly synthesisMs: number;
  /** When each message was sent or arrived here, in milliseconds since the epoch. */
  readonly turnEndSentMs: number;
  readonly modelAskedMs: number;
  readonly clauseSentMs: number;
  readonly synthesisAskedMs: number;
  readonly audioSentMs: number;
}

export type VendorsCommand =
  | { readonly type: "start"; readonly reply: Int16Array }
  /** Forgets all turns so far. */
  | { readonly type: "reset" }
  | { readonly type: "collect" }
  | { readonly type: "stop" };

export type VendorsNotice =
  | { readonly type: "listening"; readonly urls: VendorUrls }
  | { readonly type: "turns"; readonly turns: readonly VendorTurn[] };
