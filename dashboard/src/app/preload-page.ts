import type { AnyRouter } from "@tanstack/react-router";

/** Fetches the program of the page that is opened while it is still found out who opens it. */
export function preloadPage(router: AnyRouter): void {
  for (const { routeId } of router.matchRoutes(router.latestLocation)) {
    const route = router.routesById[routeId];
    // Where it cannot be had, the page says so when it is to be shown.
    if (route) router.loadRouteChunk(route)?.catch(() => undefined);
  }
}
