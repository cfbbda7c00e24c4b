import type { Call } from "@parley/contract/calls";
import type { TurnTiming } from "@parley/voice/ports/conversation-journal";

/** How quickly the agent answered, over the turns of a call so far. */
export class ReplyLatency {
  readonly #totalsMs: number[] = [];
  #interruptions = 0;

  note({ totalMs, interruptions }: TurnTiming): void {
    this.#totalsMs.push(totalMs);
    this.#interruptions += interruptions;
  }

  summary(): NonNullable<Call["latency"]> {
    const sorted = this.#totalsMs.toSorted((one, other) => one - other);
    return {
      responseMsP50: percentile(sorted, 0.5),
      responseMsP95: percentile(sorted, 0.95),
      turns: sorted.length,
      interruptions: this.#interruptions,
    };
  }
}

/** The smallest value that so large a share of them does not exceed; null of nothing. */
function percentile(sorted: readonly number[], share: number): number | null {
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  return value === undefined ? null : Math.round(value);
}
