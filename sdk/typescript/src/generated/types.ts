// Generated from the OpenAPI document by `npm run sdk`. Do not edit.

export type Account = {
  /** Identifier, `acc_...`. */
  id: string;
  name: string;
  createdAt: Timestamp;
  /** The available credit. */
  balance: Usd;
  /** Held for queued and live calls. */
  held: Usd;
  currency: "USD";
  limits: {
    requestsPerSecond: number;
    concurrentCalls: number;
    callsPerSecond: number;
    queuedCalls: number;
    dailySpendCap: Usd | null;
  };
  /** The network of live calls: simulated until an operator connects a trunk. */
  liveNetwork: "simulated" | "trunks";
  /** Whether live calls are charged: always on trunks; on the simulated network only if the operator enables it. */
  liveCallsCharged: boolean;
  usage: {
    activeCalls: number;
    queuedCalls: number;
    spentToday: Usd;
  };
};

export type Agent = {
  /** Identifier, `agt_...`. */
  id: string;
  name: string;
  description: string;
  engine: string | null;
  language: string;
  /** The revision of the draft; send it as `If-Match` when you change it. */
  revision: number;
  publishedVersion: number | null;
  /** The revision whose flow, engine and language are published. If `revision` differs, the draft is newer. */
  publishedRevision: number | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  /** The draft. */
  flow: FlowOutput;
};

export type AgentChanges = {
  /** Surrounding spaces are removed; control and other invisible characters are rejected. */
  name?: string | undefined;
  description?: string | undefined;
  engine?: string | null | undefined;
  language?: string | undefined;
  flow?: Flow | undefined;
};

export type AgentSummary = {
  /** Identifier, `agt_...`. */
  id: string;
  name: string;
  description: string;
  engine: string | null;
  language: string;
  /** The revision of the draft; send it as `If-Match` when you change it. */
  revision: number;
  publishedVersion: number | null;
  /** The revision whose flow, engine and language are published. If `revision` differs, the draft is newer. */
  publishedRevision: number | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;
};

export type AgentTemplate = {
  id: string;
  name: string;
  description: string;
  language: string;
  /** Whether its conversations need a language model. */
  needsModel: boolean;
  flow: FlowOutput;
  scenarios: TemplateScenario[];
};

export type AgentVersion = {
  /** Identifier, `ver_...`. */
  id: string;
  /** Identifier, `agt_...`. */
  agentId: string;
  version: number;
  note: string;
  engine: string | null;
  language: string;
  /** Whether new calls use this version. */
  published: boolean;
  createdAt: Timestamp;
  flow: FlowOutput;
};

export type AgentVersionSummary = {
  /** Identifier, `ver_...`. */
  id: string;
  /** Identifier, `agt_...`. */
  agentId: string;
  version: number;
  note: string;
  engine: string | null;
  language: string;
  /** Whether new calls use this version. */
  published: boolean;
  createdAt: Timestamp;
};

export type Alert = {
  /** Identifier, `alr_...`. */
  id: string;
  mode: Mode;
  cause: AlertCause;
  raisedAt: Timestamp;
  /** When the figure had recovered, or the rule was removed. `null` while it lasts. */
  resolvedAt: Timestamp | null;
};

/** What was measured, and the rule at that time. */
export type AlertCause = AnswerRateCause | IncidentsCause | CreditLowCause;

export type AlertRules = {
  mode: Mode;
  /** `null`: not watched. */
  answerRate: AnswerRateRule | null;
  /** `null`: not watched. */
  incidents: IncidentRule | null;
  /** Whether an alert is raised when the balance is below `creditLowAt` of the settings. Live mode only. */
  creditLow: boolean;
  /** After an alert, the same rule raises no other for this long. */
  quietMinutes: number;
  /** Whether owners get an e-mail for each alert, if the installation sends mail. */
  emailOwners: boolean;
};

export type AlertRulesChanges = {
  /** `null`: not watched. */
  answerRate?: AnswerRateRule | null | undefined;
  /** `null`: not watched. */
  incidents?: IncidentRule | null | undefined;
  /** Whether an alert is raised when the balance is below `creditLowAt` of the settings. Live mode only. */
  creditLow?: boolean | undefined;
  /** After an alert, the same rule raises no other for this long. */
  quietMinutes?: number | undefined;
  /** Whether owners get an e-mail for each alert, if the installation sends mail. */
  emailOwners?: boolean | undefined;
};

export type AlertWebhookBody = {
  /** Identifier, `evt_...`. */
  id: string;
  createdAt: Timestamp;
  type: "alert.raised" | "alert.resolved";
  /** Only call events have a sequence number. */
  sequence: null;
  data: {
    alert: Alert;
  };
};

export type AnswerRateCause = {
  type: "answer_rate";
  /** The share of calls that were answered. */
  percent: number;
  calls: number;
  hours: number;
  belowPercent: number;
};

export type AnswerRateRule = {
  /** Raised when fewer of the ended calls were answered. */
  belowPercent: number;
  /** The last hours that count, including the current one. */
  hours: number;
  /** Fewer calls than this raise nothing. */
  callsMin: number;
};

export type AuditEntry = {
  /** Identifier, `aud_...`. */
  id: string;
  createdAt: Timestamp;
  /** A member's id, a key's id, `operator` (command line) or `service`. */
  actor: string;
  /** The member's e-mail address or the key's name, while they exist. */
  actorName: string | null;
  action: string;
  target: string | null;
  ip: string | null;
  data: Record<string, unknown>;
};

export type Batch = {
  /** Identifier, `bat_...`. */
  id: string;
  name: string;
  mode: Mode;
  /** Identifier, `agt_...`. */
  agentId: string;
  /** `done`: every row is placed or refused. */
  status: "running" | "paused" | "done" | "canceled";
  /** Why the service paused it; `null` if a person did. */
  pausedBecause: string | null;
  createdAt: Timestamp;
  counts: {
    rows: number;
    /** Rows that have not been placed yet. */
    waiting: number;
    /** Calls that have not ended. */
    inProgress: number;
    completed: number;
    failed: number;
    /** Rows that were not called. */
    refused: number;
    canceled: number;
  };
};

/** The rows in the order of the request. */
export type BatchCheck = {
  rows: Array<{
    /** Why the row would not be called, or what it lacks. Empty if nothing is wrong. */
    problems: Array<{
      code: string;
      message: string;
    }>;
    /** When calling hours begin, if the call would wait. */
    waitsUntil: Timestamp | null;
    /** The price; `null` if there is none. */
    perMinute: Usd | null;
  }>;
  /** Whether calls would be charged. */
  charged: boolean;
};

export type BatchCheckRequest = {
  /** Identifier, `agt_...`. */
  agentId: string;
  /** Default: the agent's engine. */
  engine?: string | undefined;
  /** Default: the published version. `draft` is the current draft, with test keys only. */
  agentVersion?: number | "draft" | undefined;
  /** The caller id shown to the callee. On trunks it must be allowed by the operator, otherwise 422. Default: the trunk's own. */
  from?: string | undefined;
  /** What to do outside the calling hours in the callee's time zone: `wait` for them, up to a day; `fail`; or `ignore` them, which the operator may forbid. Does not apply to simulated calls. Default: `"wait"`. */
  callingHours?: "wait" | "fail" | "ignore" | undefined;
  rows: Array<{
    phoneNumber: string;
    /** Values for `{{name}}` placeholders in the agent's texts. */
    variables?: Record<string, string> | undefined;
  }>;
};

export type BatchRow = {
  /** The position in the list, from 1. */
  number: number;
  /** A plus sign followed by 7 to 15 digits. */
  phoneNumber: string;
  status: "waiting" | "placed" | "refused" | "canceled";
  /** Why the row was not called. */
  refusal: {
    code: string;
    message: string;
  } | null;
  call: {
    /** Identifier, `call_...`. */
    id: string;
    status: CallStatus;
    phase: CallPhase;
    endReason: EndReason | null;
    durationSeconds: number | null;
  } | null;
};

/** A call. Values that are not known yet are `null`. */
export type Call = {
  /** Identifier, `call_...`. */
  id: string;
  /** A plus sign followed by 7 to 15 digits. */
  phoneNumber: string;
  /** Identifier, `agt_...`. */
  agentId: string;
  status: CallStatus;
  engine: string;
  createdAt: Timestamp;
  mode: Mode;
  phase: CallPhase;
  /** Why a queued call is not dialed yet; `null` in other phases and in webhooks. */
  waiting: {
    /** `concurrency_limit` and `rate_limit`: limits of the account. `capacity`: all machines are busy, and a call that cannot be held well is not dialed. `no_worker`: no process that conducts calls is running. `next`: about to be dialed. */
    reason: "concurrency_limit" | "rate_limit" | "capacity" | "no_worker" | "next";
    explanation: string;
  } | null;
  /** `simulated`, or the name of the trunk. Before the call is dialed: the trunk that its route prefers, or `null` if several are possible or no route matches the number. */
  network: string | null;
  /** 0 for a draft. */
  agentVersion: number;
  from: string | null;
  variables: Record<string, string>;
  metadata: Record<string, string>;
  scheduledAt: Timestamp | null;
  answeredAt: Timestamp | null;
  endedAt: Timestamp | null;
  durationSeconds: number | null;
  endReason: EndReason | null;
  endedBy: "callee" | "agent" | "service" | "api" | null;
  answeredBy: "human" | "voicemail" | "ivr" | "screening" | "fax" | "unknown" | null;
  /** The language that the callee spoke, if it was noticed to be another one than the agent's: an ISO 639-1 code. */
  calleeLanguage: string | null;
  carrier: {
    name: string;
    /** The final status sent by the phone network; `null` if it sent none or we ended the call. */
    code: number | null;
    reason: string | null;
    explanation: string | null;
  } | null;
  gate: GateRecord | null;
  cost: CallCost | null;
  recording: CallRecording | null;
  transcript: {
    status: TranscriptStatus;
    url: string;
  } | null;
  latency: {
    responseMsP50: number | null;
    responseMsP95: number | null;
    turns: number;
    interruptions: number;
  } | null;
  /** What the call used of each part of its engine: latency, amounts and their cost. Null before the answer. */
  engineParts: CallEnginePart[] | null;
  quality: {
    mos: number;
    lossPercent: number;
    jitterMs: number;
  } | null;
  collected: Record<string, unknown> | null;
  /** `null` before the answer, and for unanswered calls. */
  analysis: CallAnalysis | null;
  /** ISO 3166 code of the number's country, if known. */
  country: string | null;
  /** The earlier call in which the callee asked to be called later. */
  follows: string | null;
  /** The later call that was scheduled because the callee asked for it. */
  followedBy: string | null;
  /** Failures of the service itself during this call. */
  incidents: Incident[];
};

/** The outcome of an answered call. */
export type CallAnalysis = {
  /** `pending` while the call is in progress. `failed`: the flow of the call could not be read. `off`: the data of the call was erased. */
  status: "pending" | "ready" | "failed" | "off";
  /** Written by a model; `null` if `by` is `rules`. */
  summary: string | null;
  /** The `outcome` of the node at which the flow ended; otherwise `collected.outcome`, then the id of that node, then `endReason`. */
  outcome: string | null;
  /** The `success` of the node at which the flow ended. `false` if other nodes declare it and the call reached none of them; `null` if no node does. */
  success: boolean | null;
  /** The collected values, as in `collected`. */
  fields: Record<string, unknown>;
  /** Set by a model; empty if `by` is `rules`. */
  labels: string[];
  /** How the call was analyzed. This release uses rules only. */
  by: "rules" | "model" | null;
  /** The model if `by` is `model`. */
  model: string | null;
};

/** The result of checking a number, as if a call were placed now. */
export type CallCheck = {
  /** A plus sign followed by 7 to 15 digits. */
  phoneNumber: string;
  /** ISO 3166 code, if known. */
  country: string | null;
  /** As for a call that has not been dialed yet. */
  network: string | null;
  /** The gate's decision for a call at this moment. Spend caps are only checked when a call is placed. */
  gate: GateRecord;
  /** When calling hours begin, if the decision is `waiting`. */
  waitsUntil: Timestamp | null;
  /** The local time in every time zone that the number may be in. Empty if unknown. */
  localTimes: Array<{
    timeZone: string;
    localTime: string;
  }>;
  /** `null` if there is no rate for the number. */
  price: {
    prefix: string;
    routePerMinute: Usd;
    enginePerMinute: Usd;
    totalPerMinute: Usd;
    currency: "USD";
    /** Whether a call would be charged. */
    charged: boolean;
  } | null;
};

export type CallCheckRequest = {
  /** A plus sign followed by 7 to 15 digits. */
  phoneNumber: string;
  /** Default: the installation's. */
  engine?: string | undefined;
  /** The caller id, as for a call. */
  from?: string | undefined;
  /** Default: `"wait"`. */
  callingHours?: "wait" | "fail" | "ignore" | undefined;
};

