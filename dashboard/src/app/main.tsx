import { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import { keepFocus } from "./keep-focus.ts";
import "./styles.css";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type AnyRouter, RouterProvider } from "@tanstack/react-router";
import { ApiError } from "../api/api-error.ts";
import { meQuery, signInEnded } from "../api/sign-in-state.ts";
import { ToastProvider } from "../ui/feedback/toast.tsx";
import { ModeProvider } from "./mode.tsx";
import { createAppRouter } from "./router.tsx";
import { startTheme } from "./theme.ts";

/** When the session ends, the member signs in again in a dialog above the page, so that no input is lost. */
function createParts() {
  const queries: QueryClient = createQueryClient(() => {
    const isInside = !OPEN_PAGES.has(router.state.location.pathname);
    if (isInside && queries.getQueryData(meQuery.queryKey)) signInEnded.set(true);
  });
  const router = createAppRouter(queries);
  preloadPage(router);
  // Requests the member before the first render.
  if (!OPEN_PAGES.has(router.latestLocation.pathname)) void queries.prefetchQuery(meQuery);
  return { queries, router };
}

/** Pages without a session: here an authentication error means a wrong password. */
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

/** Loads the code of the requested page while the member is still being fetched. */
function preloadPage(router: AnyRouter): void {
  for (const { routeId } of router.matchRoutes(router.latestLocation)) {
    const route = router.routesById[routeId];
    // A failure is reported when the page is rendered.
    if (route) router.loadRouteChunk(route)?.catch(() => undefined);
  }
}

const RETRIES_MAX = 2;

/** Retries only reads, and only errors that are marked retryable. A mutation is never retried. */
function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof ApiError && error.isSignedOut) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => error instanceof ApiError && error.retryable && failures < RETRIES_MAX,
      },
      mutations: { retry: false },
    },
  });
}

startTheme();
keepFocus(document);
const place = document.getElementById("app");
if (!place) throw new Error("the page has no root element for the app");
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
