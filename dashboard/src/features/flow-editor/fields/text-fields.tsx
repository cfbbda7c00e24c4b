import { Plus } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { Button } from "../../../ui/forms/button.tsx";
import { type Described, Field } from "../../../ui/forms/field.tsx";
import { writePattern } from "./field-paths.ts";
import { type FieldProps, useFieldScope } from "./field-scope.tsx";
import { useFieldTexts } from "./plain-fields.tsx";
import { SpeakButton } from "./speak-button.tsx";
import { editorFieldsText } from "./text.tsx";

interface FilledTextProps extends FieldProps {
  readonly isLine?: boolean;
  readonly aside?: ReactNode;
  readonly placeholder?: string;
}

/** A text with placeholders. */
export function FilledText(props: FilledTextProps) {
  const { field, path, value, isLine, aside, placeholder, onChange } = props;
  const scope = useFieldScope();
  const names = scope.placeholders(writePattern(path));
  const text = typeof value === "string" ? value : "";
  const unknown = scope.declare ? unknownNames(text, names).filter((name) => /^[a-z][a-z0-9_]*$/.test(name)) : [];
  return (
    <div className="space-y-1.5">
      <Field {...useFieldTexts(props)} aside={aside}>
        {(control) => (
          <PlaceholderText
            control={control}
            value={text}
            names={names}
            charsMax={field.kind === "text" ? field.charsMax : null}
            {...(isLine ? { isLine } : {})}
            {...(placeholder ? { placeholder } : {})}
            onChange={(next) => onChange(next === "" && !field.isRequired ? undefined : next)}
          />
        )}
      </Field>
      {unknown.map((name) => (
        <Button key={name} size="small" look="quiet" className="max-w-full" onClick={() => scope.declare?.(name)}>
          <Plus aria-hidden="true" />
          <span className="truncate">{editorFieldsText.letCallsBring(name)}</span>
        </Button>
      ))}
    </div>
  );
}

/** One line with placeholders, such as a URL. */
export function FilledLine(props: FieldProps) {
  return <FilledText {...props} isLine />;
}

/** Text that the agent speaks, with a preview in its voice. */
export function SpokenText(props: FilledTextProps) {
  const text = typeof props.value === "string" ? props.value : "";
  return <FilledText {...props} aside={<SpeakButton text={text || (props.placeholder ?? "")} />} />;
}

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

/** Both layers must wrap at the same positions. */
const LAYER = "col-start-1 row-start-1 px-3 py-2 break-words whitespace-pre-wrap [overflow-wrap:anywhere]";

const MARKS = {
  words: "",
  known: "rounded bg-accent-soft",
  unknown: "rounded bg-danger-soft underline decoration-danger decoration-wavy decoration-1 underline-offset-4",
} as const;

/**
 * A text with `{{names}}` in it. Names are completed while typing, and highlighted by a copy of the text behind the
 * field, which also sizes the field.
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
    // The field gets its new text with the next paint; the cursor can only be placed then.
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
          {/* A new line is as high as the others. */}
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
          aria-label={editorFieldsText.names}
          className="absolute inset-x-0 top-full z-30 mt-1 max-h-56 overflow-y-auto rounded-lg border border-line bg-surface p-1 shadow-lg"
        >
          {offered.map((name, index) => (
            <div
              key={name}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === place}
              // The field keeps the focus.
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

/** A `{{name}}` that is being typed at the cursor. */
interface OpenPlaceholder {
  /** Where the braces begin. */
  readonly start: number;
  /** After what already belongs to it, closing braces included. */
  readonly end: number;
  /** The typed part of the name. */
  readonly begun: string;
}

/** The placeholder around the cursor that is not closed before it, or null. */
export function placeholderAt(text: string, cursor: number): OpenPlaceholder | null {
  const before = /\{\{\s*([a-z0-9_]*)$/i.exec(text.slice(0, cursor));
  if (!before) return null;
  const after = /^[a-z0-9_]*\s*(?:\}\}?)?/i.exec(text.slice(cursor))?.[0] ?? "";
  // Without closing braces the following text is part of the sentence.
  const end = cursor + (after.includes("}") ? after.length : 0);
  return { start: before.index, end, begun: before[1] ?? "" };
}

/** The text with the placeholder completed, and the cursor position. */
export function finishPlaceholder(text: string, open: OpenPlaceholder, name: string): { text: string; cursor: number } {
  const written = `{{${name}}}`;
  return {
    text: text.slice(0, open.start) + written + text.slice(open.end),
    cursor: open.start + written.length,
  };
}

/** The names with this prefix, and then those that contain it. */
export function suggestNames(names: readonly string[], begun: string): string[] {
  const plain = begun.toLowerCase();
  const [first, rest] = [
    names.filter((name) => name.startsWith(plain)),
    names.filter((name) => !name.startsWith(plain) && name.includes(plain)),
  ];
  return [...first, ...rest];
}

interface TextPiece {
  readonly text: string;
  /** Plain text, a placeholder with a known name, or one with an unknown name. */
  readonly kind: "words" | "known" | "unknown";
}

/** Splits a text at its placeholders, so that each can be highlighted. */
export function cutAtPlaceholders(text: string, names: readonly string[]): TextPiece[] {
  const known = new Set(names);
  return text
    .split(/(\{\{[^{}]*\}\})/)
    .filter((part) => part !== "")
    .map((part) => {
      const name = /^\{\{([^{}]*)\}\}$/.exec(part)?.[1]?.trim();
      if (name === undefined) return { text: part, kind: "words" };
      return { text: part, kind: known.has(name) ? "known" : "unknown" };
    });
}

/** Unknown names in braces, each once. */
export function unknownNames(text: string, names: readonly string[]): string[] {
  const pieces = cutAtPlaceholders(text, names).filter(({ kind }) => kind === "unknown");
  return [...new Set(pieces.map((piece) => piece.text.slice(2, -2).trim()))];
}
