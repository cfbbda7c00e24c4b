import { listCalls } from "@parley/contract/routes/calls";
import type { Mode } from "@parley/contract/shared-fields";
import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Download, PhoneOutgoing, Plus, SearchX, X } from "lucide-react";
import { type ComponentProps, useDeferredValue, useEffect, useRef, useState } from "react";
import { errorText } from "../../api/api-error.ts";
import { addressOf, fetchOrThrow } from "../../api/send.ts";
import { useMode } from "../../app/mode.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../ui/feedback/skeleton.tsx";
import { useToast } from "../../ui/feedback/toast.tsx";
import { Button, buttonClass } from "../../ui/forms/button.tsx";
import { CONTROL, Select } from "../../ui/forms/field.tsx";
import { TimeSpanSelect } from "../../ui/forms/time-span-select.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { agentsQuery } from "../agents/agent-list-query.ts";
import { type CallFilter, isNarrowed, problemOfNumber, readCallFilter, toCallQuery } from "./call-filter.ts";
import { END_REASON_LABELS, STATUS_LABELS } from "./call-labels.ts";
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
  // Rows are rendered in small batches, so that the page stays responsive.
  const data = useDeferredValue(calls.data);
  const rows = data?.pages.flatMap((page) => page.rows) ?? [];
  const isEmpty = calls.data?.pages.every((page) => page.rows.length === 0) ?? true;
  // A search may scan many calls before it finds one: an empty page is not yet the end.
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
            {errorText(calls.error)}
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

/** Downloads the filtered calls. The API returns CSV by the Accept header, which a plain link cannot set. */
function useCsvExport(mode: Mode, filter: CallFilter) {
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const address = addressOf(listCalls, { mode, query: { ...toCallQuery(filter) } });
      const reply = await fetchOrThrow(address, { headers: { accept: "text/csv" } });
      save(await reply.blob(), `calls-${mode}-${new Date().toISOString().slice(0, 10)}.csv`);
    },
    onError: (error) => toast({ text: errorText(error) }),
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

interface CallFiltersProps {
  readonly filter: CallFilter;
  onChange(filter: CallFilter): void;
  onClear(): void;
}

/** The filters of the list. Each change updates the URL immediately. */
export function CallFilters({ filter, onChange, onClear }: CallFiltersProps) {
  const { data: agents = [] } = useQuery(agentsQuery);
  const set = (name: keyof CallFilter, value: string) => onChange(readCallFilter({ ...filter, [name]: value }));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a search element is not known to every screen reader yet.
    <div
      role="search"
      aria-label="Narrow the list"
      className="mb-4 grid grid-cols-2 gap-2 md:grid-cols-3 xl:grid-cols-[repeat(6,minmax(0,1fr))_auto]"
    >
      <Choice label="Status" value={filter.status ?? ""} onChange={(event) => set("status", event.target.value)}>
        <option value="">Any status</option>
        <Options words={STATUS_LABELS} />
      </Choice>
      <Choice label="Agent" value={filter.agentId ?? ""} onChange={(event) => set("agentId", event.target.value)}>
        <option value="">Any agent</option>
        {agents.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Choice>
      <Choice
        label="End reason"
        value={filter.endReason ?? ""}
        onChange={(event) => set("endReason", event.target.value)}
      >
        <option value="">Any end</option>
        <Options words={END_REASON_LABELS} />
      </Choice>
      <TimeSpanSelect after={filter.createdAfter} onChange={(after) => set("createdAfter", after)} />
      <Words
        label="Phone number"
        value={filter.phoneNumber}
        onSet={(value) => set("phoneNumber", value)}
        inputMode="tel"
        isInvalid={problemOfNumber(filter) !== null}
      />
      <Words label="Words that were said" value={filter.q} onSet={(value) => set("q", value)} />
      {isNarrowed(filter) ? (
        <Button look="quiet" onClick={onClear}>
          <X aria-hidden="true" />
          Clear
        </Button>
      ) : null}
    </div>
  );
}

function Choice({ label, ...rest }: ComponentProps<"select"> & { readonly label: string }) {
  return <Select {...rest} aria-label={label} />;
}

interface WordsProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly inputMode?: "tel";
  readonly isInvalid?: boolean;
  onSet(value: string): void;
}

/** Takes effect on blur or Enter, so that the list does not change with every keystroke. */
function Words({ label, value = "", inputMode, isInvalid = false, onSet }: WordsProps) {
  const field = useRef<HTMLInputElement>(null);
  // Shows a value that was changed elsewhere without remounting the field, which may have the focus.
  useEffect(() => {
    if (field.current) field.current.value = value;
  }, [value]);
  return (
    <input
      ref={field}
      type="search"
      {...(inputMode ? { inputMode } : {})}
      aria-label={label}
      aria-invalid={isInvalid || undefined}
      placeholder={label}
      defaultValue={value}
      onBlur={(event) => onSet(event.target.value)}
      onKeyDown={(event) => (event.key === "Enter" ? onSet(event.currentTarget.value) : undefined)}
      className={`${CONTROL} h-10`}
    />
  );
}

function Options({ words }: { readonly words: Readonly<Record<string, string>> }) {
  return Object.entries(words).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}
