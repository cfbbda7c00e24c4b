import { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import { keepFocus } from "./keep-focus.ts";
import "./styles.css";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type AnyRouter, RouterProvider } from "@tanstack/react-router";
import { Refusal } from "../api/api-error.ts";
import { meQuery, signInEnded } from "../api/sign-in-state.ts";
import { ToastProvider } from "../ui/feedback/toast.tsx";
import { ModeProvider } from "./mode.tsx";
import { createAppRouter } from "./router.tsx";
import { startTheme } from "./theme.ts";

/** Whoever was signed in and is no longer signs in again over the page, where nothing that was typed is lost. */
function createParts() {
  const queries: QueryClient = createQueryClient(() => {
    const isInside = !OPEN_PAGES.has(router.state.location.pathname);
    if (isInside && queries.getQueryData(meQuery.queryKey)) signInEnded.set(true);
  });
  const router = createAppRouter(queries);
  preloadPage(router);
  // Who it is, is asked for before anything is drawn.
  if (!OPEN_PAGES.has(router.latestLocation.pathname)) void queries.prefetchQuery(meQuery);
  return { queries, router };
}

/** Here a refusal says that a password is wrong, not that a sign-in has ended. */
const OPEN_PAGES = new Set(["/sign-in", "/sign-up", "/claim", "/reset"]);

function App() {
  const [{ queries, router }] = useState(createParts);
  return (
    <QueryClientProvider client={queries}>
      <ModeProvider>
        <ToastProvider>
          <RouterProvider router={router} />
        </ToastProvider>
      </ModeProvider>
    </QueryClientProvider>
  );
}

/** Fetches the program of the page that is opened while it is still found out who opens it. */
function preloadPage(router: AnyRouter): void {
  for (const { routeId } of router.matchRoutes(router.latestLocation)) {
    const route = router.routesById[routeId];
    // Where it cannot be had, the page says so when it is to be shown.
    if (route) router.loadRouteChunk(route)?.catch(() => undefined);
  }
}

const RETRIES_MAX = 2;

/** Only what may succeed when it is asked again is asked again, and only reads: a request that changes something never is. */
function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof Refusal && error.isOfNobody) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => error instanceof Refusal && error.retryable && failures < RETRIES_MAX,
      },
      mutations: { retry: false },
    },
  });
}

startTheme();
keepFocus(document);
const place = document.getElementById("app");
if (!place) throw new Error("the page has no place for the app");
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
