import type { DialAttempt, DialJournal, LegEnd, WriteAheadDecision } from "@parley/telephony/carrier";

type JournaledEnd = Pick<LegEnd, "cause" | "code" | "reason"> & { readonly dialId: string };

export interface RecordingJournal extends DialJournal {
  /** What was written before it was sent, in order. */
  readonly attempts: readonly DialAttempt[];
  readonly answers: readonly DialAttempt[];
  readonly ends: readonly JournaledEnd[];
}

/** The journal of a call's owner, in this process: it allows everything to be sent and records it. */
export function recordingJournal(
  decide: (attempt: DialAttempt) => WriteAheadDecision = () => ({ decision: "send", afterMs: 0 }),
): RecordingJournal {
  const attempts: DialAttempt[] = [];
  const answers: DialAttempt[] = [];
  const ends: JournaledEnd[] = [];
  return {
    attempts,
    answers,
    ends,
    writeAhead: (attempt) => {
      attempts.push(attempt);
      return Promise.resolve(decide(attempt));
    },
    commitAnswer: (attempt) => {
      answers.push(attempt);
      return Promise.resolve();
    },
    noteEnd: (dialId, { cause, code, reason }) => {
      ends.push({ dialId, cause, code, reason });
    },
  };
}
