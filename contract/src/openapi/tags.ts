/** The sections of the reference, in order. */
export const TAGS: Readonly<Record<string, string>> = {
  Calls: "Place calls, follow them live and read their results.",
  Agents: "What an agent says and asks: a draft that you edit, and published versions that calls use.",
  "Trying agents": "Test an agent without calling anybody, and run scenarios with expected outcomes.",
  Webhooks: "Endpoints for events, their deliveries, and replays.",
  Engines: "The engines that conduct calls, and what is missing to use the unavailable ones.",
  Billing: "The credit of the account, the ledger, and prices.",
  "Suppression list": "Numbers that the account never calls.",
  Settings: "Spend caps, calling hours, retention and disclosure of the account.",
  "Sign-in": "Sign-up, sign-in, invitations and passwords.",
  "API keys": "API keys. They are created by members; a key cannot create keys.",
  Members: "Members of the account, and the audit log.",
  Operator: "Administration of the installation, for operators only.",
  Trunks: "Trunks of this installation, and the routes that select them.",
};
