// Generated from the OpenAPI document by `npm run sdk`. Do not edit.

import { type HttpClient, part } from "../http-client.ts";
import type { PagePromise } from "../page.ts";
import type { RequestOptions, RevisionOptions } from "../request.ts";
import type {
  Account,
  Agent,
  AgentChanges,
  AgentSummary,
  AgentTemplate,
  AgentVersion,
  AgentVersionSummary,
  Alert,
  AlertRules,
  AlertRulesChanges,
  AuditEntry,
  Batch,
  BatchCheck,
  BatchCheckRequest,
  BatchRow,
  Call,
  CallCheck,
  CallCheckRequest,
  CallCount,
  CallEvent,
  CallMatch,
  CallNotes,
  CallNotesChanges,
  CallPhase,
  CallShare,
  CallStatus,
  CallView,
  CheckFlow,
  CreatedCallShare,
  CreatedWebhookEndpoint,
  DeliveredType,
  Delivery,
  DeliveryDetails,
  DeliveryStatus,
  DescribeAgent,
  DescribedFlow,
  Done,
  EndReason,
  Engine,
  FlowCheck,
  GrantedAccess,
  ImportedScenarios,
  ImportedSuppressions,
  LedgerEntry,
  LiveCalls,
  McpServer,
  NewAgent,
  NewBatch,
  NewCall,
  NewCallShare,
  NewCallView,
  NewScenario,
  NewSuppression,
  NewVoicePreview,
  NewWebhookEndpoint,
  NodeNumbers,
  PublishAgent,
  PublishedVersion,
  Rate,
  RecordingLink,
  RecordingPeaks,
  Replay,
  RollbackAgent,
  RunScenarios,
  Scenario,
  ScenarioChanges,
  ScenarioFromCall,
  ScenarioImport,
  ScenarioRun,
  Settings,
  SettingsChanges,
  SharedCall,
  Suppression,
  SuppressionImport,
  ToolSecret,
  ToolTrial,
  ToolTrialResult,
  Transcript,
  TryReply,
  TryTurn,
  UnmatchedAnswers,
  Usage,
  UsageBreakdown,
  Voice,
  WebhookEndpoint,
  WebhookEndpointChanges,
  WebhookSecret,
} from "./types.ts";

export class CallViewsResource {
  protected readonly http: HttpClient;

  constructor(http: HttpClient) {
    this.http = http;
  }

  /** List the saved views of the list of calls. Scope: `calls:read`. */
  list(options?: RequestOptions): Promise<CallView[]> {
    return this.http.data("GET", "/api/v1/call-views", { options });
  }

  /** Save a view of the list of calls; a view with the same name is replaced. Scope: `calls:write`. */
  create(body: NewCallView, options?: RequestOptions): Promise<CallView> {
    return this.http.data("POST", "/api/v1/call-views", { body, once: true, options });
  }

  /** Delete a saved view. Scope: `calls:write`. */
  delete(id: string, options?: RequestOptions): Promise<Done> {
    return this.http.data("DELETE", `/api/v1/call-views/${part(id)}`, { options });
  }
}

export interface ListCallsQuery {
  /** How many, 1 to 100. */
  limit?: number | undefined;
  /** `nextCursor` of the previous page. */
  cursor?: string | undefined;
  status?: CallStatus | undefined;
  phase?: CallPhase | undefined;
  /** Identifier, `agt_...`. */
  agentId?: string | undefined;
  /** 0 for drafts. */
  agentVersion?: number | undefined;
  engine?: string | undefined;
  /** The key that placed the call; `none` for calls that members placed. */
  apiKeyId?: string | undefined;
  /** The member who placed the call in the dashboard. */
  memberId?: string | undefined;
  /** A phone number, or part of one. A plus sign followed by 7 to 15 digits matches exactly that number; with fewer digits, numbers with that prefix. Without a plus sign, it matches numbers that contain the digits. Spaces, brackets, dots, slashes and hyphens are ignored. */
  phoneNumber?: string | undefined;
  endReason?: EndReason | undefined;
  /** `analysis.outcome`, or `endReason` for calls without one, as in `GET /usage/breakdown`. */
  outcome?: string | undefined;
  /** The hour of the day in which the call was requested, as in `GET /usage/breakdown`. */
  hourOfDay?: number | undefined;
  /** The time zone of `hourOfDay`. Default: UTC. */
  timeZone?: string | undefined;
  createdAfter?: string | undefined;
  createdBefore?: string | undefined;
  /** Words spoken in the call, in any form and order; `"words in quotes"` must be adjacent, `-word` excludes calls. Only calls that have ended are found. Also needs the scope `transcripts:read`. A page may have fewer than `limit` items while `nextCursor` is not `null`. */
  q?: string | undefined;
  /** Anything that identifies a call: part of its number, its id, or words that were spoken or that occur in its metadata, tags or note. A word of three or more letters also matches longer words that begin with it. Also needs the scope `transcripts:read`. Pages as with `q`. */
  search?: string | undefined;
  /** A minus sign means descending. `durationSeconds` and `cost` list only calls that have one, and need filters that leave at most 20,000 calls. */
  sort?: "-createdAt" | "createdAt" | "-durationSeconds" | "durationSeconds" | "-cost" | "cost" | undefined;
}

