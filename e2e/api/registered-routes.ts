import { readSettings } from "@parley/server/platform/config/read-settings";
import { createLog } from "@parley/server/platform/telemetry/log";
import { buildApi } from "@parley/server/start/api";
import { openServiceContext } from "@parley/server/start/service-context";
import { openModels, openTrunks } from "@parley/server/start/start-service";
import type { ApiWorld } from "../harness/api-world.ts";

// Pages and probes: no part of the API, and without an account there is nothing in them to keep apart.
const OUTSIDE_THE_API = new Set([
  "/",
  "/healthz",
  "/readyz",
  "/metrics",
  "/api/v1/openapi.json",
  "/claim",
  "/llms.txt",
  "/reset",
]);

/** The routes that the joined parts register with the router, as `METHOD /path/{param}`, in order. */
export async function registeredRoutes({ databaseUrl, dataDir }: ApiWorld): Promise<string[]> {
  const settings = readSettings({ DATABASE_URL: databaseUrl, PARLEY_DATA_DIR: dataDir });
  const service = await openServiceContext(settings, createLog("silent"));
  const trunks = await openTrunks(service);
  const models = await openModels(service);
  const api = buildApi(service, trunks, models);
  try {
    await api.app.ready();
    return readTree(api.app.printRoutes({ commonPrefix: false })).sort();
  } finally {
    await api.stop();
    await models.close();
    await trunks.close();
    await service.close();
  }
}

/** Fastify prints its routes as a tree: four columns of drawing per level, then a part of the path and its methods. */
function readTree(tree: string): string[] {
  const parents: string[] = [];
  return tree.split("\n").flatMap((line) => {
    const drawn = /^[│├└─\s]*/.exec(line)?.[0].length ?? 0;
    const match = /^(\S+)(?: \(([A-Z, ]+)\))?$/.exec(line.slice(drawn));
    if (!match?.[1]) return [];
    const level = drawn / 4 - 1;
    parents.length = level;
    const path = `${parents.at(-1) ?? ""}${match[1]}`;
    parents[level] = path;
    // The only wildcard is what phone vendors send, which is signed by them. Fastify draws it without the path before it.
    if (OUTSIDE_THE_API.has(path) || path.startsWith("/docs") || path === "*") return [];
    const shown = path.replaceAll(/:(\w+)/g, "{$1}");
    const methods = match[2]?.split(", ") ?? [];
    // HEAD comes with every GET and is declared nowhere.
    return methods.filter((method) => method !== "HEAD").map((method) => `${method} ${shown}`);
  });
}
