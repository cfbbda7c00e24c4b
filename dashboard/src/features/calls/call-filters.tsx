import { type CallCount, NO_API_KEY } from "@parley/contract/calls";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Search, X } from "lucide-react";
import { type ComponentProps, useEffect, useRef } from "react";
import { formatHourOfDay } from "../../ui/format.ts";
import { Button } from "../../ui/forms/button.tsx";
import { CONTROL, Select } from "../../ui/forms/field.tsx";
import { agentsQuery } from "../agents/agent-list-query.ts";
import { keysQuery } from "../settings/api-keys/key-queries.ts";
import { type CallFilter, isNarrowed, isSearchable, readCallFilter } from "./call-filter.ts";
import { END_REASON_LABELS, outcomeLabel, PHASE_LABELS, STATUS_LABELS, versionLabel } from "./call-labels.ts";
import { callsText } from "./text.ts";

interface CallFiltersProps {
  readonly filter: CallFilter;
  onChange(filter: CallFilter): void;
  onClear(): void;
}

/** The filters of the list. Each change takes effect at once and is part of the URL. */
export function CallFilters({ filter, onChange, onClear }: CallFiltersProps) {
  const { data: agents = [] } = useQuery(agentsQuery);
  const region = useRef<HTMLDivElement>(null);
  const set = (changes: Partial<Record<keyof CallFilter, string>>) =>
    onChange(readCallFilter({ ...filter, ...changes }));
  const clear = () => {
    // The button disappears with the filters: the focus stays at them.
    region.current?.focus({ preventScroll: true });
    onClear();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a search element is not known to every screen reader yet.
    <div ref={region} tabIndex={-1} role="search" aria-label={callsText.filterCalls} className="mb-3 space-y-2">
      <div className="grid grid-cols-2 gap-2 md:grid-cols-4 xl:flex xl:[&>*]:w-38 xl:[&>*]:shrink-0">
        <SearchField
          value={filter.search ?? ""}
          isInvalid={!isSearchable(filter)}
          onSearch={(search) => set({ search })}
        />
        <Choice
          label={callsText.status}
          value={filter.status ?? ""}
          onChange={(event) => set({ status: event.target.value })}
        >
          <option value="">{callsText.anyStatus}</option>
          <Options words={STATUS_LABELS} />
        </Choice>
        <Choice
          label={callsText.agent}
          value={filter.agentId ?? ""}
          // A version is one of the agent.
          onChange={(event) => set({ agentId: event.target.value, agentVersion: "" })}
        >
          <option value="">{callsText.anyAgent}</option>
          {agents.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Choice>
        <Choice
          label={callsText.endReason}
          value={filter.endReason ?? ""}
          onChange={(event) => set({ endReason: event.target.value })}
        >
          <option value="">{callsText.anyEnding}</option>
          <Options words={END_REASON_LABELS} />
        </Choice>
        <PeriodSelect filter={filter} onChange={set} />
        {isNarrowed(filter) ? (
          <Button look="quiet" onClick={clear} className="xl:w-auto!">
            <X aria-hidden="true" />
            {callsText.clear}
          </Button>
        ) : null}
      </div>
      <DateRange filter={filter} onChange={set} />
      <OtherFilters filter={filter} onChange={set} />
    </div>
  );
}

interface OtherFiltersProps {
  readonly filter: CallFilter;
  onChange(changes: Partial<Record<keyof CallFilter, string>>): void;
}

/** Filters that only links set, such as those of the usage page. Each can be removed. */
function OtherFilters({ filter, onChange }: OtherFiltersProps) {
  const { agentVersion, engine, outcome, apiKeyId, phase, hourOfDay } = filter;
  const keys = useInfiniteQuery({ ...keysQuery, enabled: apiKeyId !== undefined && apiKeyId !== NO_API_KEY });
  const key = keys.data?.pages.flatMap(({ rows }) => rows).find(({ id }) => id === apiKeyId);
  const chips: readonly { readonly text: string; readonly names: readonly (keyof CallFilter)[] }[] = [
    ...(agentVersion ? [{ text: versionLabel(agentVersion), names: ["agentVersion"] as const }] : []),
    ...(engine ? [{ text: callsText.engineFilter(engine), names: ["engine"] as const }] : []),
    ...(outcome ? [{ text: callsText.outcomeFilter(outcomeLabel(outcome)), names: ["outcome"] as const }] : []),
    ...(apiKeyId
      ? [
          {
            text: apiKeyId === NO_API_KEY ? callsText.placedByMembers : callsText.keyFilter(key?.name ?? apiKeyId),
            names: ["apiKeyId"] as const,
          },
        ]
      : []),
    ...(hourOfDay ? [{ text: formatHourOfDay(Number(hourOfDay)), names: ["hourOfDay", "timeZone"] as const }] : []),
    ...(phase ? [{ text: PHASE_LABELS[phase], names: ["phase"] as const }] : []),
  ];
  if (chips.length === 0) return null;
  return (
    <ul aria-label={callsText.moreFilters} className="flex flex-wrap gap-2">
      {chips.map(({ text, names }) => (
        <li key={names[0]} className="min-w-0">
          <Button
            size="small"
            className="max-w-full shrink"
            onClick={() => onChange(Object.fromEntries(names.map((name) => [name, ""])))}
          >
            <span className="sr-only">{callsText.removeFilter} </span>
            <span className="truncate">{text}</span>
            <X aria-hidden="true" className="shrink-0" />
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** How many calls the filter leaves, announced as it changes. */
export function HitCount({ count, isSearch }: { readonly count: CallCount | undefined; readonly isSearch: boolean }) {
  return (
    <p role="status" className="text-sm text-ink-soft tabular-nums">
      {count ? countInWords(count, isSearch) : "\u00a0"}
    </p>
  );
}

export function countInWords(count: CallCount, isSearch: boolean): string {
  return isSearch ? callsText.matchCount(count) : callsText.callCount(count);
}

/** Long enough that a word is not searched for letter by letter, short enough to feel immediate. */
const TYPING_MS = 250;

interface SearchFieldProps {
  readonly value: string;
  readonly isInvalid: boolean;
  onSearch(text: string): void;
}

/** Searches while typing, shortly after the last keystroke; Enter searches at once. */
function SearchField({ value, isInvalid, onSearch }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const pending = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(onSearch);
  latest.current = onSearch;
  // Shows a value that was changed elsewhere, but never replaces what is being typed.
  useEffect(() => {
    if (field.current && field.current.value.trim() !== value && pending.current === undefined)
      field.current.value = value;
  }, [value]);
  useEffect(() => () => clearTimeout(pending.current), []);
  const search = (text: string, waitMs: number) => {
    clearTimeout(pending.current);
    pending.current = setTimeout(() => {
      pending.current = undefined;
      latest.current(text.trim());
    }, waitMs);
  };
  return (
    <div className="relative col-span-2 md:col-span-4 xl:w-auto! xl:min-w-0 xl:flex-1 xl:shrink!">
      <Search aria-hidden="true" className="pointer-events-none absolute top-3 left-3 size-4 text-ink-soft" />
      <input
        ref={field}
        type="search"
        aria-label={callsText.searchCalls}
        aria-invalid={isInvalid || undefined}
        placeholder={callsText.searchPlaceholder}
        defaultValue={value}
        onChange={(event) => search(event.target.value, TYPING_MS)}
        onKeyDown={(event) => (event.key === "Enter" ? search(event.currentTarget.value, 0) : undefined)}
        className={`${CONTROL} h-10 pl-9`}
      />
    </div>
  );
}

function Choice({ label, ...rest }: ComponentProps<"select"> & { readonly label: string }) {
  return <Select {...rest} aria-label={label} />;
}

function Options({ words }: { readonly words: Readonly<Record<string, string>> }) {
  return Object.entries(words).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}

const DAY_MS = 86_400_000;
const SPANS = [
  { days: 1, label: callsText.last24Hours },
  { days: 7, label: callsText.last7Days },
  { days: 30, label: callsText.last30Days },
  { days: 90, label: callsText.last90Days },
];

interface RangeProps {
  readonly filter: CallFilter;
  onChange(changes: { readonly createdAfter: string; readonly createdBefore: string }): void;
}

function PeriodSelect({ filter, onChange }: RangeProps) {
  const choose = (value: string) => {
    if (value === "") return onChange({ createdAfter: "", createdBefore: "" });
    if (value === "custom") {
      const today = localDay(new Date());
      return onChange({ createdAfter: startOfDay(today), createdBefore: endOfDay(today) });
    }
    onChange({ createdAfter: new Date(Date.now() - Number(value) * DAY_MS).toISOString(), createdBefore: "" });
  };
  return (
    <Select aria-label={callsText.period} value={periodOf(filter)} onChange={(event) => choose(event.target.value)}>
      <option value="">{callsText.anyTime}</option>
      {SPANS.map(({ days, label }) => (
        <option key={days} value={days}>
          {label}
        </option>
      ))}
      <option value="custom">{callsText.custom}</option>
    </Select>
  );
}

/** The option that a filter corresponds to: a span of days, custom dates, or any time. */
export function periodOf({ createdAfter, createdBefore }: CallFilter, nowMs = Date.now()): string {
  if (createdAfter === undefined && createdBefore === undefined) return "";
  if (createdAfter === undefined || createdBefore !== undefined) return "custom";
  const days = (nowMs - Date.parse(createdAfter)) / DAY_MS;
  return String(SPANS.find((span) => Math.abs(span.days - days) < 0.5)?.days ?? "custom");
}

/** Two dates, both included, in the reader's time zone. */
function DateRange({ filter, onChange }: RangeProps) {
  const { createdAfter, createdBefore } = filter;
  if (periodOf(filter) !== "custom") return null;
  const from = createdAfter ? localDay(new Date(Date.parse(createdAfter) + 1)) : "";
  const until = createdBefore ? localDay(new Date(Date.parse(createdBefore) - 1)) : "";
  const set = (first: string, last: string) =>
    onChange({ createdAfter: first ? startOfDay(first) : "", createdBefore: last ? endOfDay(last) : "" });
  return (
    <fieldset className="flex flex-wrap items-center gap-2 text-sm">
      <legend className="sr-only">{callsText.dates}</legend>
      <label className="flex items-center gap-2">
        {callsText.firstDay}
        <input
          type="date"
          value={from}
          max={until || undefined}
          onChange={(event) => set(event.target.value, until)}
          className={`${CONTROL} h-10 w-auto`}
        />
      </label>
      <label className="flex items-center gap-2">
        {callsText.lastDay}
        <input
          type="date"
          value={until}
          min={from || undefined}
          onChange={(event) => set(from, event.target.value)}
          className={`${CONTROL} h-10 w-auto`}
        />
      </label>
    </fieldset>
  );
}

function localDay(date: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The API excludes the bounds themselves, so that the first moment of the day needs one just before it. */
export function startOfDay(day: string): string {
  return new Date(new Date(`${day}T00:00:00`).getTime() - 1).toISOString();
}

export function endOfDay(day: string): string {
  const next = new Date(`${day}T00:00:00`);
  next.setDate(next.getDate() + 1);
  return next.toISOString();
}
