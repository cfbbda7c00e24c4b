import type { AccountTables } from "./tables/account-tables.ts";
import type { AgentTables } from "./tables/agent-tables.ts";
import type { CallTables } from "./tables/call-tables.ts";
import type { CreditTables } from "./tables/credit-tables.ts";
import type { GateTables } from "./tables/gate-tables.ts";
import type { ProviderTables } from "./tables/provider-tables.ts";
import type { RequestTables } from "./tables/request-tables.ts";
import type { ScenarioTables } from "./tables/scenario-tables.ts";
import type { TrunkTables } from "./tables/trunk-tables.ts";
import type { WebhookTables } from "./tables/webhook-tables.ts";

/** The tables as `migrations/` make them. */
export interface Schema
  extends AccountTables,
    AgentTables,
    CallTables,
    CreditTables,
    GateTables,
    ProviderTables,
    RequestTables,
    ScenarioTables,
    TrunkTables,
    WebhookTables {}
