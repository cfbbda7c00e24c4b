import { listEngines } from "@parley/contract/routes/account";
import { type BoundRoute, handle } from "../../platform/http/handler.ts";
import type { EngineRegistry } from "./engine-registry.ts";

export function engineRoutes(deps: { readonly engines: EngineRegistry }): BoundRoute[] {
  return [handle(listEngines, async () => ({ data: deps.engines.list() }))];
}
