import type { GateRules, GateRulesChanges } from "@parley/contract/gate";
import { findCountry } from "../../ui/country.ts";

/** What a person fills in. What is left empty is no rule, or for an account the installation's. */
export interface GateForm {
  countries: string;
  ratePerMinuteMax: string;
  callsPerNumberAndDay: string;
  callsPerRangeAndHour: string;
  callsPerCountryAndHour: string;
  hoursStart: string;
  hoursEnd: string;
  mayIgnoreCallingHours: "" | "yes" | "no";
}

export function toGateForm(rules: Omit<GateRules, "shutOutByCap">): GateForm {
  const text = (value: number | string | null) => (value === null ? "" : String(value));
  return {
    countries: rules.countries?.join(", ") ?? "",
    ratePerMinuteMax: text(rules.ratePerMinuteMax),
    callsPerNumberAndDay: text(rules.callsPerNumberAndDay),
    callsPerRangeAndHour: text(rules.callsPerRangeAndHour),
    callsPerCountryAndHour: text(rules.callsPerCountryAndHour),
    hoursStart: rules.callingHours?.start ?? "",
    hoursEnd: rules.callingHours?.end ?? "",
    mayIgnoreCallingHours: rules.mayIgnoreCallingHours === null ? "" : rules.mayIgnoreCallingHours ? "yes" : "no",
  };
}

export interface ReadCountries {
  readonly codes: readonly string[];
  readonly unknown: readonly string[];
}

/** Reads countries by code or by name, with commas or line breaks between them. */
export function readCountries(text: string): ReadCountries {
  const words = text
    .split(/[,;\n]+/)
    .map((word) => word.trim())
    .filter(Boolean);
  const found = words.map((word) => ({ word, country: findCountry(word) }));
  return {
    codes: [...new Set(found.flatMap(({ country }) => country?.code ?? []))],
    unknown: found.filter(({ country }) => country === null).map(({ word }) => word),
  };
}

/** What the API is sent: all rules, so that what was emptied is lifted. */
export function readGateForm(form: GateForm): GateRulesChanges {
  const number = (text: string) => (text.trim() === "" ? null : Number(text));
  const { codes } = readCountries(form.countries);
  const hasHours = form.hoursStart !== "" || form.hoursEnd !== "";
  return {
    countries: codes.length === 0 ? null : [...codes],
    ratePerMinuteMax: form.ratePerMinuteMax.trim().replace(/^\$/, "") || null,
    callsPerNumberAndDay: number(form.callsPerNumberAndDay),
    callsPerRangeAndHour: number(form.callsPerRangeAndHour),
    callsPerCountryAndHour: number(form.callsPerCountryAndHour),
    callingHours: hasHours ? { start: form.hoursStart, end: form.hoursEnd } : null,
    mayIgnoreCallingHours: form.mayIgnoreCallingHours === "" ? null : form.mayIgnoreCallingHours === "yes",
  };
}
