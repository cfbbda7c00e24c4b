import { Calls } from "./calls.ts";
import { ParleyError } from "./errors.ts";
import { Events } from "./events.ts";
import {
  AccessResource,
  AccountResource,
  AgentsResource,
  AgentTemplatesResource,
  AlertRulesResource,
  AlertsResource,
  AuditResource,
  BatchesResource,
  CallViewsResource,
  DeliveriesResource,
  EnginesResource,
  McpServersResource,
  RatesResource,
  ScenarioRunsResource,
  ScenariosResource,
  SettingsResource,
  SuppressionsResource,
  ToolsResource,
  UsageResource,
  VoicesResource,
  WebhooksResource,
} from "./generated/resources.ts";
import { HttpClient } from "./http-client.ts";
import { realTiming, type Timing } from "./request.ts";

export type { FollowOptions, TranscriptChange, WaitOptions } from "./calls.ts";
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  CreditError,
  NotFoundError,
  ParleyError,
  PermissionError,
  RateLimitError,
  ServiceError,
  TimeoutError,
  ValidationError,
  WebhookVerificationError,
} from "./errors.ts";
export type { CallChange } from "./events.ts";
export type * from "./generated/resources.ts";
export type * from "./generated/types.ts";
export type { Page, PagePromise } from "./page.ts";
export type { RequestOptions, RevisionOptions } from "./request.ts";
export { VERSION } from "./version.ts";
export { type VerifyOptions, verifyWebhook, type WebhookEvent, type WebhookHeaders } from "./webhook-events.ts";

export interface ParleyOptions {
  /**
   * The API key, or a function that returns one. Default: the variable PARLEY_API_KEY. A key gives access to the
   * account: in a browser use a function that gets a token from your own server, or no key at all.
   */
  apiKey?: string | (() => string | Promise<string>) | null | undefined;
  /** Where the service is, such as `https://parley.example`. Default: the variable PARLEY_URL. */
  baseUrl?: string | undefined;
  /** How long one attempt may take. Default: 30,000. */
  timeoutMs?: number | undefined;
  /** How long all attempts of a request together may take. Default: 60,000. */
  deadlineMs?: number | undefined;
  /** How often a failed request is repeated, where that is safe. Default: 6. */
  maxRetries?: number | undefined;
  /** Headers of every request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Default: the global one. */
  fetch?: typeof fetch | undefined;
}

const TIMEOUT_MS = 30_000;
const DEADLINE_MS = 60_000;
const RETRIES_MAX = 6;

/** A client of the Parley API. */
export class Parley {
  readonly calls: Calls;
  readonly callViews: CallViewsResource;
  readonly agents: AgentsResource;
  readonly agentTemplates: AgentTemplatesResource;
  readonly scenarios: ScenariosResource;
  readonly scenarioRuns: ScenarioRunsResource;
  readonly webhooks: WebhooksResource;
  readonly deliveries: DeliveriesResource;
  readonly batches: BatchesResource;
  readonly events: Events;
  readonly engines: EnginesResource;
  readonly voices: VoicesResource;
  readonly tools: ToolsResource;
  readonly mcpServers: McpServersResource;
  readonly access: AccessResource;
  readonly account: AccountResource;
  readonly rates: RatesResource;
  readonly usage: UsageResource;
  readonly settings: SettingsResource;
  readonly alerts: AlertsResource;
  readonly alertRules: AlertRulesResource;
  readonly suppressions: SuppressionsResource;
  readonly audit: AuditResource;

  constructor(options: ParleyOptions = {}, timing: Timing = realTiming) {
    const baseUrl = options.baseUrl ?? readEnvironment("PARLEY_URL");
    if (baseUrl === undefined) throw new ParleyError("Pass baseUrl or set PARLEY_URL to the address of your service.");
    const apiKey = options.apiKey === undefined ? readEnvironment("PARLEY_API_KEY") : options.apiKey;
    const http = new HttpClient(
      {
        baseUrl: baseUrl.replace(/\/+$/, ""),
        apiKey: typeof apiKey === "string" ? () => apiKey : (apiKey ?? null),
        timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
        deadlineMs: options.deadlineMs ?? DEADLINE_MS,
        maxRetries: options.maxRetries ?? RETRIES_MAX,
        headers: options.headers ?? {},
        // Unbound, browsers refuse to call it.
        fetch: options.fetch ?? ((input, init) => fetch(input, init)),
      },
      timing,
    );
    this.calls = new Calls(http);
    this.callViews = new CallViewsResource(http);
    this.agents = new AgentsResource(http);
    this.agentTemplates = new AgentTemplatesResource(http);
    this.scenarios = new ScenariosResource(http);
    this.scenarioRuns = new ScenarioRunsResource(http);
    this.webhooks = new WebhooksResource(http);
    this.deliveries = new DeliveriesResource(http);
    this.batches = new BatchesResource(http);
    this.events = new Events(http);
    this.engines = new EnginesResource(http);
    this.voices = new VoicesResource(http);
    this.tools = new ToolsResource(http);
    this.mcpServers = new McpServersResource(http);
    this.access = new AccessResource(http);
    this.account = new AccountResource(http);
    this.rates = new RatesResource(http);
    this.usage = new UsageResource(http);
    this.settings = new SettingsResource(http);
    this.alerts = new AlertsResource(http);
    this.alertRules = new AlertRulesResource(http);
    this.suppressions = new SuppressionsResource(http);
    this.audit = new AuditResource(http);
  }
}

function readEnvironment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}
