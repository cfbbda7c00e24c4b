import type { Clock } from "@parley/time/clock";

/** How a model is reached. */
export interface ModelAccess {
  /** The vendor's name for the model. */
  readonly model: string;
  readonly apiKey: string | null;
  /** Null for the vendor's default. */
  readonly baseUrl: string | null;
  /** Used for every request. It must not follow redirects: they would carry the key elsewhere. */
  readonly fetch: typeof fetch;
  readonly clock: Clock;
}

/** How a model of a vendor is reached. */
export interface KeyedModelAccess extends Omit<ModelAccess, "baseUrl" | "apiKey"> {
  readonly apiKey: string;
  readonly baseUrl?: string;
}

/** How to reach a model at a URL set by the operator. */
export interface OwnModelAccess extends ModelAccess {
  readonly baseUrl: string;
}
