import type { Route } from "./route.ts";
import * as account from "./routes/account.ts";
import * as agents from "./routes/agents.ts";
import * as alerts from "./routes/alerts.ts";
import * as batches from "./routes/batches.ts";
import * as calls from "./routes/calls.ts";
import * as deviceSignIn from "./routes/device-sign-in.ts";
import * as doctor from "./routes/doctor.ts";
import * as mcpServers from "./routes/mcp-servers.ts";
import * as members from "./routes/members.ts";
import * as operator from "./routes/operator.ts";
import * as providers from "./routes/providers.ts";
import * as scenarios from "./routes/scenarios.ts";
import * as signInSecurity from "./routes/sign-in-security.ts";
import * as tries from "./routes/try.ts";
import * as voiceTries from "./routes/try-voice.ts";
import * as voices from "./routes/voices.ts";
import * as webhooks from "./routes/webhooks.ts";

const METHOD_ORDER = ["GET", "POST", "PATCH", "DELETE"];

/** Every route of the JSON API, in the order of the reference: by subject, then by path. */
export const ROUTES: readonly Route[] = [
  calls,
  batches,
  agents,
  tries,
  voiceTries,
  scenarios,
  mcpServers,
  webhooks,
  voices,
  account,
  alerts,
  members,
  signInSecurity,
  deviceSignIn,
  operator,
  providers,
  doctor,
].flatMap((module) =>
  (Object.values(module) as Route[]).sort(
    (a, b) => compare(a.path, b.path) || METHOD_ORDER.indexOf(a.method) - METHOD_ORDER.indexOf(b.method),
  ),
);

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
