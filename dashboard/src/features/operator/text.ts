import { inLanguage } from "../../languages/texts.ts";

const english = {
  // operator-frame.tsx
  trunks: "Trunks",
  routes: "Routes",
  rates: "Rates",
  providers: "Providers",
  engines: "Engines",
  gate: "Calling rules",
  accounts: "Accounts",
  operator: "Operator",
  setUpTitle: "Set up two-factor authentication first",
  setUpReason: "This installation can be reached from other machines, so its operators sign in with a second factor.",
  goToSecurity: "Go to Security",
};

export type OperatorText = typeof english;

export const operatorText = inLanguage("operator", english);
