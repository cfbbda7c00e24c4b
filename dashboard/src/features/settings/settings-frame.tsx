import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { SETTINGS_PLACES } from "./settings-places.ts";
import { useIsOwner } from "./use-is-owner.ts";

const ITEM =
  "flex h-9 items-center rounded-lg px-3 text-sm whitespace-nowrap text-ink-soft outline-offset-[-2px] hover:bg-sunken hover:text-ink [&.active]:bg-sunken [&.active]:font-medium [&.active]:text-ink";

/** What surrounds the pages of the settings: a list beside them, or a row above them on a phone. */
export function SettingsFrame() {
  const isOwner = useIsOwner();
  const row = useRef<HTMLUListElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is current changes with the path.
  useEffect(() => showCurrent(row.current), [path]);
  return (
    <div className="mx-auto w-full max-w-6xl lg:grid lg:grid-cols-[13rem_minmax(0,1fr)]">
      <nav aria-label="Settings" className="lg:sticky lg:top-14 lg:self-start lg:py-9 lg:pl-8">
        <p aria-hidden="true" className="mb-2 hidden px-3 text-xs font-medium text-ink-soft lg:block">
          Settings
        </p>
        <ul
          ref={row}
          className="flex gap-1 overflow-x-auto px-3 pt-3 pb-1 [scrollbar-width:none] sm:px-7 lg:flex-col lg:overflow-visible lg:p-0"
        >
          {SETTINGS_PLACES.filter(({ isForOwners }) => isOwner || !isForOwners).map(({ to, label }) => (
            <li key={to} className="shrink-0">
              <Link to={to} className={ITEM}>
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Outlet />
    </div>
  );
}

/** On a phone the row is longer than the screen: the page one is on is brought into sight. */
function showCurrent(row: HTMLElement | null): void {
  const current = row?.querySelector("[aria-current=page]");
  if (row && current instanceof HTMLElement) {
    row.scrollLeft = current.offsetLeft - row.offsetLeft - (row.clientWidth - current.offsetWidth) / 2;
  }
}