export interface ExportCallsQuery {
  status?: CallStatus | undefined;
  phase?: CallPhase | undefined;
  /** Identifier, `agt_...`. */
  agentId?: string | undefined;
  /** 0 for drafts. */
  agentVersion?: number | undefined;
  engine?: string | undefined;
  /** The key that placed the call; `none` for calls that members placed. */
  apiKeyId?: string | undefined;
  /** The member who placed the call in the dashboard. */
  memberId?: string | undefined;
  /** A phone number, or part of one. A plus sign followed by 7 to 15 digits matches exactly that number; with fewer digits, numbers with that prefix. Without a plus sign, it matches numbers that contain the digits. Spaces, brackets, dots, slashes and hyphens are ignored. */
  phoneNumber?: string | undefined;
  endReason?: EndReason | undefined;
  /** `analysis.outcome`, or `endReason` for calls without one, as in `GET /usage/breakdown`. */
  outcome?: string | undefined;
  /** The hour of the day in which the call was requested, as in `GET /usage/breakdown`. */
  hourOfDay?: number | undefined;
  /** The time zone of `hourOfDay`. Default: UTC. */
  timeZone?: string | undefined;
  createdAfter?: string | undefined;
  createdBefore?: string | undefined;
  /** Words spoken in the call, in any form and order; `"words in quotes"` must be adjacent, `-word` excludes calls. Only calls that have ended are found. Also needs the scope `transcripts:read`. A page may have fewer than `limit` items while `nextCursor` is not `null`. */
  q?: string | undefined;
  /** Anything that identifies a call: part of its number, its id, or words that were spoken or that occur in its metadata, tags or note. A word of three or more letters also matches longer words that begin with it. Also needs the scope `transcripts:read`. Pages as with `q`. */
  search?: string | undefined;
}

export interface CountCallsQuery {
  status?: CallStatus | undefined;
  phase?: CallPhase | undefined;
  /** Identifier, `agt_...`. */
  agentId?: string | undefined;
  /** 0 for drafts. */
  agentVersion?: number | undefined;
  engine?: string | undefined;
  /** The key that placed the call; `none` for calls that members placed. */
  apiKeyId?: string | undefined;
  /** The member who placed the call in the dashboard. */
  memberId?: string | undefined;
  /** A phone number, or part of one. A plus sign followed by 7 to 15 digits matches exactly that number; with fewer digits, numbers with that prefix. Without a plus sign, it matches numbers that contain the digits. Spaces, brackets, dots, slashes and hyphens are ignored. */
  phoneNumber?: string | undefined;
  endReason?: EndReason | undefined;
  /** `analysis.outcome`, or `endReason` for calls without one, as in `GET /usage/breakdown`. */
  outcome?: string | undefined;
  /** The hour of the day in which the call was requested, as in `GET /usage/breakdown`. */
  hourOfDay?: number | undefined;
  /** The time zone of `hourOfDay`. Default: UTC. */
  timeZone?: string | undefined;
  createdAfter?: string | undefined;
  createdBefore?: string | undefined;
  /** Words spoken in the call, in any form and order; `"words in quotes"` must be adjacent, `-word` excludes calls. Only calls that have ended are found. Also needs the scope `transcripts:read`. A page may have fewer than `limit` items while `nextCursor` is not `null`. */
  q?: string | undefined;
  /** Anything that identifies a call: part of its number, its id, or words that were spoken or that occur in its metadata, tags or note. A word of three or more letters also matches longer words that begin with it. Also needs the scope `transcripts:read`. Pages as with `q`. */
  search?: string | undefined;
}

export interface FindCallMatchesQuery {
  /** The text of `search` or `q`. */
  text: string;
  /** Ids of calls that a search returned, separated by commas; at most 100. */
  callIds: string;
}

export interface ListCallEventsQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
}

export interface GetSharedCallQuery {
  token: string;
}

export interface ListCallDeliveriesQuery {
  /** How many, 1 to 100. */
  limit?: number | undefined;
  /** `nextCursor` of the previous page. */
  cursor?: string | undefined;
}

export class CallsResource {
  protected readonly http: HttpClient;

  constructor(http: HttpClient) {
    this.http = http;
  }

  /** List calls, newest first. Scope: `calls:read`. */
  list(query: ListCallsQuery = {}, options?: RequestOptions): PagePromise<Call> {
    return this.http.page("GET", "/api/v1/calls", { query, options });
  }

  /** Place a call. Scope: `calls:write`. */
  create(body: NewCall, options?: RequestOptions): Promise<Call> {
    return this.http.data("POST", "/api/v1/calls", { body, once: true, options });
  }

  /** Export calls as CSV, newest first; same as the list with `Accept: text/csv`. Scope: `calls:read`. */
  exportCsv(query: ExportCallsQuery = {}, options?: RequestOptions): Promise<Response> {
    return this.http.bytes("GET", "/api/v1/calls.csv", { query, options });
  }

  /** Check whether a number may be called now, its price and local time; nothing is dialed or stored. Scope: `calls:read`. */
  check(body: CallCheckRequest, options?: RequestOptions): Promise<CallCheck> {
    return this.http.data("POST", "/api/v1/calls/check", { body, repeatable: true, options });
  }

  /** Count the calls that match filters; exact up to 10,000. Scope: `calls:read`. */
  count(query: CountCallsQuery = {}, options?: RequestOptions): Promise<CallCount> {
    return this.http.data("GET", "/api/v1/calls/count", { query, options });
  }

