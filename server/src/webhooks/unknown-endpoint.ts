import { AppError } from "@parley/contract/errors";

/** The same whether somebody else has it or nobody. */
export function unknownEndpoint(): AppError {
  return new AppError("not_found", "The account has no such webhook endpoint in this mode.");
}

export function unknownDelivery(): AppError {
  return new AppError("not_found", "The account has no such delivery in this mode.");
}