export type CallCost = {
  total: Usd;
  currency: "USD";
  lines: CostLine[];
  /** Whether the total was charged to the balance. `false` for test calls, for calls that cost nothing, and for live calls on the simulated network unless the operator charges them. */
  charged: boolean;
};

export type CallCount = {
  count: number;
  /** `false` if there may be more. */
  isExact: boolean;
};

export type CallEnginePart = {
  part: "recognition" | "model" | "synthesis" | "speech";
  provider: string;
  model: string | null;
  requests: number;
  /** Requests that failed. A fallback served them, if there is one. */
  failures: number;
  /** From a request to its first result: a text, audio, or a word. Null if there was none. */
  firstResultMsP50: number | null;
  firstResultMsP95: number | null;
  /** Audio that was sent to recognition, or heard and spoken by a model that does both. */
  audioSeconds: number;
  /** Text that was sent to synthesis. */
  characters: number;
  inputTokens: number;
  outputTokens: number;
  /** What the vendor charges the operator, by the operator's rates. Null if they do not cover it. */
  cost: Usd | null;
};

export type CallEvent = {
  /** 1, 2, 3, ... per call; also the id of the event in the live stream. */
  sequence: number;
  /** `call.rerouted`: the next trunk is tried. `call.early_media`: there is audio before the answer. `call.audio_missing`: no audio has arrived from the callee for a while. `call.key_pressed` never contains the key. `call.transcript_extended`: the transcript has new items. `call.language_noticed`: the callee speaks another language than the agent. `call.number_suppressed`: the callee does not want to be called again. `call.incident`: a part of the service failed; the data has `what`, `reason` and `effect`. `call.transcript.ready` and `call.recording.ready`: it is complete and can be fetched. `call.analyzed`: `analysis` is available, once per answered call; `call.reanalyzed`: it was repeated on request. `call.redial_scheduled`: the callee asked to be called later, and `followedBy` is that call; `call.redial_refused`: it could not be created, for the given `reason`. `call.data_erased`: data of the call was erased, on request or after its retention period. */
  type: "call.initiated" | "call.dialing" | "call.rerouted" | "call.ringing" | "call.early_media" | "call.in_progress" | "call.answered_by" | "call.language_noticed" | "call.transcript_extended" | "call.number_suppressed" | "call.incident" | "call.recording_failed" | "call.audio_missing" | "call.audio_returned" | "call.key_pressed" | "call.transfer" | "call.hangup_requested" | "call.hold_extended" | "call.completed" | "call.failed" | "call.transcript.ready" | "call.recording.ready" | "call.analyzed" | "call.reanalyzed" | "call.redial_scheduled" | "call.redial_refused" | "call.data_erased";
  createdAt: Timestamp;
  data: Record<string, unknown>;
};

/** Where a search found its words in a call. */
export type CallMatch = {
  /** Identifier, `call_...`. */
  callId: string;
  place: "speech" | "metadata" | "tag" | "note";
  /** Who spoke, or the key of the metadata; otherwise `null`. */
  name: string | null;
  /** For `speech`: milliseconds since the callee answered. */
  startMs: number | null;
  /** The excerpt, divided into what was searched for and the text around it. */
  parts: Array<{
    text: string;
    isFound: boolean;
  }>;
};

/** What members wrote about a call. It is erased with the data of the call. */
export type CallNotes = {
  tags: string[];
  note: string;
  /** `null` if nothing was ever written. */
  changedAt: Timestamp | null;
};

export type CallNotesChanges = {
  /** Replaces all tags. */
  tags?: string[] | undefined;
  note?: string | undefined;
};

export type CallPhase = "scheduled" | "queued" | "dialing" | "ringing" | "talking" | "ended";

export type CallRecording = {
  status: "recording" | "ready" | "failed" | "erased";
  durationSeconds: number | null;
  /** Whether a part is missing: replaced by silence, or cut off at the end. */
  partial: boolean;
  /** Where audio is missing, relative to the answer. A gap within the recording is silence of the same length, so that later times stay correct; a gap at the end lasts until the end of the call. */
  gaps: Array<{
    startMs: number;
    endMs: number;
  }>;
  url: string;
  /** Why it failed, is partial or was erased; otherwise `null`. */
  reason: string | null;
};

/** A link by which anyone can see a call. */
export type CallShare = {
  /** Identifier, `shr_...`. */
  id: string;
  recording: boolean;
  createdAt: Timestamp;
  expiresAt: Timestamp;
};

/** `initiated` (being dialed), `in_progress` (active), `completed` (has ended), `failed`. */
export type CallStatus = "initiated" | "in_progress" | "completed" | "failed";

/** A saved view of the list of calls, for all members of the account. */
export type CallView = {
  /** Identifier, `vew_...`. */
  id: string;
  name: string;
  query: Record<string, string>;
  createdAt: Timestamp;
};

export type CallWebhookBody = {
  /** Identifier, `evt_...`. */
  id: string;
  createdAt: Timestamp;
  type: "call.initiated" | "call.in_progress" | "call.completed" | "call.failed" | "call.transcript.ready" | "call.recording.ready" | "call.analyzed";
  /** The event's number in the call's timeline: of two events of one call, the higher number is later. */
  sequence: number;
  data: {
    call: Call;
  };
};

/** What a callee does in its turn. */
export type CalleeStep = {
  say: string;
} | {
  /** Speaks over the agent after it has been speaking for this long. */
  interruptAfterMs: number;
  say: string;
} | {
  press: string;
} | {
  /** Says nothing until the agent speaks again. */
  silent: true;
} | {
  /** A machine answers instead of a person. Only as the first step. */
  machine: "voicemail" | "ivr" | "screening" | "fax";
} | {
  hangUp: true;
};

/** From `start` until before `end`, in the callee's own time zone. */
export type CallingHours = {
  start: string;
  end: string;
};

export type CheckFlow = {
  /** Checked in place of the draft. */
  flow?: Flow | undefined;
};

export type CostLine = {
  item: string;
  seconds: number;
  perMinute: Usd;
  amount: Usd;
};

export type CreatedCallShare = {
  /** Identifier, `shr_...`. */
  id: string;
  recording: boolean;
  createdAt: Timestamp;
  expiresAt: Timestamp;
  /** Shown only once. */
  url: string;
};

export type CreatedWebhookEndpoint = {
  /** Identifier, `whk_...`. */
  id: string;
  mode: Mode;
  url: string;
  eventTypes: WebhookType[] | null;
  description: string;
  headerNames: string[];
  isEnabled: boolean;
  disabledAt: Timestamp | null;
  disabledReason: WebhookDisabledReason | null;
  /** The first failure since the last accepted event. */
  failingSince: Timestamp | null;
  lastSuccessAt: Timestamp | null;
  /** Until then events are also signed with the previous secret. */
  previousSecretUntil: Timestamp | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  /** The secret that signs events. */
  secret: string;
};

/** Sent once when the balance falls below the setting, and again after a top-up. */
export type CreditLowBody = {
  /** Identifier, `evt_...`. */
  id: string;
  createdAt: Timestamp;
  type: "credit.low";
  /** Only call events have a sequence number. */
  sequence: null;
  data: {
    /** The remaining credit. */
    balance: Usd;
    /** The amount held for calls. */
    held: Usd;
    creditLowAt: Usd;
    currency: "USD";
  };
};

export type CreditLowCause = {
  type: "credit_low";
  balance: Usd;
  creditLowAt: Usd;
};

export type DeliveredType = "call.initiated" | "call.in_progress" | "call.completed" | "call.failed" | "call.transcript.ready" | "call.recording.ready" | "call.analyzed" | "credit.low" | "alert.raised" | "alert.resolved" | "webhook.disabled" | "webhook.test";

/** One event for one endpoint. */
export type Delivery = {
  /** Identifier, `dlv_...`. */
  id: string;
  /** Identifier, `whk_...`. */
  webhookId: string;
  /** Sent as `webhook-id`; the same for every attempt and every replay. */
  eventId: string;
  eventType: DeliveredType;
  callId: string | null;
  status: DeliveryStatus;
  attemptCount: number;
  nextAttemptAt: Timestamp | null;
  lastAttemptAt: Timestamp | null;
  /** The status of the latest response, if any. */
  lastStatus: number | null;
  /** The result of the latest attempt. */
  lastReason: string | null;
  createdAt: Timestamp;
  deliveredAt: Timestamp | null;
};

export type DeliveryAttempt = {
  ordinal: number;
  startedAt: Timestamp;
  latencyMs: number;
  isSuccess: boolean;
  status: number | null;
  reason: string;
  /** The first 16 KiB of the response. */
  responseBody: string | null;
};

export type DeliveryDetails = {
  /** Identifier, `dlv_...`. */
  id: string;
  /** Identifier, `whk_...`. */
  webhookId: string;
  /** Sent as `webhook-id`; the same for every attempt and every replay. */
  eventId: string;
  eventType: DeliveredType;
  callId: string | null;
  status: DeliveryStatus;
  attemptCount: number;
  nextAttemptAt: Timestamp | null;
  lastAttemptAt: Timestamp | null;
  /** The status of the latest response, if any. */
  lastStatus: number | null;
  /** The result of the latest attempt. */
  lastReason: string | null;
  createdAt: Timestamp;
  deliveredAt: Timestamp | null;
  /** The exact request body. */
  body: string;
  /** Newest first, at most 100. */
  attempts: DeliveryAttempt[];
};

/** `pending`: in progress or waiting for the next attempt. `delivered`: accepted with a 2xx. `failed`: all attempts failed. `held`: the endpoint is disabled. The last three can be replayed. */
export type DeliveryStatus = "pending" | "delivered" | "failed" | "held";

export type DescribeAgent = {
  /** What the agent should do, in plain words. */
  description: string;
};

/** A flow that a language model wrote, and what the compiler says to it. */
export type DescribedFlow = {
  flow: FlowOutput;
  /** Reasons why the flow cannot be published. */
  problems: Array<{
    param: string;
    code: string;
    message: string;
    /** What varies in the message, such as names, for programs that word it themselves by its code. */
    parts?: Record<string, string> | undefined;
  }>;
  warnings: FlowWarning[];
};

export type DisabledWebhookBody = {
  /** Identifier, `evt_...`. */
  id: string;
  createdAt: Timestamp;
  type: "webhook.disabled";
  /** Only call events have a sequence number. */
  sequence: null;
  data: {
    webhook: {
      /** Identifier, `whk_...`. */
      id: string;
      url: string;
      description: string;
    };
    reason: WebhookDisabledReason;
    explanation: string;
  };
};

export type Done = Record<string, never>;

export type EndReason = "callee_hangup" | "agent_hangup" | "api_hangup" | "transferred" | "voicemail_hangup" | "voicemail_left" | "max_duration" | "silence" | "no_answer" | "busy" | "declined" | "blocked" | "invalid_number" | "unreachable" | "canceled" | "expired" | "carrier_rejected" | "carrier_unavailable" | "media_timeout" | "no_audio" | "fax" | "engine_error" | "insufficient_credit" | "spend_limit" | "destination_blocked" | "suppressed" | "outside_calling_hours" | "worker_lost" | "internal_error";

export type Engine = {
  name: string;
  description: string;
  available: boolean;
  /** Settings that are required before it can be used. */
  missing: string[];
  isDefault: boolean;
  /** The languages in which it recognizes and speaks, as ISO 639-1 codes. Null if a server of the operator decides that. */
  languages: string[] | null;
  /** A model that hears, thinks and speaks: the first choice, then its fallbacks. Such an engine has no other parts, and conducts agents that are one conversation. */
  speech: EnginePart[];
  /** Recognizes speech: the first choice, then its fallbacks. */
  recognition: EnginePart[];
  /** Speaks: the first choice, then its fallbacks. */
  synthesis: EnginePart[];
  /** The language model of agents that need one; other agents work without it. Null if the engine is itself a model. */
  model: EngineModel | null;
};

export type EngineModel = {
  /** Null if none is configured. */
  name: string | null;
  /** Used in this order if it fails or does not respond in time, and first by nodes that name one of them. */
  fallbacks: string[];
  /** Settings that are required to configure one. */
  missing: string[];
};

export type EnginePart = {
  /** `local` runs on the machine of the service. */
  provider: string;
  model: string | null;
  /** The voice of agents that name none. Synthesis and models that speak. */
  voice: string | null;
  /** Whether its settings are complete. Otherwise it is left out. */
  available: boolean;
};

/** Why a request failed; a closed list. */
export type ErrorCode = "malformed_json" | "bad_request" | "missing_api_key" | "invalid_api_key" | "not_signed_in" | "insufficient_credit" | "spend_limit_reached" | "insufficient_scope" | "not_allowed" | "destination_not_allowed" | "ip_not_allowed" | "sign_up_closed" | "not_signed" | "cross_site" | "not_found" | "agent_not_found" | "call_not_found" | "method_not_allowed" | "request_timeout" | "idempotency_in_progress" | "invalid_state" | "agent_not_published" | "engine_unavailable" | "draft_conflict" | "payload_too_large" | "unsupported_media_type" | "range_not_satisfiable" | "validation_failed" | "engine_unknown" | "idempotency_mismatch" | "rate_limited" | "queue_full" | "too_many_attempts" | "internal" | "unavailable";

