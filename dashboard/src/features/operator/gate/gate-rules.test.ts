import { expect, test } from "vitest";
import { readCountries, readGateForm, toGateForm } from "./gate-rules.tsx";

const RULES = {
  countries: ["DE", "AT"],
  ratePerMinuteMax: "0.50",
  callsPerNumberAndDay: 0,
  callsPerRangeAndHour: null,
  callsPerCountryAndHour: 3000,
  callingHours: { start: "08:00", end: "21:00" },
  mayIgnoreCallingHours: false,
};

test("opening the rules and saving them changes nothing, and an empty value is a rule like any other", () => {
  expect(readGateForm(toGateForm(RULES))).toEqual(RULES);
});

test("an emptied rule is lifted", () => {
  const emptied = {
    ...toGateForm(RULES),
    countries: " ",
    hoursStart: "",
    hoursEnd: "",
    mayIgnoreCallingHours: "" as const,
  };
  expect(readGateForm(emptied)).toMatchObject({ countries: null, callingHours: null, mayIgnoreCallingHours: null });
});

test("countries are recognized by code and by name, once each, and unknown ones are reported", () => {
  expect(readCountries("Germany, at; Swit\nDE, Atlantis")).toEqual({
    codes: ["DE", "AT", "CH"],
    unknown: ["Atlantis"],
  });
});
