import { createMemoryHistory } from "@tanstack/react-router";
import { expect, test } from "vitest";
import { meQuery } from "../api/sign-in-state.ts";
import { createTestQueries } from "../testing/render-with-queries.tsx";
import { MissingPage } from "./fallback-pages.tsx";
import { createAppRouter } from "./router.tsx";
import { Shell } from "./shell.tsx";

test.each(["/nowhere", "/settings/nowhere", "/agents/agt_1/nowhere"])(
  "an address that no page has keeps the navigation: %s",
  async (path) => {
    const queries = createTestQueries();
    queries.setQueryData(meQuery.queryKey, { member: {}, account: {} } as never);
    const router = createAppRouter(queries);
    router.update({ ...router.options, history: createMemoryHistory({ initialEntries: [path] }) } as never);
    await router.load();
    const shown = router.state.matches.map(({ routeId }) => router.routesById[routeId].options.component);
    expect(shown).toContain(Shell);
    expect(shown.at(-1)).toBe(MissingPage);
  },
);