/** One error in the request. */
export type ErrorDetail = {
  param: string;
  code: string;
  message: string;
  /** What varies in the message, such as names, for programs that word it themselves by its code. */
  parts?: Record<string, string> | undefined;
};

/** The body of every 4xx and 5xx response. */
export type ErrorReply = {
  success: false;
  error: {
    code: ErrorCode;
    /** For humans; the wording may change. */
    message: string;
    /** The first invalid field. */
    param?: string | undefined;
    /** The errors by field, at most 50. */
    details?: ErrorDetail[] | undefined;
    requestId: string;
    docUrl: string;
    retryable: boolean;
  };
};

/** What an agent says and asks, as a graph. A draft may be incomplete; publishing compiles it. */
export type Flow = {
  schemaVersion: 1;
  /** Names that the call request provides, used as `{{name}}`. Default: `[]`. */
  variables?: string[] | undefined;
  nodes: FlowNode[];
  /** Requests that conversations may send. */
  tools?: FlowTool[] | undefined;
  settings?: FlowSettings | undefined;
  /** Notes on the canvas. */
  comments?: FlowComment[] | undefined;
  /** Frames around nodes on the canvas. */
  groups?: FlowGroup[] | undefined;
};

export type FlowCheck = {
  /** Reasons why the flow cannot be published. */
  problems: Array<{
    param: string;
    code: string;
    message: string;
    /** What varies in the message, such as names, for programs that word it themselves by its code. */
    parts?: Record<string, string> | undefined;
  }>;
  warnings: FlowWarning[];
};

/** A note for people who edit the flow. It has no effect on calls. */
export type FlowComment = {
  id: string;
  text: string;
  position: {
    x: number;
    y: number;
  };
  /** Its size on the canvas. Default: 220 by 120. */
  size?: {
    width: number;
    height: number;
  } | undefined;
  /** Default: `yellow`. */
  color?: "yellow" | "green" | "blue" | "purple" | "red" | "gray" | undefined;
};

/** A named frame around nodes on the canvas. It has no effect on calls. */
export type FlowGroup = {
  id: string;
  name: string;
  /** The nodes that belong together. */
  nodeIds: string[];
  /** Default: `gray`. */
  color?: "yellow" | "green" | "blue" | "purple" | "red" | "gray" | undefined;
};

export type FlowNode = FlowNodeStart | FlowNodeSay | FlowNodeAsk | FlowNodeConversation | FlowNodeBranch | FlowNodeTool | FlowNodeSet | FlowNodeTransfer | FlowNodeDtmf | FlowNodeSubflow | FlowNodeVoicemail | FlowNodeEnd;

export type FlowNodeAsk = {
  id: string;
  /** A title shown in the builder. Default: the id. */
  label?: string | undefined;
  position?: {
    x: number;
    y: number;
  } | undefined;
  /** Lets the callee jump here from any question with one of the phrases. */
  global?: {
    /** Phrases that lead here, such as `I want to talk to a human`. */
    phrases: string[];
    /** Only for a `say` without `next`: the open question is asked again afterwards. */
    returns?: boolean | undefined;
  } | undefined;
  type: "ask";
  /** The question, with `{{name}}` placeholders. */
  text: string;
  /** The question in other words, for a callee who did not understand it. */
  reworded?: string | undefined;
  /** The type of the answer, which determines how it is understood. */
  answer: "yes_no" | "number" | "date" | "time" | "phone" | "email" | "name" | "choice" | "free_text" | "digits";
  /** The name under which the answer is saved. */
  saveAs?: string | undefined;
  /** The next node for each answer: `yes`, `no`, or an option of a choice. Default: `[]`. */
  exits?: Array<{
    /** The answer: `yes`, `3`, `2026-01-31`, or an option of a choice. */
    when: string;
    next?: string | undefined;
    /** Alternative phrases, for `yes_no` and `choice`. */
    phrases?: string[] | undefined;
    /** The choice as the agent says it back, such as `you'd like to come another day`. Default: made from `when`. */
    readBack?: string | undefined;
    /** The key for this option, for `choice`. If no exit has a key, options are numbered from 1. */
    key?: string | undefined;
  }> | undefined;
  /** The next node for an answer without an exit of its own. Default: `otherwise`. */
  next?: string | undefined;
  /** The next node for any other answer. */
  otherwise?: string | undefined;
  /** How often the question is asked again before the call continues at `otherwise`. Default: the agent's setting. */
  retries?: {
    /** How often the question is asked again after an answer that was not understood. */
    max: number;
    /** The text of each retry; the last one is repeated. Default: an apology and the question. */
    texts?: string[] | undefined;
  } | undefined;
  /** Reads the answer back and accepts it after a yes. Not for `yes_no`. */
  confirm?: {
    /** With `{{answer}}`. Default: `That's {{answer}}, is that right?` */
    text?: string | undefined;
  } | undefined;
  /** For `number`: the accepted range. */
  range?: {
    min?: number | undefined;
    max?: number | undefined;
  } | undefined;
  /** For `digits`: the accepted length. */
  digits?: {
    min: number;
    max: number;
  } | undefined;
  /** For `date`: whether a date without a year is in the future or the past. Default: `behind` where the question asks about the past ("When did it start?"), otherwise `ahead`. */
  dates?: "ahead" | "behind" | undefined;
  /** Whether the callee can interrupt it. Default: the agent's setting; an `end` is never interrupted. */
  interruptible?: boolean | undefined;
  /** How long the agent waits for further words before it replies. Default: the agent's setting. */
  patience?: "quick" | "normal" | "patient" | undefined;
};

export type FlowNodeAskOutput = {
  id: string;
  /** A title shown in the builder. Default: the id. */
  label?: string | undefined;
  position?: {
    x: number;
    y: number;
  } | undefined;
  /** Lets the callee jump here from any question with one of the phrases. */
  global?: {
    /** Phrases that lead here, such as `I want to talk to a human`. */
    phrases: string[];
    /** Only for a `say` without `next`: the open question is asked again afterwards. */
    returns?: boolean | undefined;
  } | undefined;
  type: "ask";
  /** The question, with `{{name}}` placeholders. */
  text: string;
  /** The question in other words, for a callee who did not understand it. */
  reworded?: string | undefined;
  /** The type of the answer, which determines how it is understood. */
  answer: "yes_no" | "number" | "date" | "time" | "phone" | "email" | "name" | "choice" | "free_text" | "digits";
  /** The name under which the answer is saved. */
  saveAs?: string | undefined;
  /** The next node for each answer: `yes`, `no`, or an option of a choice. */
  exits: Array<{
    /** The answer: `yes`, `3`, `2026-01-31`, or an option of a choice. */
    when: string;
    next?: string | undefined;
    /** Alternative phrases, for `yes_no` and `choice`. */
    phrases?: string[] | undefined;
    /** The choice as the agent says it back, such as `you'd like to come another day`. Default: made from `when`. */
    readBack?: string | undefined;
    /** The key for this option, for `choice`. If no exit has a key, options are numbered from 1. */
    key?: string | undefined;
  }>;
  /** The next node for an answer without an exit of its own. Default: `otherwise`. */
  next?: string | undefined;
  /** The next node for any other answer. */
  otherwise?: string | undefined;
  /** How often the question is asked again before the call continues at `otherwise`. Default: the agent's setting. */
  retries?: {
    /** How often the question is asked again after an answer that was not understood. */
    max: number;
    /** The text of each retry; the last one is repeated. Default: an apology and the question. */
    texts?: string[] | undefined;
  } | undefined;
  /** Reads the answer back and accepts it after a yes. Not for `yes_no`. */
  confirm?: {
    /** With `{{answer}}`. Default: `That's {{answer}}, is that right?` */
    text?: string | undefined;
  } | undefined;
  /** For `number`: the accepted range. */
  range?: {
    min?: number | undefined;
    max?: number | undefined;
  } | undefined;
  /** For `digits`: the accepted length. */
  digits?: {
    min: number;
    max: number;
  } | undefined;
  /** For `date`: whether a date without a year is in the future or the past. Default: `behind` where the question asks about the past ("When did it start?"), otherwise `ahead`. */
  dates?: "ahead" | "behind" | undefined;
  /** Whether the callee can interrupt it. Default: the agent's setting; an `end` is never interrupted. */
  interruptible?: boolean | undefined;
  /** How long the agent waits for further words before it replies. Default: the agent's setting. */
  patience?: "quick" | "normal" | "patient" | undefined;
};

export type FlowNodeBranch = {
  id: string;
  /** A title shown in the builder. Default: the id. */
  label?: string | undefined;
  position?: {
    x: number;
    y: number;
  } | undefined;
  /** Lets the callee jump here from any question with one of the phrases. */
  global?: {
    /** Phrases that lead here, such as `I want to talk to a human`. */
    phrases: string[];
    /** Only for a `say` without `next`: the open question is asked again afterwards. */
    returns?: boolean | undefined;
  } | undefined;
  type: "branch";
  /** Conditions such as `collected.guests > 6`, in order; the first that is true is taken. Default: `[]`. */
  exits?: Array<{
    /** A condition over names such as `collected.day`. */
    when: string;
    next?: string | undefined;
  }> | undefined;
  /** Conditions in plain words, evaluated by a language model if none of the exits is taken. */
  prompts?: Array<{
    /** In plain words, such as `the caller is in a hurry`. */
    when: string;
    next?: string | undefined;
  }> | undefined;
  /** The language model that evaluates them, by its name in the list of engines. Default: the installation's first. */
  model?: string | undefined;
  /** The next node if none is true. */
  otherwise?: string | undefined;
};

export type FlowNodeBranchOutput = {
  id: string;
  /** A title shown in the builder. Default: the id. */
  label?: string | undefined;
  position?: {
    x: number;
    y: number;
  } | undefined;
  /** Lets the callee jump here from any question with one of the phrases. */
  global?: {
    /** Phrases that lead here, such as `I want to talk to a human`. */
    phrases: string[];
    /** Only for a `say` without `next`: the open question is asked again afterwards. */
    returns?: boolean | undefined;
  } | undefined;
  type: "branch";
  /** Conditions such as `collected.guests > 6`, in order; the first that is true is taken. */
  exits: Array<{
    /** A condition over names such as `collected.day`. */
    when: string;
    next?: string | undefined;
  }>;
  /** Conditions in plain words, evaluated by a language model if none of the exits is taken. */
  prompts?: Array<{
    /** In plain words, such as `the caller is in a hurry`. */
    when: string;
    next?: string | undefined;
  }> | undefined;
  /** The language model that evaluates them, by its name in the list of engines. Default: the installation's first. */
  model?: string | undefined;
  /** The next node if none is true. */
  otherwise?: string | undefined;
};

export type FlowNodeConversation = {
  id: string;
  /** A title shown in the builder. Default: the id. */
  label?: string | undefined;
  position?: {
    x: number;
    y: number;
  } | undefined;
  /** Lets the callee jump here from any question with one of the phrases. */
  global?: {
    /** Phrases that lead here, such as `I want to talk to a human`. */
    phrases: string[];
    /** Only for a `say` without `next`: the open question is asked again afterwards. */
    returns?: boolean | undefined;
  } | undefined;
  type: "conversation";
  /** Spoken on entering the node. Default: the model begins. */
  text?: string | undefined;
  /** Instructions and knowledge for the model. */
  prompt: string;
  /** The preferred language model, by its name in the list of engines, such as `openai/gpt-5.4-mini`. Default: the installation's first. If it is not configured, fails or does not respond in time, the others are used. */
  model?: string | undefined;
  /** Names of the flow's tools that the model may use. */
  tools?: string[] | undefined;
  /** Tools of the account's MCP servers that the model may use. Only approved ones are offered to it. */
  mcpTools?: Array<{
    /** The name of the MCP server. */
    server: string;
    /** The name of the tool at that server. */
    tool: string;
  }> | undefined;
  /** When the conversation is over, in plain words, such as `the caller wants to book a table`. Default: `[]`. */
  exits?: Array<{
    /** In plain words, such as `the caller is in a hurry`. */
    when: string;
    next?: string | undefined;
  }> | undefined;
  /** Values that the model provides when it leaves by an exit. */
  saves?: Array<{
    /** The name under which it is saved. */
    saveAs: string;
    /** Default: `text`. */
    kind?: "text" | "number" | "boolean" | "date" | "time" | undefined;
    /** Tells the model which value to provide. */
    description?: string | undefined;
  }> | undefined;
  /** Default: 30. */
  turnsMax?: number | undefined;
  /** Whether the flow can do without it: if no language model is configured, calls are accepted and continue at `otherwise`. Default: `false`. */
  optional?: boolean | undefined;
  /** The next node after `turnsMax` turns, or if no model is available. */
  otherwise?: string | undefined;
  /** Whether the callee can interrupt it. Default: the agent's setting; an `end` is never interrupted. */
  interruptible?: boolean | undefined;
  /** How long the agent waits for further words before it replies. Default: the agent's setting. */
  patience?: "quick" | "normal" | "patient" | undefined;
};