  /** List calls that have not ended, and what each of them waits for. Scope: `calls:read`. */
  listLive(options?: RequestOptions): Promise<LiveCalls> {
    return this.http.data("GET", "/api/v1/calls/live", { options });
  }

  /** Get excerpts of calls that a search returned, with the words that were found. Scope: `transcripts:read`. */
  findMatches(query: FindCallMatchesQuery, options?: RequestOptions): Promise<CallMatch[]> {
    return this.http.data("GET", "/api/v1/calls/matches", { query, options });
  }

  /** Get a call. Scope: `calls:read`. */
  get(id: string, options?: RequestOptions): Promise<Call> {
    return this.http.data("GET", `/api/v1/calls/${part(id)}`, { options });
  }

  /** Analyze an answered call again, with the currently published version of its agent. Scope: `calls:write`. */
  analyze(id: string, options?: RequestOptions): Promise<Call> {
    return this.http.data("POST", `/api/v1/calls/${part(id)}/analysis`, { once: true, options });
  }

  /** Permanently erase the recording, transcript and data of a call; its cost is kept. Scope: `calls:write`. */
  eraseData(id: string, options?: RequestOptions): Promise<Call> {
    return this.http.data("DELETE", `/api/v1/calls/${part(id)}/data`, { options });
  }

  /** Get the timeline of a call; live with `Accept: text/event-stream`. Scope: `calls:read`. */
  listEvents(id: string, query: ListCallEventsQuery = {}, options?: RequestOptions): PagePromise<CallEvent> {
    return this.http.page("GET", `/api/v1/calls/${part(id)}/events`, { query, options });
  }

  /** Hang up, or cancel a call that has not been answered. Scope: `calls:write`. */
  hangup(id: string, options?: RequestOptions): Promise<Call> {
    return this.http.data("POST", `/api/v1/calls/${part(id)}/hangup`, { once: true, options });
  }

  /** Listen to a live call; a WebSocket that sends `{sampleRateHz, channels, encoding}` and then audio as binary messages, or, without an upgrade, a WAV stream. Stereo, the callee on the left and the agent on the right. Scope: `recordings:read`. */
  listen(id: string, options?: RequestOptions): Promise<Response> {
    return this.http.bytes("GET", `/api/v1/calls/${part(id)}/listen`, { options });
  }

  /** Get the tags and the note of a call. Scope: `calls:read`. */
  getNotes(id: string, options?: RequestOptions): Promise<CallNotes> {
    return this.http.data("GET", `/api/v1/calls/${part(id)}/notes`, { options });
  }

  /** Change the tags or the note of a call. Scope: `calls:write`. */
  changeNotes(id: string, body: CallNotesChanges, options?: RequestOptions): Promise<CallNotes> {
    return this.http.data("PATCH", `/api/v1/calls/${part(id)}/notes`, { body, options });
  }

  /** Get the recording of a call; stereo, the callee on the left and the agent on the right. Scope: `recordings:read`. */
  getRecording(id: string, options?: RequestOptions): Promise<Response> {
    return this.http.bytes("GET", `/api/v1/calls/${part(id)}/recording`, { options });
  }

  /** Create a link that plays the recording for ten minutes without a key. Scope: `recordings:read`. */
  createRecordingLink(id: string, options?: RequestOptions): Promise<RecordingLink> {
    return this.http.data("POST", `/api/v1/calls/${part(id)}/recording/link`, { repeatable: true, options });
  }

  /** Get the waveform of a recording. Scope: `recordings:read`. */
  getRecordingPeaks(id: string, options?: RequestOptions): Promise<RecordingPeaks> {
    return this.http.data("GET", `/api/v1/calls/${part(id)}/recording/peaks`, { options });
  }

  /** List the links to a call that have not expired. Scope: `recordings:read`. */
  listShares(id: string, options?: RequestOptions): Promise<CallShare[]> {
    return this.http.data("GET", `/api/v1/calls/${part(id)}/shares`, { options });
  }

  /** Create a link by which anyone can read a call, and hear it, until the link expires. Scope: `recordings:read`. */
  createShare(id: string, body: NewCallShare = {}, options?: RequestOptions): Promise<CreatedCallShare> {
    return this.http.data("POST", `/api/v1/calls/${part(id)}/shares`, { body, options });
  }

  /** Make a link to a call stop working. Scope: `recordings:read`. */
  deleteShare(id: string, shareId: string, options?: RequestOptions): Promise<Done> {
    return this.http.data("DELETE", `/api/v1/calls/${part(id)}/shares/${part(shareId)}`, { options });
  }

  /** Get the transcript of a call; it grows while the call is in progress. Live with `Accept: text/event-stream`. Scope: `transcripts:read`. */
  getTranscript(id: string, options?: RequestOptions): Promise<Transcript> {
    return this.http.data("GET", `/api/v1/calls/${part(id)}/transcript`, { options });
  }

  /** Get a call by a link. */
  getShared(query: GetSharedCallQuery, options?: RequestOptions): Promise<SharedCall> {
    return this.http.data("GET", "/api/v1/shared-call", { query, options });
  }

