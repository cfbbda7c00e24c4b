import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { renderToStaticMarkup } from "react-dom/server";

// Runs in the build, where nothing is kept for a visitor.
Object.defineProperty(globalThis, "localStorage", { value: { getItem: () => null }, configurable: true });
const { language } = await import("../languages/language.ts");
if (language === "de") await import("../languages/german.ts");
const { meQuery } = await import("../api/sign-in-state.ts");
const { createAppRouter } = await import("../app/router.tsx");
const { ToastProvider } = await import("../ui/feedback/toast.tsx");

/** A space, which is as tall as the text that comes. */
const NOTHING_YET = "\u00a0";

/** A page as it looks before its first data is there. */
async function renderPage(path: string): Promise<string> {
  const queries = new QueryClient();
  // The pages of members are only loaded for one, whose names are left open.
  const member = { email: NOTHING_YET, isOperator: false };
  queries.setQueryData(meQuery.queryKey, { member, account: { name: NOTHING_YET } } as never);
  const router = createAppRouter(queries);
  const history = createMemoryHistory({ initialEntries: [path] });
  router.update({ ...router.options, history, scrollRestoration: false } as never);
  await router.load();
  const failed = router.state.matches.find(({ status }) => status !== "success");
  if (failed) throw new Error(`the page ${path} cannot be rendered ahead: ${failed.error}`);
  return renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <ToastProvider>
        <RouterProvider router={router} />
      </ToastProvider>
    </QueryClientProvider>,
  );
}

/** The pages that people open most, by the module they are in. The others begin with the name of the product. */
export const PAGES = [
  { name: "anyone/sign-in", module: "/features/sign-in/sign-in-page.tsx", html: await renderPage("/sign-in") },
  { name: "anyone/sign-up", module: "/features/sign-in/sign-up-page.tsx", html: await renderPage("/sign-up") },
  { name: "members/index", module: "/features/overview/overview-page.tsx", html: await renderPage("/") },
  { name: "members/calls", module: "/features/calls/calls-page.tsx", html: await renderPage("/calls") },
  { name: "members/agents", module: "/features/agents/agents-page.tsx", html: await renderPage("/agents") },
  { name: "members/usage", module: "/features/usage/usage-page.tsx", html: await renderPage("/usage") },
];