export type FlowNodeConversationOutput = {
  id: string;
  /** A title shown in the builder. Default: the id. */
  label?: string | undefined;
  position?: {
    x: number;
    y: number;
  } | undefined;
  /** Lets the callee jump here from any question with one of the phrases. */
  global?: {
    /** Phrases that lead here, such as `I want to talk to a human`. */
    phrases: string[];
    /** Only for a `say` without `next`: the open question is asked again afterwards. */
    returns?: boolean | undefined;
  } | undefined;
  type: "conversation";
  /** Spoken on entering the node. Default: the model begins. */
  text?: string | undefined;
  /** Instructions and knowledge for the model. */
  prompt: string;
  /** The preferred language model, by its name in the list of engines, such as `openai/gpt-5.4-mini`. Default: the installation's first. If it is not configured, fails or does not respond in time, the others are used. */
  model?: string | undefined;
  /** Names of the flow's tools that the model may use. */
  tools?: string[] | undefined;
  /** Tools of the account's MCP servers that the model may use. Only approved ones are offered to it. */
  mcpTools?: Array<{
    /** The name of the MCP server. */
    server: string;
    /** The name of the tool at that server. */
    tool: string;
  }> | undefined;
  /** When the conversation is over, in plain words, such as `the caller wants to book a table`. */
  exits: Array<{
    /** In plain words, such as `the caller is in a hurry`. */
    when: string;
    next?: string | undefined;
  }>;
  /** Values that the model provides when it leaves by an exit. */
  saves?: Array<{
    /** The name under which it is saved. */
    saveAs: string;
    /** Default: `text`. */
    kind?: "text" | "number" | "boolean" | "date" | "time" | undefined;
    /** Tells the model which value to provide. */
    description?: string | undefined;
  }> | undefined;
  /** Default: 30. */
  turnsMax?: number | undefined;
  /** Whether the flow can do without it: if no language model is configured, calls are accepted and continue at `otherwise`. Default: `false`. */
  optional?: boolean | undefined;
  /** The next node after `turnsMax` turns, or if no model is available. */
  otherwise?: string | undefined;
  /** Whether the callee can interrupt it. Default: the agent's setting; an `end` is never interrupted. */
  interruptible?: boolean | undefined;
  /** How long the agent waits for further words before it replies. Default: the agent's setting. */
  patience?: "quick" | "normal" | "patient" | undefined;
};

export type FlowNodeDtmf = {
  id: string;
  /** A title shown in the builder. Default: the id. */
  label?: string | undefined;
  position?: {
    x: number;
    y: number;
  } | undefined;
  /** Lets the callee jump here from any question with one of the phrases. */
  global?: {
    /** Phrases that lead here, such as `I want to talk to a human`. */
    phrases: string[];
    /** Only for a `say` without `next`: the open question is asked again afterwards. */
    returns?: boolean | undefined;
  } | undefined;
  type: "dtmf";
  /** Keys to press: digits, `*` and `#`, or a `{{name}}`. */
  keys: string;
  next?: string | undefined;
};

export type FlowNodeEnd = {
  id: string;
  /** A title shown in the builder. Default: the id. */
  label?: string | undefined;
  position?: {
    x: number;
    y: number;
  } | undefined;
  /** Lets the callee jump here from any question with one of the phrases. */
  global?: {
    /** Phrases that lead here, such as `I want to talk to a human`. */
    phrases: string[];
    /** Only for a `say` without `next`: the open question is asked again afterwards. */
    returns?: boolean | undefined;
  } | undefined;
  type: "end";
  /** Spoken before the agent hangs up. */
  text?: string | undefined;
  /** The outcome of a call that ends here, such as `confirmed`. Shown in the call's analysis. */
  outcome?: string | undefined;
  /** Whether a call that ends here is successful. Shown in the call's analysis. */
  success?: boolean | undefined;
  /** Whether the callee can interrupt it. Default: the agent's setting; an `end` is never interrupted. */
  interruptible?: boolean | undefined;
};

export type FlowNodeOutput = FlowNodeStart | FlowNodeSay | FlowNodeAskOutput | FlowNodeConversationOutput | FlowNodeBranchOutput | FlowNodeTool | FlowNodeSet | FlowNodeTransfer | FlowNodeDtmf | FlowNodeSubflowOutput | FlowNodeVoicemail | FlowNodeEnd;

export type FlowNodeSay = {
  id: string;
  /** A title shown in the builder. Default: the id. */
  label?: string | undefined;
  position?: {
    x: number;
    y: number;
  } | undefined;
  /** Lets the callee jump here from any question with one of the phrases. */
  global?: {
    /** Phrases that lead here, such as `I want to talk to a human`. */
    phrases: string[];
    /** Only for a `say` without `next`: the open question is asked again afterwards. */
    returns?: boolean | undefined;
  } | undefined;
  type: "say";
  /** What the agent says, with `{{name}}` placeholders. */
  text: string;
  next?: string | undefined;
  /** Whether the callee can interrupt it. Default: the agent's setting; an `end` is never interrupted. */
  interruptible?: boolean | undefined;
};

export type FlowNodeSet = {
  id: string;
  /** A title shown in the builder. Default: the id. */
  label?: string | undefined;
  position?: {
    x: number;
    y: number;
  } | undefined;
  /** Lets the callee jump here from any question with one of the phrases. */
  global?: {
    /** Phrases that lead here, such as `I want to talk to a human`. */
    phrases: string[];
    /** Only for a `say` without `next`: the open question is asked again afterwards. */
    returns?: boolean | undefined;
  } | undefined;
  type: "set";
  /** Names, each with an expression such as `collected.guests + 1`. */
  values: Array<{
    /** The name under which it is saved. */
    saveAs: string;
    /** An expression; texts are quoted. */
    value: string;
  }>;
  next?: string | undefined;
};

export type FlowNodeStart = {
  id: string;
  /** A title shown in the builder. Default: the id. */
  label?: string | undefined;
  position?: {
    x: number;
    y: number;
  } | undefined;
  type: "start";
  next?: string | undefined;
};

export type FlowNodeSubflow = {
  id: string;
  /** A title shown in the builder. Default: the id. */
  label?: string | undefined;
  position?: {
    x: number;
    y: number;
  } | undefined;
  /** Lets the callee jump here from any question with one of the phrases. */
  global?: {
    /** Phrases that lead here, such as `I want to talk to a human`. */
    phrases: string[];
    /** Only for a `say` without `next`: the open question is asked again afterwards. */
    returns?: boolean | undefined;
  } | undefined;
  type: "subflow";
  /** The agent of the account whose flow is used. */
  agentId?: string | undefined;
  /** The published version that is used. */
  version?: number | undefined;
  /** Values for its variables. Others get the value of this flow's variable of the same name. */
  inputs?: Array<{
    /** A variable of the sub-flow. */
    name: string;
    /** An expression; texts are quoted. */
    value: string;
  }> | undefined;
  /** Where the call continues when it reaches an `end` of the sub-flow. Default: `[]`. */
  exits?: Array<{
    /** The outcome of an `end` of the sub-flow, or the id of an `end` without an outcome. */
    when: string;
    next?: string | undefined;
  }> | undefined;
  /** Names for what it collects. Others are saved as the id of this node, `__` and their name. */
  saves?: Array<{
    /** A name under which the sub-flow saves something. */
    name: string;
    /** The name in this flow. */
    saveAs: string;
  }> | undefined;
};

export type FlowNodeSubflowOutput = {
  id: string;
  /** A title shown in the builder. Default: the id. */
  label?: string | undefined;
  position?: {
    x: number;
    y: number;
  } | undefined;
  /** Lets the callee jump here from any question with one of the phrases. */
  global?: {
    /** Phrases that lead here, such as `I want to talk to a human`. */
    phrases: string[];
    /** Only for a `say` without `next`: the open question is asked again afterwards. */
    returns?: boolean | undefined;
  } | undefined;
  type: "subflow";
  /** The agent of the account whose flow is used. */
  agentId?: string | undefined;
  /** The published version that is used. */
  version?: number | undefined;
  /** Values for its variables. Others get the value of this flow's variable of the same name. */
  inputs?: Array<{
    /** A variable of the sub-flow. */
    name: string;
    /** An expression; texts are quoted. */
    value: string;
  }> | undefined;
  /** Where the call continues when it reaches an `end` of the sub-flow. */
  exits: Array<{
    /** The outcome of an `end` of the sub-flow, or the id of an `end` without an outcome. */
    when: string;
    next?: string | undefined;
  }>;
  /** Names for what it collects. Others are saved as the id of this node, `__` and their name. */
  saves?: Array<{
    /** A name under which the sub-flow saves something. */
    name: string;
    /** The name in this flow. */
    saveAs: string;
  }> | undefined;
};

export type FlowNodeTool = {
  id: string;
  /** A title shown in the builder. Default: the id. */
  label?: string | undefined;
  position?: {
    x: number;
    y: number;
  } | undefined;
  /** Lets the callee jump here from any question with one of the phrases. */
  global?: {
    /** Phrases that lead here, such as `I want to talk to a human`. */
    phrases: string[];
    /** Only for a `say` without `next`: the open question is asked again afterwards. */
    returns?: boolean | undefined;
  } | undefined;
  type: "tool";
  request: FlowRequest;
  /** Spoken if the request takes longer than `fillerAfterMs` in the settings. */
  filler?: string | undefined;
  /** Values to save from the reply. */
  saves?: Array<{
    /** Its location in the reply, such as `slots[0].start`. */
    path: string;
    /** The name under which it is saved. */
    saveAs: string;
    /** Default: `text`. A value of another type is not saved. */
    kind?: "text" | "number" | "boolean" | "date" | "time" | undefined;
  }> | undefined;
  /** The next node after a reply with a status from 200 to 299. */
  next?: string | undefined;
  /** The next node after any other reply or a timeout. */
  failed?: string | undefined;
};

export type FlowNodeTransfer = {
  id: string;
  /** A title shown in the builder. Default: the id. */
  label?: string | undefined;
  position?: {
    x: number;
    y: number;
  } | undefined;
  /** Lets the callee jump here from any question with one of the phrases. */
  global?: {
    /** Phrases that lead here, such as `I want to talk to a human`. */
    phrases: string[];
    /** Only for a `say` without `next`: the open question is asked again afterwards. */
    returns?: boolean | undefined;
  } | undefined;
  type: "transfer";
  /** Spoken before the callee is connected. */
  text?: string | undefined;
  /** A phone number with a plus sign, or a `{{name}}` that contains one. */
  to: string;
  /** Default: `auto`. */
  how?: "refer" | "bridge" | "auto" | undefined;
  /** The next node if the number may not be called or does not answer. */
  failed?: string | undefined;
  /** The outcome of a call that ends here, such as `confirmed`. Shown in the call's analysis. */
  outcome?: string | undefined;
  /** Whether a call that ends here is successful. Shown in the call's analysis. */
  success?: boolean | undefined;
  /** Whether the callee can interrupt it. Default: the agent's setting; an `end` is never interrupted. */
  interruptible?: boolean | undefined;
};

/** The message left on a voicemail after the beep. No node needs to lead here. */
export type FlowNodeVoicemail = {
  id: string;
  /** A title shown in the builder. Default: the id. */
  label?: string | undefined;
  position?: {
    x: number;
    y: number;
  } | undefined;
  type: "voicemail";
  /** The message after the beep. It may only use variables. */
  text: string;
  /** The outcome of a call that ends here, such as `confirmed`. Shown in the call's analysis. */
  outcome?: string | undefined;
  /** Whether a call that ends here is successful. Shown in the call's analysis. */
  success?: boolean | undefined;
};

/** What an agent says and asks, as a graph. A draft may be incomplete; publishing compiles it. */
export type FlowOutput = {
  schemaVersion: 1;
  /** Names that the call request provides, used as `{{name}}`. */
  variables: string[];
  nodes: FlowNodeOutput[];
  /** Requests that conversations may send. */
  tools?: FlowTool[] | undefined;
  settings?: FlowSettings | undefined;
  /** Notes on the canvas. */
  comments?: FlowComment[] | undefined;
  /** Frames around nodes on the canvas. */
  groups?: FlowGroup[] | undefined;
};

export type FlowRequest = {
  /** `GET` reads and has no body; most services expect `POST` for anything else. */
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** May contain placeholders in path and query, not in the host. */
  url: string;
  /** Headers, with `{{name}}` placeholders. */
  headers?: Record<string, string> | undefined;
  /** Any JSON. A text that consists only of `{{name}}` becomes the value itself, such as a number. */
  body?: unknown | undefined;
  /** Default: 5000. */
  timeoutMs?: number | undefined;
};