  /** Create a scenario from an ended call: the callee repeats what it did, and the same outcome is expected. Also needs the scope `transcripts:read`. Scope: `transcripts:read`. */
  createScenario(id: string, body: ScenarioFromCall = {}, options?: RequestOptions): Promise<Scenario> {
    return this.http.data("POST", `/api/v1/calls/${part(id)}/scenario`, { body, options });
  }

  /** List the deliveries of a call to all endpoints, newest first. Scope: `webhooks:read`. */
  listDeliveries(id: string, query: ListCallDeliveriesQuery = {}, options?: RequestOptions): PagePromise<Delivery> {
    return this.http.page("GET", `/api/v1/calls/${part(id)}/deliveries`, { query, options });
  }
}

export interface ListBatchesQuery {
  /** How many, 1 to 100. */
  limit?: number | undefined;
  /** `nextCursor` of the previous page. */
  cursor?: string | undefined;
}

export interface ListBatchRowsQuery {
  /** How many, 1 to 100. */
  limit?: number | undefined;
  /** `nextCursor` of the previous page. */
  cursor?: string | undefined;
  status?: "waiting" | "placed" | "refused" | "canceled" | undefined;
}

export class BatchesResource {
  protected readonly http: HttpClient;

  constructor(http: HttpClient) {
    this.http = http;
  }

  /** List batches, newest first. Scope: `calls:read`. */
  list(query: ListBatchesQuery = {}, options?: RequestOptions): PagePromise<Batch> {
    return this.http.page("GET", "/api/v1/batches", { query, options });
  }

  /** Place calls to a list of up to 1,000 numbers, each at most once. Scope: `calls:write`. */
  createBatch(body: NewBatch, options?: RequestOptions): Promise<Batch> {
    return this.http.data("POST", "/api/v1/batches", { body, once: true, options });
  }

  /** Check up to 200 rows of a list: numbers, variables and whether they may be called now; nothing is stored. Scope: `calls:read`. */
  checkBatch(body: BatchCheckRequest, options?: RequestOptions): Promise<BatchCheck> {
    return this.http.data("POST", "/api/v1/batches/check", { body, options });
  }

  /** Get a batch and how far it is. Scope: `calls:read`. */
  getBatch(id: string, options?: RequestOptions): Promise<Batch> {
    return this.http.data("GET", `/api/v1/batches/${part(id)}`, { options });
  }

  /** Cancel the rows of a batch that were not placed; calls that were placed go on. Scope: `calls:write`. */
  cancelBatch(id: string, options?: RequestOptions): Promise<Batch> {
    return this.http.data("POST", `/api/v1/batches/${part(id)}/cancel`, { once: true, options });
  }

  /** Pause a batch; calls that were placed go on. Scope: `calls:write`. */
  pauseBatch(id: string, options?: RequestOptions): Promise<Batch> {
    return this.http.data("POST", `/api/v1/batches/${part(id)}/pause`, { once: true, options });
  }

  /** Get the results of a batch as CSV, one line per row. Scope: `calls:read`. */
  exportBatchResults(id: string, options?: RequestOptions): Promise<Response> {
    return this.http.bytes("GET", `/api/v1/batches/${part(id)}/results.csv`, { options });
  }

  /** Continue a paused batch. Scope: `calls:write`. */
  resumeBatch(id: string, options?: RequestOptions): Promise<Batch> {
    return this.http.data("POST", `/api/v1/batches/${part(id)}/resume`, { once: true, options });
  }

  /** List the rows of a batch with their calls. Scope: `calls:read`. */
  listBatchRows(id: string, query: ListBatchRowsQuery = {}, options?: RequestOptions): PagePromise<BatchRow> {
    return this.http.page("GET", `/api/v1/batches/${part(id)}/rows`, { query, options });
  }
}

export interface ListAgentsQuery {
  /** How many, 1 to 100. */
  limit?: number | undefined;
  /** `nextCursor` of the previous page. */
  cursor?: string | undefined;
}

export interface GetNodeNumbersQuery {
  /** `all` also counts calls of agents that use this one as a sub-flow. Default: `own`. */
  calls?: "own" | "all" | undefined;
  /** Only calls with this version of the agent. */
  version?: number | undefined;
}

export interface GetUnmatchedAnswersQuery {
  /** `all` also counts calls of agents that use this one as a sub-flow. Default: `own`. */
  calls?: "own" | "all" | undefined;
}

export interface ListAgentVersionsQuery {
  /** How many, 1 to 100. */
  limit?: number | undefined;
  /** `nextCursor` of the previous page. */
  cursor?: string | undefined;
}

export interface ListScenariosQuery {
  /** How many, 1 to 100. */
  limit?: number | undefined;
  /** `nextCursor` of the previous page. */
  cursor?: string | undefined;
}

export class AgentsResource {
  protected readonly http: HttpClient;

  constructor(http: HttpClient) {
    this.http = http;
  }

  /** List agents, newest first. Scope: `agents:read`. */
  list(query: ListAgentsQuery = {}, options?: RequestOptions): PagePromise<AgentSummary> {
    return this.http.page("GET", "/api/v1/agents", { query, options });
  }

  /** Create an agent as a draft, optionally with scenarios. Scope: `agents:write`. */
  create(body: NewAgent, options?: RequestOptions): Promise<Agent> {
    return this.http.data("POST", "/api/v1/agents", { body, once: true, options });
  }

