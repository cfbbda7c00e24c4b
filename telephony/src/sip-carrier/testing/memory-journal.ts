import type { DialAttempt, DialJournal, LegEnd, WriteAheadVerdict } from "../../carrier.ts";

/** A journal that only remembers, and says what a test tells it to. */
export class MemoryJournal implements DialJournal {
  readonly written: DialAttempt[] = [];
  readonly answered: DialAttempt[] = [];
  readonly ends: { dialId: string; end: Pick<LegEnd, "cause" | "code" | "reason"> }[] = [];
  verdictOf: (attempt: DialAttempt) => WriteAheadVerdict | Promise<WriteAheadVerdict> = () => ({
    verdict: "send",
    afterMs: 0,
  });

  async writeAhead(attempt: DialAttempt): Promise<WriteAheadVerdict> {
    const verdict = await this.verdictOf(attempt);
    // What a database keeps is a copy.
    if (verdict.verdict === "send") this.written.push(structuredClone(attempt));
    return verdict;
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
