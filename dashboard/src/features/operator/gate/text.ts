import { inLanguage } from "../../../languages/texts.ts";

const english = {
  // gate-page.tsx
  gate: "Gate",
  lead: "Who may be called on trunks, by every account that has no rules of its own. Emergency and premium numbers never are; simulated calls know none of these rules.",
  loadingRules: "Loading the rules",

  // gate-rules.tsx
  saved: "The gate was changed. Calls that wait are judged by the new rules.",
  emptyNoLimit: "Empty: no limit.",
  emptyAsInstallation: (rule: string | null) => `Empty: the installation's rule (${rule ?? "none"}).`,
  countriesAndPrices: "Countries and prices",
  onlyTheseCountries: "Only these countries",
  everyCountry: "Every country whose rate is not above the cap",
  countriesHint: "By name or code, with commas. Empty: every country.",
  unknownCountries: (names: string) => `There is no country called ${names}.`,
  ratePerMinuteMax: "Most a minute may cost, in USD",
  shutOut: (countries: string) => `This cap shuts out ${countries}.`,
  partlyShutOut: (countries: string) => `It shuts out some numbers, such as mobiles, in ${countries}.`,
  howOften: "How often",
  rangeMeaning:
    "A range is all numbers that differ in their last three digits only, such as the extensions of a company.",
  callsPerNumber: "Calls to one number a day",
  callsPerRange: "Calls to one range an hour",
  callsPerCountry: "Calls to one country an hour",
  when: "When",
  whenLead: "In the callee's own time zone.",
  notBefore: "Not before",
  notAfter: "Not after",
  mayIgnoreHours: "A call may ignore them",
  noRule: "No rule",
  asInstallation: (rule: "yes" | "no" | null) => `As the installation (${rule ?? "no rule"})`,
  yesIfAsked: "Yes, when it says so",
  no: "No",
  saveRules: "Save the rules",
};

export type GateText = typeof english;

export const gateText = inLanguage("operator/gate", english);
