import type { DialAttempt, DialJournal, LegEnd, WriteAheadDecision } from "../../carrier.ts";

/** A journal in memory whose decisions are set by the test. */
export class MemoryJournal implements DialJournal {
  readonly written: DialAttempt[] = [];
  readonly answered: DialAttempt[] = [];
  readonly ends: { dialId: string; end: Pick<LegEnd, "cause" | "code" | "reason"> }[] = [];
  decide: (attempt: DialAttempt) => WriteAheadDecision | Promise<WriteAheadDecision> = () => ({
    decision: "send",
    afterMs: 0,
  });

  async writeAhead(attempt: DialAttempt): Promise<WriteAheadDecision> {
    const decision = await this.decide(attempt);
    // What a database keeps is a copy.
    if (decision.decision === "send") this.written.push(structuredClone(attempt));
    return decision;
  }

  async commitAnswer(attempt: DialAttempt): Promise<void> {
    this.answered.push(structuredClone(attempt));
  }

  noteEnd(dialId: string, end: Pick<LegEnd, "cause" | "code" | "reason">): void {
    this.ends.push({ dialId, end });
  }

  /** What another process finds of an attempt. */
  recordOf(dialId: string): DialAttempt | null {
    const isIt = (attempt: DialAttempt) => attempt.dialId === dialId;
    return this.answered.findLast(isIt) ?? this.written.findLast(isIt) ?? null;
  }
}
