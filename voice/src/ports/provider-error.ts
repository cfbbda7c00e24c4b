/** What a provider could not do, translated once at its adapter. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly provider: string;
  /** Whether the same request may succeed later, or elsewhere. */
  readonly retryable: boolean;

  /** How long the provider asks not to be called; null if it does not say. */
  readonly retryAfterMs: number | null;

  constructor(
    provider: string,
    message: string,
    options: { readonly retryable: boolean; readonly cause?: unknown; readonly retryAfterMs?: number | null },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.provider = provider;
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/** The reason of a failure as a text that is never empty. */
export function reasonOf(error: unknown): string {
  const text = (error instanceof Error ? error.message : String(error)).trim();
  return text === "" ? `an error without a message (${error instanceof Error ? error.name : typeof error})` : text;
}
