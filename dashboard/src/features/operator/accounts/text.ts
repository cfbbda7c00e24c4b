import { inLanguage } from "../../../languages/texts.ts";

const english = {
  // account-page.tsx
  account: "Account",
  accounts: "Accounts",
  loadingAccount: "Loading account",
  loadingRules: "Loading rules",
  whomItMayCall: "Calling rules",
  notFound: "Account not found",
  notFoundText: "The link may be incomplete or outdated.",
  goToAccounts: "Go to accounts",
  creditChanged: (account: string, balance: string) => `${account} now has ${balance}.`,
  credit: "Credit",
  leftToSpend: "left to spend",
  whatToDo: "Action",
  giveCredit: "Add credit",
  takeCreditAway: "Deduct credit",
  amountInUsd: "Amount in USD",
  whyOptional: "Reason (optional)",
  whyHint: "Shown in the account’s ledger.",
  changeCredit: "Update credit",
  limitsChanged: (account: string) => `The limits of ${account} were changed.`,
  limits: "Limits",
  callsAtOnce: "Concurrent calls",
  callsAtOnceHint: "0 pauses the account; its calls wait in the queue.",
  newCallsASecond: "New calls per second",
  callsWaiting: "Queued calls",
  callsWaitingHint: "0 refuses all new calls.",
  saveLimits: "Save limits",

  // accounts-page.tsx
  lead: "All accounts of this installation, newest first.",
  allAccounts: "All accounts",
  loadingAccounts: "Loading accounts",
  noAccountYet: "No accounts yet",
  emptyList: "The first one appears here.",
  paused: "Paused",
  since: (when: string) => `Since ${when}`,
  limitsSummary: (atOnce: number, perSecond: number) => `${atOnce} concurrent, ${perSecond} per second`,
};

export type OperatorAccountsText = typeof english;

export const operatorAccountsText = inLanguage("operator/accounts", english);
