import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useState } from "react";
import { createQueryClient } from "../api/query-client.ts";
import { ToastProvider } from "../ui/toast.tsx";
import { ModeProvider } from "./mode.tsx";
import { createAppRouter } from "./router.tsx";

/** Whoever is signed out while reading signs in again and is back where they were. */
function createParts() {
  const queries = createQueryClient(() => {
    const { pathname, href } = router.state.location;
    if (!OPEN_PAGES.has(pathname)) void router.navigate({ to: "/sign-in", search: { next: href } });
  });
  const router = createAppRouter(queries);
  return { queries, router };
}

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
