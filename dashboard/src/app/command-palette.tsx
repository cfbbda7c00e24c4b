import { listCalls } from "@parley/contract/routes/calls";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from "react";
import { sendForPage } from "../api/send.ts";
import { meQuery } from "../api/sign-in-state.ts";
import { agentsQuery } from "../features/agents/agent-list-query.ts";
import { isSearchable } from "../features/calls/call-filter.ts";
import { badgeOf } from "../features/calls/call-labels.ts";
import { formatMoment } from "../ui/format.ts";
import { CONTROL } from "../ui/forms/field.tsx";
import { Dialog } from "../ui/layout/dialog.tsx";
import { useMode } from "./mode.tsx";
import { findPlaces, type PalettePlace, pagePlaces } from "./palette-places.ts";
import { appText } from "./text.tsx";

const CALLS_SHOWN = 5;
/** Shorter texts match too many calls. */
const CALL_CHARS_MIN = 3;

/** Goes anywhere by typing: pages, agents, settings, and calls by number, words or ID. */
export function CommandPalette({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const places = usePlaces(text.trim());
  const active = Math.min(chosen, places.length - 1);
  useEffect(() => {
    list.current?.querySelector(`[data-index="${active}"]`)?.scrollIntoView({ block: "nearest" });
  }, [active]);
  const go = (place: PalettePlace | undefined) => {
    if (!place) return;
    onClose();
    void navigate({ to: place.to, params: place.params } as never);
  };
  const onKey = (event: KeyboardEvent) => {
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: (active + 1) % places.length,
      ArrowUp: (active - 1 + places.length) % places.length,
      Home: 0,
      End: places.length - 1,
    };
    if (event.key === "Enter") go(places[active]);
    else if (event.key in moves && places.length > 0) setChosen(moves[event.key] ?? 0);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog isOpen onClose={onClose} title={appText.goTo}>
      <input
        role="combobox"
        aria-label={appText.goTo}
        aria-expanded={places.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        {...(places.length > 0 ? { "aria-activedescendant": `${id}-${active}` } : {})}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(0);
        }}
        onKeyDown={onKey}
        placeholder={appText.palettePlaceholder}
        autoComplete="off"
        spellCheck={false}
        className={`${CONTROL} mb-3 h-10`}
      />
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label={appText.results}
        className="max-h-80 overflow-y-auto"
      >
        {places.map((place, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the field, which keeps the focus.
          // biome-ignore lint/a11y/useFocusableInteractive: as above.
          <div
            key={place.id}
            id={`${id}-${index}`}
            data-index={index}
            role="option"
            aria-selected={index === active}
            onClick={() => go(place)}
            onPointerMove={() => setChosen(index)}
            className={`flex h-10 cursor-default items-center gap-3 rounded-lg px-3 text-sm select-none ${index === active ? "bg-sunken" : ""}`}
          >
            <span className="min-w-0 flex-1 truncate">{place.label}</span>
            <span className="shrink-0 text-xs text-ink-soft">{place.note}</span>
          </div>
        ))}
      </div>
      <p role="status" className={places.length === 0 ? "px-3 py-6 text-center text-sm text-ink-soft" : "sr-only"}>
        {places.length === 0 ? appText.nothingFound : appText.resultCount(places.length)}
      </p>
    </Dialog>
  );
}

/** What the text may mean: pages and agents by their names, then calls. */
function usePlaces(text: string): readonly PalettePlace[] {
  const { mode } = useMode();
  const typed = useDeferredValue(text);
  const { data: me } = useQuery(meQuery);
  const { data: agents = [] } = useQuery(agentsQuery);
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
