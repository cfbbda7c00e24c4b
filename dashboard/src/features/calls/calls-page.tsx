import type { Call, CallMatch } from "@parley/contract/calls";
import { listCalls } from "@parley/contract/routes/calls";
import type { Mode } from "@parley/contract/shared-fields";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Download, ListPlus, PhoneOutgoing, Plus, RefreshCw, SearchX } from "lucide-react";
import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { errorText } from "../../api/api-error.ts";
import { addressOf, fetchOrThrow } from "../../api/send.ts";
import { useMode } from "../../app/mode.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { LoadError } from "../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../ui/feedback/skeleton.tsx";
import { useToast } from "../../ui/feedback/toast.tsx";
import { Button, buttonClass } from "../../ui/forms/button.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { rememberCallsSearch } from "./back-to-calls.tsx";
import { useCallsLayout } from "./call-columns.ts";
import { type CallFilter, isNarrowed, isSearchable } from "./call-filter.ts";
import { CallFilters, HitCount } from "./call-filters.tsx";
import { callCountQuery, callsQuery, isOutdatedQuery, matchesQuery, showLatest } from "./call-queries.ts";
import { CallViews, LayoutMenu } from "./call-views.tsx";
import { CallsTable } from "./calls-table.tsx";
import { LiveBoard } from "./live-board.tsx";
import { NewCall } from "./new-call/new-call.tsx";
import { callsText } from "./text.ts";

const route = getRouteApi("/signed-in/calls");

export function CallsPage() {
  const { mode } = useMode();
  const { show, mode: _, ...filter } = route.useSearch();
  const navigate = route.useNavigate();
  const [isPlacing, setPlacing] = useState(false);
  const csv = useCsvExport(mode, filter);
  const isBoard = show === "live";
  useEffect(() => rememberCallsSearch({ ...filter, ...(show ? { show } : {}) }));
  return (
    <Page
      title={callsText.calls}
      lead={mode === "test" ? callsText.testLead : undefined}
      actions={
        <>
          <Segmented
            label={callsText.view}
            value={isBoard ? "live" : "all"}
            choices={[
              { value: "all", label: callsText.allCalls },
              { value: "live", label: callsText.inProgress },
            ]}
            onChoose={(next) => void navigate({ search: next === "live" ? { ...filter, show: next } : filter })}
          />
          <Link to="/calls/batches" className={buttonClass()}>
            <ListPlus aria-hidden="true" />
            {callsText.batches}
          </Link>
          {isBoard ? null : (
            <Button onClick={csv.start} isBusy={csv.isBusy} disabled={!isSearchable(filter)}>
              <Download aria-hidden="true" />
              {callsText.exportCsv}
            </Button>
          )}
          <Button look="primary" onClick={() => setPlacing(true)}>
            <Plus aria-hidden="true" />
            {callsText.newCall}
          </Button>
        </>
      }
    >
      {isBoard ? (
        <LiveBoard emptyAction={<Button onClick={() => setPlacing(true)}>{callsText.newCall}</Button>} />
      ) : (
        <CallList filter={filter} onPlace={() => setPlacing(true)} />
      )}
      {isPlacing ? <NewCall onClose={() => setPlacing(false)} /> : null}
    </Page>
  );
}

