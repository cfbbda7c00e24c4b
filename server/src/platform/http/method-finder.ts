import type { Route } from "@parley/contract/route";

/** Answers which methods a path has, to tell "no such path" from "not by this method". */
export function createRouteFinder(routes: readonly Route[]): (path: string) => string[] {
  const patterns = routes.map((route) => ({
    methods: route.method === "GET" ? ["GET", "HEAD"] : [route.method],
    pattern: new RegExp(`^${route.path.replaceAll(/[.]/g, "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}/?$`),
  }));
  return (path) =>
    [...new Set(patterns.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods))].sort();
}
