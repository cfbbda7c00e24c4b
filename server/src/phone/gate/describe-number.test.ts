import google from "google-libphonenumber";
import { getCountries } from "libphonenumber-js/max";
import { describe, expect, it } from "vitest";
import { calleeZones } from "./callee-zones.ts";
import { ALLOWED_KINDS, describeNumber } from "./describe-number.ts";

describe("what a number is", () => {
  it.each([
    ["+4930123456", "fixed_line", "DE"],
    ["+4915123456789", "mobile", "DE"],
    ["+12025550143", "fixed_line_or_mobile", "US"],
    ["+18005550143", "toll_free", "US"],
    ["+19002345678", "premium_rate", "US"],
    ["+449012345678", "premium_rate", "GB"],
    ["+611300123456", "shared_cost", "AU"],
    ["+447012345678", "personal_number", "GB"],
    ["+447797712345", "mobile", "JE"],
    ["+870773111632", "satellite", null],
    ["+881612345678", "satellite", null],
    ["+882131234567", "satellite", null],
  ])("%s is recognized: %s in %s", (phoneNumber, kind, country) => {
    expect(describeNumber(phoneNumber)).toMatchObject({ kind, country, isEmergency: false });
  });

  it.each(["+15550100001", "+9990000000", "+491", "+10005550100"])("%s is not in any numbering plan", (phoneNumber) => {
    expect(describeNumber(phoneNumber)).toMatchObject({ isValid: false, kind: "other" });
  });

  it.each(["+1911", "+19115550100", "+44999", "+440999", "+49112", "+490112000", "+33112", "+61000"])(
    "%s would reach an emergency service",
    (phoneNumber) => {
      expect(describeNumber(phoneNumber).isEmergency).toBe(true);
    },
  );

  it("takes no ordinary number of any region for an emergency, and knows every kind it may call", () => {
    const plan = google.PhoneNumberUtil.getInstance();
    const wrong: string[] = [];
    for (const region of getCountries()) {
      for (const type of [google.PhoneNumberType.FIXED_LINE, google.PhoneNumberType.MOBILE]) {
        const example = plan.getExampleNumberForType(region, type);
        if (!example?.getNationalNumberOrDefault()) continue;
        const phoneNumber = plan.format(example, google.PhoneNumberFormat.E164);
        const facts = describeNumber(phoneNumber);
        const isRight = !facts.isEmergency && (ALLOWED_KINDS as readonly string[]).includes(facts.kind);
        if (facts.isValid && !isRight) wrong.push(`${region} ${phoneNumber}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe("where a callee may be", () => {
  it.each([
    ["+12025550143", ["America/New_York"]],
    ["+14155550143", ["America/Los_Angeles"]],
    ["+4930123456", ["Europe/Berlin"]],
  ])("follows from the number: %s", async (phoneNumber, zones) => {
    expect(await calleeZones(phoneNumber)).toEqual(zones);
  });

  it("is every zone of the plan where the number identifies no area", async () => {
    expect((await calleeZones("+18005550143")).length).toBeGreaterThan(10);
  });

  it("is not known of numbers without a country", async () => {
    expect(await calleeZones("+88312345678")).toEqual([]);
  });
});
