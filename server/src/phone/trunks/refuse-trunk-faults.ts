import { AppError } from "@parley/contract/errors";
import { findTrunkFaults, type TrunkCredentials } from "@parley/contract/trunks";

/** Refuses fields that make no sense together, all of them at once. */
export function refuseTrunkFaults(trunk: TrunkCredentials): void {
  const details = findTrunkFaults(trunk);
  const [first] = details;
  if (first) throw new AppError("validation_failed", `${first.param} ${first.message}.`, { details });
}

/** What comes from the configuration file would be put back at the next start, so it is changed there. */
export function refuseManaged(what: { readonly managed_by: "operator" | "configuration" }, name: string): void {
  if (what.managed_by !== "configuration") return;
  throw new AppError(
    "invalid_state",
    `${name} is managed by configuration. Change it in the file that PARLEY_TRUNKS names, and start again.`,
  );
}
