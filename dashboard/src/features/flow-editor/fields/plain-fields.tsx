import { useState } from "react";
import { CONTROL, Field, SelectField } from "../../../ui/forms/field.tsx";
import { choiceWord, labelOf } from "./field-labels.ts";
import { writePath, writePattern } from "./field-paths.ts";
import { type FieldProps, useFieldScope } from "./field-scope.tsx";
import type { FieldSpec } from "./schema-fields.ts";

/** What every field shows: its label, the help of the schema, and what is wrong with it. */
export function useFieldWords({ field, path }: Pick<FieldProps, "field" | "path">) {
  const { subject, problems } = useFieldScope();
  return {
    label: labelOf(subject, writePattern(path)),
    hint: field.help ? <HelpText text={field.help} /> : undefined,
    error: problems.get(writePath(path)),
  };
}

export function PlainText(props: FieldProps) {
  const { field, value, onChange } = props;
  const words = useFieldWords(props);
  const charsMax = field.kind === "text" ? field.charsMax : null;
  const written = useWritten(typeof value === "string" ? value : "", (text) => readText(field, text), onChange);
  return (
    <Field {...words} error={written.isTaken ? words.error : "This must not be empty."}>
      {(control) => (
        <input
          {...control}
          value={written.shown}
          {...(charsMax === null ? {} : { maxLength: charsMax })}
          onChange={({ target }) => written.write(target.value)}
          onBlur={written.leave}
          className={`${CONTROL} h-10`}
        />
      )}
    </Field>
  );
}

/** A name under which something is kept: what cannot be part of one is written as an underscore. */
export function NameText(props: FieldProps) {
  const { field, value, onChange } = props;
  const words = useFieldWords(props);
  const written = useWritten(typeof value === "string" ? value : "", (text) => readText(field, text), onChange);
  return (
    <Field {...words} error={written.isTaken ? words.error : "Small letters, digits and underscores; a letter first."}>
      {(control) => (
        <input
          {...control}
          value={written.shown}
          maxLength={64}
          spellCheck={false}
          autoCapitalize="none"
          placeholder="such_as_this"
          onChange={({ target }) => written.write(toName(target.value))}
          onBlur={written.leave}
          className={`${CONTROL} h-10 font-mono text-[0.8125rem]`}
        />
      )}
    </Field>
  );
}

export function toName(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, "_")
    .replace(/^[^a-z]+/, "");
}

function readText(field: FieldSpec, text: string) {
  if (text === "" && !field.isRequired) return { ok: true, value: undefined } as const;
  if (field.kind !== "text") return { ok: true, value: text } as const;
  const fits = text.length >= field.charsMin && field.patterns.every((pattern) => pattern.test(text));
  return fits ? ({ ok: true, value: text } as const) : ({ ok: false } as const);
}

export function NumberField(props: FieldProps) {
  const { field, value, onChange } = props;
  const words = useFieldWords(props);
  const written = useWritten(
    typeof value === "number" ? String(value) : "",
    (text) => readNumber(field, text),
    onChange,
  );
  return (
    <Field {...words} error={written.isTaken ? words.error : `Write ${inBounds(field)}.`}>
      {(control) => (
        <input
          {...control}
          inputMode="decimal"
          value={written.shown}
          onChange={({ target }) => written.write(target.value)}
          onBlur={written.leave}
          className={`${CONTROL} h-10`}
        />
      )}
    </Field>
  );
}

function readNumber(field: FieldSpec, text: string) {
  if (text.trim() === "")
    return field.isRequired ? ({ ok: false } as const) : ({ ok: true, value: undefined } as const);
  const number = Number(text);
  const bounds = field.kind === "number" ? field : { min: null, max: null, isWhole: false };
  const fits =
    Number.isFinite(number) &&
    (bounds.min ?? number) <= number &&
    number <= (bounds.max ?? number) &&
    (!bounds.isWhole || Number.isInteger(number));
  return fits ? ({ ok: true, value: number } as const) : ({ ok: false } as const);
}

function inBounds(field: FieldSpec): string {
  if (field.kind !== "number") return "a number";
  const what = field.isWhole ? "a whole number" : "a number";
  return field.min !== null && field.max !== null ? `${what} from ${field.min} to ${field.max}` : what;
}

/** One of a few; what may be left out has the default as its first choice. */
export function ChoiceField(props: FieldProps) {
  const { field, value, onChange } = props;
  const options = field.kind === "choice" ? field.options : [];
  return (
    <SelectField
      {...useFieldWords(props)}
      value={typeof value === "string" ? value : ""}
      onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
    >
      {field.isRequired ? null : <option value="">Default</option>}
      {options.map((option) => (
        <option key={option} value={option}>
          {choiceWord(option)}
        </option>
      ))}
    </SelectField>
  );
}

/** Yes, no, or what is usual. */
export function FlagField(props: FieldProps) {
  const { value, onChange } = props;
  return (
    <SelectField
      {...useFieldWords(props)}
      value={typeof value === "boolean" ? String(value) : ""}
      onChange={({ target }) => onChange(target.value === "" ? undefined : target.value === "true")}
    >
      <option value="">Default</option>
      <option value="true">Yes</option>
      <option value="false">No</option>
    </SelectField>
  );
}

/** What a schema says about a field: code stands between backticks there. */
function HelpText({ text }: { readonly text: string }) {
  return text.split("`").map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text have no other name.
      <code key={index} className="rounded bg-sunken px-1 font-mono text-[0.8125rem]">
        {part}
      </code>
    ) : (
      part
    ),
  );
}

/** Any JSON. */
export function JsonField(props: FieldProps) {
  const { value, onChange } = props;
  const words = useFieldWords(props);
  const kept = value === undefined ? "" : JSON.stringify(value, null, 2);
  const written = useWritten(kept, readJson, onChange);
  return (
    <Field {...words} error={written.isTaken ? words.error : "This is no JSON yet, so it is not kept."}>
      {(control) => (
        <textarea
          {...control}
          value={written.shown}
          rows={Math.min(12, Math.max(3, written.shown.split("\n").length))}
          spellCheck={false}
          placeholder='{ "day": "{{day}}" }'
          onChange={({ target }) => written.write(target.value)}
          // What is no JSON yet was much work to write and is left to be mended.
          onBlur={() => (written.isTaken ? written.leave() : undefined)}
          className={`${CONTROL} py-2 font-mono text-[0.8125rem] leading-5`}
        />
      )}
    </Field>
  );
}

function readJson(text: string) {
  if (text.trim() === "") return { ok: true, value: undefined } as const;
  try {
    return { ok: true, value: JSON.parse(text) as unknown } as const;
  } catch {
    return { ok: false } as const;
  }
}

interface Written {
  readonly shown: string;
  /** Whether what is shown is what is kept. */
  readonly isTaken: boolean;
  write(text: string): void;
  /** When the field is left: what was not taken goes back to what is kept. */
  leave(): void;
}

type Reading = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

/**
 * A field whose text may be half written: it is kept as soon as it can be, and until then it stands in the field and not
 * in the document, which could not be saved with it.
 */
export function useWritten(kept: string, read: (text: string) => Reading, onChange: (value: unknown) => void): Written {
  const [written, setWritten] = useState<string | null>(null);
  const shown = written ?? kept;
  return {
    shown,
    isTaken: shown === kept || read(shown).ok,
    write(text) {
      setWritten(text);
      const reading = read(text);
      if (reading.ok) onChange(reading.value);
    },
    leave: () => setWritten(null),
  };
}
