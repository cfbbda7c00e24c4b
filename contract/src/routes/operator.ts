import { z } from "zod";
import {
  EngineRate,
  ImportedRates,
  NewEngineRate,
  NewRouteRate,
  RateImport,
  RouteRate,
  RouteRateChoice,
  RouteRateQuery,
} from "../credits.ts";
import { NewProviderRate, ProviderRate } from "../engines.ts";
import { GateRules, GateRulesChanges } from "../gate.ts";
import { idSchema } from "../ids.ts";
import { DOCUMENT_BODY_LIMIT_BYTES, Done, defineRoute } from "../route.ts";
import { NewTrunkRoute, TrunkRoute, TrunkRouteChanges, TrunkRouteQuery } from "../trunk-routes.ts";
import { NewTrunk, Trunk, TrunkChanges, TrunkDetails, TrunkQuery } from "../trunks.ts";

const access = { by: "member", role: "operator" } as const;
const tag = "Trunks";
const TrunkParams = z.strictObject({ id: idSchema("trunk") });
const TrunkRouteParams = z.strictObject({ id: idSchema("route") });

export const listTrunks = defineRoute({
  id: "listTrunks",
  method: "GET",
  path: "/api/v1/operator/trunks",
  tag,
  summary: "List trunks with their health and answer rates",
  access,
  query: TrunkQuery,
  data: Trunk,
  paged: true,
});

export const createTrunk = defineRoute({
  id: "createTrunk",
  method: "POST",
  path: "/api/v1/operator/trunks",
  tag,
  summary: "Add a trunk; calls use it once a route leads to it",
  access,
  body: NewTrunk,
  data: TrunkDetails,
});

export const getTrunk = defineRoute({
  id: "getTrunk",
  method: "GET",
  path: "/api/v1/operator/trunks/{id}",
  tag,
  summary: "Get a trunk with its answer rates by caller id and day",
  access,
  params: TrunkParams,
  data: TrunkDetails,
  errors: ["not_found"],
});

export const changeTrunk = defineRoute({
  id: "changeTrunk",
  method: "PATCH",
  path: "/api/v1/operator/trunks/{id}",
  tag,
  summary: "Change a trunk; live calls are not affected",
  access,
  params: TrunkParams,
  body: TrunkChanges,
  data: TrunkDetails,
  errors: ["not_found", "invalid_state"],
});

export const deleteTrunk = defineRoute({
  id: "deleteTrunk",
  method: "DELETE",
  path: "/api/v1/operator/trunks/{id}",
  tag,
  summary: "Remove a trunk that has no routes and no calls",
  access,
  params: TrunkParams,
  data: Done,
  errors: ["not_found", "invalid_state"],
});

export const listTrunkRoutes = defineRoute({
  id: "listTrunkRoutes",
  method: "GET",
  path: "/api/v1/operator/routes",
  tag,
  summary: "List routes by prefix",
  access,
  query: TrunkRouteQuery,
  data: TrunkRoute,
  paged: true,
});

export const createTrunkRoute = defineRoute({
  id: "createTrunkRoute",
  method: "POST",
  path: "/api/v1/operator/routes",
  tag,
  summary: "Route numbers with a prefix to a trunk",
  access,
  body: NewTrunkRoute,
  data: TrunkRoute,
});

export const changeTrunkRoute = defineRoute({
  id: "changeTrunkRoute",
  method: "PATCH",
  path: "/api/v1/operator/routes/{id}",
  tag,
  summary: "Change a route",
  access,
  params: TrunkRouteParams,
  body: TrunkRouteChanges,
  data: TrunkRoute,
  errors: ["not_found", "invalid_state"],
});

export const deleteTrunkRoute = defineRoute({
  id: "deleteTrunkRoute",
  method: "DELETE",
  path: "/api/v1/operator/routes/{id}",
  tag,
  summary: "Remove a route",
  access,
  params: TrunkRouteParams,
  data: Done,
  errors: ["not_found", "invalid_state"],
});

export const listRouteRates = defineRoute({
  id: "listRouteRates",
  method: "GET",
  path: "/api/v1/operator/rates",
  tag: "Operator",
  summary: "List rates by prefix",
  access,
  query: RouteRateQuery,
  data: RouteRate,
  paged: true,
});

export const setRouteRate = defineRoute({
  id: "setRouteRate",
  method: "POST",
  path: "/api/v1/operator/rates",
  tag: "Operator",
  summary: "Set the rate of a prefix; accepted calls keep their price",
  access,
  body: NewRouteRate,
  data: RouteRate,
});

export const removeRouteRate = defineRoute({
  id: "removeRouteRate",
  method: "DELETE",
  path: "/api/v1/operator/rates",
  tag: "Operator",
  summary: "Remove the rate of a prefix; a shorter prefix applies, if there is one",
  access,
  query: RouteRateChoice,
  data: Done,
  errors: ["not_found"],
});

export const importRouteRates = defineRoute({
  id: "importRouteRates",
  method: "POST",
  path: "/api/v1/operator/rates/import",
  tag: "Operator",
  summary: "Import rates, all of them or none",
  access,
  body: RateImport,
  bodyLimitBytes: DOCUMENT_BODY_LIMIT_BYTES,
  data: ImportedRates,
});

export const listEngineRates = defineRoute({
  id: "listEngineRates",
  method: "GET",
  path: "/api/v1/operator/rates/engines",
  tag: "Operator",
  summary: "List engine rates",
  access,
  data: z.array(EngineRate),
});

export const setEngineRate = defineRoute({
  id: "setEngineRate",
  method: "POST",
  path: "/api/v1/operator/rates/engines",
  tag: "Operator",
  summary: "Set the rate of an engine",
  access,
  body: NewEngineRate,
  data: EngineRate,
  errors: ["engine_unknown"],
});

export const listProviderRates = defineRoute({
  id: "listProviderRates",
  method: "GET",
  path: "/api/v1/operator/rates/providers",
  tag: "Operator",
  summary: "List what vendors charge, as set by operators",
  access,
  data: z.array(ProviderRate),
});

export const setProviderRate = defineRoute({
  id: "setProviderRate",
  method: "POST",
  path: "/api/v1/operator/rates/providers",
  tag: "Operator",
  summary: "Set what a vendor charges for a unit, for the cost of the parts of calls",
  access,
  body: NewProviderRate,
  data: z.array(ProviderRate),
});

const AccountParams = z.strictObject({ id: idSchema("account") });

export const getGate = defineRoute({
  id: "getGate",
  method: "GET",
  path: "/api/v1/operator/gate",
  tag: "Operator",
  summary: "Get the rules of the gate, for accounts without their own",
  access,
  data: GateRules,
});

export const changeGate = defineRoute({
  id: "changeGate",
  method: "PATCH",
  path: "/api/v1/operator/gate",
  tag: "Operator",
  summary: "Change the rules of the gate; `null` removes a rule",
  access,
  body: GateRulesChanges,
  data: GateRules,
});

export const getAccountGate = defineRoute({
  id: "getAccountGate",
  method: "GET",
  path: "/api/v1/operator/accounts/{id}/gate",
  tag: "Operator",
  summary: "Get the gate rules of an account",
  access,
  params: AccountParams,
  data: GateRules,
  errors: ["not_found"],
});

export const changeAccountGate = defineRoute({
  id: "changeAccountGate",
  method: "PATCH",
  path: "/api/v1/operator/accounts/{id}/gate",
  tag: "Operator",
  summary: "Change the gate rules of an account; `null` restores the installation's rule",
  access,
  params: AccountParams,
  body: GateRulesChanges,
  data: GateRules,
  errors: ["not_found"],
});
