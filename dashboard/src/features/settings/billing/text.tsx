import type { ReactNode } from "react";
import { inLanguage } from "../../../languages/texts.ts";

const english = {
  // billing-page.tsx
  billing: "Billing",
  lead: "Test calls cost nothing. Live calls are charged by the second, starting when they are answered.",
  leftToSpend: "Left to spend",
  leftToSpendNote: "In USD. The operator of this installation adds credit.",
  reserved: "Reserved",
  reservedNote: "For calls that are queued or live. The unused part is returned.",
  spentToday: "Spent today",
  ofDailyCap: (cap: string) => `Of your ${cap} daily cap (UTC).`,
  noDailyCap: "No daily cap. Days are in UTC.",
  costByDay: "Cost by day, agent and key",
  numberMistake: "Enter the number with its country code, such as +49 30 1234567.",
  whatACallCosts: "What a call costs",
  phoneNumber: "Phone number",
  withItsCountryCode: "With its country code.",
  lookUp: "Look up",
  rateOf: (number: ReactNode, country: string | null, prefix: string) => (
    <>
      {number}
      {country === null ? "" : `, ${country}`}: rate for numbers starting with {prefix}
    </>
  ),
  engine: "Engine",
  theLine: "Line",
  theEngine: "Engine",
  bothAMinute: "Total per minute",
  capsAndWarnings: "Caps and warnings",
  loadingCaps: "Loading caps",
  allCallsInADay: "All calls in a day",
  allCallsInADayHint:
    "When spending reaches this amount in a day (UTC), new calls are refused and live calls end politely. Leave empty for no cap.",
  oneCall: "One call",
  oneCallHint: "A call that reaches this cost ends politely. Leave empty for no cap.",
  oneNumberInADay: "One number in a day",
  oneNumberInADayHint: "Limits what repeated calls to the same number can cost. Leave empty for no cap.",
  creditLow: "Warn when the credit falls below",
  creditLowHint: "The credit.low webhook is sent once, and again only after a top-up.",
  noCap: "No cap",
  amountSaved: (label: string, amount: string | null) => `${label}: ${amount ?? "none"}.`,
  saveAmount: (label: string) => `Save: ${label}`,
  save: "Save",
  amountNeeded: "Enter an amount, such as 2.50.",
  amountMistake: "Enter an amount such as 5.00, with a decimal point.",

  // ledger.tsx
  ledger: "Ledger",
  loadingLedger: "Loading ledger",
  nothingYet: "Nothing yet",
  emptyLedger: "Credits and charges appear here.",
  theCall: "The call",
  exportCsv: "Export CSV",
  bookedAt: "Date",
  entry: "Entry",
  details: "Details",
  callId: "Call ID",
  amountUsd: "Amount (USD)",
  signUpCredit: "Free credit for a new account",
  creditAdded: "Credit was added",
  creditRemoved: "Credit was deducted",
  notCharged: (call: string) => `${call}, not charged`,
  call: "Call",
  callTo: (phoneNumber: string) => `Call to ${phoneNumber}`,
};

export type BillingText = typeof english;

export const billingText = inLanguage("settings/billing", english);
