import type { GateRefusal } from "@parley/contract/gate";
import { formatCountry } from "../../ui/format.ts";

const REFUSALS: Readonly<Record<GateRefusal, string>> = {
  emergency_number: "It reaches an emergency service",
  invalid_number: "There is no such number",
  premium_rate: "A premium-rate number",
  shared_cost: "A shared-cost number",
  satellite: "A satellite or international network",
  personal_number: "A personal number, charged like a premium-rate one",
  type_not_allowed: "Numbers of this kind are not called",
  country_not_allowed: "This country may not be called",
  no_rate: "There is no rate for it",
  rate_above_cap: "It costs more a minute than is allowed",
  suppressed: "It is on the suppression list",
  number_velocity: "Called as often today as it may be",
  range_velocity: "Too many calls to its neighbours in this hour",
  country_velocity: "Too many calls to its country in this hour",
  outside_calling_hours: "Outside the callee's calling hours",
  time_zone_unknown: "The callee's time zone is not known",
  hours_may_not_be_ignored: "Calling hours may not be ignored",
  insufficient_credit: "The credit does not cover it",
  spend_limit: "A spend cap is reached",
};

const FOUND: Readonly<Record<string, string>> = {
  simulated_network: "On the simulated network",
  not_suppressed: "Not on the suppression list",
  credit_covers_it: "The credit covers it",
  not_charged: "Not charged",
  rate_within_cap: "Its rate is within the cap",
  velocity_within_limits: "Not called too often",
  within_calling_hours: "Within the callee's calling hours",
  calling_hours_ignored: "Calling hours were ignored on request",
};

/** What the gate looked at, as one would say it. What it says in words not known here is shown as it is. */
export function gateReasonInWords(reason: string): string {
  if (Object.hasOwn(REFUSALS, reason)) return REFUSALS[reason as GateRefusal];
  if (Object.hasOwn(FOUND, reason)) return FOUND[reason] ?? reason;
  const [, country] = /^country_([A-Z]{2})$/.exec(reason) ?? [];
  if (country) return `In ${formatCountry(country)}, which may be called`;
  const [, kind] = /^valid_(\w+)$/.exec(reason) ?? [];
  if (kind) return `A valid number: ${kind.replaceAll("_", " ")}`;
  return reason.replaceAll("_", " ");
}
