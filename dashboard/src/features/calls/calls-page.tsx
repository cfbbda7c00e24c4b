import { listCalls } from "@parley/contract/routes/calls";
import type { Mode } from "@parley/contract/shared-fields";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Download, PhoneOutgoing, Plus, SearchX } from "lucide-react";
import { useDeferredValue, useEffect, useState } from "react";
import { inWords } from "../../api/api-error.ts";
import { addressOf, fetchOrRefuse } from "../../api/send.ts";
import { useMode } from "../../app/mode.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../ui/feedback/skeleton.tsx";
import { useToast } from "../../ui/feedback/toast.tsx";
import { Button, buttonClass } from "../../ui/forms/button.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { type CallFilter, isNarrowed, problemOfNumber, toCallQuery } from "./call-filter.ts";
import { CallFilters } from "./call-filters.tsx";
import { callsQuery } from "./call-queries.ts";
import { CallsTable } from "./calls-table.tsx";
import { NewCall } from "./new-call.tsx";

const route = getRouteApi("/signed-in/calls");

export function CallsPage() {
  const { mode } = useMode();
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const toast = useToast();
  const [isPlacing, setPlacing] = useState(false);
  const calls = useInfiniteQuery(callsQuery(mode, filter));
  const problem = problemOfNumber(filter);
  const csv = useCsvExport(mode, filter);
  // Rows are drawn in small pieces of time, between which the page answers.
  const data = useDeferredValue(calls.data);
  const rows = data?.pages.flatMap((page) => page.rows) ?? [];
  const isEmpty = calls.data?.pages.every((page) => page.rows.length === 0) ?? true;
  // A search may look through many calls before it finds one: an empty page is not yet the end.
  const isSearchingOn = isEmpty && calls.hasNextPage;
  const isWaiting = (calls.isPending && problem === null) || isSearchingOn || (!isEmpty && rows.length === 0);
  const { fetchNextPage, isFetchingNextPage } = calls;
  useEffect(() => {
    if (isSearchingOn && !isFetchingNextPage) void fetchNextPage();
  }, [isSearchingOn, isFetchingNextPage, fetchNextPage]);
  const narrow = (next: CallFilter) => void navigate({ search: next, replace: true });
  const clear = () => {
    narrow({});
    toast({ text: "Filters cleared.", undo: () => narrow(filter) });
  };
  return (
    <Page
      title="Calls"
      lead={mode === "test" ? "Test calls stay on the simulated network and cost nothing." : undefined}
      actions={
        <>
          <Button onClick={csv.start} isBusy={csv.isBusy} disabled={problem !== null}>
            <Download aria-hidden="true" />
            Export CSV
          </Button>
          <Button look="primary" onClick={() => setPlacing(true)}>
            <Plus aria-hidden="true" />
            New call
          </Button>
        </>
      }
    >
      <CallFilters filter={filter} onChange={narrow} onClear={clear} />
      {calls.error ? (
        <div className="mb-4">
          <Notice
            tone="danger"
            action={
              <Button size="small" onClick={() => void calls.refetch()}>
                Try again
              </Button>
            }
          >
            {inWords(calls.error)}
          </Notice>
        </div>
      ) : null}
      <div className="overflow-hidden rounded-2xl border border-line bg-surface">
        {problem ? (
          <EmptyState
            icon={<SearchX />}
            title="That is no part of a phone number"
            text={problem}
            action={<Button onClick={clear}>Clear the filters</Button>}
          />
        ) : null}
        {isWaiting ? <SkeletonRows count={8} label="Fetching the calls" /> : null}
        {calls.isSuccess && isEmpty && !isSearchingOn ? (
          isNarrowed(filter) ? (
            <EmptyState
              icon={<SearchX />}
              title="No call is like this"
              text="Nothing matches all of the filters."
              action={<Button onClick={clear}>Clear the filters</Button>}
            />
          ) : (
            <EmptyState
              icon={<PhoneOutgoing />}
              title={mode === "test" ? "Place your first call" : "No live calls yet"}
              text={
                mode === "test"
                  ? "Let a sample agent phone a simulated person, watch the call as it happens, then hear and read it here."
                  : "Calls that a live key or this page places in live mode appear here as they happen."
              }
              action={mode === "test" ? <FirstSteps onPlace={() => setPlacing(true)} /> : null}
            />
          )
        ) : null}
        {rows.length > 0 && !isWaiting && !isEmpty ? (
          <CallsTable
            calls={rows}
            hasMore={calls.hasNextPage}
            isFetchingMore={calls.isFetchingNextPage}
            onWantMore={() => void calls.fetchNextPage()}
          />
        ) : null}
      </div>
      {isPlacing ? <NewCall onClose={() => setPlacing(false)} /> : null}
    </Page>
  );
}

/** What a new account does first. */
function FirstSteps({ onPlace }: { onPlace(): void }) {
  return (
    <>
      <Button look="primary" onClick={onPlace}>
        Place a test call
      </Button>
      <Link to="/settings/developer" className={buttonClass()}>
        Make an API key
      </Link>
    </>
  );
}

/** Saves the calls that the filter lets through. The API writes CSV for whoever accepts it, which a plain link cannot say. */
function useCsvExport(mode: Mode, filter: CallFilter) {
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const address = addressOf(listCalls, { mode, query: { ...toCallQuery(filter) } });
      const reply = await fetchOrRefuse(address, { headers: { accept: "text/csv" } });
      save(await reply.blob(), `calls-${mode}-${new Date().toISOString().slice(0, 10)}.csv`);
    },
    onError: (error) => toast({ text: inWords(error) }),
  });
  return { start: () => mutate(), isBusy: isPending };
}

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
