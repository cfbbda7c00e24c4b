import { ArrowDown, ArrowUp, Plus, X } from "lucide-react";
import { type KeyboardEvent, useId, useState } from "react";
import { Button } from "../../../ui/forms/button.tsx";
import { CONTROL, Field } from "../../../ui/forms/field.tsx";
import { itemWord } from "./field-labels.ts";
import { writePath, writePattern } from "./field-paths.ts";
import { type FieldProps, useFieldScope } from "./field-scope.tsx";
import { Fields } from "./group-field.tsx";
import { useFieldTexts } from "./plain-fields.tsx";
import { blankItem, blankValue } from "./schema-fields.ts";
import { editorFieldsText } from "./text.tsx";
import { PlaceholderText } from "./text-fields.tsx";

/** A list whose order matters. */
export function ListField(props: FieldProps) {
  const { field, path, value, onChange } = props;
  const { subject, whole, Editor } = useFieldScope();
  const { label, hint, error } = useFieldTexts(props);
  if (field.kind !== "list") return null;
  const items = Array.isArray(value) ? (value as readonly unknown[]) : [];
  const word = itemWord(subject, writePattern(path));
  const keep = (next: readonly unknown[]) => onChange(next.length === 0 && !field.isRequired ? emptied(value) : next);
  const put = (index: number, item: unknown) => keep(items.map((old, at) => (at === index ? item : old)));
  const swap = (index: number, other: number) =>
    keep(items.map((item, at) => (at === index ? items[other] : at === other ? items[index] : item)));
  return (
    <fieldset className="min-w-0 space-y-2.5">
      <legend className="text-sm font-medium">{label}</legend>
      {hint ? <p className="text-sm text-ink-soft">{hint}</p> : null}
      {error ? <p className="text-sm text-danger-text">{error}</p> : null}
      {items.map((item, index) => (
        <fieldset
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no name of their own; a moved one is drawn again.
          key={index}
          className="min-w-0 rounded-xl border border-line px-3.5 pt-2 pb-3.5"
        >
          <legend className="sr-only">{`${word} ${index + 1}`}</legend>
          <div className="mb-1.5 flex items-center gap-1">
            <p aria-hidden="true" className="flex-1 text-xs font-medium text-ink-soft">
              {word} {index + 1}
            </p>
            {index > 0 ? (
              <Button
                look="quiet"
                size="smallIcon"
                aria-label={editorFieldsText.moveUp(word, index + 1)}
                onClick={() => swap(index, index - 1)}
              >
                <ArrowUp aria-hidden="true" />
              </Button>
            ) : null}
            {index < items.length - 1 ? (
              <Button
                look="quiet"
                size="smallIcon"
                aria-label={editorFieldsText.moveDown(word, index + 1)}
                onClick={() => swap(index, index + 1)}
              >
                <ArrowDown aria-hidden="true" />
              </Button>
            ) : null}
            {items.length > field.itemsMin ? (
              <Button
                look="quiet"
                size="smallIcon"
                aria-label={editorFieldsText.removeItem(word, index + 1)}
                onClick={() => keep(items.filter((_, at) => at !== index))}
              >
                <X aria-hidden="true" />
              </Button>
            ) : null}
          </div>
          <div className="space-y-4">
            {field.of.kind === "group" ? (
              <Fields
                fields={field.of.fields}
                path={[...path, index]}
                value={item}
                onChange={(next) => put(index, next)}
              />
            ) : (
              <Editor
                field={field.of}
                path={[...path, index]}
                value={item}
                onChange={(next) => put(index, next ?? blankValue(field.of))}
              />
            )}
          </div>
        </fieldset>
      ))}
      {items.length < (field.itemsMax ?? Number.POSITIVE_INFINITY) ? (
        <Button size="small" onClick={() => keep([...items, blankItem(field, whole, items)])}>
          <Plus aria-hidden="true" />
          {editorFieldsText.addItem(word)}
        </Button>
      ) : null}
    </fieldset>
  );
}

/** A list with a default stays when empty; an optional one is removed. */
function emptied(value: unknown): readonly unknown[] | undefined {
  return value === undefined ? undefined : [];
}

