import { ChevronDown } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";

/** The shared style of all form controls. */
export const CONTROL =
  "block w-full rounded-lg border border-line-strong bg-surface px-3 text-ink placeholder:text-ink-soft/80 aria-invalid:border-danger";

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  /** Shown beside the label. */
  readonly aside?: ReactNode;
}

export interface Described {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": boolean;
}

/** A label with its control, hint and error, linked by id for screen readers. */
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

/** The native select element, which every phone and screen reader supports, with our styling. */
export function Select({ className = "", ...rest }: ComponentProps<"select">) {
  return (
    <span className={`relative block ${className}`}>
      <select {...rest} className={`${CONTROL} h-10 appearance-none truncate pr-9`} />
      <ChevronDown aria-hidden="true" className="pointer-events-none absolute top-3 right-3 size-4 text-ink-soft" />
    </span>
  );
}

interface CheckboxProps extends ComponentProps<"input"> {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
}

/** A checkbox with its label; a click on the label toggles it too. */
export function Checkbox({ label, hint, type = "checkbox", ...rest }: CheckboxProps) {
  return (
    <label className="flex cursor-pointer items-start gap-2.5 py-1.5 text-sm">
      <input {...rest} type={type} className="mt-0.5 size-4 shrink-0 accent-accent" />
      <span className="min-w-0">
        <span className="block leading-5">{label}</span>
        {hint ? <span className="block text-xs leading-5 text-ink-soft">{hint}</span> : null}
      </span>
    </label>
  );
}
