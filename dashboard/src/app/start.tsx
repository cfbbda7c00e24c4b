import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type AnyRouter, RouterProvider } from "@tanstack/react-router";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { ApiError } from "../api/api-error.ts";
import { meQuery, signInEnded } from "../api/sign-in-state.ts";
import { ToastProvider } from "../ui/feedback/toast.tsx";
import { createAppRouter } from "./router.tsx";
import { startTheme } from "./theme.ts";

/**
 * Keeps the position of keyboard users. When the focused element is removed, such as a deleted row, a browser drops the focus
 * and screen readers start again at the top. This moves the focus to a neighbour of the removed element: never to a control,
 * so that a key pressed twice triggers nothing by accident.
 */
function keepFocus(page: Document): void {
  let focused: Element | null = null;
  page.addEventListener("focusin", ({ target }) => {
    focused = target instanceof Element ? target : null;
  });
  // A pointer press elsewhere gives up the focus on purpose.
  const forget = () => {
    focused = null;
  };
  page.addEventListener("pointerdown", forget, { capture: true });
  new MutationObserver((changes) => {
    if (focused === null || focused.isConnected) return;
    const gone = focused;
    focused = null;
    const change = changes.find(({ removedNodes }) => Array.from(removedNodes).some((node) => node.contains(gone)));
    // Dialogs and menus are children of the body and restore the focus themselves.
    if (!change || change.target === page.body) return;
    // The replacement may be rendered one frame later.
    requestAnimationFrame(() => requestAnimationFrame(() => focusBeside(page, change)));
  }).observe(page.body, { childList: true, subtree: true });
}

function focusBeside(page: Document, { nextSibling, previousSibling, target }: MutationRecord): void {
  if (page.activeElement !== null && page.activeElement !== page.body) return;
  const place = [nextSibling, previousSibling, ...withParents(target)].find(isPlace) ?? page.querySelector("main");
  if (!(place instanceof HTMLElement)) return;
  if (!place.hasAttribute("tabindex")) place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

function withParents(node: Node): readonly Node[] {
  return node.parentNode ? [node, ...withParents(node.parentNode)] : [node];
}

/** A visible element within the content of the page that is not a control. */
function isPlace(node: Node | null): node is HTMLElement {
  return (
    node instanceof HTMLElement &&
    node.isConnected &&
    node.closest("main, [role=dialog]") !== null &&
    // Interactive elements must not get the focus without the user's intent.
    !node.matches("a, button, input, select, textarea, summary") &&
    node.checkVisibility()
  );
}

/** Pages without a session: here an authentication error means a wrong password. */
const OPEN_PAGES = new Set(["/sign-in", "/sign-up", "/claim", "/reset", "/shared-call"]);

interface AppProps {
  readonly queries: QueryClient;
  readonly router: AnyRouter;
}

function App({ queries, router }: AppProps) {
  return (
    <QueryClientProvider client={queries}>
      <ToastProvider>
        <RouterProvider router={router} />
      </ToastProvider>
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

/**
 * Retries only reads, and only errors that are marked retryable. A mutation is never retried. When the session ends, the
 * member signs in again in a dialog above the page, so that no input is lost.
 */
function createQueryClient(): QueryClient {
  const onError = (error: Error) => {
    if (!(error instanceof ApiError) || !error.isSignedOut || OPEN_PAGES.has(location.pathname)) return;
    if (queries.getQueryData(meQuery.queryKey)) signInEnded.set(true);
  };
  const queries: QueryClient = new QueryClient({
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
  return queries;
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

startTheme();
keepFocus(document);
const place = document.getElementById("app");
if (!place) throw new Error("the page has no root element for the app");
// Evaluating the code, asking for the member, preparing the router and matching the page are four shorter tasks.
await nextTask();
const queries = createQueryClient();
if (!OPEN_PAGES.has(location.pathname)) void queries.prefetchQuery(meQuery);
await nextTask();
const router = createAppRouter(queries);
await nextTask();
preloadPage(router);
// What the page shows without the app stays until the app has something better. A failure is shown by the app.
await router.load().catch(() => undefined);
// In a transition the first render is many short tasks, between which the browser stays responsive.
startTransition(() =>
  createRoot(place).render(
    <StrictMode>
      <App queries={queries} router={router} />
    </StrictMode>,
  ),
);