function CallList({ filter, onPlace }: { readonly filter: CallFilter; onPlace(): void }) {
  const { mode } = useMode();
  const navigate = route.useNavigate();
  const toast = useToast();
  const { layout, changeLayout } = useCallsLayout();
  const calls = useInfiniteQuery(callsQuery(mode, filter));
  const count = useQuery(callCountQuery(mode, filter));
  const problem = isSearchable(filter) ? null : callsText.searchNeedsWord;
  // Rows are rendered in small batches, so that the page stays responsive.
  const data = useDeferredValue(calls.data);
  const pages = useMemo(() => data?.pages.map(({ rows }) => rows) ?? [], [data]);
  const matches = useMatches(mode, filter.search, pages);
  const { data: isOutdated } = useQuery(isOutdatedQuery(mode, filter));
  const queries = useQueryClient();
  const isRendered = pages.some((rows) => rows.length > 0);
  const isEmpty = calls.data?.pages.every((page) => page.rows.length === 0) ?? true;
  // A search may scan many calls before it finds one: an empty page is not yet the end.
  const isSearchingOn = isEmpty && calls.hasNextPage;
  const isWaiting = (calls.isPending && problem === null) || isSearchingOn || (!isEmpty && !isRendered);
  const { fetchNextPage, isFetchingNextPage } = calls;
  useEffect(() => {
    if (isSearchingOn && !isFetchingNextPage) void fetchNextPage();
  }, [isSearchingOn, isFetchingNextPage, fetchNextPage]);
  const narrow = (next: CallFilter) => void navigate({ search: next, replace: true });
  const clear = () => {
    narrow(filter.sort ? { sort: filter.sort } : {});
    toast({ text: callsText.filtersCleared, undo: () => narrow(filter) });
  };
  return (
    <>
      <CallFilters filter={filter} onChange={narrow} onClear={clear} />
      <div className="mb-3 flex min-h-8 items-center justify-between gap-3">
        <HitCount count={problem ? undefined : count.data} isSearch={filter.search !== undefined} />
        <div className="flex items-center gap-2">
          <CallViews filter={filter} onOpen={(next) => void navigate({ search: next })} />
          <LayoutMenu layout={layout} onChange={changeLayout} />
        </div>
      </div>
      <div role="status" className="sticky top-3 z-10 flex h-0 justify-center">
        {isOutdated && !isWaiting ? (
          <Button
            size="small"
            className="shadow-lg"
            onClick={() => {
              window.scrollTo({ top: 0 });
              void showLatest(queries, mode, filter);
            }}
          >
            <RefreshCw aria-hidden="true" />
            {callsText.callsHaveChanged}
          </Button>
        ) : null}
      </div>
      {calls.error ? (
        <div className="mb-4">
          <LoadError error={calls.error} onRetry={() => calls.refetch()} />
        </div>
      ) : null}
      <div className="overflow-hidden rounded-2xl border border-line bg-surface">
        {problem ? (
          <EmptyState
            icon={<SearchX />}
            title={callsText.nothingToSearchFor}
            text={problem}
            action={<Button onClick={clear}>{callsText.clearFilters}</Button>}
          />
        ) : null}
        {isWaiting ? <SkeletonRows count={8} label={callsText.loadingCalls} /> : null}
        {calls.isSuccess && isEmpty && !isSearchingOn ? (
          isNarrowed(filter) ? (
            <EmptyState
              icon={<SearchX />}
              title={callsText.noMatchingCalls}
              text={callsText.noMatchingCallsHint}
              action={<Button onClick={clear}>{callsText.clearFilters}</Button>}
            />
          ) : (
            <EmptyState
              icon={<PhoneOutgoing />}
              title={mode === "test" ? callsText.firstCallTitle : callsText.noLiveCallsYet}
              text={mode === "test" ? callsText.firstCallHint : callsText.noLiveCallsHint}
              action={mode === "test" ? <FirstSteps onPlace={onPlace} /> : null}
            />
          )
        ) : null}
        {isRendered && !isWaiting && !isEmpty ? (
          <CallsTable
            pages={pages}
            matches={matches}
            layout={layout}
            sort={filter.sort}
            hasMore={calls.hasNextPage}
            isFetchingMore={calls.isFetchingNextPage}
            onSort={(sort) => {
              const { sort: _, ...rest } = filter;
              narrow(sort ? { ...rest, sort } : rest);
            }}
            onWantMore={() => void calls.fetchNextPage()}
          />
        ) : null}
      </div>
    </>
  );
}

const NO_MATCHES: ReadonlyMap<string, CallMatch> = new Map();

/** Where the search found its words, by call. Each page is asked for once, when it is loaded. */
function useMatches(
  mode: Mode,
  text: string | undefined,
  pages: readonly (readonly Call[])[],
): ReadonlyMap<string, CallMatch> {
  const queries = useQueryClient();
  const [found, setFound] = useState({ mode, text, matches: NO_MATCHES });
  const asked = useRef({ mode, text, pages: new WeakSet<readonly Call[]>() });
  useEffect(() => {
    if (asked.current.mode !== mode || asked.current.text !== text)
      asked.current = { mode, text, pages: new WeakSet() };
    if (text === undefined || text.startsWith("call_")) return;
    for (const page of pages) {
      if (page.length === 0 || asked.current.pages.has(page)) continue;
      asked.current.pages.add(page);
      const query = matchesQuery(
        mode,
        text,
        page.map(({ id }) => id),
      );
      // Without an excerpt the call is still listed.
      const add = (matches: readonly CallMatch[]) =>
        setFound((before) => {
          const isSame = before.mode === mode && before.text === text;
          const merged = new Map(isSame ? before.matches : []);
          for (const match of matches) merged.set(match.callId, match);
          return { mode, text, matches: merged };
        });
      queries.fetchQuery(query).then(add, () => asked.current.pages.delete(page));
    }
  }, [queries, mode, text, pages]);
  return found.mode === mode && found.text === text ? found.matches : NO_MATCHES;
}

/** What a new account does first. */
function FirstSteps({ onPlace }: { onPlace(): void }) {
  return (
    <>
      <Button look="primary" onClick={onPlace}>
        {callsText.placeTestCall}
      </Button>
      <Link to="/settings/developer" className={buttonClass()}>
        {callsText.createApiKey}
      </Link>
    </>
  );
}

/** Downloads the filtered calls. The API returns CSV by the Accept header, which a plain link cannot set. */
function useCsvExport(mode: Mode, filter: CallFilter) {
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const address = addressOf(listCalls, { mode, query: { ...filter, sort: undefined } });
      const reply = await fetchOrThrow(address, { headers: { accept: "text/csv" } });
      saveFile(await reply.blob(), `calls-${mode}-${new Date().toISOString().slice(0, 10)}.csv`);
    },
    onError: (error) => toast({ text: errorText(error) }),
  });
  return { start: () => mutate(), isBusy: isPending };
}
