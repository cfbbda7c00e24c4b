/** What a provider could not do, translated once at its adapter. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly provider: string;
  /** Whether the same request may well succeed later, or elsewhere. */
  readonly retryable: boolean;

  constructor(provider: string, message: string, options: { readonly retryable: boolean; readonly cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.provider = provider;
    this.retryable = options.retryable;
  }
}
