import type { ComponentProps, ReactNode } from "react";

interface CheckboxProps extends ComponentProps<"input"> {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
}

/** A box to tick, with its words beside it; a click on them ticks it too. */
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
