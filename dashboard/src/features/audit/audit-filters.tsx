import { useInfiniteQuery } from "@tanstack/react-query";
import { Select } from "../../ui/select.tsx";
import { SinceWhen } from "../../ui/since-when.tsx";
import { keysQuery } from "../api-keys/key-queries.ts";
import { membersQuery } from "../members/member-queries.ts";
import type { AuditFilter } from "./audit-filter.ts";
import { AUDIT_TOPICS } from "./audit-words.ts";

interface AuditFiltersProps {
  readonly filter: AuditFilter;
  onChange(filter: Record<string, unknown>): void;
}

/** What narrows the log. Each choice is at once in the address. */
export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const { data: members } = useInfiniteQuery(membersQuery);
  const { data: keys } = useInfiniteQuery(keysQuery);
  const people = members?.pages.flatMap(({ rows }) => rows) ?? [];
  const programs = keys?.pages.flatMap(({ rows }) => rows) ?? [];
  const known = new Set([...people, ...programs].map(({ id }) => id).concat("service", "operator"));
  const { action = "", actor = "" } = filter;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a search element is not known to every screen reader yet.
    <div role="search" aria-label="Narrow the log" className="grid gap-2 px-4 py-4 sm:grid-cols-3 sm:px-5">
      <Select
        aria-label="About what"
        value={action}
        onChange={(event) => onChange({ ...filter, action: event.target.value })}
      >
        <option value="">About everything</option>
        {Object.entries(AUDIT_TOPICS).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
        {action === "" || Object.hasOwn(AUDIT_TOPICS, action) ? null : <option value={action}>{action}</option>}
      </Select>
      <Select
        aria-label="By whom"
        value={actor}
        onChange={(event) => onChange({ ...filter, actor: event.target.value })}
      >
        <option value="">By anybody</option>
        {people.map(({ id, email }) => (
          <option key={id} value={id}>
            {email ?? id}
          </option>
        ))}
        {programs.map(({ id, name }) => (
          <option key={id} value={id}>
            Key: {name}
          </option>
        ))}
        <option value="service">The service itself</option>
        <option value="operator">The operator's command line</option>
        {actor === "" || known.has(actor) ? null : <option value={actor}>{actor}</option>}
      </Select>
      <SinceWhen after={filter.createdAfter} onChange={(createdAfter) => onChange({ ...filter, createdAfter })} />
    </div>
  );
}
