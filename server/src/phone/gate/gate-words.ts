import type { EndReason } from "@parley/contract/calls";
import { AppError } from "@parley/contract/errors";
import type { GateRefusal } from "@parley/contract/gate";

const MEANINGS: Readonly<Record<GateRefusal, string>> = {
  emergency_number: "The number reaches an emergency service.",
  invalid_number: "There is no such number in the numbering plan of its country.",
  premium_rate: "The number is a premium-rate number.",
  shared_cost: "The number is a shared-cost number.",
  satellite: "The number belongs to a satellite or international network.",
  personal_number: "The number is a personal number, which is charged like a premium-rate one.",
  type_not_allowed: "Numbers of this type are not called.",
  country_not_allowed: "The account may not call this country.",
  no_rate: "There is no rate for calls to this number.",
  rate_above_cap: "Calls to this number cost more per minute than is allowed.",
  suppressed: "The number is on the account's suppression list.",
  number_velocity: "The daily limit of calls to this number is reached.",
  range_velocity: "The hourly limit of calls to this number range is reached.",
  country_velocity: "The hourly limit of calls to this country is reached.",
  outside_calling_hours: "It is outside the calling hours in the callee's own time zone.",
  time_zone_unknown: "The callee's time zone is unknown, so calling hours cannot be checked.",
  hours_may_not_be_ignored: "Calling hours cannot be ignored here.",
  insufficient_credit: "The account's credit does not cover this.",
  spend_limit: "A spend cap is reached.",
};

/** The message to a client whose call is refused. */
export function refuseByGate(reasons: readonly [GateRefusal, ...GateRefusal[]]): AppError {
  const [first] = reasons;
  if (first === "insufficient_credit") return new AppError("insufficient_credit", MEANINGS[first]);
  if (first === "spend_limit") return new AppError("spend_limit_reached", MEANINGS[first]);
  const details = reasons.map((code) => ({ param: "phoneNumber", code, message: MEANINGS[code] }));
  return new AppError("destination_not_allowed", MEANINGS[first], { param: "phoneNumber", details });
}

/** How a call ends that is refused right before dialing. */
export function endReasonOf(refusal: GateRefusal): EndReason {
  switch (refusal) {
    case "suppressed":
    case "insufficient_credit":
    case "spend_limit":
    case "outside_calling_hours":
    case "invalid_number":
      return refusal;
    case "time_zone_unknown":
    case "hours_may_not_be_ignored":
      return "outside_calling_hours";
    default:
      return "destination_blocked";
  }
}

export function meaningOf(refusal: GateRefusal): string {
  return MEANINGS[refusal];
}
