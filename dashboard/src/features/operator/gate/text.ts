import { inLanguage } from "../../../languages/texts.ts";

const english = {
  // gate-page.tsx
  gate: "Calling rules",
  lead: "Which numbers accounts without their own rules may call over trunks. Emergency and premium-rate numbers are never called. Simulated calls are not affected.",
  loadingRules: "Loading rules",

  // gate-rules.tsx
  saved: "Calling rules saved. They also apply to calls that are waiting.",
  emptyNoLimit: "Leave empty for no limit.",
  emptyAsInstallation: (rule: string | null) => `Leave empty for the installation’s rule (${rule ?? "none"}).`,
  countriesAndPrices: "Countries and prices",
  onlyTheseCountries: "Only these countries",
  everyCountry: "All countries whose rate is within the cap",
  countriesHint: "Names or codes, separated by commas. Leave empty to allow all.",
  unknownCountries: (names: string) => `There is no country called ${names}.`,
  ratePerMinuteMax: "Maximum cost per minute (USD)",
  shutOut: (countries: string) => `This cap excludes ${countries}.`,
  partlyShutOut: (countries: string) => `It excludes some numbers, such as mobiles, in ${countries}.`,
  howOften: "How often",
  rangeMeaning:
    "A range is all numbers that differ only in their last three digits, such as the extensions of a company.",
  callsPerNumber: "Calls to one number per day",
  callsPerRange: "Calls to one range per hour",
  callsPerCountry: "Calls to one country per hour",
  when: "When",
  whenLead: "In the callee’s time zone.",
  notBefore: "Not before",
  notAfter: "Not after",
  mayIgnoreHours: "Calls can ignore calling hours",
  noRule: "No rule",
  asInstallation: (rule: "yes" | "no" | null) => `Same as the installation (${rule ?? "no rule"})`,
  yesIfAsked: "Yes, if the call requests it",
  no: "No",
  saveRules: "Save rules",
};

export type GateText = typeof english;

export const gateText = inLanguage("operator/gate", english);
