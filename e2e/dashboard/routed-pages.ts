import { readFile } from "node:fs/promises";
import { REPOSITORY } from "../harness/service-process.ts";

/** They redirect to another, or stand for every address that no page has. */
const LEADING_ON = new Set(["/settings", "/operator", "/operator/models", "/$"]);

/** Pages for visitors who are not signed in. */
export const OUTSIDE_PAGES: ReadonlySet<string> = new Set(["/sign-in", "/sign-up", "/claim", "/reset", "/shared-call"]);

/** Whether a page shows all it has, as an expression for the browser. */
export const IS_SETTLED = `document.querySelector("main .animate-pulse") === null &&
  (document.querySelector("nav") === null || document.querySelector("nav [aria-haspopup=menu]") !== null)`;

/** The address of every page that the dashboard's router knows, with `$name` for what differs. */
export async function readRoutedPages(): Promise<string[]> {
  const router = await readFile(`${REPOSITORY}/dashboard/src/app/router.tsx`, "utf8");
  const found = router.matchAll(
    /const (\w+) = createRoute\(\{\s*getParentRoute: \(\) => (\w+),\s*(?:path: "([^"]*)")?/g,
  );
  const routes = new Map([...found].map(([, name = "", parent = "", path = ""]) => [name, { parent, path }]));
  const parents = new Set([...routes.values()].map(({ parent }) => parent));
  const whole = (name: string): string => {
    const route = routes.get(name);
    return route ? `${whole(route.parent)}${route.path === "/" ? "" : route.path}` : "";
  };
  const pages = [...routes.keys()].filter((name) => !parents.has(name)).map((name) => whole(name) || "/");
  if (pages.length < 25) throw new Error(`the router is no longer parsed correctly: it has ${pages.join(", ")}`);
  return pages.filter((page) => !LEADING_ON.has(page));
}