/** Example phrases: one is added with Enter, many by pasting lines. */
export function PhrasesField(props: FieldProps) {
  const { field, path, value, onChange } = props;
  const { problems } = useFieldScope();
  const [begun, setBegun] = useState("");
  const phrases = Array.isArray(value) ? (value as readonly string[]) : [];
  const keep = (next: readonly string[]) => onChange(next.length === 0 && !field.isRequired ? undefined : next);
  const max = field.kind === "list" ? (field.itemsMax ?? Number.POSITIVE_INFINITY) : 0;
  const add = (text: string) => {
    setBegun("");
    keep(addPhrases(phrases, text, max));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && begun.trim() !== "") {
      event.preventDefault();
      add(begun);
    } else if (event.key === "Backspace" && begun === "" && phrases.length > 0) {
      event.preventDefault();
      setBegun(phrases.at(-1) ?? "");
      keep(phrases.slice(0, -1));
    }
  };
  const words = useFieldTexts(props);
  const ofOne = phrases.map((_, index) => problems.get(writePath([...path, index]))).find(Boolean);
  return (
    <Field {...words} error={words.error ?? ofOne}>
      {(control) => (
        <div className="space-y-2">
          {phrases.length > 0 ? (
            <ul aria-label={words.label} className="flex flex-wrap gap-1.5">
              {phrases.map((phrase, index) => (
                <li
                  key={phrase}
                  className="flex max-w-full items-center rounded-full bg-sunken pl-3 text-sm leading-8 has-focus-visible:outline-2"
                >
                  <span className="min-w-0 truncate">{phrase}</span>
                  <button
                    type="button"
                    aria-label={editorFieldsText.removePhrase(phrase)}
                    onClick={() => keep(phrases.filter((_, place) => place !== index))}
                    className="grid size-8 shrink-0 place-items-center rounded-full text-ink-soft hover:text-ink"
                  >
                    <X aria-hidden="true" className="size-3.5" />
                  </button>
                </li>
              ))}
            </ul>
          ) : null}
          <input
            {...control}
            value={begun}
            maxLength={200}
            placeholder={editorFieldsText.addPhrase}
            onChange={({ target }) => setBegun(target.value)}
            onKeyDown={onKeyDown}
            onPaste={(event) => {
              const pasted = event.clipboardData.getData("text");
              if (!pasted.includes("\n")) return;
              event.preventDefault();
              add(pasted);
            }}
            onBlur={() => (begun.trim() === "" ? undefined : add(begun))}
            className={`${CONTROL} h-10`}
          />
        </div>
      )}
    </Field>
  );
}

const CHARS_MAX = 200;

/** Adds the lines of a text to the phrases. Existing ones, in any case, are not added again. */
export function addPhrases(phrases: readonly string[], text: string, max: number): readonly string[] {
  const known = new Set(phrases.map(plain));
  const added: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const phrase = line.trim().replaceAll(/\s+/g, " ").slice(0, CHARS_MAX);
    if (phrase === "" || known.has(plain(phrase))) continue;
    known.add(plain(phrase));
    added.push(phrase);
  }
  return [...phrases, ...added].slice(0, max);
}

function plain(phrase: string): string {
  return phrase.trim().toLowerCase();
}

/** RFC 9110 section 5.6.2: a name is a token. */
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;

type Pair = readonly [name: string, text: string];

/** The valid rows; of two with the same name the last. */
function namedOf(rows: readonly Pair[]): readonly Pair[] {
  return Object.entries(
    Object.fromEntries(rows.map(([name, text]) => [name.trim(), text]).filter(([name = ""]) => HEADER_NAME.test(name))),
  );
}

/** Names with values, such as the headers of a request. A row without a valid name is kept here until it has one. */
export function PairsField(props: FieldProps) {
  const { path, value, onChange } = props;
  const { problems, placeholders } = useFieldScope();
  const kept = Object.entries((value as Readonly<Record<string, string>> | undefined) ?? {});
  const [written, setWritten] = useState<readonly Pair[]>(kept);
  // A change from elsewhere, such as undo, takes precedence over what is typed here.
  const rows = JSON.stringify(namedOf(written)) === JSON.stringify(kept) ? written : kept;
  const legendId = useId();
  const { label, hint } = useFieldTexts(props);
  const keep = (next: readonly Pair[]) => {
    setWritten(next);
    const named = Object.fromEntries(namedOf(next));
    onChange(Object.keys(named).length > 0 ? named : undefined);
  };
  const change = (index: number, row: Pair) => keep(rows.map((old, at) => (at === index ? row : old)));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset does not lay its content out as a column here.
    <div role="group" aria-labelledby={legendId} className="space-y-2">
      <p id={legendId} className="text-sm font-medium">
        {label}
      </p>
      {hint ? <p className="text-sm text-ink-soft">{hint}</p> : null}
      {rows.map(([name, text], index) => {
        const error = problems.get(writePath([...path, name]));
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row may have no name yet, and rows do not move.
          <div key={index} className="space-y-1">
            <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] gap-1.5">
              <input
                aria-label={editorFieldsText.headerName(index + 1)}
                value={name}
                spellCheck={false}
                placeholder="X-Shop"
                onChange={({ target }) => change(index, [target.value, text])}
                className={`${CONTROL} h-10 font-mono text-[0.8125rem]`}
              />
              <label htmlFor={`${legendId}-${index}`} className="block">
                <span className="sr-only">{editorFieldsText.headerValue(name, index + 1)}</span>
                <PlaceholderText
                  control={{
                    id: `${legendId}-${index}`,
                    "aria-describedby": undefined,
                    "aria-invalid": error !== undefined,
                  }}
                  value={text}
                  names={placeholders(writePattern(path))}
                  charsMax={2000}
                  isLine
                  onChange={(next) => change(index, [name, next])}
                />
              </label>
              <Button
                look="quiet"
                size="icon"
                aria-label={editorFieldsText.removeHeader(name, index + 1)}
                onClick={() => keep(rows.filter((_, at) => at !== index))}
              >
                <X aria-hidden="true" />
              </Button>
            </div>
            {error ? <p className="text-sm text-danger-text">{error}</p> : null}
          </div>
        );
      })}
      <Button size="small" look="quiet" onClick={() => setWritten([...rows, ["", ""]])}>
        <Plus aria-hidden="true" />
        {editorFieldsText.addHeader}
      </Button>
    </div>
  );
}
