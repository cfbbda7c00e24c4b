import { z } from "zod";
import { Account, LedgerEntry, LedgerQuery, Rate, RateQuery } from "../credits.ts";
import { Engine } from "../engines.ts";
import { idSchema } from "../ids.ts";
import { Done, defineRoute } from "../route.ts";
import { Scope } from "../scopes.ts";
import { Settings, SettingsChanges } from "../settings.ts";
import { Mode } from "../shared-fields.ts";
import {
  ImportedSuppressions,
  NewSuppression,
  Suppression,
  SuppressionChoice,
  SuppressionImport,
  SuppressionQuery,
} from "../suppressions.ts";
import { Usage, UsageBreakdown, UsageBreakdownQuery, UsageQuery } from "../usage.ts";

const billing = { by: "key_or_member", scope: "billing:read" } as const;
const suppressions = { by: "key_or_member", scope: "suppressions:write" } as const;

export const listEngines = defineRoute({
  id: "listEngines",
  method: "GET",
  path: "/api/v1/engines",
  tag: "Engines",
  summary: "List engines, and what is missing to use the unavailable ones",
  access: { by: "key_or_member", scope: "engines:read" },
  data: z.array(Engine),
});

const GrantedAccess = z
  .strictObject({
    accountId: idSchema("account"),
    mode: Mode,
    scopes: z.array(Scope).meta({ description: "Those of the key, or those that the member may grant." }),
    by: z.enum(["key", "member"]),
  })
  .meta({ id: "GrantedAccess", description: "What a request with these credentials may do." });

export const getAccess = defineRoute({
  id: "getAccess",
  method: "GET",
  path: "/api/v1/access",
  tag: "API keys",
  summary: "Get what the key that is used, or the signed-in member, may do",
  access: { by: "key_or_member", scope: null },
  data: GrantedAccess,
});

export const getAccount = defineRoute({
  id: "getAccount",
  method: "GET",
  path: "/api/v1/account",
  tag: "Billing",
  summary: "Get balance, holds and limits",
  access: billing,
  data: Account,
});

export const listLedger = defineRoute({
  id: "listLedger",
  method: "GET",
  path: "/api/v1/account/ledger",
  tag: "Billing",
  summary: "List credits and charges, newest first",
  access: billing,
  query: LedgerQuery,
  data: LedgerEntry,
  paged: true,
});

export const getRate = defineRoute({
  id: "getRate",
  method: "GET",
  path: "/api/v1/rates",
  tag: "Billing",
  summary: "Get the price of a call to a number",
  access: billing,
  query: RateQuery,
  data: Rate,
});

export const getUsage = defineRoute({
  id: "getUsage",
  method: "GET",
  path: "/api/v1/usage",
  tag: "Billing",
  summary: "Get calls, minutes, spend and response times over a period",
  access: billing,
  query: UsageQuery,
  data: Usage,
});

export const getUsageBreakdown = defineRoute({
  id: "getUsageBreakdown",
  method: "GET",
  path: "/api/v1/usage/breakdown",
  tag: "Billing",
  summary: "Get ended calls of a period by agent, version, engine, outcome, hour of the day, day or key",
  access: billing,
  query: UsageBreakdownQuery,
  data: UsageBreakdown,
});

export const listSuppressions = defineRoute({
  id: "listSuppressions",
  method: "GET",
  path: "/api/v1/suppressions",
  tag: "Suppression list",
  summary: "List suppressed numbers",
  access: suppressions,
  query: SuppressionQuery,
  data: Suppression,
  paged: true,
});

export const addSuppression = defineRoute({
  id: "addSuppression",
  method: "POST",
  path: "/api/v1/suppressions",
  tag: "Suppression list",
  summary: "Add a number to the suppression list",
  access: suppressions,
  body: NewSuppression,
  data: Suppression,
  idempotent: true,
});

export const importSuppressions = defineRoute({
  id: "importSuppressions",
  method: "POST",
  path: "/api/v1/suppressions/import",
  tag: "Suppression list",
  summary: "Add numbers to the suppression list",
  access: suppressions,
  body: SuppressionImport,
  data: ImportedSuppressions,
  idempotent: true,
});

export const removeSuppression = defineRoute({
  id: "removeSuppression",
  method: "DELETE",
  path: "/api/v1/suppressions",
  tag: "Suppression list",
  summary: "Remove a number from the suppression list",
  access: suppressions,
  query: SuppressionChoice,
  data: Done,
  errors: ["not_found"],
});

export const getSettings = defineRoute({
  id: "getSettings",
  method: "GET",
  path: "/api/v1/settings",
  tag: "Settings",
  summary: "Get caps, calling hours, retention and disclosure",
  access: { by: "key_or_member", scope: "settings:read", role: "owner" },
  data: Settings,
});

export const changeSettings = defineRoute({
  id: "changeSettings",
  method: "PATCH",
  path: "/api/v1/settings",
  tag: "Settings",
  summary: "Change settings",
  access: { by: "key_or_member", scope: "settings:write", role: "owner" },
  body: SettingsChanges,
  data: Settings,
});