  /** Get an agent with its draft. Scope: `agents:read`. */
  get(id: string, options?: RequestOptions): Promise<Agent> {
    return this.http.data("GET", `/api/v1/agents/${part(id)}`, { options });
  }

  /** Change the draft; `If-Match` carries the revision that you read. Scope: `agents:write`. */
  change(id: string, body: AgentChanges, options: RevisionOptions): Promise<Agent> {
    return this.http.data("PATCH", `/api/v1/agents/${part(id)}`, { body, options });
  }

  /** Delete an agent; calls already queued keep their version. Scope: `agents:write`. */
  delete(id: string, options?: RequestOptions): Promise<Done> {
    return this.http.data("DELETE", `/api/v1/agents/${part(id)}`, { options });
  }

  /** Check the draft, or another flow, without publishing it: problems, and warnings about what will affect calls. Scope: `agents:read`. */
  check(id: string, body: CheckFlow = {}, options?: RequestOptions): Promise<FlowCheck> {
    return this.http.data("POST", `/api/v1/agents/${part(id)}/check`, { body, repeatable: true, options });
  }

  /** Have the configured language model write a flow from a description; it is returned, not saved. Scope: `agents:write`. */
  describe(id: string, body: DescribeAgent, options?: RequestOptions): Promise<DescribedFlow> {
    return this.http.data("POST", `/api/v1/agents/${part(id)}/describe`, { body, options });
  }

  /** Get what the latest calls did at each node: visits, hang-ups, answers not understood, time. Scope: `calls:read`. */
  getNodeNumbers(id: string, query: GetNodeNumbersQuery = {}, options?: RequestOptions): Promise<NodeNumbers> {
    return this.http.data("GET", `/api/v1/agents/${part(id)}/node-numbers`, { query, options });
  }

  /** Get what callees said at a question and was not understood, in the latest calls. Scope: `transcripts:read`. */
  getUnmatchedAnswers(id: string, nodeId: string, query: GetUnmatchedAnswersQuery = {}, options?: RequestOptions): Promise<UnmatchedAnswers> {
    return this.http.data("GET", `/api/v1/agents/${part(id)}/nodes/${part(nodeId)}/unmatched-answers`, { query, options });
  }

  /** Compile the draft and publish it as the next version; `warnings` lists issues that affect calls. With `If-Match`, only that revision is published. Scope: `agents:write`. */
  publish(id: string, body: PublishAgent = {}, options?: Partial<RevisionOptions>): Promise<PublishedVersion> {
    return this.http.data("POST", `/api/v1/agents/${part(id)}/publish`, { body, once: true, options });
  }

  /** Restore a deleted agent. Scope: `agents:write`. */
  restore(id: string, options?: RequestOptions): Promise<Agent> {
    return this.http.data("POST", `/api/v1/agents/${part(id)}/restore`, { once: true, options });
  }

  /** Roll back: new calls use an earlier version; the draft stays as it is. Scope: `agents:write`. */
  rollback(id: string, body: RollbackAgent, options?: RequestOptions): Promise<Agent> {
    return this.http.data("POST", `/api/v1/agents/${part(id)}/rollback`, { body, once: true, options });
  }

  /** List published versions, newest first. Scope: `agents:read`. */
  listVersions(id: string, query: ListAgentVersionsQuery = {}, options?: RequestOptions): PagePromise<AgentVersionSummary> {
    return this.http.page("GET", `/api/v1/agents/${part(id)}/versions`, { query, options });
  }

  /** Get one version with its flow. Scope: `agents:read`. */
  getVersion(id: string, version: number, options?: RequestOptions): Promise<AgentVersion> {
    return this.http.data("GET", `/api/v1/agents/${part(id)}/versions/${part(version)}`, { options });
  }

  /** Talk to an agent by text, turn by turn; returns what it says and does, and its position in the flow. Scope: `agents:write`. */
  tryOut(id: string, body: TryTurn = {}, options?: RequestOptions): Promise<TryReply> {
    return this.http.data("POST", `/api/v1/agents/${part(id)}/try`, { body, repeatable: true, options });
  }

  /** Send a tool request once, as in a call; returns the reply and the values that would be saved. Scope: `agents:write`. */
  tryTool(id: string, body: ToolTrial, options?: RequestOptions): Promise<ToolTrialResult> {
    return this.http.data("POST", `/api/v1/agents/${part(id)}/try-tool`, { body, options });
  }

  /** List the scenarios of an agent, in the order of their creation. Scope: `agents:read`. */
  listScenarios(id: string, query: ListScenariosQuery = {}, options?: RequestOptions): PagePromise<Scenario> {
    return this.http.page("GET", `/api/v1/agents/${part(id)}/scenarios`, { query, options });
  }

  /** Add a scenario: what the callee does, and what is expected. Scope: `agents:write`. */
  createScenario(id: string, body: NewScenario, options?: RequestOptions): Promise<Scenario> {
    return this.http.data("POST", `/api/v1/agents/${part(id)}/scenarios`, { body, once: true, options });
  }

  /** Add several scenarios: all of them, or none. Scope: `agents:write`. */
  importScenarios(id: string, body: ScenarioImport, options?: RequestOptions): Promise<ImportedScenarios> {
    return this.http.data("POST", `/api/v1/agents/${part(id)}/scenarios/import`, { body, once: true, options });
  }

