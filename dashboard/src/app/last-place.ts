import { useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";

/** The documentation, which is no part of this application, reads it by this name for its way back. */
const KEPT_AS = "parley.place";

/** Remembers where this tab is. The referrer does not say: the service has browsers send none. */
export function useKeptPlace(): void {
  const place = useRouterState({ select: ({ location }) => location.href });
  useEffect(() => sessionStorage.setItem(KEPT_AS, place), [place]);
}
