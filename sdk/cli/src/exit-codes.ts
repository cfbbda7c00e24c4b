import {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  CreditError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServiceError,
  ValidationError,
} from "@parley/sdk";

/** What the program ends with. Scripts rely on these numbers: they are documented and never change their meaning. */
export const EXIT = {
  ok: 0,
  /** Anything that has no number of its own. */
  failed: 1,
  usage: 2,
  signedOut: 3,
  notFound: 4,
  conflict: 5,
  refused: 6,
  unavailable: 7,
  /** The command worked, and what it ran did not: a call that failed, a scenario, a check. */
  unsuccessful: 8,
  stopped: 130,
} as const;

/** The codes of errors that do not come from the service, by exit code. */
const CODES: Readonly<Record<number, string>> = {
  [EXIT.usage]: "usage_error",
  [EXIT.signedOut]: "not_signed_in",
  [EXIT.notFound]: "not_found",
  [EXIT.conflict]: "conflict",
  [EXIT.refused]: "refused",
  [EXIT.unavailable]: "unavailable",
  [EXIT.unsuccessful]: "unsuccessful",
};

/** A failure with a message for the person at the terminal. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode;
  if (error instanceof AuthenticationError) return EXIT.signedOut;
  if (error instanceof NotFoundError) return EXIT.notFound;
  if (error instanceof ConflictError) return EXIT.conflict;
  if (error instanceof ValidationError || error instanceof PermissionError || error instanceof CreditError) {
    return EXIT.refused;
  }
  if (error instanceof RateLimitError || error instanceof ServiceError || error instanceof ConnectionError) {
    return EXIT.unavailable;
  }
  return EXIT.failed;
}

/** An error as the terminal shows it, and as `--json` does. */
export function describeError(error: unknown): { readonly text: string; readonly json: object } {
  if (error instanceof ApiError) {
    const { code, message, param, details, requestId } = error;
    const lines = details.filter((each) => each.message !== message).map((each) => `  ${each.param}: ${each.message}`);
    const text = [message, ...lines, ...(requestId ? [`  (request ${requestId})`] : [])].join("\n");
    return { text, json: { error: { code, message, param: param ?? null, details, requestId: requestId ?? null } } };
  }
  const message = error instanceof Error ? error.message : String(error);
  const code = CODES[exitCodeOf(error)] ?? "failed";
  return { text: message, json: { error: { code, message, param: null, details: [], requestId: null } } };
}
