import { inLanguage } from "../../../languages/texts.ts";

const english = {
  // account-page.tsx
  account: "Account",
  accounts: "Accounts",
  loadingAccount: "Loading the account",
  loadingRules: "Loading the rules",
  whomItMayCall: "Whom it may call",
  notFound: "There is no such account",
  notFoundText: "The address may be wrong.",
  goToAccounts: "Go to accounts",
  creditChanged: (account: string, balance: string) => `${account} now has ${balance}.`,
  credit: "Credit",
  leftToSpend: "left to spend",
  whatToDo: "What to do",
  giveCredit: "Give credit",
  takeCreditAway: "Take credit away",
  amountInUsd: "Amount in USD",
  whyOptional: "Why (optional)",
  whyHint: "The account sees it in its ledger.",
  changeCredit: "Change the credit",
  limitsChanged: (account: string) => `The limits of ${account} were changed.`,
  limits: "Limits",
  callsAtOnce: "Calls at once",
  callsAtOnceHint: "0 pauses the account: its calls wait.",
  newCallsASecond: "New calls a second",
  callsWaiting: "Calls waiting",
  callsWaitingHint: "0 refuses every new call.",
  saveLimits: "Save the limits",

  // accounts-page.tsx
  lead: "Everybody who uses this installation, newest first.",
  allAccounts: "All accounts",
  loadingAccounts: "Loading the accounts",
  noAccountYet: "No account yet",
  emptyList: "The first one appears here.",
  paused: "Paused",
  since: (when: string) => `Since ${when}`,
  limitsSummary: (atOnce: number, perSecond: number) => `${atOnce} at once, ${perSecond} a second`,
};

export type OperatorAccountsText = typeof english;

export const operatorAccountsText = inLanguage("operator/accounts", english);
