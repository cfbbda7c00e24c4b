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
  { to: "/", label: "Overview", words: "home figures charts" },
  { to: "/calls", label: "Calls", words: "list search history" },
  { to: "/calls/batches", label: "Batches", words: "bulk csv list campaign" },
  { to: "/calls/batches/new", label: "New batch", words: "bulk csv upload campaign" },
  { to: "/usage", label: "Usage", words: "numbers statistics analytics breakdown cost minutes export csv compare" },
  { to: "/agents", label: "Agents", words: "builder flows" },
  { to: "/settings/account", label: "Account settings", words: "password email name" },
  { to: "/settings/security", label: "Security settings", words: "two-factor 2fa sessions sign out" },
  { to: "/settings/developer", label: "API keys", words: "developer token create" },
  { to: "/settings/webhooks", label: "Webhooks", words: "endpoints events deliveries" },
  { to: "/settings/alerts", label: "Alerts", words: "thresholds answer rate problems notify" },
  { to: "/settings/billing", label: "Billing", words: "credit ledger rates price" },
  { to: "/settings/limits", label: "Limits and calling hours", words: "caps spend retention disclosure" },
  { to: "/settings/suppressions", label: "Suppression list", words: "do not call block" },
  { to: "/settings/members", label: "Members", words: "invite people team" },
  { to: "/settings/audit", label: "Audit log", words: "who did what history" },
  { to: "/operator/trunks", label: "Trunks", words: "sip carrier operator", isForOperators: true },
  { to: "/operator/routes", label: "Routes", words: "prefix operator", isForOperators: true },
  { to: "/operator/rates", label: "Rates", words: "prices operator", isForOperators: true },
  { to: "/operator/providers", label: "Providers", words: "models speech keys operator", isForOperators: true },
  { to: "/operator/engines", label: "Engines", words: "recognition voice operator", isForOperators: true },
  { to: "/operator/gate", label: "Who may be called", words: "gate countries operator", isForOperators: true },
  { to: "/operator/accounts", label: "Accounts", words: "customers credit operator", isForOperators: true },
];

export function pagePlaces(isOperator: boolean): PalettePlace[] {
  return PAGES.filter(({ isForOperators }) => isOperator || !isForOperators).map(({ to, label, words }) => ({
    ...{ id: to, label, words, to, params: {} },
    note: to.startsWith("/settings") ? "Settings" : to.startsWith("/operator") ? "Operator" : "Page",
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