export type FlowSettings = {
  /** Whether the agent waits for the callee's first words. Default: `after_hello`. */
  greeting?: "after_hello" | "immediate" | undefined;
  /** States that this is an automated call and that it is recorded; spoken once, after a first `say` or before anything else. `null` turns it off. */
  disclosure?: string | null | undefined;
  /** Who is calling and why, for a callee or a screening service that asks. Default: the first text. */
  identification?: string | undefined;
  /** A natural voice such as `af_heart` (the default), or a light one such as `slt`, which sounds robotic and costs less processor time. */
  voice?: string | undefined;
  /** How fast the agent speaks: 0.7 is slow, 1.3 fast. Default: 1. */
  pace?: number | undefined;
  /** How words are said, in addition to the account's list; the agent's entries come first. */
  pronunciations?: Pronunciation[] | undefined;
  /** Spoken when the callee is silent, in order; the open question is then asked again. */
  silence?: {
    prompts: string[];
  } | undefined;
  /** How long the agent waits when it is put on hold with music. */
  holdMusic?: {
    /** When the agent asks once, into the music, whether anyone is there. Default: 20000. */
    askAfterMs?: number | undefined;
    /** When it says goodbye and hangs up. Default: 60000. */
    giveUpAfterMs?: number | undefined;
  } | undefined;
  /** Default: `leave_message` if the flow has a `voicemail` node, otherwise `hang_up`. */
  voicemail?: "hang_up" | "leave_message" | "continue" | undefined;
  /** The next node if a phone menu answers. Default: wait for a person. */
  phoneMenu?: string | undefined;
  /** For every `ask` without its own retries. Default: none. */
  retries?: {
    /** How often the question is asked again after an answer that was not understood. */
    max: number;
    /** The text of each retry; the last one is repeated. Default: an apology and the question. */
    texts?: string[] | undefined;
  } | undefined;
  /** Default: `true`. */
  interruptible?: boolean | undefined;
  /** Default: `normal`. */
  patience?: "quick" | "normal" | "patient" | undefined;
  /** How long a request may take before the filler is spoken. Default: 800. */
  fillerAfterMs?: number | undefined;
  /** Whether a configured language model is asked what the callee meant, beside the rules. It can only doubt or confirm an answer, and point out what the callee has already said for later questions. Default: `true`. */
  secondOpinion?: boolean | undefined;
  /** Whether a callee whose answer is not understood in any retry is connected to a person before the call would end at `otherwise`: by the global node for callees who ask for one, or by the only `transfer` of the flow. Default: `false`. */
  connectAfterFailures?: boolean | undefined;
  /** What follows when a callee asks to be called later, or wants it when it is offered. The time is collected as `callback` in any case. */
  callback?: {
    /** Whether a callee whose answer is not understood in any retry is offered a callback before the call would end at `otherwise`. Default: `true` with `redial`, otherwise `false`. */
    offer?: boolean | undefined;
    /** Whether a callee who wants to be called later is called again, at the time that was named, within the calling hours. Default: `false`. */
    redial?: boolean | undefined;
    /** How often in a row that may happen. Default: 1. */
    redialsMax?: number | undefined;
    /** When to call again if no time was named. Default: 120. */
    laterAfterMinutes?: number | undefined;
  } | undefined;
  /** After this many turns of the callee the agent says goodbye. */
  limits?: {
    /** Default: 200. */
    turnsMax?: number | undefined;
  } | undefined;
  /** Replacements for the agent's standard phrases, for example in another language. */
  phrases?: Record<string, string> | undefined;
  /** The texts of the agent in other languages. A callee who answers in one of them is asked, in that language, whether to go on in it. */
  translations?: FlowTranslation[] | undefined;
};

export type FlowTool = {
  /** The name used by the model and in the transcript. */
  name: string;
  /** Tells the model what the tool does and when to use it. */
  description: string;
  /** Values that the model provides. Use `{{name}}` in the request. */
  parameters?: Array<{
    /** Use `{{name}}` in the request. */
    name: string;
    /** The type of the value. */
    kind: "text" | "number" | "boolean" | "date" | "time";
    /** Tells the model which value to provide. */
    description?: string | undefined;
    /** Default: no, the model may omit it. */
    required?: boolean | undefined;
  }> | undefined;
  request: FlowRequest;
  /** Spoken if the request takes longer than `fillerAfterMs` in the settings. */
  filler?: string | undefined;
};

export type FlowTranslation = {
  language: string;
  /** Each text of the flow that is said, and the names and phrases of choices, with its translation. Placeholders stay as they are. The language is offered only if everything that is said is translated. */
  texts: Record<string, string>;
};

export type FlowWarning = {
  /** Its location, such as `flow.nodes[2]` or `language`. */
  param: string;
  code: "no_model" | "unknown_model" | "unused_variable" | "unused_tool" | "missing_answer" | "loop_without_question" | "nothing_offered" | "indistinct_exits" | "hidden_machine" | "unspoken_language" | "untranslated_text" | "unsuited_engine" | "no_other_voice" | "unusable_mcp_tool" | "vague_exit" | "misunderstood_phrase";
  message: string;
  /** What varies in the message, such as names, for programs that word it themselves by its code. */
  parts?: Record<string, string> | undefined;
};

/** The latest decision on whether the number may be called, with the reasons. */
export type GateRecord = {
  /** `waiting`: outside the callee's calling hours; the call is dialed when they begin. */
  decision: "allowed" | "waiting" | "refused";
  /** The checks that passed, or the reasons for a refusal: emergency_number, invalid_number, premium_rate, shared_cost, satellite, personal_number, type_not_allowed, country_not_allowed, no_rate, rate_above_cap, suppressed, number_velocity, range_velocity, country_velocity, outside_calling_hours, time_zone_unknown, hours_may_not_be_ignored, insufficient_credit, spend_limit. */
  reasons: string[];
};

/** What a request with these credentials may do. */
export type GrantedAccess = {
  /** Identifier, `acc_...`. */
  accountId: string;
  mode: Mode;
  /** Those of the key, or those that the member may grant. */
  scopes: Scope[];
  by: "key" | "member";
};

export type ImportedScenarios = {
  addedCount: number;
};

export type ImportedSuppressions = {
  addedCount: number;
  /** How many were already on the list. They are unchanged. */
  knownCount: number;
};

/** A failure of the service itself during a call. */
export type Incident = {
  /** When it first happened. */
  at: Timestamp;
  /** `hearing_failed`: speech detection fell behind or failed. `recognition_failed`: the callee's speech could not be transcribed. `speech_failed`: the agent's speech could not be synthesized. `speech_late`: it was synthesized too late. `voice_changed`: another voice had to be used. `model_failed`: the language model failed or took too long. `tool_failed`: a request could not be sent from here. `agent_failed`: a step of the flow failed. `conversation_failed`: the conversation was aborted. `audio_late`: audio was sent or received late on this machine. `not_heard`: the far end reported (RTCP) that the agent's audio did not arrive. `recording_failed`: there is no recording. `recording_gap`: a part of it is missing. `transcript_late`: the database was unavailable for a while. `worker_lost`: the process that conducted the call died. */
  what: "hearing_failed" | "recognition_failed" | "speech_failed" | "speech_late" | "voice_changed" | "model_failed" | "tool_failed" | "agent_failed" | "conversation_failed" | "audio_late" | "not_heard" | "recording_failed" | "recording_gap" | "transcript_late" | "worker_lost";
  /** What failed. Never empty. */
  reason: string;
  /** Its effect on the call, in one or two sentences. */
  effect: string;
  /** How often it happened in this call for the same reason. */
  count: number;
  /** The turns in which it happened, as numbered in the transcript. What happened while the callee had the floor has the number of the reply that followed. Left out for incidents outside of turns. */
  turns?: number[] | undefined;
};

export type IncidentRule = {
  /** Raised at this many failures of the service itself. */
  atLeast: number;
  /** The last hours that count, including the current one. */
  hours: number;
};

export type IncidentsCause = {
  type: "incidents";
  incidents: number;
  hours: number;
  atLeast: number;
};

/** A credit or charge of the account. Amounts held for running calls are not entries; they are `held` of the account. All amounts add up to `balance` and `held`. */
export type LedgerEntry = {
  /** Identifier, `trf_...`. */
  id: string;
  /** `call`: the cost of a call. `call_not_charged`: a call that was not charged although it had a cost; `note` gives the reason. */
  kind: "sign_up_credit" | "credit_added" | "credit_removed" | "call" | "call_not_charged";
  createdAt: Timestamp;
  callId: string | null;
  /** The number that was called. */
  phoneNumber: string | null;
  note: string;
  /** The change of the credit, negative for charges. */
  amount: Usd;
};

/** A call that has not ended, and what it waits for. */
export type LiveCall = {
  call: Call;
  /** `scheduled_time`: the time it is scheduled for, or calling hours. `dialing`: its turn to be dialed. `answer`: someone to pick up. `callee`: the callee to speak. `agent`: the agent to reply. `request`: another system to respond. `transfer`: the callee talks to someone else. */
  waitsFor: "scheduled_time" | "dialing" | "answer" | "callee" | "agent" | "request" | "transfer";
  /** The node of the flow that the conversation is at. */
  nodeId: string | null;
  /** The tool whose response is awaited. */
  request: string | null;
  /** What was said last. `null` for keys without the scope `transcripts:read`. */
  lastSpeech: {
    role: "callee" | "agent";
    text: string;
  } | null;
};

export type LiveCalls = {
  /** Those that are furthest along come first. */
  calls: LiveCall[];
  /** How many there are, including those left out. */
  total: number;
};

/** A server of the Model Context Protocol whose tools agents may use. */
export type McpServer = {
  /** Identifier, `mcp_...`. */
  id: string;
  name: string;
  url: string;
  headerNames: string[];
  timeoutMs: number;
  isEnabled: boolean;
  tools: McpTool[];
  /** When its tools were last read. */
  checkedAt: Timestamp | null;
  /** Why its tools could not be read, or which were left out. */
  problem: string | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;
};

export type McpTool = {
  name: string;
  /** `new`: not approved, agents cannot use it. `approved`: agents can use it. `changed`: the server describes it differently than when it was approved; agents cannot use it until it is approved again. `missing`: it was approved, and the server no longer offers it. */
  state: "new" | "approved" | "changed" | "missing";
  /** As the server described it last. */
  definition: McpToolDefinition;
  /** Identifies this definition; sent with an approval. */
  digest: string;
  /** As it was approved. */
  approvedDefinition: McpToolDefinition | null;
  approvedAt: Timestamp | null;
  /** The member who approved it. */
  approvedBy: string | null;
};

export type McpToolDefinition = {
  title: string | null;
  /** Language models read it, as written by the server. */
  description: string;
  /** The JSON schema of its arguments. */
  inputSchema: Record<string, unknown>;
  /** Whether the server claims that the tool changes nothing. */
  isReadOnly: boolean;
};

/** `test` calls stay on the simulated network and are free. */
export type Mode = "test" | "live";

export type NewAgent = {
  /** Surrounding spaces are removed; control and other invisible characters are rejected. */
  name: string;
  /** Default: `""`. */
  description?: string | undefined;
  /** `null`: the installation's default engine. Default: `null`. */
  engine?: string | null | undefined;
  /** Default: `"en-US"`. */
  language?: string | undefined;
  /** Default: an empty flow. */
  flow?: Flow | undefined;
  /** Created together with the agent: all of it, or nothing. Default: `[]`. */
  scenarios?: NewScenario[] | undefined;
};

/** Calls to a list of numbers. Fields of a row take precedence. */
export type NewBatch = {
  /** Identifier, `agt_...`. */
  agentId: string;
  /** Default: the agent's engine. */
  engine?: string | undefined;
  /** Default: the published version. `draft` is the current draft, with test keys only. */
  agentVersion?: number | "draft" | undefined;
  /** The caller id shown to the callee. On trunks it must be allowed by the operator, otherwise 422. Default: the trunk's own. */
  from?: string | undefined;
  /** Default: `600`. */
  maxDurationSeconds?: number | undefined;
  /** Default: `30`. */
  ringTimeoutSeconds?: number | undefined;
  /** Whether the call is recorded. It is transcribed in any case. Default: `true`. */
  record?: boolean | undefined;
  voicemail?: VoicemailPlan | undefined;
  /** When to call, at most 90 days ahead. Credit is held at that time. Default: now. */
  scheduledAt?: string | undefined;
  /** What to do outside the calling hours in the callee's time zone: `wait` for them, up to a day; `fail`; or `ignore` them, which the operator may forbid. Does not apply to simulated calls. Default: `"wait"`. */
  callingHours?: "wait" | "fail" | "ignore" | undefined;
  /** Surrounding spaces are removed; control and other invisible characters are rejected. */
  name: string;
  /** One call each, in this order. */
  rows: NewBatchRow[];
};

export type NewBatchRow = {
  /** Values for `{{name}}` placeholders in the agent's texts. */
  variables?: Record<string, string> | undefined;
  /** Echoed back; 50 keys, 500 characters each. */
  metadata?: Record<string, string> | undefined;
  /** When to call, at most 90 days ahead. Credit is held at that time. Default: now. */
  scheduledAt?: string | undefined;
  /** A plus sign followed by 7 to 15 digits. */
  phoneNumber: string;
};

