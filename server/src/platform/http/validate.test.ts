import { NewApiKey } from "@parley/contract/api-keys";
import { NewCall } from "@parley/contract/calls";
import { AppError } from "@parley/contract/errors";
import { describe, expect, test } from "vitest";
import { validate } from "./validate.ts";

const good = { phoneNumber: "+15550100001", agentId: "agt_1" };

function refusal(work: () => unknown): AppError {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error("it was accepted");
}
const details = (fields: object) => refusal(() => validate(NewCall, { ...good, ...fields })).details;

describe("what is wrong with a request", () => {
  test("is reported field by field, with the first in the message", () => {
    const error = refusal(() => validate(NewCall, { phoneNumber: "123", engin: "local" }));
    expect(error.message).toBe("phoneNumber must be a plus sign followed by 7 to 15 digits.");
    expect(error.details).toEqual([
      { param: "phoneNumber", code: "not_e164", message: "must be a plus sign followed by 7 to 15 digits" },
      { param: "agentId", code: "required", message: "is required" },
      { param: "engin", code: "unknown_field", message: "is not a field" },
    ]);
  });

  test.each([
    ["full-width digits", "+１５５５０１００００１"],
    ["Arabic digits", "+١٥٥٥٠١٠٠٠٠١"],
    ["an extension", "+15550100001;ext=5"],
    ["a space", "+1 5550100001"],
    ["no plus", "15550100001"],
    ["a leading zero", "+05550100001"],
    ["six digits", "+155501"],
    ["sixteen digits", "+1555010000123456"],
    ["a line break at the end", "+15550100001\n"],
  ])("a phone number with %s is not one", (_name, phoneNumber) => {
    expect(details({ phoneNumber })).toMatchObject([{ param: "phoneNumber", code: "not_e164" }]);
  });

  test("names nested fields and says what was expected", () => {
    expect(details({ metadata: { a: 1 } })).toEqual([
      { param: "metadata.a", code: "wrong_type", message: "must be a string" },
    ]);
    expect(details({ maxDurationSeconds: 7201 })).toEqual([
      { param: "maxDurationSeconds", code: "too_big", message: "must be at most 7200" },
    ]);
    expect(details({ maxDurationSeconds: 1.5 })).toMatchObject([
      { param: "maxDurationSeconds", message: "must be a whole number" },
    ]);
    expect(details({ callingHours: "never" })).toMatchObject([
      { param: "callingHours", code: "not_one_of", message: "must be one of wait, fail, ignore" },
    ]);
    expect(details({ simulation: { script: [{ waitMs: -1 }] } })).toMatchObject([
      { param: "simulation.script[0].waitMs", code: "too_small" },
    ]);
  });

  test("of an address list says that it must be an address or a range", () => {
    const error = refusal(() => validate(NewApiKey, { name: "k", mode: "test", allowedIps: ["10.0.0.300"] }));
    expect(error.details[0]).toMatchObject({ param: "allowedIps[0]" });
  });
});
