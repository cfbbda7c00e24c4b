import type { LegEnd, LegEndedBy } from "../carrier.ts";

/** What the journal keeps about a request to create a call: enough for another process to find the call and end it. */
export interface StreamDialRecord {
  readonly carrier: string;
  readonly to: string;
  readonly from: string;
  /** Random, and known to the vendor as part of this call and of no other. */
  readonly callbackToken: string;
  readonly writtenAtMs: number;
  /** What the vendor calls the call; null until that is known. */
  readonly vendorCallId: string | null;
}

/** Null for what this carrier did not write. */
export function readDialRecord(carrier: string, record: object): StreamDialRecord | null {
  const { to, from, callbackToken, writtenAtMs, vendorCallId, ...read } = record as Partial<StreamDialRecord>;
  if (read.carrier !== carrier || typeof to !== "string" || typeof from !== "string") return null;
  if (typeof callbackToken !== "string" || typeof writtenAtMs !== "number") return null;
  return { carrier, to, from, callbackToken, writtenAtMs, vendorCallId: vendorCallId ?? null };
}

interface CreateCall {
  /** Names the request, for vendors that recognize a repeated one. */
  readonly dialId: string;
  readonly to: string;
  readonly from: string;
  readonly ringTimeoutS: number;
  readonly callbackToken: string;
  /** Opens one stream of this call. */
  readonly streamToken: string;
}

/**
 * What is known after a request to create a call. `unknown` may have rung a phone: the reply was lost, came too late, made no
 * sense, or was a 5xx, which vendors also send after they have dialed.
 */
export type CreateOutcome =
  | { readonly type: "created"; readonly vendorCallId: string }
  | { readonly type: "refused"; readonly end: LegEnd }
  | { readonly type: "unknown"; readonly reason: string };

/** What a vendor says about a call, in a callback or when asked. */
export type CallReport =
  | { readonly state: "dialing" | "ringing" | "answered" }
  | {
      readonly state: "ended";
      readonly wasAnswered: boolean;
      /** Who ended an answered call, where the vendor says so. */
      readonly by?: LegEndedBy;
      /** The end of a call that was not answered. */
      readonly unanswered: (hasRung: boolean) => LegEnd;
    };

interface TransferCall {
  readonly to: string;
  readonly from: string;
  readonly ringTimeoutS: number;
  readonly callbackToken: string;
  /** Names the request, for vendors that recognize a repeated one. */
  readonly dialId: string;
}

export interface Refusal {
  readonly status: number;
  readonly message: string;
}

/** What a stream carrier needs of its vendor's API. Nothing is retried behind it. */
export interface VendorCalls {
  /** As in texts for people. */
  readonly vendor: string;
  /** Sends the request exactly once. */
  create(call: CreateCall): Promise<CreateOutcome>;
  /** Finds the call of a request whose reply was lost. Null if the vendor does not show it (yet). */
  find(record: StreamDialRecord): Promise<{ readonly vendorCallId: string; readonly report: CallReport } | null>;
  /** Null when the vendor does not know the call. */
  fetch(vendorCallId: string): Promise<CallReport | null>;
  /** Ends a call in any state. True when the vendor confirmed it, or that it was over; false when a retry makes sense. */
  end(vendorCallId: string): Promise<boolean>;
  /** Connects the callee with another party. Null when the vendor accepted it, otherwise the reason. */
  transfer(vendorCallId: string, transfer: TransferCall): Promise<Refusal | null>;
  /** Presses keys, where the vendor has a command for it; otherwise they are sent as tones. */
  sendKeys?(vendorCallId: string, keys: string): Promise<void>;
}
