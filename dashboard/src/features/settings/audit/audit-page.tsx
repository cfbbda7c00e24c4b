import type { AuditEntry } from "@parley/contract/accounts";
import { listAudit } from "@parley/contract/routes/members";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ScrollText, SearchX } from "lucide-react";
import { pagesOf } from "../../../api/send.ts";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { formatFull, formatMoment } from "../../../ui/format.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { Select } from "../../../ui/forms/field.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { PagedList } from "../../../ui/layout/paged-list.tsx";
import { keysQuery } from "../api-keys/key-queries.ts";
import { ForOwners } from "../for-owners.tsx";
import { membersQuery } from "../members/member-queries.ts";
import { type AuditFilter, readAuditFilter } from "./audit-filter.ts";
import { actorOf, changesOf, deedOf, objectOf } from "./audit-text.ts";
import { auditText } from "./text.ts";

const route = getRouteApi("/signed-in/settings/audit");
const auditQuery = (filter: AuditFilter) => pagesOf(["audit", filter], listAudit, { query: { ...filter } });

const DAY_MS = 86_400_000;
const SPANS = [
  { days: 1, label: auditText.last24Hours },
  { days: 7, label: auditText.last7Days },
  { days: 30, label: auditText.last30Days },
];

/** Settings > Audit log: who did what, newest first. */
export function AuditPage() {
  return (
    <Page title={auditText.auditLog} lead={auditText.lead}>
      <ForOwners what={auditText.forOwners}>
        <Log />
      </ForOwners>
    </Page>
  );
}

function Log() {
  const { mode: _, ...filter } = route.useSearch();
  const navigate = route.useNavigate();
  const log = useInfiniteQuery(auditQuery(filter));
  const narrow = (next: Record<string, unknown>) =>
    void navigate({ search: readAuditFilter(next), replace: true, resetScroll: false });
  const isNarrowed = Object.keys(filter).length > 0;
  return (
    <Card isFlush>
      <AuditFilters filter={filter} onChange={narrow} />
      <PagedList
        list={log}
        label={auditText.loadingLog}
        empty={
          isNarrowed ? (
            <EmptyState
              icon={<SearchX />}
              title={auditText.noMatchingEntries}
              text={auditText.noMatchText}
              action={<Button onClick={() => narrow({})}>{auditText.clearFilters}</Button>}
            />
          ) : (
            <EmptyState icon={<ScrollText />} title={auditText.nothingYet} text={auditText.emptyLog} />
          )
        }
      >
        {(rows) => <AuditEntries entries={rows} />}
      </PagedList>
    </Card>
  );
}

interface AuditFiltersProps {
  readonly filter: AuditFilter;
  onChange(filter: Record<string, unknown>): void;
}

/** The filters of the log. Each choice updates the URL immediately. */
function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const { data: members } = useInfiniteQuery(membersQuery);
  const { data: keys } = useInfiniteQuery(keysQuery);
  const people = members?.pages.flatMap(({ rows }) => rows) ?? [];
  const programs = keys?.pages.flatMap(({ rows }) => rows) ?? [];
  const known = new Set([...people, ...programs].map(({ id }) => id).concat("service", "operator"));
  const { action = "", actor = "" } = filter;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a search element is not known to every screen reader yet.
    <div role="search" aria-label={auditText.filterLabel} className="grid gap-2 px-4 py-4 sm:grid-cols-3 sm:px-5">
      <Select
        aria-label={auditText.subject}
        value={action}
        onChange={(event) => onChange({ ...filter, action: event.target.value })}
      >
        <option value="">{auditText.aboutEverything}</option>
        {Object.entries(auditText.topics).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
        {action === "" || Object.hasOwn(auditText.topics, action) ? null : <option value={action}>{action}</option>}
      </Select>
      <Select
        aria-label={auditText.actor}
        value={actor}
        onChange={(event) => onChange({ ...filter, actor: event.target.value })}
      >
        <option value="">{auditText.byAnybody}</option>
        {people.map(({ id, email }) => (
          <option key={id} value={id}>
            {email ?? id}
          </option>
        ))}
        {programs.map(({ id, name }) => (
          <option key={id} value={id}>
            {auditText.key(name)}
          </option>
        ))}
        <option value="service">{auditText.theServiceItself}</option>
        <option value="operator">{auditText.operatorsCommandLine}</option>
        {actor === "" || known.has(actor) ? null : <option value={actor}>{actor}</option>}
      </Select>
      <TimeSpanSelect after={filter.createdAfter} onChange={(createdAfter) => onChange({ ...filter, createdAfter })} />
    </div>
  );
}

interface TimeSpanSelectProps {
  /** The start time in the filter, if there is one. */
  readonly after: string | undefined;
  /** The new start time; "" for any time. */
  onChange(after: string): void;
}

/** How far back a list goes. A start time in the URL that matches none of the options is kept. */
function TimeSpanSelect({ after, onChange }: TimeSpanSelectProps) {
  const chosen = spanOf(after);
  return (
    <Select
      aria-label={auditText.sinceWhen}
      value={chosen}
      onChange={(event) => onChange(sinceDays(Number(event.target.value)))}
    >
      <option value="0">{auditText.anyTime}</option>
      {SPANS.map(({ days, label }) => (
        <option key={days} value={days}>
          {label}
        </option>
      ))}
      {chosen === "other" ? <option value="other">{auditText.asInTheAddress}</option> : null}
    </Select>
  );
}

function sinceDays(days: number): string {
  return days > 0 ? new Date(Date.now() - days * DAY_MS).toISOString() : "";
}

function spanOf(after: string | undefined): string {
  if (after === undefined) return "0";
  const days = (Date.now() - Date.parse(after)) / DAY_MS;
  return String(SPANS.find((span) => Math.abs(span.days - days) < 0.5)?.days ?? "other");
}

function AuditEntries({ entries }: { readonly entries: readonly AuditEntry[] }) {
  return (
    <ol className="divide-y divide-line border-t border-line">
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} />
      ))}
    </ol>
  );
}

function Entry({ entry }: { readonly entry: AuditEntry }) {
  const object = objectOf(entry);
  const changes = changesOf(entry);
  const [before, after] = deedOf(entry);
  return (
    <li className="px-4 py-3 text-sm sm:flex sm:gap-6 sm:px-5">
      <div className="min-w-0 flex-1">
        <p className="break-words">
          <bdi className="font-medium wrap-anywhere">{actorOf(entry)}</bdi> {before}
          {object ? <Thing name={object} /> : null}
          {after ? ` ${after}` : ""}
        </p>
        {changes.length > 0 ? (
          <ul className="mt-1 space-y-0.5 text-ink-soft">
            {changes.map(({ name, from, to }) => (
              <li key={name} className="break-words">
                {name}: {from} → {to}
              </li>
            ))}
          </ul>
        ) : null}
      </div>
      <p className="shrink-0 text-ink-soft tabular-nums sm:text-right">
        <span title={formatFull(entry.createdAt)}>{formatMoment(entry.createdAt)}</span>
        {entry.ip ? <span className="ml-3 sm:ml-0 sm:block sm:text-xs">{entry.ip}</span> : null}
      </p>
    </li>
  );
}

/** An id says little to people and is de-emphasized. */
function Thing({ name }: { readonly name: string }) {
  const isId = /^[a-z]{3,4}_[0-9a-z]{26}$/.test(name);
  return <bdi className={`wrap-anywhere ${isId ? "font-mono text-xs text-ink-soft" : ""}`}> {name}</bdi>;
}
