import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useState } from "react";
import { createQueryClient } from "../api/query-client.ts";
import { meQuery, signInEnded } from "../api/sign-in-state.ts";
import { ToastProvider } from "../ui/toast.tsx";
import { ModeProvider } from "./mode.tsx";
import { preloadPage } from "./preload-page.ts";
import { createAppRouter } from "./router.tsx";

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

export function App() {
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
