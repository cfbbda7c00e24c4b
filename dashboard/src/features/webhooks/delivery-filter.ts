import type { DeliveredType, DeliveryStatus } from "@parley/contract/webhook-deliveries";
import { DELIVERY_WORDS, EVENT_MEANINGS } from "./webhook-words.ts";

/** What the deliveries of an endpoint are narrowed to. It lives in the address. */
export interface DeliveryFilter {
  readonly status?: DeliveryStatus;
  readonly eventType?: DeliveredType;
}

const isKeyOf = <Key extends string>(words: Readonly<Record<Key, string>>, value: unknown): value is Key =>
  typeof value === "string" && Object.hasOwn(words, value);

/** What is not understood is left out: an old link still opens. */
export function readDeliveryFilter({ status, eventType }: Record<string, unknown>): DeliveryFilter {
  return {
    ...(isKeyOf(DELIVERY_WORDS, status) ? { status } : {}),
    ...(isKeyOf(EVENT_MEANINGS, eventType) ? { eventType } : {}),
  };
}
