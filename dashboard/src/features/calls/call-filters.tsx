import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { type ComponentProps, useEffect, useRef } from "react";
import { Button } from "../../ui/forms/button.tsx";
import { CONTROL, Select } from "../../ui/forms/field.tsx";
import { SinceWhen } from "../../ui/forms/time-span-select.tsx";
import { agentsQuery } from "../agents/agent-list-query.ts";
import { type CallFilter, isNarrowed, problemOfNumber, readCallFilter } from "./call-filter.ts";
import { END_REASON_WORDS, STATUS_WORDS } from "./call-labels.ts";

interface CallFiltersProps {
  readonly filter: CallFilter;
  onChange(filter: CallFilter): void;
  onClear(): void;
}

/** What narrows the list. Each choice is at once in the address. */
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
        <Options words={STATUS_WORDS} />
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
        <Options words={END_REASON_WORDS} />
      </Choice>
      <SinceWhen after={filter.createdAfter} onChange={(after) => set("createdAfter", after)} />
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

/** Takes effect when it is left or Enter is pressed: the list does not jump with every letter. */
function Words({ label, value = "", inputMode, isInvalid = false, onSet }: WordsProps) {
  const field = useRef<HTMLInputElement>(null);
  // A value that was changed elsewhere is shown anew, in the field that somebody may be in.
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
