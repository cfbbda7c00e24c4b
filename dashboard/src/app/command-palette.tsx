import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { CONTROL } from "../ui/forms/field.tsx";
import { Dialog } from "../ui/layout/dialog.tsx";
import { type PalettePlace, useGoTo, usePlaces } from "./palette-places.ts";
import { appText } from "./text.tsx";

/** Goes anywhere by typing: pages, agents, settings, guides, and calls by number, words or ID. */
export function CommandPalette({ onClose }: { onClose(): void }) {
  const goTo = useGoTo();
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
    goTo(place);
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
