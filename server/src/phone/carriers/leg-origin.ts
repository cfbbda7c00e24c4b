import type { DialAttempt, DialJournal } from "@parley/telephony/carrier";

/** Where a leg was placed from: the machine, and the port its SIP listened on. */
export interface LegOrigin {
  readonly host: string;
  readonly port: number;
}

/** Writes into every record where the leg was placed from, so that whoever ends it later can do so from the same place. */
export function journalFrom(origin: LegOrigin, journal: DialJournal): DialJournal {
  const located = (attempt: DialAttempt): DialAttempt => ({
    ...attempt,
    record: attempt.record === null ? null : { ...attempt.record, origin },
  });
  return {
    writeAhead: (attempt) => journal.writeAhead(located(attempt)),
    commitAnswer: (attempt) => journal.commitAnswer(located(attempt)),
    noteEnd: (dialId, end) => journal.noteEnd(dialId, end),
  };
}

/** Null for a record that does not say. */
export function readLegOrigin(record: object | null | undefined): LegOrigin | null {
  const origin: unknown = record && "origin" in record ? record.origin : null;
  if (typeof origin !== "object" || origin === null || !("host" in origin) || !("port" in origin)) return null;
  const { host, port } = origin;
  return typeof host === "string" && typeof port === "number" ? { host, port } : null;
}
