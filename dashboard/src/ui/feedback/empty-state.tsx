import type { ReactNode } from "react";

interface EmptyStateProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly text: ReactNode;
  readonly action?: ReactNode;
}

/** Shown in place of missing content: why there is none and what to do about it. */
export function EmptyState({ icon, title, text, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      <span
        aria-hidden="true"
        className="mb-4 grid size-12 place-items-center rounded-full bg-accent-soft text-accent-text [&_svg]:size-5"
      >
        {icon}
      </span>
      <h2 className="font-semibold">{title}</h2>
      <p className="mt-1 max-w-md text-sm text-ink-soft">{text}</p>
      {action ? <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div> : null}
    </div>
  );
}
