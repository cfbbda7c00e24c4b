import { type ReactNode, useEffect } from "react";

interface PageProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly above?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page below the navigation: its one heading, what can be done on it, its content. */
export function Page({ title, lead, above, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Parley`;
  }, [title]);
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-6 sm:px-8 sm:py-9">
      {above}
      <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div className="min-w-0 sm:flex-1 sm:basis-72">
          <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
          {lead ? <div className="mt-1 text-ink-soft">{lead}</div> : null}
        </div>
        {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
      </header>
      {children}
    </div>
  );
}
