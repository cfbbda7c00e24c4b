import type { ReactNode } from "react";

interface CardProps {
  readonly title?: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  /** Removes the padding, for content that reaches from edge to edge. */
  readonly isFlush?: boolean;
}

export function Card({ title, aside, children, isFlush = false }: CardProps) {
  return (
    <section aria-label={title} className="min-w-0 overflow-hidden rounded-2xl border border-line bg-surface">
      {title ? (
        <div className="flex min-h-13 items-center justify-between gap-3 px-4 pt-3 sm:px-5">
          <h2 className="font-semibold">{title}</h2>
          {aside}
        </div>
      ) : null}
      <div className={isFlush ? "" : "px-4 pt-2 pb-5 sm:px-5"}>{children}</div>
    </section>
  );
}
