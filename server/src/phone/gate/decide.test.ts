import type { GateRefusal } from "@parley/contract/gate";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decide, type GateFacts, type HoursFacts, type TrunkFacts } from "./decide.ts";
import { REFUSED_KINDS } from "./describe-number.ts";

const NOON = Date.parse("2026-07-01T12:00:00Z");
const NIGHT = Date.parse("2026-07-01T01:00:00Z");
const DAY_MS = 86_400_000;

const HOURS: HoursFacts = {
  policy: "wait",
  mayIgnore: true,
  hours: { start: "08:00", end: "21:00" },
  zones: ["UTC"],
  atMs: NOON,
  sinceMs: NOON,
};
const TRUNK: TrunkFacts = {
  number: { isValid: true, isEmergency: false, kind: "mobile", country: "DE" },
  ratePerMinuteMicros: 35_000n,
  rateMaxMicros: 500_000n,
  countries: null,
  velocity: {
    number: { calls: 0, callsMax: 10 },
    range: { calls: 0, callsMax: 100 },
    country: { calls: 0, callsMax: null },
  },
  hours: HOURS,
};
const FACTS: GateFacts = {
  isSuppressed: false,
  credit: { availableMicros: 10_000_000n, neededMicros: 60_000n },
  trunk: TRUNK,
};

const onTrunk = (trunk: Partial<TrunkFacts>): GateFacts => ({ ...FACTS, trunk: { ...TRUNK, ...trunk } });
const ofNumber = (number: Partial<TrunkFacts["number"]>) => onTrunk({ number: { ...TRUNK.number, ...number } });
const atHours = (hours: Partial<HoursFacts>) => onTrunk({ hours: { ...HOURS, ...hours } });
const full = { calls: 10, callsMax: 10 };

describe("the gate", () => {
  it("admits an ordinary call and reports what it found", () => {
    expect(decide(FACTS)).toEqual({
      decision: "allowed",
      reasons: [
        "valid_mobile",
        "country_DE",
        "rate_within_cap",
        "velocity_within_limits",
        "within_calling_hours",
        "not_suppressed",
        "credit_covers_it",
      ],
    });
  });

  const refusals: [GateRefusal, GateFacts][] = [
    ["emergency_number", ofNumber({ isEmergency: true, isValid: false })],
    ["invalid_number", ofNumber({ isValid: false })],
    ["premium_rate", ofNumber({ kind: "premium_rate" })],
    ["shared_cost", ofNumber({ kind: "shared_cost" })],
    ["satellite", ofNumber({ kind: "satellite", country: null })],
    ["personal_number", ofNumber({ kind: "personal_number" })],
    ["type_not_allowed", ofNumber({ kind: "other" })],
    ["country_not_allowed", ofNumber({ country: null })],
    ["country_not_allowed", onTrunk({ countries: ["AT", "CH"] })],
    ["no_rate", onTrunk({ ratePerMinuteMicros: null })],
    ["rate_above_cap", onTrunk({ ratePerMinuteMicros: 500_001n })],
    ["suppressed", { ...FACTS, isSuppressed: true }],
    ["number_velocity", onTrunk({ velocity: { number: full, range: full, country: { calls: 9, callsMax: null } } })],
    ["range_velocity", onTrunk({ velocity: { ...unlimited(), range: full } })],
    ["country_velocity", onTrunk({ velocity: { ...unlimited(), country: { calls: 0, callsMax: 0 } } })],
    ["outside_calling_hours", atHours({ policy: "fail", atMs: NIGHT })],
    ["outside_calling_hours", atHours({ hours: null })],
    ["outside_calling_hours", atHours({ atMs: NIGHT, sinceMs: NIGHT - DAY_MS + 3_600_000 })],
    ["time_zone_unknown", atHours({ zones: [] })],
    ["hours_may_not_be_ignored", atHours({ policy: "ignore", mayIgnore: false })],
    ["insufficient_credit", { ...FACTS, credit: { availableMicros: 59_999n, neededMicros: 60_000n } }],
  ];
  it.each(refusals)("refuses for %s", (reason, facts) => {
    const { decision, reasons } = decide(facts);
    expect(decision).toBe("refused");
    expect(reasons[0]).toBe(reason);
  });

  it("names every reason, the most serious first", () => {
    const facts = { ...ofNumber({ kind: "premium_rate" }), isSuppressed: true };
    expect(decide(facts).reasons).toEqual(["premium_rate", "suppressed"]);
  });

  it("has a call wait until the callee's hours begin", () => {
    const untilMs = Date.parse("2026-07-01T08:00:00Z");
    expect(decide(atHours({ atMs: NIGHT, sinceMs: NIGHT }))).toMatchObject({ decision: "waiting", untilMs });
  });

  it("lets a call ignore the hours where that is allowed, also without a time zone", () => {
    const { decision, reasons } = decide(atHours({ policy: "ignore", atMs: NIGHT, zones: [] }));
    expect(decision).toBe("allowed");
    expect(reasons).toContain("calling_hours_ignored");
  });

  it("asks on the simulated network for nothing but suppression and credit", () => {
    expect(decide({ ...FACTS, trunk: null })).toEqual({
      decision: "allowed",
      reasons: ["simulated_network", "not_suppressed", "credit_covers_it"],
    });
    expect(decide({ ...FACTS, trunk: null, isSuppressed: true }).decision).toBe("refused");
    const credit = { availableMicros: 0n, neededMicros: 1n };
    expect(decide({ ...FACTS, trunk: null, credit }).decision).toBe("refused");
  });

  it("does not report a credit check for a call that is not charged", () => {
    expect(decide({ ...FACTS, trunk: null, credit: null })).toEqual({
      decision: "allowed",
      reasons: ["simulated_network", "not_suppressed", "not_charged"],
    });
  });

  it("never lets a number through that is of a refused kind, without a rate or suppressed, whatever else is true", () => {
    const bad = fc.constantFrom<Partial<GateFacts> & { number?: Partial<TrunkFacts["number"]>; rate?: null }>(
      { isSuppressed: true },
      { number: { isValid: false } },
      { number: { isEmergency: true } },
      { rate: null },
      ...REFUSED_KINDS.map((kind) => ({ number: { kind } })),
    );
    const policy = fc.constantFrom("wait", "fail", "ignore") as fc.Arbitrary<HoursFacts["policy"]>;
    fc.assert(
      fc.property(bad, policy, fc.boolean(), fc.nat(2 * DAY_MS), (wrong, policy, isCounted, offset) => {
        const facts: GateFacts = {
          ...FACTS,
          isSuppressed: wrong.isSuppressed ?? false,
          trunk: {
            ...TRUNK,
            number: { ...TRUNK.number, ...wrong.number },
            ratePerMinuteMicros: wrong.rate === null ? null : 1n,
            velocity: isCounted ? null : TRUNK.velocity,
            hours: { ...HOURS, policy, atMs: NOON + offset, sinceMs: NOON },
          },
        };
        expect(decide(facts).decision).toBe("refused");
      }),
    );
  });
});

function unlimited() {
  const free = { calls: 0, callsMax: null };
  return { number: free, range: free, country: free };
}
