import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  retainSearchParams,
} from "@tanstack/react-router";
import { ApiError } from "../api/api-error.ts";
import { meQuery } from "../api/sign-in-state.ts";
import { readAgentSearch } from "../features/agents/agent-search.ts";
import { isSearchable, readCallsSearch } from "../features/calls/call-filter.ts";
import { callsQuery } from "../features/calls/call-queries.ts";
import { readOverviewSearch } from "../features/overview/period.ts";
import { readAuditFilter } from "../features/settings/audit/audit-filter.ts";
import { readDeliveryFilter } from "../features/settings/webhooks/delivery-filter.ts";
import { readUsageSearch } from "../features/usage/usage-search.ts";
import { ErrorPage, MissingPage, WaitingPage } from "./fallback-pages.tsx";
import { lastMode } from "./last-mode.ts";
import { readModeSearch } from "./mode.tsx";
import { Shell } from "./shell.tsx";

/** Resolves in a new task, so that evaluating a large chunk and rendering with it are two shorter tasks. */
function inNextTask<Value>(value: Value): Promise<Value> {
  return new Promise((resolve) => setTimeout(() => resolve(value)));
}

type Search = Record<string, unknown>;

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

const withNext = (search: Search): { next?: string } => {
  const next = text(search["next"]);
  // Only a path of this site: a link must not redirect to another site after signing in.
  return next && /^\/(?![/\\])/.test(next) ? { next } : {};
};

const withToken = (search: Search): { token?: string; invited?: "yes" } => {
  const token = text(search["token"]);
  return { ...(token ? { token } : {}), ...(search["invited"] === "yes" ? { invited: "yes" } : {}) };
};

const withCall = (search: Search): { call?: string } => {
  const call = text(search["call"]);
  return call ? { call } : {};
};

const withQuery = (search: Search): { q?: string } => {
  // The router parses numeric search parameters as numbers.
  const q = typeof search["q"] === "number" ? String(search["q"]) : text(search["q"]);
  return q ? { q: q.slice(0, 100) } : {};
};

const root = createRootRouteWithContext<{ queries: QueryClient }>()({ component: Outlet });

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: withNext,
  component: lazyRouteComponent(() => import("../features/sign-in/sign-in-page.tsx"), "SignInPage"),
});
const signUp = createRoute({
  getParentRoute: () => root,
  path: "/sign-up",
  component: lazyRouteComponent(() => import("../features/sign-in/sign-up-page.tsx"), "SignUpPage"),
});
const claim = createRoute({
  getParentRoute: () => root,
  path: "/claim",
  validateSearch: withToken,
  component: lazyRouteComponent(() => import("../features/sign-in/claim-page.tsx"), "ClaimPage"),
});
const reset = createRoute({
  getParentRoute: () => root,
  path: "/reset",
  validateSearch: withToken,
  component: lazyRouteComponent(() => import("../features/sign-in/reset-page.tsx"), "ResetPage"),
});

const sharedCall = createRoute({
  getParentRoute: () => root,
  path: "/shared-call",
  validateSearch: withToken,
  component: lazyRouteComponent(() => import("../features/calls/shared-call-page.tsx"), "SharedCallPage"),
});

