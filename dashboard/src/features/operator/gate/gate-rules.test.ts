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

test("whoever opens the rules and saves them changes nothing, and nothing at all is a rule like any other", () => {
  expect(readGateForm(toGateForm(RULES))).toEqual(RULES);
});

test("what is emptied is lifted", () => {
  const emptied = {
    ...toGateForm(RULES),
    countries: " ",
    hoursStart: "",
    hoursEnd: "",
    mayIgnoreCallingHours: "" as const,
  };
  expect(readGateForm(emptied)).toMatchObject({ countries: null, callingHours: null, mayIgnoreCallingHours: null });
});

test("countries are understood by code and by name, once each, and what is none is said", () => {
  expect(readCountries("Germany, at; Swit\nDE, Atlantis")).toEqual({
    codes: ["DE", "AT", "CH"],
    unknown: ["Atlantis"],
  });
});
