import type { ThreadedEnd } from "../../rtp/testing/threaded-end.ts";
import type { LocalMedia } from "../../sdp/offer-answer.ts";
import type { HeaderLine, ReceivedRequest } from "../../sip/message/message.ts";

/** What a callee at the far end does. All delays count from the step before. */
export interface FarPlan {
  /** Null rings no phone. */
  readonly ringsAfterMs?: number | null;
  /** Sends an announcement with the ringing. */
  readonly hasEarlyMedia?: boolean;
  readonly refuses?: { readonly status: number; readonly reason?: string; readonly headers?: readonly HeaderLine[] };
  /** Null never answers. */
  readonly answersAfterMs?: number | null;
  readonly hangsUpAfterMs?: number | null;
  readonly says?: Int16Array;
  readonly presses?: string;
  /** What the description of the answer is changed into. */
  readonly changeAnswer?: (sdp: string) => string | undefined;
  readonly srtp?: LocalMedia["srtp"];
  /** Says nothing at all, or nothing after a 100. */
  readonly isSilent?: "from the beginning" | "after trying";
}

/** One call as the far end sees it. */
export interface FarCall {
  readonly invite: ReceivedRequest;
  readonly plan: FarPlan;
  readonly tag: string;
  state: "new" | "ringing" | "talking" | "over";
  timesRung: number;
  end: ThreadedEnd | null;
  /** All it heard since it answered. */
  heard: number[];
}