export type NewCall = {
  /** A plus sign followed by 7 to 15 digits. */
  phoneNumber: string;
  /** Identifier, `agt_...`. */
  agentId: string;
  /** Default: the agent's engine. */
  engine?: string | undefined;
  /** Default: the published version. `draft` is the current draft, with test keys only. */
  agentVersion?: number | "draft" | undefined;
  /** The caller id shown to the callee. On trunks it must be allowed by the operator, otherwise 422. Default: the trunk's own. */
  from?: string | undefined;
  /** Values for `{{name}}` placeholders in the agent's texts. */
  variables?: Record<string, string> | undefined;
  /** Echoed back; 50 keys, 500 characters each. */
  metadata?: Record<string, string> | undefined;
  /** Default: `600`. */
  maxDurationSeconds?: number | undefined;
  /** Default: `30`. */
  ringTimeoutSeconds?: number | undefined;
  /** Whether the call is recorded. It is transcribed in any case. Default: `true`. */
  record?: boolean | undefined;
  voicemail?: VoicemailPlan | undefined;
  /** When to call, at most 90 days ahead. Credit is held at that time. Default: now. */
  scheduledAt?: string | undefined;
  /** What to do outside the calling hours in the callee's time zone: `wait` for them, up to a day; `fail`; or `ignore` them, which the operator may forbid. Does not apply to simulated calls. Default: `"wait"`. */
  callingHours?: "wait" | "fail" | "ignore" | undefined;
  /** Stored as evidence of the callee's consent. */
  consent?: {
    basis: string;
    at: string;
  } | undefined;
  simulation?: Simulation | undefined;
};

export type NewCallShare = {
  /** How long the link works. Default: `7`. */
  days?: number | undefined;
  /** Whether the recording can be heard. Default: `true`. */
  recording?: boolean | undefined;
};

export type NewCallView = {
  /** Surrounding spaces are removed; control and other invisible characters are rejected. */
  name: string;
  /** Filters and order, as in the query of the list. */
  query: {
    status?: CallStatus | undefined;
    phase?: CallPhase | undefined;
    /** Identifier, `agt_...`. */
    agentId?: string | undefined;
    agentVersion?: string | undefined;
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
    hourOfDay?: string | undefined;
    /** The time zone of `hourOfDay`. Default: UTC. */
    timeZone?: string | undefined;
    createdAfter?: string | undefined;
    createdBefore?: string | undefined;
    /** Words spoken in the call, in any form and order; `"words in quotes"` must be adjacent, `-word` excludes calls. Only calls that have ended are found. Also needs the scope `transcripts:read`. A page may have fewer than `limit` items while `nextCursor` is not `null`. */
    q?: string | undefined;
    /** Anything that identifies a call: part of its number, its id, or words that were spoken or that occur in its metadata, tags or note. A word of three or more letters also matches longer words that begin with it. Also needs the scope `transcripts:read`. Pages as with `q`. */
    search?: string | undefined;
    /** A minus sign means descending. `durationSeconds` and `cost` list only calls that have one, and need filters that leave at most 20,000 calls. Default: `"-createdAt"`. */
    sort?: "-createdAt" | "createdAt" | "-durationSeconds" | "durationSeconds" | "-cost" | "cost" | undefined;
  };
};

export type NewScenario = {
  /** Surrounding spaces are removed; control and other invisible characters are rejected. */
  name: string;
  /** What the callee does in its turns. The agent opens the conversation. */
  steps: CalleeStep[];
  /** Values for `{{name}}` placeholders, as in a call. Default: `{}`. */
  variables?: Record<string, string> | undefined;
  /** Tool replies for runs on text. A tool without a reply fails. */
  toolReplies?: ToolReplies | undefined;
  expect: ScenarioExpectation[];
};

export type NewSuppression = {
  /** A plus sign followed by 7 to 15 digits. */
  phoneNumber: string;
  /** Default: `""`. */
  reason?: string | undefined;
};

export type NewVoicePreview = {
  /** The text, as in a flow. A `{{name}}` without a value is omitted. */
  text: string;
  /** The language in which numbers, dates and so on are read. Default: `"en-US"`. */
  language?: string | undefined;
  /** Values for `{{name}}` placeholders. */
  variables?: Record<string, string> | undefined;
  /** As in the settings of a flow. */
  pace?: number | undefined;
  /** As in the settings of a flow, in addition to the account's list. */
  pronunciations?: Pronunciation[] | undefined;
};

export type NewWebhookEndpoint = {
  /** The URL that receives events: https on the public internet, unless the operator allows more. */
  url: string;
  /** The event types to send. `null`: all, including types added in later releases. Default: `null`. */
  eventTypes?: WebhookType[] | null | undefined;
  /** Default: `""`. */
  description?: string | undefined;
  /** Added to each request, for example for authentication. Their values are never shown again, and must be sent again if `url` changes to another host. Default: `{}`. */
  headers?: Record<string, string> | undefined;
  /** Default: `true`. */
  isEnabled?: boolean | undefined;
};

export type NodeNumber = {
  nodeId: string;
  /** How often calls came here. Asking again is not another visit. */
  visits: number;
  /** How many calls came here. */
  calls: number;
  /** Calls in which the callee hung up here. */
  hangUps: number;
  /** How often an answer was not understood here. */
  notUnderstood: number;
  /** The median time that calls spent here, in milliseconds. */
  medianMs: number;
};

/** What calls did at each node of an agent. */
export type NodeNumbers = {
  mode: Mode;
  /** The answered calls that were counted: the latest, at most 500. */
  calls: number;
  /** The nodes that calls came to. That of a sub-flow counts until the call leaves the sub-flow; the nodes inside, whose ids begin with its id and `__`, are listed as well. */
  nodes: NodeNumber[];
};

export type Pronunciation = {
  /** The word or phrase as it is written. Upper and lower case are alike. */
  written: string;
  /** How it is said: a respelling in letters, or IPA between slashes. */
  spoken: string;
};

export type PublishAgent = {
  /** Default: `""`. */
  note?: string | undefined;
};

export type PublishedVersion = {
  /** Identifier, `ver_...`. */
  id: string;
  /** Identifier, `agt_...`. */
  agentId: string;
  version: number;
  note: string;
  engine: string | null;
  language: string;
  /** Whether new calls use this version. */
  published: boolean;
  createdAt: Timestamp;
  flow: FlowOutput;
  warnings: FlowWarning[];
};

export type Rate = {
  /** A plus sign followed by 7 to 15 digits. */
  phoneNumber: string;
  prefix: string;
  /** ISO 3166 code, if known. */
  country: string | null;
  routePerMinute: Usd;
  engines: Array<{
    engine: string;
    perMinute: Usd;
    totalPerMinute: Usd;
    /** Whether calls can use it now. */
    available: boolean;
    /** Settings that are required before they can. */
    missing: string[];
  }>;
  currency: "USD";
};

export type RecordingLink = {
  /** Plays the recording without a key. */
  url: string;
  /** Ten minutes after its creation. */
  expiresAt: Timestamp;
};

export type RecordingPeaks = {
  /** Identifier, `call_...`. */
  callId: string;
  durationSeconds: number;
  /** The duration of the interval that each number covers. */
  secondsPerPeak: number;
  /** The callee's peak level in each interval: 0 is silence, 255 the maximum. */
  callee: number[];
  /** The same for the agent. */
  agent: number[];
};

export type Replay = {
  /** The number of events that will be sent. */
  eventCount: number;
  /** Set if there are more events than one request replays: repeat the request with this `since`. */
  nextSince: Timestamp | null;
};

export type ReplyStage = {
  /** `hold`: waiting to be sure that the callee had finished. `detection`: the end of the callee's speech was noticed late. `recognition_queue`: recognition waited for a free process. `recognition`: recognition, as far as it was not done during the hold. `own_speech`: the agent was still speaking. `scheduling`: the conversation's thread was busy. `judges`: second opinions on the answer. `model`: a language model, until its first words. `tool`: a request to another system. `flow`: everything else until the first words were decided. `voice`: speech synthesis, until its first audio. `playout`: until that audio was sent. */
  stage: "hold" | "detection" | "recognition_queue" | "recognition" | "own_speech" | "scheduling" | "judges" | "model" | "tool" | "flow" | "voice" | "playout";
  ms: number;
};

/** The components of a reply's latency. */
export type ReplyTiming = {
  /** Waiting to be sure that the callee had finished. */
  holdMs: number;
  /** Recognition beyond the hold. */
  recognitionMs: number;
  decisionMs: number;
  firstAudioMs: number;
  /** From the end of the callee's speech to the start of the agent's. */
  totalMs: number;
  /** How often the agent lowered its voice since the previous reply. */
  ducks: number;
  interruptions: number;
  /** How often the agent started to reply while the callee continued. */
  undos: number;
  /** What the callee waited for, in order. The durations add up to `totalMs`; stages that took no time are left out. Missing in transcripts of earlier releases. */
  stages?: ReplyStage[] | undefined;
};

/** The number of days after the end of a call when its recording and transcript are erased, and when the call itself is removed. `null` keeps recordings and transcripts until they are erased on request. */
export type RetentionDays = {
  recordings: number | null;
  transcripts: number | null;
  /** The number of days after its end when a call is removed with all that belongs to it. `null`: the period of the installation. */
  calls: number | null;
};

export type RetentionDaysChange = {
  recordings: number | null;
  transcripts: number | null;
  /** The number of days after its end when a call is removed with all that belongs to it. `null`: the period of the installation. Unchanged when it is not given. */
  calls?: number | null | undefined;
};

export type RollbackAgent = {
  version: number;
};

export type RunScenarios = {
  /** `text` returns immediately. `audio` places simulated calls, which are free; poll the run. */
  on: "text" | "audio";
  /** Default: all scenarios of the agent. */
  ids?: string[] | undefined;
  /** The document to try, saved or not. Default: the draft. */
  flow?: Flow | undefined;
  /** A published version to try. */
  version?: number | undefined;
};

/** What a callee does, and what is expected. */
export type Scenario = {
  /** Identifier, `scn_...`. */
  id: string;
  /** Identifier, `agt_...`. */
  agentId: string;
  /** Surrounding spaces are removed; control and other invisible characters are rejected. */
  name: string;
  /** What the callee does in its turns. The agent opens the conversation. */
  steps: CalleeStep[];
  /** Values for `{{name}}` placeholders, as in a call. */
  variables: Record<string, string>;
  /** Tool replies for runs on text. A tool without a reply fails. */
  toolReplies: ToolReplies;
  expect: ScenarioExpectation[];
  madeFromCallId: string | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;
};

/** What happened instead of the expectation. `went_on`: the call did not end. `never_saved`: nothing in the flow saves the expected value. `happened` and `did_not_happen`: the opposite of the expectation. */
export type ScenarioActual = ScenarioActualEnded | ScenarioActualWentOn | ScenarioActualPath | ScenarioActualCollected | ScenarioActualNeverSaved | ScenarioActualTransferred | ScenarioActualHappened | ScenarioActualDidNotHappen;

export type ScenarioActualCollected = {
  type: "collected";
  value: string | number | boolean | null;
};

export type ScenarioActualDidNotHappen = {
  type: "did_not_happen";
};

export type ScenarioActualEnded = {
  type: "ended";
  reason: EndReason;
};

export type ScenarioActualHappened = {
  type: "happened";
};

export type ScenarioActualNeverSaved = {
  type: "never_saved";
};

export type ScenarioActualPath = {
  type: "path";
  /** The visited nodes, in order. */
  nodeIds: string[];
};

export type ScenarioActualTransferred = {
  type: "transferred";
  /** `null` if the number is not known. */
  to: string | null;
};

export type ScenarioActualWentOn = {
  type: "went_on";
};

export type ScenarioChanges = {
  /** Surrounding spaces are removed; control and other invisible characters are rejected. */
  name?: string | undefined;
  /** What the callee does in its turns. The agent opens the conversation. */
  steps?: CalleeStep[] | undefined;
  /** Values for `{{name}}` placeholders, as in a call. */
  variables?: Record<string, string> | undefined;
  /** Tool replies for runs on text. A tool without a reply fails. */
  toolReplies?: ToolReplies | undefined;
  expect?: ScenarioExpectation[] | undefined;
};

export type ScenarioExpectation = ScenarioExpectationEnded | ScenarioExpectationNotEnded | ScenarioExpectationReached | ScenarioExpectationNotReached | ScenarioExpectationCollected | ScenarioExpectationNotCollected | ScenarioExpectationSaid | ScenarioExpectationNotSaid | ScenarioExpectationSuppressed | ScenarioExpectationNotSuppressed | ScenarioExpectationTransferred | ScenarioExpectationNotTransferred | ScenarioExpectationToolCalled | ScenarioExpectationToolNotCalled;