const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  component: Shell,
  validateSearch: readModeSearch,
  // Links within the dashboard stay in the mode.
  search: { middlewares: [retainSearchParams(["mode"])] },
  beforeLoad: async ({ context, location, search }) => {
    if (location.pathname === "/" && search.mode === undefined && lastMode() === "live") {
      throw redirect({ to: "/", search: { mode: "live" }, replace: true });
    }
    try {
      await context.queries.ensureQueryData(meQuery);
    } catch (error) {
      if (!(error instanceof ApiError) || !error.isSignedOut) throw error;
      throw redirect({ to: "/sign-in", search: location.pathname === "/" ? {} : { next: location.href } });
    }
  },
});
const home = createRoute({
  getParentRoute: () => signedIn,
  path: "/",
  validateSearch: readOverviewSearch,
  component: lazyRouteComponent(() => import("../features/overview/overview-page.tsx"), "OverviewPage"),
});
const usage = createRoute({
  getParentRoute: () => signedIn,
  path: "/usage",
  validateSearch: readUsageSearch,
  component: lazyRouteComponent(() => import("../features/usage/usage-page.tsx"), "UsagePage"),
});
const device = createRoute({
  getParentRoute: () => signedIn,
  path: "/device",
  validateSearch: (search: Search): { code?: string } => {
    const code = text(search["code"]);
    return code ? { code: code.slice(0, 20) } : {};
  },
  component: lazyRouteComponent(() => import("../features/device-sign-in/device-page.tsx"), "DevicePage"),
});
const calls = createRoute({
  getParentRoute: () => signedIn,
  path: "/calls",
  validateSearch: readCallsSearch,
  loaderDeps: ({ search }) => search,
  // Requested before the page is rendered, so that the rows are there sooner. The page itself shows a failure.
  loader: ({ context: { queries }, deps: { show, mode, ...filter } }) => {
    if (show !== "live" && isSearchable(filter)) void queries.prefetchInfiniteQuery(callsQuery(mode ?? "test", filter));
  },
  component: lazyRouteComponent(() => import("../features/calls/calls-page.tsx"), "CallsPage"),
});
const call = createRoute({
  getParentRoute: () => signedIn,
  path: "/calls/$callId",
  // A position in the call that a link may contain.
  validateSearch: ({ atMs }: Record<string, unknown>): { atMs?: number } =>
    typeof atMs === "number" && atMs >= 0 ? { atMs } : {},
  component: lazyRouteComponent(() => import("../features/calls/call-page/call-page.tsx"), "CallPage"),
});
const batches = createRoute({
  getParentRoute: () => signedIn,
  path: "/calls/batches",
  component: lazyRouteComponent(() => import("../features/calls/batches/batches-page.tsx"), "BatchesPage"),
});
const newBatch = createRoute({
  getParentRoute: () => signedIn,
  path: "/calls/batches/new",
  component: lazyRouteComponent(() => import("../features/calls/batches/new-batch-page.tsx"), "NewBatchPage"),
});
const batch = createRoute({
  getParentRoute: () => signedIn,
  path: "/calls/batches/$batchId",
  component: lazyRouteComponent(() => import("../features/calls/batches/batch-page.tsx"), "BatchPage"),
});
const build = createRoute({
  getParentRoute: () => signedIn,
  path: "/agents/$agentId/build",
  staticData: { fillsScreen: true },
  validateSearch: withCall,
  component: lazyRouteComponent(
    () => import("../features/flow-editor/builder-page.tsx").then(inNextTask),
    "BuilderPage",
  ),
});
const agents = createRoute({
  getParentRoute: () => signedIn,
  path: "/agents",
  component: lazyRouteComponent(() => import("../features/agents/agents-page.tsx"), "AgentsPage"),
});
const agent = createRoute({
  getParentRoute: () => signedIn,
  path: "/agents/$agentId",
  validateSearch: readAgentSearch,
  component: lazyRouteComponent(() => import("../features/agents/agent-page.tsx"), "AgentPage"),
});
const settings = createRoute({
  getParentRoute: () => signedIn,
  path: "/settings",
  component: lazyRouteComponent(() => import("../features/settings/settings-frame.tsx"), "SettingsFrame"),
});
const settingsHome = createRoute({
  getParentRoute: () => settings,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/settings/account" });
  },
});
const developer = createRoute({
  getParentRoute: () => settings,
  path: "/developer",
  component: lazyRouteComponent(() => import("../features/settings/api-keys/developer-page.tsx"), "DeveloperPage"),
});
const webhooks = createRoute({
  getParentRoute: () => settings,
  path: "/webhooks",
  component: lazyRouteComponent(() => import("../features/settings/webhooks/webhooks-page.tsx"), "WebhooksPage"),
});
const webhook = createRoute({
  getParentRoute: () => settings,
  path: "/webhooks/$webhookId",
  validateSearch: readDeliveryFilter,
  component: lazyRouteComponent(() => import("../features/settings/webhooks/webhook-page.tsx"), "WebhookPage"),
});
const delivery = createRoute({
  getParentRoute: () => settings,
  path: "/webhooks/$webhookId/deliveries/$deliveryId",
  component: lazyRouteComponent(() => import("../features/settings/webhooks/delivery-page.tsx"), "DeliveryPage"),
});
const alerts = createRoute({
  getParentRoute: () => settings,
  path: "/alerts",
  component: lazyRouteComponent(() => import("../features/settings/alerts/alerts-page.tsx"), "AlertsPage"),
});
const mcpServers = createRoute({
  getParentRoute: () => settings,
  path: "/mcp",
  component: lazyRouteComponent(() => import("../features/settings/mcp/mcp-servers-page.tsx"), "McpServersPage"),
});
const mcpServer = createRoute({
  getParentRoute: () => settings,
  path: "/mcp/$serverId",
  component: lazyRouteComponent(() => import("../features/settings/mcp/mcp-server-page.tsx"), "McpServerPage"),
});
const billing = createRoute({
  getParentRoute: () => settings,
  path: "/billing",
  component: lazyRouteComponent(() => import("../features/settings/billing/billing-page.tsx"), "BillingPage"),
});
const limits = createRoute({
  getParentRoute: () => settings,
  path: "/limits",
  component: lazyRouteComponent(() => import("../features/settings/limits/limits-page.tsx"), "LimitsPage"),
});
const suppressions = createRoute({
  getParentRoute: () => settings,
  path: "/suppressions",
  component: lazyRouteComponent(
    () => import("../features/settings/suppressions/suppressions-page.tsx"),
    "SuppressionsPage",
  ),
});
const members = createRoute({
  getParentRoute: () => settings,
  path: "/members",
  component: lazyRouteComponent(() => import("../features/settings/members/members-page.tsx"), "MembersPage"),
});
const audit = createRoute({
  getParentRoute: () => settings,
  path: "/audit",
  validateSearch: readAuditFilter,
  component: lazyRouteComponent(() => import("../features/settings/audit/audit-page.tsx"), "AuditPage"),
});
const account = createRoute({
  getParentRoute: () => settings,
  path: "/account",
  component: lazyRouteComponent(() => import("../features/settings/account-page.tsx"), "AccountPage"),
});
const security = createRoute({
  getParentRoute: () => settings,
  path: "/security",
  component: lazyRouteComponent(() => import("../features/settings/security/security-page.tsx"), "SecurityPage"),
});

