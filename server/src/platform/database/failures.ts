/** Thrown when the outcome of a commit could not be learned: it may or may not have happened. */
export class CommitOutcomeUnknown extends Error {
  override readonly name = "CommitOutcomeUnknown";
}

/** Thrown when the database was lost and it is certain that nothing was committed. */
export class DatabaseAway extends Error {
  override readonly name = "DatabaseAway";
}

const SOCKET_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EHOSTUNREACH",
  "EAI_AGAIN",
]);
// PostgreSQL, appendix A: class 08 is connection trouble; 57P01-57P05 are shutdown, crash and "cannot connect now"; class 53
// is a lack of something that may be there again (room on the disk, memory, connections) and class 58 a disk that does not
// work; 57014 ends a statement that took too long; 25006 is what a fail-over shows while the server is still read-only; 25P03
// and 25P04 end a connection whose transaction took too long.
const SERVER_CODES = /^(08...|53...|57014|57P0[1-5]|58...|25006|25P0[34])$/;
const DRIVER_MESSAGES =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/;

/** Whether an error says that the database cannot be reached or cannot work now, rather than that it refused a statement. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof DatabaseAway) return true;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway);
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === "string" && (SOCKET_CODES.has(code) || SERVER_CODES.test(code))) return true;
  return DRIVER_MESSAGES.test(error.message);
}

/** The name of the constraint that refused a statement, if one did. */
export function violatedConstraint(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return typeof code === "string" && code.startsWith("23") && typeof constraint === "string" ? constraint : null;
}

/** PostgreSQL asks for a retry of the transaction: deadlock or serialization failure. */
export function isTransactionConflict(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === "40001" || code === "40P01";
}

/** A table has got another column since the statement was prepared, by a migration of a newer release. Nothing was done. */
export function isPlanOutdated(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return code === "0A000" && String(message).startsWith("cached plan must not change result type");
}