export type ScenarioExpectationCollected = {
  type: "collected";
  name: string;
  /** Default: any value except `null`. */
  equals?: string | number | boolean | null | undefined;
};

export type ScenarioExpectationEnded = {
  type: "ended";
  /** One reason, or a list of acceptable ones. */
  reason: EndReason | EndReason[];
};

export type ScenarioExpectationNotCollected = {
  type: "not_collected";
  name: string;
};

export type ScenarioExpectationNotEnded = {
  /** The call has not ended after the last step. */
  type: "not_ended";
};

export type ScenarioExpectationNotReached = {
  type: "not_reached";
  nodeId: string;
};

export type ScenarioExpectationNotSaid = {
  type: "not_said";
  contains: string;
};

export type ScenarioExpectationNotSuppressed = {
  type: "not_suppressed";
};

export type ScenarioExpectationNotTransferred = {
  type: "not_transferred";
};

export type ScenarioExpectationReached = {
  type: "reached";
  nodeId: string;
};

export type ScenarioExpectationSaid = {
  type: "said";
  /** Words of the agent; only letters and digits are compared. */
  contains: string;
};

export type ScenarioExpectationSuppressed = {
  type: "suppressed";
};

export type ScenarioExpectationToolCalled = {
  type: "tool_called";
  name: string;
};

export type ScenarioExpectationToolNotCalled = {
  type: "tool_not_called";
  name: string;
};

export type ScenarioExpectationTransferred = {
  type: "transferred";
  to?: string | undefined;
};

export type ScenarioFailure = {
  /** The first expectation that was not met; `null` if the scenario could not be completed. */
  expectation: ScenarioExpectation | null;
  /** What was expected and what happened instead, in a sentence or two. */
  message: string;
  /** The number of the callee's step, from 1, after which it failed; 0 is the agent's opening. */
  step: number | null;
  /** The current node at that time. */
  nodeId: string | null;
  /** What the agent said at that time. */
  said: string | null;
  /** What happened instead of `expectation`, for programs that word it themselves. Missing in results of releases that did not have it. */
  actual?: ScenarioActual | null | undefined;
  /** How many steps of the callee were left when the call was over. */
  stepsLeft?: number | undefined;
  /** How many steps the callee has. */
  stepsTotal?: number | undefined;
  /** What failed during the call. */
  faults?: string[] | undefined;
};

export type ScenarioFromCall = {
  /** Default: the time of the call and how it ended. */
  name?: string | undefined;
};

export type ScenarioImport = {
  scenarios: NewScenario[];
};

export type ScenarioLine = {
  role: "callee" | "agent";
  text: string;
  /** 0 is the agent's opening; on audio, the turn. */
  step: number;
  nodeId: string | null;
};

export type ScenarioResult = {
  /** Identifier, `scn_...`. */
  scenarioId: string;
  name: string;
  status: "running" | "passed" | "failed";
  failure: ScenarioFailure | null;
  /** The simulated call of a run on audio. */
  callId: string | null;
  /** What was said. */
  lines: ScenarioLine[];
  /** The visited nodes, in order. */
  path: string[];
  collected: Record<string, string | number | boolean | null>;
  endReason: EndReason | null;
};

export type ScenarioRun = {
  /** Identifier, `srn_...`. */
  id: string;
  /** Identifier, `agt_...`. */
  agentId: string;
  on: "text" | "audio";
  status: "running" | "done";
  passed: number;
  failed: number;
  results: ScenarioResult[];
  createdAt: Timestamp;
};

export type Scope = "calls:write" | "calls:read" | "transcripts:read" | "recordings:read" | "agents:write" | "agents:read" | "engines:read" | "webhooks:write" | "webhooks:read" | "billing:read" | "suppressions:write" | "settings:read" | "settings:write" | "audit:read";

/** Transcription of the callee by a stronger model after the call. */
export type SecondPass = {
  status: "running" | "done" | "failed";
  model: string;
  finishedAt: Timestamp | null;
  /** Why it failed; otherwise `null`. */
  reason: string | null;
};

export type Settings = {
  /** Maximum cost of the account's calls per day (UTC). */
  dailySpendCap: Usd | null;
  /** Maximum cost of one call. */
  callSpendCap: Usd | null;
  /** Maximum cost of calls to one number per day (UTC). */
  destinationSpendCap: Usd | null;
  /** The webhook `credit.low` is sent when the balance falls below this. */
  creditLowAt: Usd;
  /** When callees may be called, in their time zone. The installation's hours apply as well. */
  callingHours: CallingHours | null;
  /** `null` keeps recordings and transcripts, and calls for the period of the installation. */
  retentionDays: RetentionDays | null;
  /** States that this is an automated call and that it is recorded, for agents without their own disclosure. `null`: the default of the service. */
  disclosure: string | null;
  /** How all agents of the account say these words. An agent's own entry for a word replaces it. */
  pronunciations: Pronunciation[];
};

export type SettingsChanges = {
  dailySpendCap?: string | null | undefined;
  callSpendCap?: string | null | undefined;
  destinationSpendCap?: string | null | undefined;
  /** An amount in USD as a decimal string. */
  creditLowAt?: string | undefined;
  callingHours?: CallingHours | null | undefined;
  retentionDays?: RetentionDaysChange | null | undefined;
  /** States that this is an automated call and that it is recorded, for agents without their own disclosure. `null`: the default of the service. */
  disclosure?: string | null | undefined;
  /** How all agents of the account say these words. An agent's own entry for a word replaces it. */
  pronunciations?: Pronunciation[] | undefined;
};

/** A call as the holder of a link sees it: without metadata, cost and results. */
export type SharedCall = {
  createdAt: Timestamp;
  status: CallStatus;
  phase: CallPhase;
  endReason: EndReason | null;
  durationSeconds: number | null;
  /** Only the last four digits. */
  phoneNumber: string;
  agentName: string;
  /** What was said and heard. */
  transcript: Array<{
    role: "callee" | "agent";
    text: string;
    startMs: number;
  }>;
  /** Plays for ten minutes. */
  recordingUrl: string | null;
  expiresAt: Timestamp;
};

/** The behaviour of the simulated callee. Test keys only. */
export type Simulation = {
  answerAfterMs?: number | undefined;
  /** What the callee does after answering; after the last step it stays on the line. */
  script?: Array<{
    /** Speaks a line: the first immediately, later ones after the agent has spoken. `...` is a long pause. */
    say: string;
  } | {
    waitMs: number;
  } | {
    /** Waits until the agent has spoken, for at most 30 seconds. A line directly after it is spoken immediately. */
    waitForTurn: true;
  } | {
    /** Presses keys in sequence. */
    press: string;
  } | {
    /** Waits until the agent has been speaking for this long, then speaks over it. */
    interruptAfterMs: number;
    say: string;
  } | {
    hangUp: true;
  }> | undefined;
  /** The callee's voice. An unknown voice is replaced by the default. */
  voice?: string | undefined;
  /** The level of background noise, from none to louder than a quiet speaker. */
  noise?: number | undefined;
};

/** A number that the account never calls. */
export type Suppression = {
  /** A plus sign followed by 7 to 15 digits. */
  phoneNumber: string;
  reason: string;
  createdAt: Timestamp;
};

export type SuppressionImport = {
  phoneNumbers: string[];
  /** Default: `""`. */
  reason?: string | undefined;
};

export type TemplateScenario = {
  /** Surrounding spaces are removed; control and other invisible characters are rejected. */
  name: string;
  /** What the callee does in its turns. The agent opens the conversation. */
  steps: CalleeStep[];
  /** Values for `{{name}}` placeholders, as in a call. */
  variables: Record<string, string>;
  /** Tool replies for runs on text. A tool without a reply fails. */
  toolReplies: ToolReplies;
  expect: ScenarioExpectation[];
};

/** ISO 8601 UTC with milliseconds. */
export type Timestamp = string;

/** Replies by the id of a `tool` node or the name of a tool, used instead of sending a request. */
export type ToolReplies = Record<string, {
  status: number;
  /** Any JSON. Default: an empty body. */
  body?: unknown | undefined;
}>;

export type ToolSecret = {
  /** Signs tool requests according to Standard Webhooks. */
  secret: string;
  previousSecret: string | null;
  /** Until then requests are also signed with the previous secret. */
  previousSecretUntil: Timestamp | null;
};

export type ToolTrial = {
  request: FlowRequest;
  /** Default: `[]`. */
  saves?: Array<{
    /** Its location in the reply, such as `slots[0].start`. */
    path: string;
    /** The name under which it is saved. */
    saveAs: string;
    /** Default: `text`. A value of another type is not saved. */
    kind?: "text" | "number" | "boolean" | "date" | "time" | undefined;
  }> | undefined;
  /** Values for `{{name}}` placeholders: variables and collected values. Default: `{}`. */
  values?: Record<string, string | number | boolean | null> | undefined;
};

export type ToolTrialResult = {
  sent: {
    method: string;
    url: string;
    /** The headers of the flow; a signature is added. */
    headers: Record<string, string>;
    body: string | null;
  };
  /** Whether a call would continue at `next`: a status from 200 to 299. */
  ok: boolean;
  /** `null` without a reply. */
  status: number | null;
  durationMs: number;
  /** The first 4000 characters of the reply. */
  excerpt: string;
  /** Whether the reply is longer than the excerpt. */
  isCut: boolean;
  /** The values that a call would save; `null` if missing or of another type. */
  saved: Record<string, string | number | boolean | null>;
  /** Why there was no reply. */
  failure: string | null;
};

/** The transcript of a call. */
export type Transcript = {
  /** Identifier, `call_...`. */
  callId: string;
  status: TranscriptStatus;
  /** `null` if it is disabled, or has not started for this call. */
  secondPass: SecondPass | null;
  /** In chronological order. A `node` comes directly before the words said there. */
  items: TranscriptItem[];
};

export type TranscriptItem = TranscriptItemSpeech | TranscriptItemToolCall | TranscriptItemToolResult | TranscriptItemNode | TranscriptItemDecision | TranscriptItemDtmf | TranscriptItemNote;

/** How the callee's turn was interpreted, and on which evidence. */
export type TranscriptItemDecision = {
  type: "decision";
  /** The callee's turn that was interpreted. */
  turn: number;
  /** The node whose question was open. */
  nodeId: string;
  /** `answer`: an answer to the question. `ask_back`: a possible answer that the agent asks about. `jump`: to another part of the flow. `request`: something every agent can do, such as repeating the question. `not_understood`: nothing matched. */
  taken: "answer" | "ask_back" | "jump" | "request" | "not_understood";
  /** The value, node or request; `null` if nothing matched. */
  result: string | number | boolean | null;
  /** `words`: the recognized text. `expected_answer`: the expected answer that matched the audio best. `similarity`: the answer closest in meaning. `keys`: telephone keys. `judge`: the local judge of answers. `model`: a language model. */
  evidence: "words" | "expected_answer" | "similarity" | "keys" | "judge" | "model" | null;
  /** The confidence of the evidence, from 0 to 1, if known. */
  score: number | null;
  /** What spoke for or against the answer, such as a condition; left out where nothing did. */
  why?: Array<{
    judge: string;
    says: string;
  }> | undefined;
  /** Milliseconds since the callee answered, as in the recording. */
  startMs: number;
};

export type TranscriptItemDtmf = {
  type: "dtmf";
  key: string;
  by: "callee" | "agent";
  /** Milliseconds since the callee answered, as in the recording. */
  startMs: number;
};

export type TranscriptItemNode = {
  type: "node";
  nodeId: string;
  /** The exit of the previous node that led here: `next`, `otherwise`, `failed`, or the place of the answer, condition or way out, such as `exits[1].next`. Left out at the first node, after a jump, and in transcripts of earlier releases. */
  exit?: string | undefined;
  /** Milliseconds since the callee answered, as in the recording. */
  startMs: number;
};

export type TranscriptItemNote = {
  type: "note";
  text: string;
  /** Milliseconds since the callee answered, as in the recording. */
  startMs: number;
};

export type TranscriptItemSpeech = {
  type: "speech";
  role: "callee" | "agent";
  /** The callee's speech and the reply to it have the same number. */
  turn: number;
  /** What was said, or what the agent intended to say. */
  text: string;
  /** The text recognized by a stronger model after the call; `null` without a second pass. */
  revisedText: string | null;
  /** The part that the callee heard. */
  heardText: string;
  interrupted: boolean;
  /** Milliseconds since the callee answered, as in the recording. */
  startMs: number;
  /** Milliseconds since the callee answered, as in the recording. */
  endMs: number;
  /** Empty if the times of the words are unknown. */
  words: TranscriptWord[];
  /** How certain recognition was of the callee's words, if it says; otherwise left out. */
  confidence?: number | undefined;
  /** The language that recognition identified, as a BCP 47 tag, if it says; otherwise left out. */
  language?: string | undefined;
  /** For an agent's reply to the callee; otherwise `null`. */
  timing: ReplyTiming | null;
};

