import { type ComponentProps, type ReactNode, useId } from "react";
import { CONTROL } from "./control.ts";
import { Select } from "./select.tsx";

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  /** What belongs to the field and stands beside its label. */
  readonly aside?: ReactNode;
}

export interface Described {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": boolean;
}

/** A label, what it labels, a hint and what is wrong with it, tied together for those who cannot see them side by side. */
export function Field({
  label,
  hint,
  error,
  aside,
  children,
}: FieldProps & { readonly children: (control: Described) => ReactNode }) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = error ?? hint;
  return (
    <div className="space-y-1.5">
      <div className="flex items-end justify-between gap-3">
        <label htmlFor={id} className="block text-sm font-medium">
          {label}
        </label>
        {aside}
      </div>
      {children({ id, "aria-describedby": note ? noteId : undefined, "aria-invalid": error !== undefined })}
      {note ? (
        <p id={noteId} className={`text-sm ${error ? "text-danger-text" : "text-ink-soft"}`}>
          {note}
        </p>
      ) : null}
    </div>
  );
}

export function TextField({
  label,
  hint,
  error,
  aside,
  className = "",
  ...rest
}: FieldProps & ComponentProps<"input">) {
  return (
    <Field label={label} hint={hint} error={error} aside={aside}>
      {(control) => <input {...rest} {...control} className={`${CONTROL} h-10 ${className}`} />}
    </Field>
  );
}

export function SelectField({ label, hint, error, aside, children, ...rest }: FieldProps & ComponentProps<"select">) {
  return (
    <Field label={label} hint={hint} error={error} aside={aside}>
      {(control) => (
        <Select {...rest} {...control}>
          {children}
        </Select>
      )}
    </Field>
  );
}

export function TextAreaField({
  label,
  hint,
  error,
  className = "",
  ...rest
}: FieldProps & ComponentProps<"textarea">) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <textarea {...rest} {...control} className={`${CONTROL} min-h-24 py-2 ${className}`} />}
    </Field>
  );
}
