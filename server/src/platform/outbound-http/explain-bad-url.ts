import { OutboundFailure } from "./outbound-failure.ts";
import type { OutboundPolicy } from "./outbound-policy.ts";
import { readTarget } from "./read-target.ts";

/**
 * Says in one sentence why a URL can never be requested, or null when only asking will tell. It is for the moment a URL
 * is saved; names are resolved and judged anew with each request.
 */
export function explainBadUrl(url: string, policy: OutboundPolicy): string | null {
  try {
    readTarget(url, policy);
    return null;
  } catch (error) {
    if (error instanceof OutboundFailure) return error.message;
    throw error;
  }
}