  /** Run scenarios against the draft, a version or a document; reports where each one fails first. Scope: `agents:write`. */
  runScenarios(id: string, body: RunScenarios, options?: RequestOptions): Promise<ScenarioRun> {
    return this.http.data("POST", `/api/v1/agents/${part(id)}/scenarios/run`, { body, options });
  }
}

export class ToolsResource {
  protected readonly http: HttpClient;

  constructor(http: HttpClient) {
    this.http = http;
  }

  /** Create a new secret for tools; for 24 hours requests are signed with both. Scope: `agents:write`. */
  rotateSecret(options?: RequestOptions): Promise<ToolSecret> {
    return this.http.data("POST", "/api/v1/tools/rotate-secret", { options });
  }
}

export class AgentTemplatesResource {
  protected readonly http: HttpClient;

  constructor(http: HttpClient) {
    this.http = http;
  }

  /** List templates for agents, with their flows and scenarios. Scope: `agents:read`. */
  list(options?: RequestOptions): Promise<AgentTemplate[]> {
    return this.http.data("GET", "/api/v1/agent-templates", { options });
  }
}

export class ScenarioRunsResource {
  protected readonly http: HttpClient;

  constructor(http: HttpClient) {
    this.http = http;
  }

  /** Get a scenario run; a run on audio fills up as its calls end. Scope: `agents:read`. */
  get(id: string, options?: RequestOptions): Promise<ScenarioRun> {
    return this.http.data("GET", `/api/v1/scenario-runs/${part(id)}`, { options });
  }
}

export class ScenariosResource {
  protected readonly http: HttpClient;

  constructor(http: HttpClient) {
    this.http = http;
  }

  /** Change a scenario. Scope: `agents:write`. */
  change(id: string, body: ScenarioChanges, options?: RequestOptions): Promise<Scenario> {
    return this.http.data("PATCH", `/api/v1/scenarios/${part(id)}`, { body, options });
  }

  /** Delete a scenario. Scope: `agents:write`. */
  delete(id: string, options?: RequestOptions): Promise<Done> {
    return this.http.data("DELETE", `/api/v1/scenarios/${part(id)}`, { options });
  }
}

export interface ListMcpServersQuery {
  /** How many, 1 to 100. */
  limit?: number | undefined;
  /** `nextCursor` of the previous page. */
  cursor?: string | undefined;
}

export class McpServersResource {
  protected readonly http: HttpClient;

  constructor(http: HttpClient) {
    this.http = http;
  }

  /** List MCP servers with their tools, newest first. Scope: `agents:read`. */
  list(query: ListMcpServersQuery = {}, options?: RequestOptions): PagePromise<McpServer> {
    return this.http.page("GET", "/api/v1/mcp-servers", { query, options });
  }

  /** Get an MCP server with its tools. Scope: `agents:read`. */
  get(id: string, options?: RequestOptions): Promise<McpServer> {
    return this.http.data("GET", `/api/v1/mcp-servers/${part(id)}`, { options });
  }
}

export class DeliveriesResource {
  protected readonly http: HttpClient;

  constructor(http: HttpClient) {
    this.http = http;
  }

  /** Get a delivery with its body and every attempt. Scope: `webhooks:read`. */
  get(id: string, options?: RequestOptions): Promise<DeliveryDetails> {
    return this.http.data("GET", `/api/v1/deliveries/${part(id)}`, { options });
  }

  /** Resend one event, even if the endpoint is disabled. Scope: `webhooks:write`. */
  replay(id: string, options?: RequestOptions): Promise<Delivery> {
    return this.http.data("POST", `/api/v1/deliveries/${part(id)}/replay`, { once: true, options });
  }
}

export interface ListWebhooksQuery {
  /** How many, 1 to 100. */
  limit?: number | undefined;
  /** `nextCursor` of the previous page. */
  cursor?: string | undefined;
}

export interface ListDeliveriesQuery {
  /** How many, 1 to 100. */
  limit?: number | undefined;
  /** `nextCursor` of the previous page. */
  cursor?: string | undefined;
  status?: DeliveryStatus | undefined;
  eventType?: DeliveredType | undefined;
  /** Identifier, `call_...`. */
  callId?: string | undefined;
}

export interface ReplayWebhookQuery {
  /** Events from this time on, up to 90 days back. */
  since: string;
  /** `undelivered` excludes events that were already accepted. */
  only?: "undelivered" | undefined;
}

export class WebhooksResource {
  protected readonly http: HttpClient;

  constructor(http: HttpClient) {
    this.http = http;
  }

  /** List endpoints, newest first. Scope: `webhooks:read`. */
  list(query: ListWebhooksQuery = {}, options?: RequestOptions): PagePromise<WebhookEndpoint> {
    return this.http.page("GET", "/api/v1/webhooks", { query, options });
  }

  /** Add an endpoint; the response contains the secret that signs its events. Scope: `webhooks:write`. */
  create(body: NewWebhookEndpoint, options?: RequestOptions): Promise<CreatedWebhookEndpoint> {
    return this.http.data("POST", "/api/v1/webhooks", { body, options });
  }

  /** Get an endpoint. Scope: `webhooks:read`. */
  get(id: string, options?: RequestOptions): Promise<WebhookEndpoint> {
    return this.http.data("GET", `/api/v1/webhooks/${part(id)}`, { options });
  }

