import { AppError } from "@parley/contract/errors";

/** The same for an agent that never was, one that was deleted, and one of another account. */
export function unknownAgent(): AppError {
  return new AppError("agent_not_found", "The account has no such agent.");
}