export type TranscriptItemToolCall = {
  type: "tool_call";
  id: string;
  name: string;
  input: unknown;
  /** Milliseconds since the callee answered, as in the recording. */
  startMs: number;
};

export type TranscriptItemToolResult = {
  type: "tool_result";
  id: string;
  name: string;
  ok: boolean;
  output: unknown;
  /** Milliseconds since the callee answered, as in the recording. */
  startMs: number;
};

export type TranscriptStatus = "in_progress" | "ready" | "erased";

export type TranscriptWord = {
  text: string;
  /** Milliseconds since the callee answered, as in the recording. */
  startMs: number;
  /** Milliseconds since the callee answered, as in the recording. */
  endMs: number;
};

export type TryEvent = TryEventNode | TryEventDecision | TryEventSaid | TryEventCutOff | TryEventCollected | TryEventToolCall | TryEventToolResult | TryEventPressed | TryEventTransfer | TryEventLanguageNoticed | TryEventSuppressed | TryEventFault;

export type TryEventCollected = {
  type: "collected";
  name: string;
  value: string | number | boolean | null;
};

export type TryEventCutOff = {
  type: "cut_off";
  /** The part of the agent's last words that the callee heard. */
  heardText: string;
};

export type TryEventDecision = {
  type: "decision";
  /** The node whose question was open. */
  nodeId: string;
  /** `answer`: an answer to the question. `ask_back`: a possible answer that the agent asks about. `jump`: to another part of the flow. `request`: something every agent can do, such as repeating the question. `not_understood`: nothing matched. */
  taken: "answer" | "ask_back" | "jump" | "request" | "not_understood";
  /** The value, node or request; `null` if nothing matched. */
  result: string | number | boolean | null;
  /** `words`: the recognized text. `expected_answer`: the expected answer that matched the audio best. `similarity`: the answer closest in meaning. `keys`: telephone keys. `judge`: the local judge of answers. `model`: a language model. */
  evidence: "words" | "expected_answer" | "similarity" | "keys" | "judge" | "model" | null;
  /** The confidence of the evidence, from 0 to 1, if known. */
  score: number | null;
  /** What spoke for or against the answer, such as a condition; left out where nothing did. */
  why?: Array<{
    judge: string;
    says: string;
  }> | undefined;
};

export type TryEventFault = {
  type: "fault";
  /** A failure from which the conversation recovered. */
  text: string;
};

export type TryEventLanguageNoticed = {
  /** The callee speaks another language than the agent. */
  type: "language_noticed";
  /** An ISO 639-1 code. */
  language: string;
};

export type TryEventNode = {
  type: "node";
  nodeId: string;
  /** The exit of the previous node that led here: `next`, `otherwise`, `failed`, or the place of the answer, condition or way out, such as `exits[1].next`. Left out at the first node, after a jump, and in transcripts of earlier releases. */
  exit?: string | undefined;
};

export type TryEventPressed = {
  type: "pressed";
  keys: string;
};

export type TryEventSaid = {
  type: "said";
  /** The current node when it was said. */
  nodeId: string | null;
  text: string;
};

export type TryEventSuppressed = {
  /** A call would add the number to the suppression list. */
  type: "suppressed";
};

export type TryEventToolCall = {
  type: "tool_call";
  id: string;
  name: string;
  input: unknown;
};

export type TryEventToolResult = {
  type: "tool_result";
  id: string;
  name: string;
  ok: boolean;
  output: unknown;
  /** Whether the reply came from `toolReplies`, without a request. */
  isGiven: boolean;
};

export type TryEventTransfer = {
  type: "transfer";
  to: string;
  how: "refer" | "bridge" | "auto";
};

export type TryReply = {
  /** Send it with the next turn. The service stores nothing. */
  state: string;
  events: TryEvent[];
  /** Everything that the agent said in this turn. */
  said: string;
  /** The current node. */
  nodeId: string | null;
  /** The nodes visited in this turn, in order. */
  path: string[];
  /** All values collected so far. */
  collected: Record<string, string | number | boolean | null>;
  variables: Record<string, string>;
  /** What the agent expects next; `null` if nothing. */
  expects: {
    kind: string;
    /** Expected phrases. */
    answers: string[];
    takesKeys: boolean;
  } | null;
  /** How the call would have ended; `null` while it continues. */
  ended: {
    reason: EndReason;
    by: "agent" | "callee" | "service";
  } | null;
  warnings: FlowWarning[];
};

export type TryTurn = {
  /** The document to try, saved or not. Default: the draft. */
  flow?: Flow | undefined;
  /** A published version to try. */
  version?: number | undefined;
  /** Default: the agent's. */
  language?: string | undefined;
  /** Only with the first turn; later turns keep them. */
  variables?: Record<string, string> | undefined;
  /** `state` of the previous turn. Without it, a conversation begins, and the response is the agent's opening. */
  state?: string | undefined;
  /** What the callee does. Required with a `state`. A machine can only answer in the first turn. */
  callee?: CalleeStep | undefined;
  /** Tools listed here send no request; all others do. */
  toolReplies?: ToolReplies | undefined;
};

export type UnmatchedAnswer = {
  /** What a callee said, in the best available transcription. */
  text: string;
  /** How often, in the calls that were counted. */
  times: number;
  /** The latest call in which it was said. */
  callId: string;
  /** When that call was answered. */
  saidAt: Timestamp;
};

export type UnmatchedAnswers = {
  /** Most frequent first, at most 50. */
  answers: UnmatchedAnswer[];
};

/** Statistics of the calls of a period. A call counts at the time it was requested. */
export type Usage = {
  mode: Mode;
  from: Timestamp;
  to: Timestamp;
  granularity: "hour" | "day";
  timeZone: string;
  total: UsageFigures;
  /** Oldest first, including empty ones. */
  buckets: UsageBucket[];
  /** The end reasons, the most frequent first. */
  endReasons: Array<{
    endReason: EndReason;
    calls: number;
  }>;
};

/** Ended calls of a period, by one property. The period is in whole hours, and a call counts in the hour (UTC) in which it was requested. */
export type UsageBreakdown = {
  mode: Mode;
  from: Timestamp;
  to: Timestamp;
  by: "agent" | "version" | "engine" | "outcome" | "hour" | "day" | "key";
  total: UsageBreakdownTotal;
  /** Hours, days and versions in order; otherwise those with the most calls first. */
  rows: UsageBreakdownRow[];
};

export type UsageBreakdownBucket = {
  /** The start of the day or hour. */
  start: Timestamp;
  /** Requested calls. */
  calls: number;
  /** Calls that were answered by a person or a machine. */
  answered: number;
  /** Calls that ended as `failed`. */
  failed: number;
  /** Seconds from answer to end, for calls that have ended. */
  talkSeconds: number;
  spend: Usd;
  /** Replies of agents, in calls that have ended. */
  turns: number;
  /** The median response time, with an error of at most 3 %, of calls that ended since it is counted by group. `null` without. */
  responseMsP50: number | null;
  responseMsP95: number | null;
  /** How often callees interrupted an agent. */
  interruptions: number;
  /** Failures of the service itself. */
  incidents: number;
};

export type UsageBreakdownRow = {
  /** The id of the agent or key, the version, engine, outcome, hour or day. Empty for calls that members placed. */
  key: string;
  /** Requested calls. */
  calls: number;
  /** Calls that were answered by a person or a machine. */
  answered: number;
  /** Calls that ended as `failed`. */
  failed: number;
  /** Seconds from answer to end, for calls that have ended. */
  talkSeconds: number;
  spend: Usd;
  /** Replies of agents, in calls that have ended. */
  turns: number;
  /** The median response time, with an error of at most 3 %, of calls that ended since it is counted by group. `null` without. */
  responseMsP50: number | null;
  responseMsP95: number | null;
  /** How often callees interrupted an agent. */
  interruptions: number;
  /** Failures of the service itself. */
  incidents: number;
  /** With `granularity`, for the 12 groups with the most calls: oldest first, without empty ones. */
  buckets?: UsageBreakdownBucket[] | undefined;
};

/** All calls of the period, including groups that are not listed. */
export type UsageBreakdownTotal = {
  /** Requested calls. */
  calls: number;
  /** Calls that were answered by a person or a machine. */
  answered: number;
  /** Calls that ended as `failed`. */
  failed: number;
  /** Seconds from answer to end, for calls that have ended. */
  talkSeconds: number;
  spend: Usd;
  /** Replies of agents, in calls that have ended. */
  turns: number;
  /** The median response time, with an error of at most 3 %, of calls that ended since it is counted by group. `null` without. */
  responseMsP50: number | null;
  responseMsP95: number | null;
  /** How often callees interrupted an agent. */
  interruptions: number;
  /** Failures of the service itself. */
  incidents: number;
  /** With `granularity`: oldest first, including empty ones. */
  buckets?: UsageBreakdownBucket[] | undefined;
};

export type UsageBucket = {
  /** The start of the day or hour. */
  start: Timestamp;
  /** Requested calls. */
  calls: number;
  /** Calls that were answered by a person or a machine. */
  answered: number;
  /** Calls that ended as `failed`. */
  failed: number;
  /** Seconds from answer to end, for calls that have ended. */
  talkSeconds: number;
  spend: Usd;
  /** Replies of agents, in calls that have ended. */
  turns: number;
  /** The median response time, with an error of at most 3 %. `null` without replies. */
  responseMsP50: number | null;
  responseMsP95: number | null;
  /** How often callees interrupted agents, in calls that have ended. `null` if that was not counted yet. */
  interruptions: number | null;
};

export type UsageFigures = {
  /** Requested calls. */
  calls: number;
  /** Calls that were answered by a person or a machine. */
  answered: number;
  /** Calls that ended as `failed`. */
  failed: number;
  /** Seconds from answer to end, for calls that have ended. */
  talkSeconds: number;
  spend: Usd;
  /** Replies of agents, in calls that have ended. */
  turns: number;
  /** The median response time, with an error of at most 3 %. `null` without replies. */
  responseMsP50: number | null;
  responseMsP95: number | null;
  /** How often callees interrupted agents, in calls that have ended. `null` if that was not counted yet. */
  interruptions: number | null;
};

/** An amount in USD as a decimal string. */
export type Usd = string;

export type Voice = {
  /** The id for `settings.voice` of a flow. */
  id: string;
  name: string;
  /** A `natural` voice sounds like a person; a `light` one sounds robotic and takes less processor time. Both say any text. */
  kind: "natural" | "light";
  sex: "woman" | "man";
  language: string;
  /** Whether agents in its language use it if they have no voice setting. */
  isDefault: boolean;
  /** Whether it is one of the six natural voices that were tested most. */
  isRecommended: boolean;
  available: boolean;
  /** Settings that are required before it can be used. */
  missing: string[];
};

/** What to do if a voicemail answers. Default: as defined by the agent. */
export type VoicemailPlan = {
  /** `leave_message` waits for the tone. `continue` treats the machine like a person. */
  action: "hang_up" | "leave_message" | "continue";
  /** The message, with `{{name}}` placeholders. Default: the message in the agent's flow. */
  message?: string | undefined;
};

/** `member`: disabled by a request. `gone`: the endpoint responded with 410. `failing`: nothing was accepted for five days. */
export type WebhookDisabledReason = "member" | "gone" | "failing";

/** A URL that receives events. */
export type WebhookEndpoint = {
  /** Identifier, `whk_...`. */
  id: string;
  mode: Mode;
  url: string;
  eventTypes: WebhookType[] | null;
  description: string;
  headerNames: string[];
  isEnabled: boolean;
  disabledAt: Timestamp | null;
  disabledReason: WebhookDisabledReason | null;
  /** The first failure since the last accepted event. */
  failingSince: Timestamp | null;
  lastSuccessAt: Timestamp | null;
  /** Until then events are also signed with the previous secret. */
  previousSecretUntil: Timestamp | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;
};

export type WebhookEndpointChanges = {
  /** The URL that receives events: https on the public internet, unless the operator allows more. */
  url?: string | undefined;
  /** The event types to send. `null`: all, including types added in later releases. */
  eventTypes?: WebhookType[] | null | undefined;
  description?: string | undefined;
  /** Added to each request, for example for authentication. Their values are never shown again, and must be sent again if `url` changes to another host. */
  headers?: Record<string, string> | undefined;
  isEnabled?: boolean | undefined;
};

export type WebhookSecret = {
  /** The secret that signs events. */
  secret: string;
  previousSecret: string | null;
  previousSecretUntil: Timestamp | null;
};

export type WebhookTestBody = {
  /** Identifier, `evt_...`. */
  id: string;
  createdAt: Timestamp;
  type: "webhook.test";
  /** Only call events have a sequence number. */
  sequence: null;
  data: {
    webhook: {
      /** Identifier, `whk_...`. */
      id: string;
      url: string;
      description: string;
    };
  };
};

export type WebhookType = "call.initiated" | "call.in_progress" | "call.completed" | "call.failed" | "call.transcript.ready" | "call.recording.ready" | "call.analyzed" | "credit.low" | "alert.raised" | "alert.resolved" | "webhook.disabled";