  /** Change, enable or disable an endpoint. Scope: `webhooks:write`. */
  change(id: string, body: WebhookEndpointChanges, options?: RequestOptions): Promise<WebhookEndpoint> {
    return this.http.data("PATCH", `/api/v1/webhooks/${part(id)}`, { body, options });
  }

  /** Remove an endpoint and its pending deliveries. Scope: `webhooks:write`. */
  delete(id: string, options?: RequestOptions): Promise<Done> {
    return this.http.data("DELETE", `/api/v1/webhooks/${part(id)}`, { options });
  }

  /** List the deliveries of an endpoint, newest first. Scope: `webhooks:read`. */
  listDeliveries(id: string, query: ListDeliveriesQuery = {}, options?: RequestOptions): PagePromise<Delivery> {
    return this.http.page("GET", `/api/v1/webhooks/${part(id)}/deliveries`, { query, options });
  }

  /** Resend all events since a given time, even if the endpoint is disabled. Scope: `webhooks:write`. */
  replay(id: string, query: ReplayWebhookQuery, options?: RequestOptions): Promise<Replay> {
    return this.http.data("POST", `/api/v1/webhooks/${part(id)}/replay`, { query, options });
  }

  /** Create a new secret; for 24 hours events are signed with both. Scope: `webhooks:write`. */
  rotateSecret(id: string, options?: RequestOptions): Promise<WebhookSecret> {
    return this.http.data("POST", `/api/v1/webhooks/${part(id)}/rotate-secret`, { options });
  }

  /** Send a `webhook.test` event to an endpoint, even if it is disabled. Scope: `webhooks:write`. */
  test(id: string, options?: RequestOptions): Promise<Delivery> {
    return this.http.data("POST", `/api/v1/webhooks/${part(id)}/test`, { once: true, options });
  }
}

export class VoicesResource {
  protected readonly http: HttpClient;

  constructor(http: HttpClient) {
    this.http = http;
  }

  /** List the available voices. Scope: `engines:read`. */
  list(options?: RequestOptions): Promise<Voice[]> {
    return this.http.data("GET", "/api/v1/voices", { options });
  }

  /** Preview a voice as a callee hears it; WAV, 8 kHz. Scope: `engines:read`. */
  preview(id: string, body: NewVoicePreview, options?: RequestOptions): Promise<Response> {
    return this.http.bytes("POST", `/api/v1/voices/${part(id)}/preview`, { body, repeatable: true, options });
  }
}

export class AccessResource {
  protected readonly http: HttpClient;

  constructor(http: HttpClient) {
    this.http = http;
  }

  /** Get what the key that is used, or the signed-in member, may do. */
  get(options?: RequestOptions): Promise<GrantedAccess> {
    return this.http.data("GET", "/api/v1/access", { options });
  }
}

export interface ListLedgerQuery {
  /** How many, 1 to 100. */
  limit?: number | undefined;
  /** `nextCursor` of the previous page. */
  cursor?: string | undefined;
}

export class AccountResource {
  protected readonly http: HttpClient;

  constructor(http: HttpClient) {
    this.http = http;
  }

  /** Get balance, holds and limits. Scope: `billing:read`. */
  get(options?: RequestOptions): Promise<Account> {
    return this.http.data("GET", "/api/v1/account", { options });
  }

  /** List credits and charges, newest first. Scope: `billing:read`. */
  listLedger(query: ListLedgerQuery = {}, options?: RequestOptions): PagePromise<LedgerEntry> {
    return this.http.page("GET", "/api/v1/account/ledger", { query, options });
  }
}

export class EnginesResource {
  protected readonly http: HttpClient;

  constructor(http: HttpClient) {
    this.http = http;
  }

  /** List engines, and what is missing to use the unavailable ones. Scope: `engines:read`. */
  list(options?: RequestOptions): Promise<Engine[]> {
    return this.http.data("GET", "/api/v1/engines", { options });
  }
}

export interface GetRateQuery {
  /** A plus sign followed by 7 to 15 digits. */
  phoneNumber: string;
}

export class RatesResource {
  protected readonly http: HttpClient;

  constructor(http: HttpClient) {
    this.http = http;
  }

  /** Get the price of a call to a number. Scope: `billing:read`. */
  get(query: GetRateQuery, options?: RequestOptions): Promise<Rate> {
    return this.http.data("GET", "/api/v1/rates", { query, options });
  }
}

export class SettingsResource {
  protected readonly http: HttpClient;

  constructor(http: HttpClient) {
    this.http = http;
  }

  /** Get caps, calling hours, retention and disclosure. Scope: `settings:read`. */
  get(options?: RequestOptions): Promise<Settings> {
    return this.http.data("GET", "/api/v1/settings", { options });
  }

  /** Change settings. Scope: `settings:write`. */
  change(body: SettingsChanges, options?: RequestOptions): Promise<Settings> {
    return this.http.data("PATCH", "/api/v1/settings", { body, options });
  }
}

export interface ListSuppressionsQuery {
  /** How many, 1 to 100. */
  limit?: number | undefined;
  /** `nextCursor` of the previous page. */
  cursor?: string | undefined;
  /** A plus sign followed by 7 to 15 digits. */
  phoneNumber?: string | undefined;
  /** Only numbers with this prefix. */
  startsWith?: string | undefined;
}

