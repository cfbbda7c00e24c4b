import { appText } from "./text.tsx";

interface PalettePage {
  readonly to: string;
  readonly label: string;
  /** Other words by which people look for it. */
  readonly words: string;
  readonly isForOperators?: true;
}

/** Something that the command palette goes to. */
export interface PalettePlace {
  readonly id: string;
  readonly label: string;
  /** Other words by which people look for it. */
  readonly words: string;
  /** What it is. */
  readonly note: string;
  readonly to: string;
  readonly params: Readonly<Record<string, string>>;
}

const PAGES: readonly PalettePage[] = [
  { to: "/", label: appText.overview, words: appText.overviewWords },
  { to: "/calls", label: appText.calls, words: appText.callsWords },
  { to: "/calls/batches", label: appText.batches, words: appText.batchesWords },
  { to: "/calls/batches/new", label: appText.newBatch, words: appText.newBatchWords },
  { to: "/usage", label: appText.usage, words: appText.usageWords },
  { to: "/agents", label: appText.agents, words: appText.agentsWords },
  { to: "/settings/account", label: appText.accountSettings, words: appText.accountSettingsWords },
  { to: "/settings/security", label: appText.securitySettings, words: appText.securitySettingsWords },
  { to: "/settings/developer", label: appText.apiKeys, words: appText.apiKeysWords },
  { to: "/settings/webhooks", label: appText.webhooks, words: appText.webhooksWords },
  { to: "/settings/alerts", label: appText.alerts, words: appText.alertsWords },
  { to: "/settings/billing", label: appText.billing, words: appText.billingWords },
  { to: "/settings/limits", label: appText.limitsAndCallingHours, words: appText.limitsWords },
  { to: "/settings/suppressions", label: appText.suppressionList, words: appText.suppressionListWords },
  { to: "/settings/members", label: appText.members, words: appText.membersWords },
  { to: "/settings/audit", label: appText.auditLog, words: appText.auditLogWords },
  { to: "/operator/trunks", label: appText.trunks, words: appText.trunksWords, isForOperators: true },
  { to: "/operator/routes", label: appText.routes, words: appText.routesWords, isForOperators: true },
  { to: "/operator/rates", label: appText.rates, words: appText.ratesWords, isForOperators: true },
  {
    to: "/operator/providers",
    label: appText.providers,
    words: appText.providersWords,
    isForOperators: true,
  },
  { to: "/operator/engines", label: appText.engines, words: appText.enginesWords, isForOperators: true },
  { to: "/operator/gate", label: appText.whoMayBeCalled, words: appText.whoMayBeCalledWords, isForOperators: true },
  { to: "/operator/accounts", label: appText.accounts, words: appText.accountsWords, isForOperators: true },
];

export function pagePlaces(isOperator: boolean): PalettePlace[] {
  return PAGES.filter(({ isForOperators }) => isOperator || !isForOperators).map(({ to, label, words }) => ({
    ...{ id: to, label, words, to, params: {} },
    note: to.startsWith("/settings") ? appText.settings : to.startsWith("/operator") ? appText.operator : appText.page,
  }));
}

/** Those that have every typed word, first the ones whose label begins with it. */
export function findPlaces(places: readonly PalettePlace[], text: string): PalettePlace[] {
  const typed = text.toLowerCase().split(/\s+/).filter(Boolean);
  const rankOf = ({ label, words }: PalettePlace): number | null => {
    const name = label.toLowerCase();
    if (!typed.every((word) => `${name} ${words.toLowerCase()}`.includes(word))) return null;
    if (name.startsWith(typed.join(" "))) return 0;
    return typed.every((word) => name.includes(word)) ? 1 : 2;
  };
  return places
    .map((place) => ({ place, rank: rankOf(place) }))
    .filter((found): found is { place: PalettePlace; rank: number } => found.rank !== null)
    .sort((a, b) => a.rank - b.rank)
    .map(({ place }) => place);
}
