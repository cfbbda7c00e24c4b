import type { NewCall } from "@parley/contract/calls";
import { AppError, type ErrorDetail, invalidField } from "@parley/contract/errors";
import type { Mode } from "@parley/contract/shared-fields";

/** Fields the contract has and this release does not act on yet: they are refused rather than ignored. */
export function refuseUnsupported(request: NewCall, mode: Mode): void {
  if (request.simulation && mode === "live") {
    throw invalidField("simulation", "test_only", "simulation works with test keys only.");
  }
  const details: ErrorDetail[] = unsupportedFields(request).map((param) => ({
    param,
    code: "not_supported_yet",
    message: "is not supported by this release yet",
  }));
  const [first] = details;
  if (first) throw new AppError("validation_failed", `${first.param} ${first.message}.`, { details });
}

function unsupportedFields(request: NewCall): string[] {
  const names: (keyof NewCall)[] = ["scheduledAt", "callingHours"];
  return names.filter((name) => request[name] !== undefined);
}
