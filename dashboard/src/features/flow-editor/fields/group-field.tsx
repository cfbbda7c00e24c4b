import { useId } from "react";
import { type FieldPath, setAt, valueAt } from "./field-paths.ts";
import { type FieldProps, useFieldScope } from "./field-scope.tsx";
import { useFieldTexts } from "./plain-fields.tsx";
import { blankValue, type FieldSpec } from "./schema-fields.ts";

/** Several fields that belong together. An optional group is switched on and off as a whole. */
export function GroupField(props: FieldProps) {
  const { field, path, value, onChange } = props;
  const switchId = useId();
  const { label, hint, error } = useFieldTexts(props);
  const fields = field.kind === "group" ? field.fields : [];
  const isOn = value !== undefined && value !== null;
  return (
    <fieldset className="min-w-0 rounded-xl border border-line px-3.5 pt-3 pb-3.5">
      <legend className="sr-only">{label}</legend>
      <div className="flex items-start gap-2.5">
        {field.isRequired ? (
          <p className="text-sm font-medium">{label}</p>
        ) : (
          <>
            <input
              id={switchId}
              type="checkbox"
              checked={isOn}
              onChange={({ target }) => onChange(target.checked ? blankValue(field) : undefined)}
              className="mt-1 size-4 shrink-0 accent-accent"
            />
            <label htmlFor={switchId} className="min-w-0 text-sm">
              <span className="font-medium">{label}</span>
              {hint && !isOn ? <span className="block text-ink-soft">{hint}</span> : null}
            </label>
          </>
        )}
      </div>
      {error ? <p className="mt-1.5 text-sm text-danger-text">{error}</p> : null}
      {isOn || field.isRequired ? (
        <div className="mt-3 space-y-4">
          <Fields fields={fields} path={path} value={value} onChange={onChange} />
        </div>
      ) : null}
    </fieldset>
  );
}

interface FieldsProps {
  readonly fields: readonly FieldSpec[];
  readonly path: FieldPath;
  readonly value: unknown;
  onChange(value: unknown): void;
}

/** The fields of one object that are relevant now. */
export function Fields({ fields, path, value, onChange }: FieldsProps) {
  const { applies, Editor } = useFieldScope();
  return fields
    .filter(({ name }) => applies([...path, name]))
    .map((field) => (
      <Editor
        key={field.name}
        field={field}
        path={[...path, field.name]}
        value={valueAt(value, [field.name])}
        onChange={(next) => onChange(setAt(value ?? {}, [field.name], next))}
      />
    ));
}
