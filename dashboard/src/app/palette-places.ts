import { listCalls } from "@parley/contract/routes/calls";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useDeferredValue } from "react";
import { fetchOrThrow, sendForPage } from "../api/send.ts";
import { meQuery } from "../api/sign-in-state.ts";
import { agentsQuery } from "../features/agents/agent-list-query.ts";
import { isSearchable } from "../features/calls/call-filter.ts";
import { badgeOf } from "../features/calls/call-labels.ts";
import { formatMoment } from "../ui/format.ts";
import { useMode } from "./mode.tsx";
import { appText } from "./text.tsx";

const CALLS_SHOWN = 5;
/** Shorter texts match too many calls. */
const CALL_CHARS_MIN = 3;

/** What the text may mean: pages and agents by their names, then calls. */
export function usePlaces(text: string): readonly PalettePlace[] {
  const { mode } = useMode();
  const typed = useDeferredValue(text);
  const { data: me } = useQuery(meQuery);
  const { data: agents = [] } = useQuery(agentsQuery);
  const { data: documents = [] } = useQuery(documentsQuery);
  const isSearched = typed.length >= CALL_CHARS_MIN && isSearchable({ search: typed });
  const { data: calls } = useQuery({
    queryKey: ["palette-calls", mode, typed],
    queryFn: ({ signal }) =>
      sendForPage(listCalls, { mode, query: { search: typed, limit: String(CALLS_SHOWN) }, signal }),
    enabled: isSearched,
    placeholderData: keepPreviousData,
  });
  const found = isSearched ? (calls?.rows ?? []) : [];
  return [
    ...findPlaces(
      [
        ...pagePlaces(me?.member.isOperator ?? false),
        ...agents.map(({ id, name }) => ({
          ...{ id, label: name, words: id, note: appText.agent },
          to: "/agents/$agentId",
          params: { agentId: id },
        })),
        ...documents,
      ],
      text,
    ),
    ...found.map((call) => ({
      ...{ id: call.id, label: call.phoneNumber, words: "" },
      note: appText.callNote(badgeOf(call).text, formatMoment(call.createdAt)),
      to: "/calls/$callId",
      params: { callId: call.id },
    })),
  ];
}

/** Opens a place of the palette. */
export function useGoTo(): (place: PalettePlace) => void {
  const navigate = useNavigate();
  return (place) => {
    // The documentation is not part of the app.
    if (place.isDocument) location.assign(place.to);
    else void navigate({ to: place.to, params: place.params } as never);
  };
}

/** The pages of the documentation, as its own navigation lists them. */
const documentsQuery = queryOptions({
  queryKey: ["documents"],
  queryFn: async ({ signal }): Promise<readonly PalettePlace[]> => {
    const reply = await fetchOrThrow("/docs/navigation.json", { signal });
    const sections = (await reply.json()) as { title: string; links: { title: string; url: string }[] }[];
    return sections.flatMap((section) =>
      section.links.map(({ title, url }) => ({
        ...{ id: url, label: title, words: `${section.title} ${appText.documentationWords}` },
        ...{ note: appText.documentation, to: url, params: {}, isDocument: true as const },
      })),
    );
  },
  staleTime: Number.POSITIVE_INFINITY,
});

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
  readonly isDocument?: true;
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
  { to: "/settings/mcp", label: appText.mcpServers, words: appText.mcpServersWords },
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

/** Those that have every typed word in their label, in other words for them or in what they are, first the ones whose label begins with it. */
export function findPlaces(places: readonly PalettePlace[], text: string): PalettePlace[] {
  const typed = text.toLowerCase().split(/\s+/).filter(Boolean);
  const rankOf = ({ label, words, note }: PalettePlace): number | null => {
    const name = label.toLowerCase();
    const known = `${name} ${words.toLowerCase()} ${note.toLowerCase()}`;
    if (!typed.every((word) => known.includes(word))) return null;
    if (name.startsWith(typed.join(" "))) return 0;
    return typed.every((word) => name.includes(word)) ? 1 : 2;
  };
  return places
    .map((place) => ({ place, rank: rankOf(place) }))
    .filter((found): found is { place: PalettePlace; rank: number } => found.rank !== null)
    .sort((a, b) => a.rank - b.rank)
    .map(({ place }) => place);
}