export interface RemoveSuppressionQuery {
  /** A plus sign followed by 7 to 15 digits. */
  phoneNumber: string;
}

export class SuppressionsResource {
  protected readonly http: HttpClient;

  constructor(http: HttpClient) {
    this.http = http;
  }

  /** List suppressed numbers. Scope: `suppressions:write`. */
  list(query: ListSuppressionsQuery = {}, options?: RequestOptions): PagePromise<Suppression> {
    return this.http.page("GET", "/api/v1/suppressions", { query, options });
  }

  /** Add a number to the suppression list. Scope: `suppressions:write`. */
  add(body: NewSuppression, options?: RequestOptions): Promise<Suppression> {
    return this.http.data("POST", "/api/v1/suppressions", { body, once: true, options });
  }

  /** Remove a number from the suppression list. Scope: `suppressions:write`. */
  remove(query: RemoveSuppressionQuery, options?: RequestOptions): Promise<Done> {
    return this.http.data("DELETE", "/api/v1/suppressions", { query, options });
  }

  /** Add numbers to the suppression list. Scope: `suppressions:write`. */
  addMany(body: SuppressionImport, options?: RequestOptions): Promise<ImportedSuppressions> {
    return this.http.data("POST", "/api/v1/suppressions/import", { body, once: true, options });
  }
}

export interface GetUsageQuery {
  /** Default: 30 days before `to`. */
  from?: string | undefined;
  /** Default: now. The period is extended to whole quarters of an hour. */
  to?: string | undefined;
  /** `hour` for at most 14 days, `day` for at most 366. */
  granularity?: "hour" | "day" | undefined;
  /** The time zone of days and hours. */
  timeZone?: string | undefined;
}

export interface GetUsageBreakdownQuery {
  /** Default: 30 days before `to`. */
  from?: string | undefined;
  /** Default: now. The period is extended to whole quarters of an hour. */
  to?: string | undefined;
  /** Also returns `buckets`: by `hour` for at most 14 days, by `day` for at most 366. */
  granularity?: "hour" | "day" | undefined;
  /** The time zone of days and hours. */
  timeZone?: string | undefined;
  /** `hour` is the hour of the day, from 0 to 23. `version` needs `agentId`. */
  by: "agent" | "version" | "engine" | "outcome" | "hour" | "day" | "key";
  /** Only calls of this agent. */
  agentId?: string | undefined;
  /** Only calls with this version of the agent, 0 for drafts. Needs `agentId`. */
  agentVersion?: number | undefined;
  /** Only calls by this engine. */
  engine?: string | undefined;
}

export class UsageResource {
  protected readonly http: HttpClient;

  constructor(http: HttpClient) {
    this.http = http;
  }

  /** Get calls, minutes, spend and response times over a period. Scope: `billing:read`. */
  get(query: GetUsageQuery = {}, options?: RequestOptions): Promise<Usage> {
    return this.http.data("GET", "/api/v1/usage", { query, options });
  }

  /** Get ended calls of a period by agent, version, engine, outcome, hour of the day, day or key. Scope: `billing:read`. */
  getBreakdown(query: GetUsageBreakdownQuery, options?: RequestOptions): Promise<UsageBreakdown> {
    return this.http.data("GET", "/api/v1/usage/breakdown", { query, options });
  }
}

export class AlertRulesResource {
  protected readonly http: HttpClient;

  constructor(http: HttpClient) {
    this.http = http;
  }

  /** Get what raises alerts. Scope: `settings:read`. */
  get(options?: RequestOptions): Promise<AlertRules> {
    return this.http.data("GET", "/api/v1/alert-rules", { options });
  }

  /** Change what raises alerts. Scope: `settings:write`. */
  change(body: AlertRulesChanges, options?: RequestOptions): Promise<AlertRules> {
    return this.http.data("PATCH", "/api/v1/alert-rules", { body, options });
  }
}

export interface ListAlertsQuery {
  /** How many, 1 to 100. */
  limit?: number | undefined;
  /** `nextCursor` of the previous page. */
  cursor?: string | undefined;
}

export class AlertsResource {
  protected readonly http: HttpClient;

  constructor(http: HttpClient) {
    this.http = http;
  }

  /** List alerts, newest first. Scope: `billing:read`. */
  list(query: ListAlertsQuery = {}, options?: RequestOptions): PagePromise<Alert> {
    return this.http.page("GET", "/api/v1/alerts", { query, options });
  }
}

export interface ListAuditQuery {
  /** How many, 1 to 100. */
  limit?: number | undefined;
  /** `nextCursor` of the previous page. */
  cursor?: string | undefined;
  /** Only this action. `api_key` selects all actions that begin with `api_key.`. */
  action?: string | undefined;
  /** Only actions of this actor. */
  actor?: string | undefined;
  createdAfter?: string | undefined;
  createdBefore?: string | undefined;
}

export class AuditResource {
  protected readonly http: HttpClient;

  constructor(http: HttpClient) {
    this.http = http;
  }

  /** List the audit log, newest first. Scope: `audit:read`. */
  list(query: ListAuditQuery = {}, options?: RequestOptions): PagePromise<AuditEntry> {
    return this.http.page("GET", "/api/v1/audit", { query, options });
  }
}
