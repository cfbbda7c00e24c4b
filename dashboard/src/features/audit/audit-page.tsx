import { listAudit } from "@parley/contract/routes/members";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ScrollText, SearchX } from "lucide-react";
import { pagesOf } from "../../api/pages-of.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Paged } from "../../ui/paged.tsx";
import { ForOwners } from "../settings/for-owners.tsx";
import { AuditEntries } from "./audit-entries.tsx";
import { type AuditFilter, readAuditFilter } from "./audit-filter.ts";
import { AuditFilters } from "./audit-filters.tsx";

const route = getRouteApi("/signed-in/settings/audit");
const auditQuery = (filter: AuditFilter) => pagesOf(["audit", filter], listAudit, { query: { ...filter } });

/** Settings > Audit log: who did what, newest first. */
export function AuditPage() {
  return (
    <Page title="Audit log" lead="Who did what in this account. Entries are never changed or deleted.">
      <ForOwners what="what was done in it">
        <Log />
      </ForOwners>
    </Page>
  );
}

function Log() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const log = useInfiniteQuery(auditQuery(filter));
  const narrow = (next: Record<string, unknown>) =>
    void navigate({ search: readAuditFilter(next), replace: true, resetScroll: false });
  const isNarrowed = Object.keys(filter).length > 0;
  return (
    <Card isFlush>
      <AuditFilters filter={filter} onChange={narrow} />
      <Paged
        list={log}
        label="Fetching the log"
        empty={
          isNarrowed ? (
            <EmptyState
              icon={<SearchX />}
              title="Nothing is like this"
              text="No entry matches all of the choices."
              action={<Button onClick={() => narrow({})}>Clear the choices</Button>}
            />
          ) : (
            <EmptyState icon={<ScrollText />} title="Nothing yet" text="What members and keys do appears here." />
          )
        }
      >
        {(rows) => <AuditEntries entries={rows} />}
      </Paged>
    </Card>
  );
}
