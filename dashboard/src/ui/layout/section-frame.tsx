import { Link, type LinkProps, Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

const ITEM =
  "flex h-9 items-center rounded-lg px-3 text-sm whitespace-nowrap text-ink-soft outline-offset-[-2px] hover:bg-sunken hover:text-ink [&.active]:bg-sunken [&.active]:font-medium [&.active]:text-ink";

interface SectionFrameProps {
  readonly label: string;
  readonly places: readonly { readonly to: NonNullable<LinkProps["to"]>; readonly label: string }[];
}

/** The frame of a group of pages: a side navigation, or a row above the page on a phone. */
export function SectionFrame({ label, places }: SectionFrameProps) {
  const row = useRef<HTMLUListElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is current changes with the path.
  useEffect(() => showCurrent(row.current), [path]);
  return (
    <div className="mx-auto w-full max-w-6xl lg:grid lg:grid-cols-[13rem_minmax(0,1fr)]">
      <nav aria-label={label} className="lg:sticky lg:top-14 lg:self-start lg:py-9 lg:pl-8">
        <p aria-hidden="true" className="mb-2 hidden px-3 text-xs font-medium text-ink-soft lg:block">
          {label}
        </p>
        <ul
          ref={row}
          className="flex gap-1 overflow-x-auto px-3 pt-3 pb-1 [scrollbar-width:none] sm:px-7 lg:flex-col lg:overflow-visible lg:p-0"
        >
          {places.map((place) => (
            <li key={place.to} className="shrink-0">
              <Link to={place.to} className={ITEM}>
                {place.label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Outlet />
    </div>
  );
}

/** On a phone the row is wider than the screen: scrolls the current page into view. */
function showCurrent(row: HTMLElement | null): void {
  const current = row?.querySelector("[aria-current=page]");
  if (row && current instanceof HTMLElement) {
    row.scrollLeft = current.offsetLeft - row.offsetLeft - (row.clientWidth - current.offsetWidth) / 2;
  }
}
