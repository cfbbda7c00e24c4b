import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { ToastProvider } from "../ui/feedback/toast.tsx";

/** Renders a component inside the providers that every page has: queries, without retries, and toasts. */
export function renderWithQueries(children: ReactNode, queries: QueryClient = createTestQueries()) {
  return render(
    <QueryClientProvider client={queries}>
      <ToastProvider>{children}</ToastProvider>
    </QueryClientProvider>,
  );
}

export function createTestQueries(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } } });
}
