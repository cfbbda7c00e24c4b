/** How everything that is filled in looks. */
export const CONTROL =
  "block w-full rounded-lg border border-line-strong bg-surface px-3 text-ink placeholder:text-ink-soft/80 aria-invalid:border-danger";
