import type { ReactNode } from "react";
import { locale } from "../languages/language.ts";
import { inLanguage } from "../languages/texts.ts";

const english = {
  // command-palette.tsx
  goTo: "Go to",
  palettePlaceholder: "Page, agent, phone number, words or call ID",
  results: "Results",
  nothingFound: "Nothing found.",
  resultCount: (count: number): string => (count === 1 ? "1 result" : `${count.toLocaleString(locale)} results`),
  agent: "Agent",
  callNote: (status: string, time: string): string => `Call, ${status.toLowerCase()}, ${time}`,

  // fallback-pages.tsx
  oneMoment: "One moment",
  pageFailed: "This page could not be shown",
  tryAgain: "Try again",
  pageNotFound: "Page not found",
  pageNotFoundHint: "The link may be outdated or incomplete.",
  goToCalls: "Go to calls",

  // member-menu.tsx
  system: "System",
  light: "Light",
  dark: "Dark",
  signedIn: "Signed in",
  accountMenuOf: (email: string) => `Account menu for ${email}`,
  accountMenu: "Account menu for",
  appearance: "Appearance",
  language: "Language",
  languageOfTheBrowser: "Browser default",
  signOut: "Sign out",

  // command-palette.tsx: places
  overview: "Overview",
  overviewWords: "home figures charts",
  calls: "Calls",
  callsWords: "list search history",
  batches: "Batches",
  batchesWords: "bulk csv list campaign",
  newBatch: "New batch",
  newBatchWords: "bulk csv upload campaign",
  usage: "Usage",
  usageWords: "numbers statistics analytics breakdown cost minutes export csv compare",
  agents: "Agents",
  agentsWords: "builder flows",
  accountSettings: "Account settings",
  accountSettingsWords: "password email name",
  securitySettings: "Security settings",
  securitySettingsWords: "two-factor 2fa sessions sign out",
  apiKeys: "API keys",
  apiKeysWords: "developer token create",
  webhooks: "Webhooks",
  webhooksWords: "endpoints events deliveries",
  alerts: "Alerts",
  alertsWords: "thresholds answer rate problems notify",
  billing: "Billing",
  billingWords: "credit ledger rates price",
  limitsAndCallingHours: "Limits and calling hours",
  limitsWords: "caps spend retention disclosure",
  suppressionList: "Suppression list",
  suppressionListWords: "do not call block",
  members: "Members",
  membersWords: "invite people team",
  auditLog: "Audit log",
  auditLogWords: "who did what history",
  documentation: "Documentation",
  documentationWords: "docs guide help",
  mcpServers: "MCP servers",
  mcpServersWords: "tools model context protocol",
  trunks: "Trunks",
  trunksWords: "sip carrier operator",
  routes: "Routes",
  routesWords: "prefix operator",
  rates: "Rates",
  ratesWords: "prices operator",
  providers: "Providers",
  providersWords: "models speech keys operator",
  engines: "Engines",
  enginesWords: "recognition voice operator",
  whoMayBeCalled: "Calling rules",
  whoMayBeCalledWords: "gate countries operator",
  accounts: "Accounts",
  accountsWords: "customers credit operator",
  settings: "Settings",
  operator: "Operator",
  page: "Page",

  // shell.tsx
  skipToContent: "Skip to content",
  mainNavigation: "Main",
  goToHint: "Go to a page, an agent or a call",
  paletteKeys: "Ctrl K",
  docs: "Docs",
  whichCallsAreShown: "Which calls are shown",
  test: "Test",
  live: "Live",
  credit: "Credit",
  away: (strong: (words: string) => ReactNode): ReactNode => (
    <>
      {strong("Reconnecting…")} The service can’t be reached. What you see may be out of date; it updates as soon as the
      service is back.
    </>
  ),
  simulatedCalls: "Live calls don’t reach anyone yet: until a trunk is connected, they go to the simulated network.",
  simulatedCallsCharged: "They are charged to your credit.",
  simulatedCallsFree: "You aren’t charged for them.",
  connectATrunk: "Connect a trunk",
  askTheOperator: "Ask the operator of this installation to connect one.",
};

export type AppText = typeof english;

export const appText = inLanguage("app", english);
