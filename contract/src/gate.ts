import { z } from "zod";
import { Usd, UsdInput } from "./money.ts";

/** The reasons for which the gate refuses a number. */
export const GATE_REFUSALS = [
  "emergency_number",
  "invalid_number",
  "premium_rate",
  "shared_cost",
  "satellite",
  "personal_number",
  "type_not_allowed",
  "country_not_allowed",
  "no_rate",
  "rate_above_cap",
  "suppressed",
  "number_velocity",
  "range_velocity",
  "country_velocity",
  "outside_calling_hours",
  "time_zone_unknown",
  "hours_may_not_be_ignored",
  "insufficient_credit",
  "spend_limit",
] as const;
export type GateRefusal = (typeof GATE_REFUSALS)[number];

const GATE_DECISIONS = ["allowed", "waiting", "refused"] as const;

export const GateRecord = z
  .strictObject({
    decision: z.enum(GATE_DECISIONS).meta({
      description: "`waiting`: outside the callee's calling hours; the call is dialed when they begin.",
    }),
    reasons: z
      .array(z.string())
      .meta({ description: `The checks that passed, or the reasons for a refusal: ${GATE_REFUSALS.join(", ")}.` }),
  })
  .meta({
    id: "GateRecord",
    description: "The latest decision on whether the number may be called, with the reasons.",
  });
export type GateRecord = z.infer<typeof GateRecord>;

const TimeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time of day such as 09:00")
  .meta({ example: "09:00" });

export const CallingHours = z
  .strictObject({ start: TimeOfDay, end: TimeOfDay })
  .refine(({ start, end }) => start < end, { message: "must end after they begin", path: ["end"] })
  .meta({ id: "CallingHours", description: "From `start` until before `end`, in the callee's own time zone." });
export type CallingHours = z.infer<typeof CallingHours>;

const Country = z.string().regex(/^[A-Z]{2}$/, "must be an ISO 3166 code such as DE");
const callsMax = z.int().min(0).max(1_000_000);

export const GateRules = z
  .strictObject({
    countries: z.array(Country).nullable().meta({
      description: "Only these countries, by ISO 3166 code; `null`: every country whose rate is not above the cap.",
    }),
    ratePerMinuteMax: Usd.nullable().meta({
      description: "Numbers with a higher price per minute are not called. `null`, the default: no cap.",
    }),
    callsPerNumberAndDay: z.int().nullable(),
    callsPerRangeAndHour: z
      .int()
      .nullable()
      .meta({ description: "A range is all numbers that differ only in their last three digits." }),
    callsPerCountryAndHour: z.int().nullable(),
    callingHours: CallingHours.nullable(),
    mayIgnoreCallingHours: z
      .boolean()
      .nullable()
      .meta({ description: "Whether a call may use `callingHours: ignore`." }),
    shutOutByCap: z
      .strictObject({
        countries: z
          .array(Country)
          .meta({ description: "Countries in which every number costs more than `ratePerMinuteMax`." }),
        partly: z.array(Country).meta({ description: "Countries in which some numbers do, such as mobiles." }),
      })
      .meta({
        description:
          "The countries that the price cap excludes, according to the current rates. A rate belongs to the country that its description begins with.",
      }),
  })
  .meta({ id: "GateRules", description: "Who may be called on trunks. The rules do not apply to simulated calls." });
export type GateRules = z.infer<typeof GateRules>;

export const GateRulesChanges = z
  .strictObject({
    countries: z.array(Country).max(300).nullable().optional(),
    ratePerMinuteMax: UsdInput.nullable().optional(),
    callsPerNumberAndDay: callsMax.nullable().optional(),
    callsPerRangeAndHour: callsMax.nullable().optional(),
    callsPerCountryAndHour: callsMax.nullable().optional(),
    callingHours: CallingHours.nullable().optional(),
    mayIgnoreCallingHours: z.boolean().nullable().optional(),
  })
  .refine((changes) => Object.keys(changes).length > 0, "must change at least one field")
  .meta({ id: "GateRulesChanges" });
export type GateRulesChanges = z.infer<typeof GateRulesChanges>;
