import type { CallingHoursPolicy } from "@parley/contract/calls";
import type { CallingHours, GateRefusal } from "@parley/contract/gate";
import { HOURS_WAIT_MAX_MS, isWithinHours, nextOpening } from "./calling-hours.ts";
import { ALLOWED_KINDS, type NumberFacts } from "./describe-number.ts";

/** How often something was called in its window, and how often it may be; null where there is no rule. */
export interface VelocityFact {
  readonly calls: number;
  readonly callsMax: number | null;
}

export const VELOCITY_KINDS = ["number", "range", "country"] as const;
export type VelocityKind = (typeof VELOCITY_KINDS)[number];

interface CreditFacts {
  readonly availableMicros: bigint;
  /** What must still be set aside before the call is dialed; nothing once it is. */
  readonly neededMicros: bigint;
}

/** What is known only of numbers that would really be dialed. */
export interface TrunkFacts {
  readonly number: NumberFacts;
  /** Null when no rate but that for simulated calls covers the number. */
  readonly ratePerMinuteMicros: bigint | null;
  readonly rateMaxMicros: bigint | null;
  /** Null: every country. */
  readonly countries: readonly string[] | null;
  /** Null when the call was counted already. */
  readonly velocity: Readonly<Record<VelocityKind, VelocityFact>> | null;
  readonly hours: HoursFacts;
}

export interface HoursFacts {
  readonly policy: CallingHoursPolicy;
  readonly mayIgnore: boolean;
  /** Undefined: no hours are set. Null: the rules leave none. */
  readonly hours: CallingHours | null | undefined;
  readonly zones: readonly string[];
  /** When the call is to be dialed. */
  readonly atMs: number;
  /** When it was requested, or the time it was scheduled for: it waits at most a day from then. */
  readonly sinceMs: number;
}

export interface GateFacts {
  readonly isSuppressed: boolean;
  /** Null for a call that is not charged. */
  readonly credit: CreditFacts | null;
  /** Null on the simulated network. */
  readonly trunk: TrunkFacts | null;
}

export type GateDecision =
  | { readonly decision: "allowed"; readonly reasons: readonly string[] }
  | { readonly decision: "waiting"; readonly reasons: readonly string[]; readonly untilMs: number }
  | { readonly decision: "refused"; readonly reasons: readonly [GateRefusal, ...GateRefusal[]] };

/** The one place that says whether a number may be called now, and why. All refusals are named, the gravest first. */
export function decide(facts: GateFacts): GateDecision {
  const { trunk } = facts;
  const hours = trunk === null ? null : judgeHours(trunk.hours);
  const refusals: GateRefusal[] = [
    ...(trunk === null ? [] : refusalsOfNumber(trunk)),
    ...(facts.isSuppressed ? (["suppressed"] as const) : []),
    ...(trunk?.velocity ? refusalsOfVelocity(trunk.velocity) : []),
    ...(hours?.decision === "refused" ? [hours.refusal] : []),
    ...(isCovered(facts.credit) ? [] : (["insufficient_credit"] as const)),
  ];
  const [first, ...others] = refusals;
  if (first !== undefined) return { decision: "refused", reasons: [first, ...others] };
  if (hours?.decision === "waiting")
    return { decision: "waiting", reasons: ["outside_calling_hours"], untilMs: hours.untilMs };
  const money = facts.credit === null ? "not_charged" : "credit_covers_it";
  return { decision: "allowed", reasons: [...whatWasFound(trunk), "not_suppressed", money] };
}

function isCovered(credit: CreditFacts | null): boolean {
  return credit === null || credit.neededMicros <= credit.availableMicros;
}

function whatWasFound(trunk: TrunkFacts | null): string[] {
  if (trunk === null) return ["simulated_network"];
  const { kind, country } = trunk.number;
  const hours = trunk.hours.policy === "ignore" ? "calling_hours_ignored" : "within_calling_hours";
  return [`valid_${kind}`, `country_${country}`, "rate_within_cap", "velocity_within_limits", hours];
}

function refusalsOfNumber({ number, ratePerMinuteMicros, rateMaxMicros, countries }: TrunkFacts): GateRefusal[] {
  if (number.isEmergency) return ["emergency_number"];
  if (number.kind === "satellite") return ["satellite"];
  if (!number.isValid) return ["invalid_number"];
  const refusals: GateRefusal[] = [];
  const { kind, country } = number;
  if (kind === "premium_rate" || kind === "shared_cost" || kind === "personal_number") refusals.push(kind);
  else if (!(ALLOWED_KINDS as readonly string[]).includes(kind)) refusals.push("type_not_allowed");
  if (country === null || (countries !== null && !countries.includes(country))) refusals.push("country_not_allowed");
  if (ratePerMinuteMicros === null) refusals.push("no_rate");
  else if (rateMaxMicros !== null && ratePerMinuteMicros > rateMaxMicros) refusals.push("rate_above_cap");
  return refusals;
}

function refusalsOfVelocity(velocity: Readonly<Record<VelocityKind, VelocityFact>>): GateRefusal[] {
  return VELOCITY_KINDS.filter((kind) => {
    const { calls, callsMax } = velocity[kind];
    return callsMax !== null && calls >= callsMax;
  }).map((kind) => `${kind}_velocity` as const);
}

type HoursRefusal = Extract<GateRefusal, "outside_calling_hours" | "time_zone_unknown" | "hours_may_not_be_ignored">;

type HoursDecision =
  | { readonly decision: "open" }
  | { readonly decision: "waiting"; readonly untilMs: number }
  | { readonly decision: "refused"; readonly refusal: HoursRefusal };

function judgeHours({ policy, mayIgnore, hours, zones, atMs, sinceMs }: HoursFacts): HoursDecision {
  if (policy === "ignore" && !mayIgnore) return { decision: "refused", refusal: "hours_may_not_be_ignored" };
  if (policy === "ignore" || hours === undefined) return { decision: "open" };
  if (hours === null) return { decision: "refused", refusal: "outside_calling_hours" };
  if (zones.length === 0) return { decision: "refused", refusal: "time_zone_unknown" };
  if (isWithinHours(hours, zones, atMs)) return { decision: "open" };
  const untilMs = policy === "fail" ? null : nextOpening(hours, zones, atMs, sinceMs + HOURS_WAIT_MAX_MS);
  return untilMs === null
    ? { decision: "refused", refusal: "outside_calling_hours" }
    : { decision: "waiting", untilMs };
}
