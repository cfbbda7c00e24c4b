import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { Dialog } from "../../../ui/dialog.tsx";
import { CONTROL } from "../../../ui/field.tsx";

export interface Choice {
  readonly id: string;
  readonly icon?: ReactNode;
  readonly name: string;
  readonly note?: string;
}

interface ChooserProps {
  readonly title: string;
  readonly placeholder: string;
  /** What fits the words typed so far. */
  choicesFor(query: string): readonly Choice[];
  readonly emptyText: string;
  onChoose(id: string): void;
  onClose(): void;
}

/** One of many, found by typing and taken by Enter. */
export function Chooser({ title, placeholder, choicesFor, emptyText, onChoose, onClose }: ChooserProps) {
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const [asked, setAsked] = useState(title);
  const listId = useId();
  // The next question in the same popup begins with an empty field.
  if (asked !== title) {
    setAsked(title);
    setQuery("");
    setAt(0);
  }
  const choices = choicesFor(query);
  const current = Math.min(at, choices.length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      const next = (current + step + choices.length) % Math.max(1, choices.length);
      setAt(next);
      document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: "nearest" });
    }
    const chosen = choices[current];
    if (event.key === "Enter" && chosen) {
      event.preventDefault();
      onChoose(chosen.id);
    }
  };
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <input
        type="text"
        role="combobox"
        aria-label={title}
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={choices.length > 0 ? `${listId}-${current}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        placeholder={placeholder}
        value={query}
        onChange={({ target }) => {
          setQuery(target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        className={`${CONTROL} h-11`}
      />
      <div id={listId} role="listbox" aria-label={title} className="mt-3 max-h-80 space-y-0.5 overflow-y-auto">
        {choices.map(({ id, icon, name, note }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys of the whole list.
          <div
            key={id}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === current}
            onClick={() => onChoose(id)}
            onMouseMove={() => setAt(index)}
            className="flex cursor-pointer items-center gap-3 rounded-lg px-3 py-2 aria-selected:bg-sunken [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-soft"
          >
            {icon}
            <span className="min-w-0 flex-1">
              <span className="block truncate text-sm font-medium">{name}</span>
              {note ? <span className="block truncate text-xs text-ink-soft">{note}</span> : null}
            </span>
          </div>
        ))}
      </div>
      {choices.length === 0 ? <p className="px-3 py-4 text-sm text-ink-soft">{emptyText}</p> : null}
    </Dialog>
  );
}
