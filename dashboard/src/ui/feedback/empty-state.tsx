import type { ReactNode } from "react";

interface EmptyStateProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly text: ReactNode;
  readonly action?: ReactNode;
  /** Whether this is all that the page shows, so that its title is the title of the page. */
  readonly isWholePage?: boolean;
}

/** Shown in place of missing content: why there is none and what to do about it. */
export function EmptyState({ icon, title, text, action, isWholePage = false }: EmptyStateProps) {
  const Heading = isWholePage ? "h1" : "h2";
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      <span
        aria-hidden="true"
        className="mb-4 grid size-12 place-items-center rounded-full bg-accent-soft text-accent-text [&_svg]:size-5"
      >
        {icon}
      </span>
      <Heading className="font-semibold">{title}</Heading>
      <p className="mt-1 max-w-md text-sm text-ink-soft">{text}</p>
      {action ? <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div> : null}
    </div>
  );
}
