import { SCOPE_MEANINGS, type Scope } from "@parley/contract/scopes";
import { inLanguage } from "../../../languages/texts.ts";

const english = {
  // create-key-dialog.tsx
  yourNewKey: "Your new key",
  createNewApiKey: "Create an API key",
  createLead: "Give it a name that says where it is used.",
  name: "Name",
  nameExample: "Booking server",
  mode: "Mode",
  testModeHint: "Dials the simulated network and costs nothing.",
  liveModeHint: "Dials for real and is charged.",
  test: "Test",
  live: "Live",
  moreLimits: "Expiry, addresses and spend cap",
  expiresOptional: "Expires (optional)",
  allowedIpAddressesOptional: "Allowed IP addresses (optional)",
  separatedByCommas: "Separated by commas.",
  dailySpendCapOptional: "Daily spend cap in USD (optional)",
  cancel: "Cancel",
  createKey: "Create key",
  scopes: "Scopes",
  allChosen: "(all: full access)",
  someChosen: (chosen: number, all: number) => `(${chosen} of ${all})`,
  scopeMeanings: SCOPE_MEANINGS as Readonly<Record<Scope, string>>,
  onlyOwnersGrant: "Keys for settings and the audit log can only be created by an owner.",
  copyItNow: "Copy it now: it is never shown again. If you lose it, create another key.",
  apiKey: "API key",
  placeACallWith: "Place a call with it",
  copied: "I have copied it",

  // developer-page.tsx
  developer: "Developer",
  lead: "Programs use keys to place calls and read their results.",
  apiKeys: "API keys",
  loadingKeys: "Loading keys",
  noKeysYet: "No keys yet",
  emptyList: "A test key dials the simulated network and costs nothing. A live key dials for real.",
  showMore: "Show more",
  revoked: "Revoked",
  expired: "Expired",
  revoke: "Revoke",
  revokeKey: (name: string) => `Revoke ${name}`,
  lastUsed: (when: string) => `Last used ${when}`,
  neverUsed: (createdWhen: string) => `Never used, created ${createdWhen}`,
  allScopes: "All scopes",
  someScopes: (count: number, all: number) => `${count} of ${all} scopes`,
  validUntil: (when: string) => `until ${when}`,
  usableFrom: (addresses: string) => `from ${addresses}`,
  capPerDay: (amount: string) => `$${amount} a day`,
  wasRevoked: (name: string) => `“${name}” was revoked.`,
  revokeQuestion: (name: string) => `Revoke “${name}”?`,
  revokeConsequence:
    "Programs that use it stop working within a second. This cannot be undone. Calls in progress continue.",
  keepIt: "Keep it",
  revokeTheKey: "Revoke key",
};

export type ApiKeysText = typeof english;

export const apiKeysText = inLanguage("settings/api-keys", english);
