import { type KeyboardEvent, useId, useRef, useState } from "react";
import type { Described } from "../../../ui/field.tsx";
import { cutAtPlaceholders, finishPlaceholder, placeholderAt, suggestNames } from "./placeholder-at.ts";

interface PlaceholderTextProps {
  readonly control: Described;
  readonly value: string;
  readonly names: readonly string[];
  readonly charsMax: number | null;
  /** One line only, such as a URL. */
  readonly isLine?: boolean;
  readonly placeholder?: string;
  onChange(value: string): void;
}

/** Both layers must break their lines at the same places. */
const LAYER = "col-start-1 row-start-1 px-3 py-2 break-words whitespace-pre-wrap [overflow-wrap:anywhere]";

const MARKS = {
  words: "",
  known: "rounded bg-accent-soft",
  unknown: "rounded bg-danger-soft underline decoration-danger decoration-wavy decoration-1 underline-offset-4",
} as const;

/**
 * A text with `{{names}}` in it. Names are completed while they are written, and marked by a copy of the text behind the
 * field, which also makes the field as high as its text.
 */
export function PlaceholderText({
  control,
  value,
  names,
  charsMax,
  isLine,
  placeholder,
  onChange,
}: PlaceholderTextProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const [cursor, setCursor] = useState<number | null>(null);
  const [chosen, setChosen] = useState(0);
  const open = cursor === null ? null : placeholderAt(value, cursor);
  const offered = open ? suggestNames(names, open.begun) : [];
  const isOffering = offered.length > 0;
  const place = Math.min(chosen, offered.length - 1);

  const write = (text: string, at: number | null) => {
    onChange(isLine ? text.replaceAll(/\s*\n\s*/g, " ") : text);
    setCursor(at);
    setChosen(0);
  };
  const take = (name: string) => {
    if (!open) return;
    const finished = finishPlaceholder(value, open, name);
    write(finished.text, null);
    // The field gets its new text with the next paint; the cursor can only be put into it then.
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(finished.cursor, finished.cursor);
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isOffering && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      setChosen((place + (event.key === "ArrowDown" ? 1 : offered.length - 1)) % offered.length);
    } else if (isOffering && (event.key === "Enter" || event.key === "Tab")) {
      take(offered[place] ?? "");
    } else if (isOffering && event.key === "Escape") {
      event.stopPropagation();
      setCursor(null);
    } else if (!(isLine && event.key === "Enter")) return;
    event.preventDefault();
  };

  return (
    <div className="relative">
      <div className="grid rounded-lg border border-line-strong bg-surface has-aria-invalid:border-danger">
        <div aria-hidden="true" className={`${LAYER} pointer-events-none text-transparent ${isLine ? "" : "min-h-20"}`}>
          {cutAtPlaceholders(value, names).map((piece, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text have no other name.
            <span key={index} className={MARKS[piece.kind]}>
              {piece.text}
            </span>
          ))}
          {/* A line that was just begun is as high as the others. */}
          {"\u200b"}
        </div>
        <textarea
          ref={field}
          {...control}
          rows={1}
          value={value}
          placeholder={placeholder}
          {...(charsMax === null ? {} : { maxLength: charsMax })}
          aria-autocomplete="list"
          aria-controls={isOffering ? listId : undefined}
          aria-activedescendant={isOffering ? `${listId}-${place}` : undefined}
          onChange={({ target }) => write(target.value, target.selectionStart)}
          onClick={({ currentTarget }) => setCursor(currentTarget.selectionStart)}
          onKeyDown={onKeyDown}
          onBlur={() => setCursor(null)}
          className={`${LAYER} resize-none overflow-hidden rounded-lg bg-transparent text-ink placeholder:text-ink-soft/80`}
        />
      </div>
      {isOffering ? (
        <div
          id={listId}
          role="listbox"
          aria-label="Names"
          className="absolute inset-x-0 top-full z-30 mt-1 max-h-56 overflow-y-auto rounded-lg border border-line bg-surface p-1 shadow-lg"
        >
          {offered.map((name, index) => (
            <div
              key={name}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === place}
              // The field keeps the focus: it is the one that is written in.
              onPointerDown={(event) => {
                event.preventDefault();
                take(name);
              }}
              className="cursor-default rounded-md px-2.5 py-1.5 font-mono text-[0.8125rem] aria-selected:bg-sunken"
            >
              {name}
            </div>
          ))}
        </div>
      ) : null}
    </div>
  );
}
