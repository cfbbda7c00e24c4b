import type { Route } from "./route.ts";
import * as account from "./routes/account.ts";
import * as agents from "./routes/agents.ts";
import * as calls from "./routes/calls.ts";
import * as members from "./routes/members.ts";

/** Every route of the JSON API, in the order the reference shows them. */
export const ROUTES: readonly Route[] = [calls, agents, account, members].flatMap(
  (module) => Object.values(module) as Route[],
);
