import { useState } from "react";
import { CONTROL, Field, SelectField } from "../../../ui/forms/field.tsx";
import { labelOf, optionLabel } from "./field-labels.ts";
import { writePath, writePattern } from "./field-paths.ts";
import { type FieldProps, useFieldScope } from "./field-scope.tsx";
import type { FieldSpec } from "./schema-fields.ts";
import { editorFieldsText } from "./text.tsx";

/** The label, the help text of the schema and the error of a field. */
export function useFieldTexts({ field, path }: Pick<FieldProps, "field" | "path">) {
  const { subject, problems } = useFieldScope();
  const pattern = writePattern(path);
  return {
    label: labelOf(subject, pattern),
    hint: field.help ? <HelpText text={editorFieldsText.helpOf(subject, pattern, field.help)} /> : undefined,
    error: problems.get(writePath(path)),
  };
}

export function PlainText(props: FieldProps) {
  const { field, value, onChange } = props;
  const words = useFieldTexts(props);
  const charsMax = field.kind === "text" ? field.charsMax : null;
  const written = useDraftText(typeof value === "string" ? value : "", (text) => readText(field, text), onChange);
  return (
    <Field {...words} error={written.isTaken ? words.error : editorFieldsText.mustNotBeEmpty}>
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

/** A variable name: characters that are not allowed become underscores. */
export function NameText(props: FieldProps) {
  const { field, value, onChange } = props;
  const words = useFieldTexts(props);
  const written = useDraftText(typeof value === "string" ? value : "", (text) => readText(field, text), onChange);
  return (
    <Field {...words} error={written.isTaken ? words.error : editorFieldsText.nameRule}>
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
  const words = useFieldTexts(props);
  const written = useDraftText(
    typeof value === "number" ? String(value) : "",
    (text) => readNumber(field, text),
    onChange,
  );
  return (
    <Field {...words} error={written.isTaken ? words.error : numberRule(field)}>
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

function numberRule(field: FieldSpec): string {
  if (field.kind !== "number") return editorFieldsText.writeNumber(false, null);
  const { isWhole, min, max } = field;
  return editorFieldsText.writeNumber(isWhole, min !== null && max !== null ? { min, max } : null);
}

/** A select; an optional field has the default as its first option. */
export function ChoiceField(props: FieldProps) {
  const { field, value, onChange } = props;
  const options = field.kind === "choice" ? field.options : [];
  return (
    <SelectField
      {...useFieldTexts(props)}
      value={typeof value === "string" ? value : ""}
      onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
    >
      {field.isRequired ? null : <option value="">{editorFieldsText.defaultChoice}</option>}
      {options.map((option) => (
        <option key={option} value={option}>
          {optionLabel(option)}
        </option>
      ))}
    </SelectField>
  );
}

/** Yes, no, or the default. */
export function FlagField(props: FieldProps) {
  const { value, onChange } = props;
  return (
    <SelectField
      {...useFieldTexts(props)}
      value={typeof value === "boolean" ? String(value) : ""}
      onChange={({ target }) => onChange(target.value === "" ? undefined : target.value === "true")}
    >
      <option value="">{editorFieldsText.defaultChoice}</option>
      <option value="true">{editorFieldsText.yes}</option>
      <option value="false">{editorFieldsText.no}</option>
    </SelectField>
  );
}

/** The help text of a schema, with code between backticks. */
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

const SAMPLE_BODY = '{ "day": "{{day}}" }';

/** Any JSON. */
export function JsonField(props: FieldProps) {
  const { path, value, onChange } = props;
  const words = useFieldTexts(props);
  const { unread } = useFieldScope();
  const kept = value === undefined ? "" : JSON.stringify(value, null, 2);
  const written = useDraftText(kept, readJson, onChange, {
    text: unread?.at(path) ?? null,
    keep: (text) => unread?.keep(path, text),
  });
  return (
    <Field {...words} error={written.isTaken ? words.error : editorFieldsText.notJson}>
      {(control) => (
        <textarea
          {...control}
          value={written.shown}
          rows={Math.min(12, Math.max(3, written.shown.split("\n").length))}
          spellCheck={false}
          placeholder={SAMPLE_BODY}
          onChange={({ target }) => written.write(target.value)}
          // Invalid JSON is kept so that it can be corrected, here and when the node is selected again.
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
  /** Whether the text is valid and stored. */
  readonly isTaken: boolean;
  write(text: string): void;
  /** On blur: invalid text is replaced by the stored value. */
  leave(): void;
}

type Reading = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

/** Where invalid text is kept while the field is not shown. */
interface KeptUnread {
  readonly text: string | null;
  keep(text: string | null): void;
}

/**
 * A field whose text may be incomplete: it is stored as soon as it is valid. Until then it exists only in the field, because
 * the document could not be saved with it.
 */
export function useDraftText(
  kept: string,
  read: (text: string) => Reading,
  onChange: (value: unknown) => void,
  unread?: KeptUnread,
): Written {
  const [written, setWritten] = useState<string | null>(unread?.text ?? null);
  const shown = written ?? kept;
  return {
    shown,
    isTaken: shown === kept || read(shown).ok,
    write(text) {
      setWritten(text);
      const reading = read(text);
      unread?.keep(reading.ok ? null : text);
      if (reading.ok) onChange(reading.value);
    },
    leave: () => setWritten(null),
  };
}