const operator = createRoute({
  getParentRoute: () => signedIn,
  path: "/operator",
  component: lazyRouteComponent(() => import("../features/operator/operator-frame.tsx"), "OperatorFrame"),
});
const operatorHome = createRoute({
  getParentRoute: () => operator,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/operator/trunks" });
  },
});
const trunks = createRoute({
  getParentRoute: () => operator,
  path: "/trunks",
  component: lazyRouteComponent(() => import("../features/operator/trunks/trunks-page.tsx"), "TrunksPage"),
});
const newTrunk = createRoute({
  getParentRoute: () => operator,
  path: "/trunks/new",
  component: lazyRouteComponent(() => import("../features/operator/trunks/trunk-form-page.tsx"), "NewTrunkPage"),
});
const trunk = createRoute({
  getParentRoute: () => operator,
  path: "/trunks/$trunkId",
  component: lazyRouteComponent(() => import("../features/operator/trunks/trunk-page.tsx"), "TrunkPage"),
});
const editTrunk = createRoute({
  getParentRoute: () => operator,
  path: "/trunks/$trunkId/edit",
  component: lazyRouteComponent(() => import("../features/operator/trunks/trunk-form-page.tsx"), "EditTrunkPage"),
});
const trunkRoutes = createRoute({
  getParentRoute: () => operator,
  path: "/routes",
  component: lazyRouteComponent(() => import("../features/operator/trunk-routes/routes-page.tsx"), "RoutesPage"),
});
const rates = createRoute({
  getParentRoute: () => operator,
  path: "/rates",
  validateSearch: withQuery,
  component: lazyRouteComponent(() => import("../features/operator/rates/rates-page.tsx"), "RatesPage"),
});
const providers = createRoute({
  getParentRoute: () => operator,
  path: "/providers",
  component: lazyRouteComponent(() => import("../features/operator/providers/providers-page.tsx"), "ProvidersPage"),
});
/** The address of the providers while they were of language models only. */
const models = createRoute({
  getParentRoute: () => operator,
  path: "/models",
  beforeLoad: () => {
    throw redirect({ to: "/operator/providers" });
  },
});
const engines = createRoute({
  getParentRoute: () => operator,
  path: "/engines",
  component: lazyRouteComponent(() => import("../features/operator/engines/engines-page.tsx"), "EnginesPage"),
});
const gate = createRoute({
  getParentRoute: () => operator,
  path: "/gate",
  component: lazyRouteComponent(() => import("../features/operator/gate/gate-page.tsx"), "GatePage"),
});
const operatorAccounts = createRoute({
  getParentRoute: () => operator,
  path: "/accounts",
  component: lazyRouteComponent(() => import("../features/operator/accounts/accounts-page.tsx"), "AccountsPage"),
});
const operatorAccount = createRoute({
  getParentRoute: () => operator,
  path: "/accounts/$accountId",
  component: lazyRouteComponent(() => import("../features/operator/accounts/account-page.tsx"), "AccountPage"),
});

/** Any other address. A member gets the missing page within the navigation. */
const missing = createRoute({ getParentRoute: () => signedIn, path: "/$", component: MissingPage });

const operatorPages = operator.addChildren([
  operatorHome,
  trunks,
  newTrunk,
  trunk,
  editTrunk,
  trunkRoutes,
  rates,
  providers,
  models,
  engines,
  gate,
  operatorAccounts,
  operatorAccount,
]);

const tree = root.addChildren([
  signIn,
  signUp,
  claim,
  reset,
  sharedCall,
  signedIn.addChildren([
    home,
    usage,
    device,
    calls,
    call,
    batches,
    newBatch,
    batch,
    agents,
    agent,
    build,
    settings.addChildren([
      settingsHome,
      account,
      security,
      developer,
      webhooks,
      webhook,
      delivery,
      alerts,
      mcpServers,
      mcpServer,
      billing,
      limits,
      suppressions,
      members,
      audit,
    ]),
    operatorPages,
    missing,
  ]),
]);

/** Every page has a URL, and its code is loaded when it is first opened. */
export function createAppRouter(queries: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { queries },
    scrollRestoration: true,
    // Search parameters that no route validates are dropped.
    search: { strict: true },
    defaultPreload: "intent",
    defaultPendingComponent: WaitingPage,
    defaultErrorComponent: ErrorPage,
  });
}

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    /** Whether the page gets exactly the rest of the screen and scrolls only in its own panels. */
    fillsScreen?: boolean;
  }
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
