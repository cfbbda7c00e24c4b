import type { ReceivedResponse } from "./message.ts";
import { headerNumber, headerTokens } from "./read-headers.ts";

/**
 * RFC 3262: which reliable provisional responses of one early dialog were acknowledged, as a value: the RSeq of the last
 * one, null before the first.
 */
export type RingingState = number | null;

export type RingingVerdict =
  /** Not reliable: nothing to acknowledge. */
  | { readonly kind: "plain" }
  | { readonly kind: "acknowledge"; readonly state: RingingState; readonly rack: string }
  /** Repeated, or one before it is still missing: as if it had not come (RFC 3262 section 4). */
  | { readonly kind: "ignore" };

export function judgeProvisional(state: RingingState, response: ReceivedResponse): RingingVerdict {
  const rseq = headerNumber(response, "RSeq");
  if (response.status === 100 || rseq === null || !headerTokens(response, "Require").has("100rel"))
    return { kind: "plain" };
  if (state !== null && rseq !== state + 1) return { kind: "ignore" };
  const { number, method } = response.essentials.cseq;
  return { kind: "acknowledge", state: rseq, rack: `${rseq} ${number} ${method}` };
}
