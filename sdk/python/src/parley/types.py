"""Generated from the OpenAPI document by `npm run sdk`. Do not edit."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union

from typing import NotRequired

class AccountLimits(TypedDict):
    requestsPerSecond: int
    concurrentCalls: int
    callsPerSecond: float
    queuedCalls: int
    dailySpendCap: Union["Usd", None]

class AccountUsage(TypedDict):
    activeCalls: int
    queuedCalls: int
    spentToday: "Usd"

class Account(TypedDict):
    id: str
    name: str
    createdAt: "Timestamp"
    balance: "Usd"
    held: "Usd"
    currency: Literal["USD"]
    limits: "AccountLimits"
    liveNetwork: Literal["simulated", "trunks"]
    liveCallsCharged: bool
    usage: "AccountUsage"

class Agent(TypedDict):
    id: str
    name: str
    description: str
    engine: Union[str, None]
    language: str
    revision: int
    publishedVersion: Union[int, None]
    publishedRevision: Union[int, None]
    createdAt: "Timestamp"
    updatedAt: "Timestamp"
    flow: "FlowOutput"

class AgentChanges(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str]
    engine: NotRequired[Union[str, None]]
    language: NotRequired[str]
    flow: NotRequired["Flow"]

class AgentSummary(TypedDict):
    id: str
    name: str
    description: str
    engine: Union[str, None]
    language: str
    revision: int
    publishedVersion: Union[int, None]
    publishedRevision: Union[int, None]
    createdAt: "Timestamp"
    updatedAt: "Timestamp"

class AgentTemplate(TypedDict):
    id: str
    name: str
    description: str
    language: str
    needsModel: bool
    flow: "FlowOutput"
    scenarios: List["TemplateScenario"]

class AgentVersion(TypedDict):
    id: str
    agentId: str
    version: int
    note: str
    engine: Union[str, None]
    language: str
    published: bool
    createdAt: "Timestamp"
    flow: "FlowOutput"

class AgentVersionSummary(TypedDict):
    id: str
    agentId: str
    version: int
    note: str
    engine: Union[str, None]
    language: str
    published: bool
    createdAt: "Timestamp"

class Alert(TypedDict):
    id: str
    mode: "Mode"
    cause: "AlertCause"
    raisedAt: "Timestamp"
    resolvedAt: Union["Timestamp", None]

AlertCause = Union["AnswerRateCause", "IncidentsCause", "CreditLowCause"]

class AlertRules(TypedDict):
    mode: "Mode"
    answerRate: Union["AnswerRateRule", None]
    incidents: Union["IncidentRule", None]
    creditLow: bool
    quietMinutes: int
    emailOwners: bool

class AlertRulesChanges(TypedDict):
    answerRate: NotRequired[Union["AnswerRateRule", None]]
    incidents: NotRequired[Union["IncidentRule", None]]
    creditLow: NotRequired[bool]
    quietMinutes: NotRequired[int]
    emailOwners: NotRequired[bool]

class AlertWebhookBodyData(TypedDict):
    alert: "Alert"

class AlertWebhookBody(TypedDict):
    id: str
    createdAt: "Timestamp"
    type: Literal["alert.raised", "alert.resolved"]
    sequence: None
    data: "AlertWebhookBodyData"

class AnswerRateCause(TypedDict):
    type: Literal["answer_rate"]
    percent: float
    calls: int
    hours: int
    belowPercent: int

class AnswerRateRule(TypedDict):
    belowPercent: int
    hours: int
    callsMin: int

class AuditEntry(TypedDict):
    id: str
    createdAt: "Timestamp"
    actor: str
    actorName: Union[str, None]
    action: str
    target: Union[str, None]
    ip: Union[str, None]
    data: Dict[str, Any]

class BatchCounts(TypedDict):
    rows: int
    waiting: int
    inProgress: int
    completed: int
    failed: int
    refused: int
    canceled: int

class Batch(TypedDict):
    id: str
    name: str
    mode: "Mode"
    agentId: str
    status: Literal["running", "paused", "done", "canceled"]
    pausedBecause: Union[str, None]
    createdAt: "Timestamp"
    counts: "BatchCounts"

class BatchCheckRowsItemProblemsItem(TypedDict):
    code: str
    message: str

class BatchCheckRowsItem(TypedDict):
    problems: List["BatchCheckRowsItemProblemsItem"]
    waitsUntil: Union["Timestamp", None]
    perMinute: Union["Usd", None]

class BatchCheck(TypedDict):
    """The rows in the order of the request."""

    rows: List["BatchCheckRowsItem"]
    charged: bool

class BatchCheckRequestRowsItem(TypedDict):
    phoneNumber: str
    variables: NotRequired[Dict[str, str]]

BatchCheckRequest = TypedDict(
    "BatchCheckRequest",
    {
        "agentId": str,
        "engine": NotRequired[str],
        "agentVersion": NotRequired[Union[int, Literal["draft"]]],
        "from": NotRequired[str],
        "callingHours": NotRequired[Literal["wait", "fail", "ignore"]],
        "rows": List["BatchCheckRequestRowsItem"],
    },
)

class BatchRowRefusal(TypedDict):
    code: str
    message: str

class BatchRowCall(TypedDict):
    id: str
    status: "CallStatus"
    phase: "CallPhase"
    endReason: Union["EndReason", None]
    durationSeconds: Union[int, None]

class BatchRow(TypedDict):
    number: int
    phoneNumber: str
    status: Literal["waiting", "placed", "refused", "canceled"]
    refusal: Union["BatchRowRefusal", None]
    call: Union["BatchRowCall", None]

class CallWaiting(TypedDict):
    reason: Literal["concurrency_limit", "rate_limit", "capacity", "no_worker", "next"]
    explanation: str

class CallCarrier(TypedDict):
    name: str
    code: Union[int, None]
    reason: Union[str, None]
    explanation: Union[str, None]

class CallTranscript(TypedDict):
    status: "TranscriptStatus"
    url: str

class CallLatency(TypedDict):
    responseMsP50: Union[float, None]
    responseMsP95: Union[float, None]
    turns: int
    interruptions: int

class CallQuality(TypedDict):
    mos: float
    lossPercent: float
    jitterMs: float

Call = TypedDict(
    "Call",
    {
        "id": str,
        "phoneNumber": str,
        "agentId": str,
        "status": "CallStatus",
        "engine": str,
        "createdAt": "Timestamp",
        "mode": "Mode",
        "phase": "CallPhase",
        "waiting": Union["CallWaiting", None],
        "network": Union[str, None],
        "agentVersion": int,
        "from": Union[str, None],
        "variables": Dict[str, str],
        "metadata": Dict[str, str],
        "scheduledAt": Union["Timestamp", None],
        "answeredAt": Union["Timestamp", None],
        "endedAt": Union["Timestamp", None],
        "durationSeconds": Union[int, None],
        "endReason": Union["EndReason", None],
        "endedBy": Union[Literal["callee", "agent", "service", "api"], None],
        "answeredBy": Union[Literal["human", "voicemail", "ivr", "screening", "fax", "unknown"], None],
        "calleeLanguage": Union[str, None],
        "carrier": Union["CallCarrier", None],
        "gate": Union["GateRecord", None],
        "cost": Union["CallCost", None],
        "recording": Union["CallRecording", None],
        "transcript": Union["CallTranscript", None],
        "latency": Union["CallLatency", None],
        "engineParts": Union[List["CallEnginePart"], None],
        "quality": Union["CallQuality", None],
        "collected": Union[Dict[str, Any], None],
        "analysis": Union["CallAnalysis", None],
        "country": Union[str, None],
        "follows": Union[str, None],
        "followedBy": Union[str, None],
        "incidents": List["Incident"],
    },
)

class CallAnalysis(TypedDict):
    """The outcome of an answered call."""

    status: Literal["pending", "ready", "failed", "off"]
    summary: Union[str, None]
    outcome: Union[str, None]
    success: Union[bool, None]
    fields: Dict[str, Any]
    labels: List[str]
    by: Union[Literal["rules", "model"], None]
    model: Union[str, None]

class CallCheckLocalTimesItem(TypedDict):
    timeZone: str
    localTime: str

class CallCheckPrice(TypedDict):
    prefix: str
    routePerMinute: "Usd"
    enginePerMinute: "Usd"
    totalPerMinute: "Usd"
    currency: Literal["USD"]
    charged: bool

class CallCheck(TypedDict):
    """The result of checking a number, as if a call were placed now."""

    phoneNumber: str
    country: Union[str, None]
    network: Union[str, None]
    gate: "GateRecord"
    waitsUntil: Union["Timestamp", None]
    localTimes: List["CallCheckLocalTimesItem"]
    price: Union["CallCheckPrice", None]

CallCheckRequest = TypedDict(
    "CallCheckRequest",
    {
        "phoneNumber": str,
        "engine": NotRequired[str],
        "from": NotRequired[str],
        "callingHours": NotRequired[Literal["wait", "fail", "ignore"]],
    },
)

class CallCost(TypedDict):
    total: "Usd"
    currency: Literal["USD"]
    lines: List["CostLine"]
    charged: bool

class CallCount(TypedDict):
    count: int
    isExact: bool

class CallEnginePart(TypedDict):
    part: Literal["recognition", "model", "synthesis", "speech"]
    provider: str
    model: Union[str, None]
    requests: int
    failures: int
    firstResultMsP50: Union[int, None]
    firstResultMsP95: Union[int, None]
    audioSeconds: float
    characters: int
    inputTokens: int
    outputTokens: int
    cost: Union["Usd", None]

class CallEvent(TypedDict):
    sequence: int
    type: Literal["call.initiated", "call.dialing", "call.rerouted", "call.ringing", "call.early_media", "call.in_progress", "call.answered_by", "call.language_noticed", "call.transcript_extended", "call.number_suppressed", "call.incident", "call.recording_failed", "call.audio_missing", "call.audio_returned", "call.key_pressed", "call.transfer", "call.hangup_requested", "call.hold_extended", "call.completed", "call.failed", "call.transcript.ready", "call.recording.ready", "call.analyzed", "call.reanalyzed", "call.redial_scheduled", "call.redial_refused", "call.data_erased"]
    createdAt: "Timestamp"
    data: Dict[str, Any]

class CallMatchPartsItem(TypedDict):
    text: str
    isFound: bool

class CallMatch(TypedDict):
    """Where a search found its words in a call."""

    callId: str
    place: Literal["speech", "metadata", "tag", "note"]
    name: Union[str, None]
    startMs: Union[int, None]
    parts: List["CallMatchPartsItem"]

class CallNotes(TypedDict):
    """What members wrote about a call. It is erased with the data of the call."""

    tags: List[str]
    note: str
    changedAt: Union["Timestamp", None]

class CallNotesChanges(TypedDict):
    tags: NotRequired[List[str]]
    note: NotRequired[str]

CallPhase = Literal["scheduled", "queued", "dialing", "ringing", "talking", "ended"]

class CallRecordingGapsItem(TypedDict):
    startMs: int
    endMs: int

class CallRecording(TypedDict):
    status: Literal["recording", "ready", "failed", "erased"]
    durationSeconds: Union[float, None]
    partial: bool
    gaps: List["CallRecordingGapsItem"]
    url: str
    reason: Union[str, None]

class CallShare(TypedDict):
    """A link by which anyone can see a call."""

    id: str
    recording: bool
    createdAt: "Timestamp"
    expiresAt: "Timestamp"

CallStatus = Literal["initiated", "in_progress", "completed", "failed"]

class CallView(TypedDict):
    """A saved view of the list of calls, for all members of the account."""

    id: str
    name: str
    query: Dict[str, str]
    createdAt: "Timestamp"

class CallWebhookBodyData(TypedDict):
    call: "Call"

class CallWebhookBody(TypedDict):
    id: str
    createdAt: "Timestamp"
    type: Literal["call.initiated", "call.in_progress", "call.completed", "call.failed", "call.transcript.ready", "call.recording.ready", "call.analyzed"]
    sequence: int
    data: "CallWebhookBodyData"

class CalleeStepSay(TypedDict):
    say: str

class CalleeStepInterruptAfterMs(TypedDict):
    interruptAfterMs: int
    say: str

class CalleeStepPress(TypedDict):
    press: str

class CalleeStepSilent(TypedDict):
    silent: Literal[True]

class CalleeStepMachine(TypedDict):
    machine: Literal["voicemail", "ivr", "screening", "fax"]

class CalleeStepHangUp(TypedDict):
    hangUp: Literal[True]

CalleeStep = Union["CalleeStepSay", "CalleeStepInterruptAfterMs", "CalleeStepPress", "CalleeStepSilent", "CalleeStepMachine", "CalleeStepHangUp"]

class CallingHours(TypedDict):
    """From `start` until before `end`, in the callee's own time zone."""

    start: str
    end: str

class CheckFlow(TypedDict):
    flow: NotRequired["Flow"]

class CostLine(TypedDict):
    item: str
    seconds: int
    perMinute: "Usd"
    amount: "Usd"

class CreatedCallShare(TypedDict):
    id: str
    recording: bool
    createdAt: "Timestamp"
    expiresAt: "Timestamp"
    url: str

class CreatedWebhookEndpoint(TypedDict):
    id: str
    mode: "Mode"
    url: str
    eventTypes: Union[List["WebhookType"], None]
    description: str
    headerNames: List[str]
    isEnabled: bool
    disabledAt: Union["Timestamp", None]
    disabledReason: Union["WebhookDisabledReason", None]
    failingSince: Union["Timestamp", None]
    lastSuccessAt: Union["Timestamp", None]
    previousSecretUntil: Union["Timestamp", None]
    createdAt: "Timestamp"
    updatedAt: "Timestamp"
    secret: str

class CreditLowBodyData(TypedDict):
    balance: "Usd"
    held: "Usd"
    creditLowAt: "Usd"
    currency: Literal["USD"]

class CreditLowBody(TypedDict):
    """Sent once when the balance falls below the setting, and again after a top-up."""

    id: str
    createdAt: "Timestamp"
    type: Literal["credit.low"]
    sequence: None
    data: "CreditLowBodyData"

class CreditLowCause(TypedDict):
    type: Literal["credit_low"]
    balance: "Usd"
    creditLowAt: "Usd"

DeliveredType = Literal["call.initiated", "call.in_progress", "call.completed", "call.failed", "call.transcript.ready", "call.recording.ready", "call.analyzed", "credit.low", "alert.raised", "alert.resolved", "webhook.disabled", "webhook.test"]

class Delivery(TypedDict):
    """One event for one endpoint."""

    id: str
    webhookId: str
    eventId: str
    eventType: "DeliveredType"
    callId: Union[str, None]
    status: "DeliveryStatus"
    attemptCount: int
    nextAttemptAt: Union["Timestamp", None]
    lastAttemptAt: Union["Timestamp", None]
    lastStatus: Union[int, None]
    lastReason: Union[str, None]
    createdAt: "Timestamp"
    deliveredAt: Union["Timestamp", None]

class DeliveryAttempt(TypedDict):
    ordinal: int
    startedAt: "Timestamp"
    latencyMs: int
    isSuccess: bool
    status: Union[int, None]
    reason: str
    responseBody: Union[str, None]

class DeliveryDetails(TypedDict):
    id: str
    webhookId: str
    eventId: str
    eventType: "DeliveredType"
    callId: Union[str, None]
    status: "DeliveryStatus"
    attemptCount: int
    nextAttemptAt: Union["Timestamp", None]
    lastAttemptAt: Union["Timestamp", None]
    lastStatus: Union[int, None]
    lastReason: Union[str, None]
    createdAt: "Timestamp"
    deliveredAt: Union["Timestamp", None]
    body: str
    attempts: List["DeliveryAttempt"]

DeliveryStatus = Literal["pending", "delivered", "failed", "held"]

class DescribeAgent(TypedDict):
    description: str

class DescribedFlowProblemsItem(TypedDict):
    param: str
    code: str
    message: str
    parts: NotRequired[Dict[str, str]]

class DescribedFlow(TypedDict):
    """A flow that a language model wrote, and what the compiler says to it."""

    flow: "FlowOutput"
    problems: List["DescribedFlowProblemsItem"]
    warnings: List["FlowWarning"]

class DisabledWebhookBodyDataWebhook(TypedDict):
    id: str
    url: str
    description: str

class DisabledWebhookBodyData(TypedDict):
    webhook: "DisabledWebhookBodyDataWebhook"
    reason: "WebhookDisabledReason"
    explanation: str

class DisabledWebhookBody(TypedDict):
    id: str
    createdAt: "Timestamp"
    type: Literal["webhook.disabled"]
    sequence: None
    data: "DisabledWebhookBodyData"

Done = Dict[str, Any]

EndReason = Literal["callee_hangup", "agent_hangup", "api_hangup", "transferred", "voicemail_hangup", "voicemail_left", "max_duration", "silence", "no_answer", "busy", "declined", "blocked", "invalid_number", "unreachable", "canceled", "expired", "carrier_rejected", "carrier_unavailable", "media_timeout", "no_audio", "fax", "engine_error", "insufficient_credit", "spend_limit", "destination_blocked", "suppressed", "outside_calling_hours", "worker_lost", "internal_error"]

class Engine(TypedDict):
    name: str
    description: str
    available: bool
    missing: List[str]
    isDefault: bool
    languages: Union[List[str], None]
    speech: List["EnginePart"]
    recognition: List["EnginePart"]
    synthesis: List["EnginePart"]
    model: Union["EngineModel", None]

class EngineModel(TypedDict):
    name: Union[str, None]
    fallbacks: List[str]
    missing: List[str]

class EnginePart(TypedDict):
    provider: str
    model: Union[str, None]
    voice: Union[str, None]
    available: bool

ErrorCode = Literal["malformed_json", "bad_request", "missing_api_key", "invalid_api_key", "not_signed_in", "insufficient_credit", "spend_limit_reached", "insufficient_scope", "not_allowed", "destination_not_allowed", "ip_not_allowed", "sign_up_closed", "not_signed", "cross_site", "not_found", "agent_not_found", "call_not_found", "method_not_allowed", "request_timeout", "idempotency_in_progress", "invalid_state", "agent_not_published", "engine_unavailable", "draft_conflict", "payload_too_large", "unsupported_media_type", "range_not_satisfiable", "validation_failed", "engine_unknown", "idempotency_mismatch", "rate_limited", "queue_full", "too_many_attempts", "internal", "unavailable"]

class ErrorDetail(TypedDict):
    """One error in the request."""

    param: str
    code: str
    message: str
    parts: NotRequired[Dict[str, str]]

class ErrorReplyError(TypedDict):
    code: "ErrorCode"
    message: str
    param: NotRequired[str]
    details: NotRequired[List["ErrorDetail"]]
    requestId: str
    docUrl: str
    retryable: bool

class ErrorReply(TypedDict):
    """The body of every 4xx and 5xx response."""

    success: Literal[False]
    error: "ErrorReplyError"

class Flow(TypedDict):
    """What an agent says and asks, as a graph. A draft may be incomplete; publishing compiles it."""

    schemaVersion: Literal[1]
    variables: NotRequired[List[str]]
    nodes: List["FlowNode"]
    tools: NotRequired[List["FlowTool"]]
    settings: NotRequired["FlowSettings"]
    comments: NotRequired[List["FlowComment"]]
    groups: NotRequired[List["FlowGroup"]]

class FlowCheckProblemsItem(TypedDict):
    param: str
    code: str
    message: str
    parts: NotRequired[Dict[str, str]]

class FlowCheck(TypedDict):
    problems: List["FlowCheckProblemsItem"]
    warnings: List["FlowWarning"]

class FlowCommentPosition(TypedDict):
    x: float
    y: float

class FlowCommentSize(TypedDict):
    """Its size on the canvas. Default: 220 by 120."""

    width: float
    height: float

class FlowComment(TypedDict):
    """A note for people who edit the flow. It has no effect on calls."""

    id: str
    text: str
    position: "FlowCommentPosition"
    size: NotRequired["FlowCommentSize"]
    color: NotRequired[Literal["yellow", "green", "blue", "purple", "red", "gray"]]

class FlowGroup(TypedDict):
    """A named frame around nodes on the canvas. It has no effect on calls."""

    id: str
    name: str
    nodeIds: List[str]
    color: NotRequired[Literal["yellow", "green", "blue", "purple", "red", "gray"]]

FlowNode = Union["FlowNodeStart", "FlowNodeSay", "FlowNodeAsk", "FlowNodeConversation", "FlowNodeBranch", "FlowNodeTool", "FlowNodeSet", "FlowNodeTransfer", "FlowNodeDtmf", "FlowNodeSubflow", "FlowNodeVoicemail", "FlowNodeEnd"]

class FlowNodeAskPosition(TypedDict):
    x: float
    y: float

class FlowNodeAskGlobal(TypedDict):
    """Lets the callee jump here from any question with one of the phrases."""

    phrases: List[str]
    returns: NotRequired[bool]

class FlowNodeAskExitsItem(TypedDict):
    when: str
    next: NotRequired[str]
    phrases: NotRequired[List[str]]
    readBack: NotRequired[str]
    key: NotRequired[str]

class FlowNodeAskRetries(TypedDict):
    """How often the question is asked again before the call continues at `otherwise`. Default: the agent's setting."""

    max: int
    texts: NotRequired[List[str]]

class FlowNodeAskConfirm(TypedDict):
    """Reads the answer back and accepts it after a yes. Not for `yes_no`."""

    text: NotRequired[str]

class FlowNodeAskRange(TypedDict):
    """For `number`: the accepted range."""

    min: NotRequired[float]
    max: NotRequired[float]

class FlowNodeAskDigits(TypedDict):
    """For `digits`: the accepted length."""

    min: int
    max: int

FlowNodeAsk = TypedDict(
    "FlowNodeAsk",
    {
        "id": str,
        "label": NotRequired[str],
        "position": NotRequired["FlowNodeAskPosition"],
        "global": NotRequired["FlowNodeAskGlobal"],
        "type": Literal["ask"],
        "text": str,
        "reworded": NotRequired[str],
        "answer": Literal["yes_no", "number", "date", "time", "phone", "email", "name", "choice", "free_text", "digits"],
        "saveAs": NotRequired[str],
        "exits": NotRequired[List["FlowNodeAskExitsItem"]],
        "next": NotRequired[str],
        "otherwise": NotRequired[str],
        "retries": NotRequired["FlowNodeAskRetries"],
        "confirm": NotRequired["FlowNodeAskConfirm"],
        "range": NotRequired["FlowNodeAskRange"],
        "digits": NotRequired["FlowNodeAskDigits"],
        "dates": NotRequired[Literal["ahead", "behind"]],
        "interruptible": NotRequired[bool],
        "patience": NotRequired[Literal["quick", "normal", "patient"]],
    },
)

class FlowNodeAskOutputPosition(TypedDict):
    x: float
    y: float

class FlowNodeAskOutputGlobal(TypedDict):
    """Lets the callee jump here from any question with one of the phrases."""

    phrases: List[str]
    returns: NotRequired[bool]

class FlowNodeAskOutputExitsItem(TypedDict):
    when: str
    next: NotRequired[str]
    phrases: NotRequired[List[str]]
    readBack: NotRequired[str]
    key: NotRequired[str]

class FlowNodeAskOutputRetries(TypedDict):
    """How often the question is asked again before the call continues at `otherwise`. Default: the agent's setting."""

    max: int
    texts: NotRequired[List[str]]

class FlowNodeAskOutputConfirm(TypedDict):
    """Reads the answer back and accepts it after a yes. Not for `yes_no`."""

    text: NotRequired[str]

class FlowNodeAskOutputRange(TypedDict):
    """For `number`: the accepted range."""

    min: NotRequired[float]
    max: NotRequired[float]

class FlowNodeAskOutputDigits(TypedDict):
    """For `digits`: the accepted length."""

    min: int
    max: int

FlowNodeAskOutput = TypedDict(
    "FlowNodeAskOutput",
    {
        "id": str,
        "label": NotRequired[str],
        "position": NotRequired["FlowNodeAskOutputPosition"],
        "global": NotRequired["FlowNodeAskOutputGlobal"],
        "type": Literal["ask"],
        "text": str,
        "reworded": NotRequired[str],
        "answer": Literal["yes_no", "number", "date", "time", "phone", "email", "name", "choice", "free_text", "digits"],
        "saveAs": NotRequired[str],
        "exits": List["FlowNodeAskOutputExitsItem"],
        "next": NotRequired[str],
        "otherwise": NotRequired[str],
        "retries": NotRequired["FlowNodeAskOutputRetries"],
        "confirm": NotRequired["FlowNodeAskOutputConfirm"],
        "range": NotRequired["FlowNodeAskOutputRange"],
        "digits": NotRequired["FlowNodeAskOutputDigits"],
        "dates": NotRequired[Literal["ahead", "behind"]],
        "interruptible": NotRequired[bool],
        "patience": NotRequired[Literal["quick", "normal", "patient"]],
    },
)

class FlowNodeBranchPosition(TypedDict):
    x: float
    y: float

class FlowNodeBranchGlobal(TypedDict):
    """Lets the callee jump here from any question with one of the phrases."""

    phrases: List[str]
    returns: NotRequired[bool]

class FlowNodeBranchExitsItem(TypedDict):
    when: str
    next: NotRequired[str]

class FlowNodeBranchPromptsItem(TypedDict):
    when: str
    next: NotRequired[str]

FlowNodeBranch = TypedDict(
    "FlowNodeBranch",
    {
        "id": str,
        "label": NotRequired[str],
        "position": NotRequired["FlowNodeBranchPosition"],
        "global": NotRequired["FlowNodeBranchGlobal"],
        "type": Literal["branch"],
        "exits": NotRequired[List["FlowNodeBranchExitsItem"]],
        "prompts": NotRequired[List["FlowNodeBranchPromptsItem"]],
        "model": NotRequired[str],
        "otherwise": NotRequired[str],
    },
)

class FlowNodeBranchOutputPosition(TypedDict):
    x: float
    y: float

class FlowNodeBranchOutputGlobal(TypedDict):
    """Lets the callee jump here from any question with one of the phrases."""

    phrases: List[str]
    returns: NotRequired[bool]

class FlowNodeBranchOutputExitsItem(TypedDict):
    when: str
    next: NotRequired[str]

class FlowNodeBranchOutputPromptsItem(TypedDict):
    when: str
    next: NotRequired[str]

FlowNodeBranchOutput = TypedDict(
    "FlowNodeBranchOutput",
    {
        "id": str,
        "label": NotRequired[str],
        "position": NotRequired["FlowNodeBranchOutputPosition"],
        "global": NotRequired["FlowNodeBranchOutputGlobal"],
        "type": Literal["branch"],
        "exits": List["FlowNodeBranchOutputExitsItem"],
        "prompts": NotRequired[List["FlowNodeBranchOutputPromptsItem"]],
        "model": NotRequired[str],
        "otherwise": NotRequired[str],
    },
)

class FlowNodeConversationPosition(TypedDict):
    x: float
    y: float

class FlowNodeConversationGlobal(TypedDict):
    """Lets the callee jump here from any question with one of the phrases."""

    phrases: List[str]
    returns: NotRequired[bool]

class FlowNodeConversationMcpToolsItem(TypedDict):
    server: str
    tool: str

class FlowNodeConversationExitsItem(TypedDict):
    when: str
    next: NotRequired[str]

class FlowNodeConversationSavesItem(TypedDict):
    saveAs: str
    kind: NotRequired[Literal["text", "number", "boolean", "date", "time"]]
    description: NotRequired[str]

FlowNodeConversation = TypedDict(
    "FlowNodeConversation",
    {
        "id": str,
        "label": NotRequired[str],
        "position": NotRequired["FlowNodeConversationPosition"],
        "global": NotRequired["FlowNodeConversationGlobal"],
        "type": Literal["conversation"],
        "text": NotRequired[str],
        "prompt": str,
        "model": NotRequired[str],
        "tools": NotRequired[List[str]],
        "mcpTools": NotRequired[List["FlowNodeConversationMcpToolsItem"]],
        "exits": NotRequired[List["FlowNodeConversationExitsItem"]],
        "saves": NotRequired[List["FlowNodeConversationSavesItem"]],
        "turnsMax": NotRequired[int],
        "optional": NotRequired[bool],
        "otherwise": NotRequired[str],
        "interruptible": NotRequired[bool],
        "patience": NotRequired[Literal["quick", "normal", "patient"]],
    },
)

class FlowNodeConversationOutputPosition(TypedDict):
    x: float
    y: float

class FlowNodeConversationOutputGlobal(TypedDict):
    """Lets the callee jump here from any question with one of the phrases."""

    phrases: List[str]
    returns: NotRequired[bool]

class FlowNodeConversationOutputMcpToolsItem(TypedDict):
    server: str
    tool: str

class FlowNodeConversationOutputExitsItem(TypedDict):
    when: str
    next: NotRequired[str]

class FlowNodeConversationOutputSavesItem(TypedDict):
    saveAs: str
    kind: NotRequired[Literal["text", "number", "boolean", "date", "time"]]
    description: NotRequired[str]

FlowNodeConversationOutput = TypedDict(
    "FlowNodeConversationOutput",
    {
        "id": str,
        "label": NotRequired[str],
        "position": NotRequired["FlowNodeConversationOutputPosition"],
        "global": NotRequired["FlowNodeConversationOutputGlobal"],
        "type": Literal["conversation"],
        "text": NotRequired[str],
        "prompt": str,
        "model": NotRequired[str],
        "tools": NotRequired[List[str]],
        "mcpTools": NotRequired[List["FlowNodeConversationOutputMcpToolsItem"]],
        "exits": List["FlowNodeConversationOutputExitsItem"],
        "saves": NotRequired[List["FlowNodeConversationOutputSavesItem"]],
        "turnsMax": NotRequired[int],
        "optional": NotRequired[bool],
        "otherwise": NotRequired[str],
        "interruptible": NotRequired[bool],
        "patience": NotRequired[Literal["quick", "normal", "patient"]],
    },
)

class FlowNodeDtmfPosition(TypedDict):
    x: float
    y: float

class FlowNodeDtmfGlobal(TypedDict):
    """Lets the callee jump here from any question with one of the phrases."""

    phrases: List[str]
    returns: NotRequired[bool]

FlowNodeDtmf = TypedDict(
    "FlowNodeDtmf",
    {
        "id": str,
        "label": NotRequired[str],
        "position": NotRequired["FlowNodeDtmfPosition"],
        "global": NotRequired["FlowNodeDtmfGlobal"],
        "type": Literal["dtmf"],
        "keys": str,
        "next": NotRequired[str],
    },
)

class FlowNodeEndPosition(TypedDict):
    x: float
    y: float

class FlowNodeEndGlobal(TypedDict):
    """Lets the callee jump here from any question with one of the phrases."""

    phrases: List[str]
    returns: NotRequired[bool]

FlowNodeEnd = TypedDict(
    "FlowNodeEnd",
    {
        "id": str,
        "label": NotRequired[str],
        "position": NotRequired["FlowNodeEndPosition"],
        "global": NotRequired["FlowNodeEndGlobal"],
        "type": Literal["end"],
        "text": NotRequired[str],
        "outcome": NotRequired[str],
        "success": NotRequired[bool],
        "interruptible": NotRequired[bool],
    },
)

FlowNodeOutput = Union["FlowNodeStart", "FlowNodeSay", "FlowNodeAskOutput", "FlowNodeConversationOutput", "FlowNodeBranchOutput", "FlowNodeTool", "FlowNodeSet", "FlowNodeTransfer", "FlowNodeDtmf", "FlowNodeSubflowOutput", "FlowNodeVoicemail", "FlowNodeEnd"]

class FlowNodeSayPosition(TypedDict):
    x: float
    y: float

class FlowNodeSayGlobal(TypedDict):
    """Lets the callee jump here from any question with one of the phrases."""

    phrases: List[str]
    returns: NotRequired[bool]

FlowNodeSay = TypedDict(
    "FlowNodeSay",
    {
        "id": str,
        "label": NotRequired[str],
        "position": NotRequired["FlowNodeSayPosition"],
        "global": NotRequired["FlowNodeSayGlobal"],
        "type": Literal["say"],
        "text": str,
        "next": NotRequired[str],
        "interruptible": NotRequired[bool],
    },
)

class FlowNodeSetPosition(TypedDict):
    x: float
    y: float

class FlowNodeSetGlobal(TypedDict):
    """Lets the callee jump here from any question with one of the phrases."""

    phrases: List[str]
    returns: NotRequired[bool]

class FlowNodeSetValuesItem(TypedDict):
    saveAs: str
    value: str

FlowNodeSet = TypedDict(
    "FlowNodeSet",
    {
        "id": str,
        "label": NotRequired[str],
        "position": NotRequired["FlowNodeSetPosition"],
        "global": NotRequired["FlowNodeSetGlobal"],
        "type": Literal["set"],
        "values": List["FlowNodeSetValuesItem"],
        "next": NotRequired[str],
    },
)

class FlowNodeStartPosition(TypedDict):
    x: float
    y: float

class FlowNodeStart(TypedDict):
    id: str
    label: NotRequired[str]
    position: NotRequired["FlowNodeStartPosition"]
    type: Literal["start"]
    next: NotRequired[str]

class FlowNodeSubflowPosition(TypedDict):
    x: float
    y: float

class FlowNodeSubflowGlobal(TypedDict):
    """Lets the callee jump here from any question with one of the phrases."""

    phrases: List[str]
    returns: NotRequired[bool]

class FlowNodeSubflowInputsItem(TypedDict):
    name: str
    value: str

class FlowNodeSubflowExitsItem(TypedDict):
    when: str
    next: NotRequired[str]

class FlowNodeSubflowSavesItem(TypedDict):
    name: str
    saveAs: str

FlowNodeSubflow = TypedDict(
    "FlowNodeSubflow",
    {
        "id": str,
        "label": NotRequired[str],
        "position": NotRequired["FlowNodeSubflowPosition"],
        "global": NotRequired["FlowNodeSubflowGlobal"],
        "type": Literal["subflow"],
        "agentId": NotRequired[str],
        "version": NotRequired[int],
        "inputs": NotRequired[List["FlowNodeSubflowInputsItem"]],
        "exits": NotRequired[List["FlowNodeSubflowExitsItem"]],
        "saves": NotRequired[List["FlowNodeSubflowSavesItem"]],
    },
)

class FlowNodeSubflowOutputPosition(TypedDict):
    x: float
    y: float

class FlowNodeSubflowOutputGlobal(TypedDict):
    """Lets the callee jump here from any question with one of the phrases."""

    phrases: List[str]
    returns: NotRequired[bool]

class FlowNodeSubflowOutputInputsItem(TypedDict):
    name: str
    value: str

class FlowNodeSubflowOutputExitsItem(TypedDict):
    when: str
    next: NotRequired[str]

class FlowNodeSubflowOutputSavesItem(TypedDict):
    name: str
    saveAs: str

FlowNodeSubflowOutput = TypedDict(
    "FlowNodeSubflowOutput",
    {
        "id": str,
        "label": NotRequired[str],
        "position": NotRequired["FlowNodeSubflowOutputPosition"],
        "global": NotRequired["FlowNodeSubflowOutputGlobal"],
        "type": Literal["subflow"],
        "agentId": NotRequired[str],
        "version": NotRequired[int],
        "inputs": NotRequired[List["FlowNodeSubflowOutputInputsItem"]],
        "exits": List["FlowNodeSubflowOutputExitsItem"],
        "saves": NotRequired[List["FlowNodeSubflowOutputSavesItem"]],
    },
)

class FlowNodeToolPosition(TypedDict):
    x: float
    y: float

class FlowNodeToolGlobal(TypedDict):
    """Lets the callee jump here from any question with one of the phrases."""

    phrases: List[str]
    returns: NotRequired[bool]

class FlowNodeToolSavesItem(TypedDict):
    path: str
    saveAs: str
    kind: NotRequired[Literal["text", "number", "boolean", "date", "time"]]

FlowNodeTool = TypedDict(
    "FlowNodeTool",
    {
        "id": str,
        "label": NotRequired[str],
        "position": NotRequired["FlowNodeToolPosition"],
        "global": NotRequired["FlowNodeToolGlobal"],
        "type": Literal["tool"],
        "request": "FlowRequest",
        "filler": NotRequired[str],
        "saves": NotRequired[List["FlowNodeToolSavesItem"]],
        "next": NotRequired[str],
        "failed": NotRequired[str],
    },
)

class FlowNodeTransferPosition(TypedDict):
    x: float
    y: float

class FlowNodeTransferGlobal(TypedDict):
    """Lets the callee jump here from any question with one of the phrases."""

    phrases: List[str]
    returns: NotRequired[bool]

FlowNodeTransfer = TypedDict(
    "FlowNodeTransfer",
    {
        "id": str,
        "label": NotRequired[str],
        "position": NotRequired["FlowNodeTransferPosition"],
        "global": NotRequired["FlowNodeTransferGlobal"],
        "type": Literal["transfer"],
        "text": NotRequired[str],
        "to": str,
        "how": NotRequired[Literal["refer", "bridge", "auto"]],
        "failed": NotRequired[str],
        "outcome": NotRequired[str],
        "success": NotRequired[bool],
        "interruptible": NotRequired[bool],
    },
)

class FlowNodeVoicemailPosition(TypedDict):
    x: float
    y: float

class FlowNodeVoicemail(TypedDict):
    """The message left on a voicemail after the beep. No node needs to lead here."""

    id: str
    label: NotRequired[str]
    position: NotRequired["FlowNodeVoicemailPosition"]
    type: Literal["voicemail"]
    text: str
    outcome: NotRequired[str]
    success: NotRequired[bool]

class FlowOutput(TypedDict):
    """What an agent says and asks, as a graph. A draft may be incomplete; publishing compiles it."""

    schemaVersion: Literal[1]
    variables: List[str]
    nodes: List["FlowNodeOutput"]
    tools: NotRequired[List["FlowTool"]]
    settings: NotRequired["FlowSettings"]
    comments: NotRequired[List["FlowComment"]]
    groups: NotRequired[List["FlowGroup"]]

class FlowRequest(TypedDict):
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    url: str
    headers: NotRequired[Dict[str, str]]
    body: NotRequired[Any]
    timeoutMs: NotRequired[int]

class FlowSettingsSilence(TypedDict):
    """Spoken when the callee is silent, in order; the open question is then asked again."""

    prompts: List[str]

class FlowSettingsHoldMusic(TypedDict):
    """How long the agent waits when it is put on hold with music."""

    askAfterMs: NotRequired[int]
    giveUpAfterMs: NotRequired[int]

class FlowSettingsRetries(TypedDict):
    """For every `ask` without its own retries. Default: none."""

    max: int
    texts: NotRequired[List[str]]

class FlowSettingsCallback(TypedDict):
    """What follows when a callee asks to be called later, or wants it when it is offered. The time is collected as `callback` in any case."""

    offer: NotRequired[bool]
    redial: NotRequired[bool]
    redialsMax: NotRequired[int]
    laterAfterMinutes: NotRequired[int]

class FlowSettingsLimits(TypedDict):
    """After this many turns of the callee the agent says goodbye."""

    turnsMax: NotRequired[int]

class FlowSettings(TypedDict):
    greeting: NotRequired[Literal["after_hello", "immediate"]]
    disclosure: NotRequired[Union[str, None]]
    identification: NotRequired[str]
    voice: NotRequired[str]
    pace: NotRequired[float]
    pronunciations: NotRequired[List["Pronunciation"]]
    silence: NotRequired["FlowSettingsSilence"]
    holdMusic: NotRequired["FlowSettingsHoldMusic"]
    voicemail: NotRequired[Literal["hang_up", "leave_message", "continue"]]
    phoneMenu: NotRequired[str]
    retries: NotRequired["FlowSettingsRetries"]
    interruptible: NotRequired[bool]
    patience: NotRequired[Literal["quick", "normal", "patient"]]
    fillerAfterMs: NotRequired[int]
    secondOpinion: NotRequired[bool]
    connectAfterFailures: NotRequired[bool]
    callback: NotRequired["FlowSettingsCallback"]
    limits: NotRequired["FlowSettingsLimits"]
    phrases: NotRequired[Dict[str, str]]
    translations: NotRequired[List["FlowTranslation"]]

class FlowToolParametersItem(TypedDict):
    name: str
    kind: Literal["text", "number", "boolean", "date", "time"]
    description: NotRequired[str]
    required: NotRequired[bool]

class FlowTool(TypedDict):
    name: str
    description: str
    parameters: NotRequired[List["FlowToolParametersItem"]]
    request: "FlowRequest"
    filler: NotRequired[str]

class FlowTranslation(TypedDict):
    language: str
    texts: Dict[str, str]

class FlowWarning(TypedDict):
    param: str
    code: Literal["no_model", "unknown_model", "unused_variable", "unused_tool", "missing_answer", "loop_without_question", "nothing_offered", "indistinct_exits", "hidden_machine", "unspoken_language", "untranslated_text", "unsuited_engine", "no_other_voice", "unusable_mcp_tool", "vague_exit", "misunderstood_phrase"]
    message: str
    parts: NotRequired[Dict[str, str]]

class GateRecord(TypedDict):
    """The latest decision on whether the number may be called, with the reasons."""

    decision: Literal["allowed", "waiting", "refused"]
    reasons: List[str]

class GrantedAccess(TypedDict):
    """What a request with these credentials may do."""

    accountId: str
    mode: "Mode"
    scopes: List["Scope"]
    by: Literal["key", "member"]

class ImportedScenarios(TypedDict):
    addedCount: int

class ImportedSuppressions(TypedDict):
    addedCount: int
    knownCount: int

class Incident(TypedDict):
    """A failure of the service itself during a call."""

    at: "Timestamp"
    what: Literal["hearing_failed", "recognition_failed", "speech_failed", "speech_late", "voice_changed", "model_failed", "tool_failed", "agent_failed", "conversation_failed", "audio_late", "not_heard", "recording_failed", "recording_gap", "transcript_late", "worker_lost"]
    reason: str
    effect: str
    count: int
    turns: NotRequired[List[int]]

class IncidentRule(TypedDict):
    atLeast: int
    hours: int

class IncidentsCause(TypedDict):
    type: Literal["incidents"]
    incidents: int
    hours: int
    atLeast: int

class LedgerEntry(TypedDict):
    """A credit or charge of the account. Amounts held for running calls are not entries; they are `held` of the account. All amounts add up to `balance` and `held`."""

    id: str
    kind: Literal["sign_up_credit", "credit_added", "credit_removed", "call", "call_not_charged"]
    createdAt: "Timestamp"
    callId: Union[str, None]
    phoneNumber: Union[str, None]
    note: str
    amount: "Usd"

class LiveCallLastSpeech(TypedDict):
    role: Literal["callee", "agent"]
    text: str

class LiveCall(TypedDict):
    """A call that has not ended, and what it waits for."""

    call: "Call"
    waitsFor: Literal["scheduled_time", "dialing", "answer", "callee", "agent", "request", "transfer"]
    nodeId: Union[str, None]
    request: Union[str, None]
    lastSpeech: Union["LiveCallLastSpeech", None]

class LiveCalls(TypedDict):
    calls: List["LiveCall"]
    total: int

class McpServer(TypedDict):
    """A server of the Model Context Protocol whose tools agents may use."""

    id: str
    name: str
    url: str
    headerNames: List[str]
    timeoutMs: int
    isEnabled: bool
    tools: List["McpTool"]
    checkedAt: Union["Timestamp", None]
    problem: Union[str, None]
    createdAt: "Timestamp"
    updatedAt: "Timestamp"

class McpTool(TypedDict):
    name: str
    state: Literal["new", "approved", "changed", "missing"]
    definition: "McpToolDefinition"
    digest: str
    approvedDefinition: Union["McpToolDefinition", None]
    approvedAt: Union["Timestamp", None]
    approvedBy: Union[str, None]

class McpToolDefinition(TypedDict):
    title: Union[str, None]
    description: str
    inputSchema: Dict[str, Any]
    isReadOnly: bool

Mode = Literal["test", "live"]

class NewAgent(TypedDict):
    name: str
    description: NotRequired[str]
    engine: NotRequired[Union[str, None]]
    language: NotRequired[str]
    flow: NotRequired["Flow"]
    scenarios: NotRequired[List["NewScenario"]]

NewBatch = TypedDict(
    "NewBatch",
    {
        "agentId": str,
        "engine": NotRequired[str],
        "agentVersion": NotRequired[Union[int, Literal["draft"]]],
        "from": NotRequired[str],
        "maxDurationSeconds": NotRequired[int],
        "ringTimeoutSeconds": NotRequired[int],
        "record": NotRequired[bool],
        "voicemail": NotRequired["VoicemailPlan"],
        "scheduledAt": NotRequired[str],
        "callingHours": NotRequired[Literal["wait", "fail", "ignore"]],
        "name": str,
        "rows": List["NewBatchRow"],
    },
)

class NewBatchRow(TypedDict):
    variables: NotRequired[Dict[str, str]]
    metadata: NotRequired[Dict[str, str]]
    scheduledAt: NotRequired[str]
    phoneNumber: str

class NewCallConsent(TypedDict):
    """Stored as evidence of the callee's consent."""

    basis: str
    at: str

NewCall = TypedDict(
    "NewCall",
    {
        "phoneNumber": str,
        "agentId": str,
        "engine": NotRequired[str],
        "agentVersion": NotRequired[Union[int, Literal["draft"]]],
        "from": NotRequired[str],
        "variables": NotRequired[Dict[str, str]],
        "metadata": NotRequired[Dict[str, str]],
        "maxDurationSeconds": NotRequired[int],
        "ringTimeoutSeconds": NotRequired[int],
        "record": NotRequired[bool],
        "voicemail": NotRequired["VoicemailPlan"],
        "scheduledAt": NotRequired[str],
        "callingHours": NotRequired[Literal["wait", "fail", "ignore"]],
        "consent": NotRequired["NewCallConsent"],
        "simulation": NotRequired["Simulation"],
    },
)

class NewCallShare(TypedDict):
    days: NotRequired[int]
    recording: NotRequired[bool]

class NewCallViewQuery(TypedDict):
    """Filters and order, as in the query of the list."""

    status: NotRequired["CallStatus"]
    phase: NotRequired["CallPhase"]
    agentId: NotRequired[str]
    agentVersion: NotRequired[str]
    engine: NotRequired[str]
    apiKeyId: NotRequired[str]
    memberId: NotRequired[str]
    phoneNumber: NotRequired[str]
    endReason: NotRequired["EndReason"]
    outcome: NotRequired[str]
    hourOfDay: NotRequired[str]
    timeZone: NotRequired[str]
    createdAfter: NotRequired[str]
    createdBefore: NotRequired[str]
    q: NotRequired[str]
    search: NotRequired[str]
    sort: NotRequired[Literal["-createdAt", "createdAt", "-durationSeconds", "durationSeconds", "-cost", "cost"]]

class NewCallView(TypedDict):
    name: str
    query: "NewCallViewQuery"

class NewScenario(TypedDict):
    name: str
    steps: List["CalleeStep"]
    variables: NotRequired[Dict[str, str]]
    toolReplies: NotRequired["ToolReplies"]
    expect: List["ScenarioExpectation"]

class NewSuppression(TypedDict):
    phoneNumber: str
    reason: NotRequired[str]

class NewVoicePreview(TypedDict):
    text: str
    language: NotRequired[str]
    variables: NotRequired[Dict[str, str]]
    pace: NotRequired[float]
    pronunciations: NotRequired[List["Pronunciation"]]

class NewWebhookEndpoint(TypedDict):
    url: str
    eventTypes: NotRequired[Union[List["WebhookType"], None]]
    description: NotRequired[str]
    headers: NotRequired[Dict[str, str]]
    isEnabled: NotRequired[bool]

class NodeNumber(TypedDict):
    nodeId: str
    visits: int
    calls: int
    hangUps: int
    notUnderstood: int
    medianMs: int

class NodeNumbers(TypedDict):
    """What calls did at each node of an agent."""

    mode: "Mode"
    calls: int
    nodes: List["NodeNumber"]

class Pronunciation(TypedDict):
    written: str
    spoken: str

class PublishAgent(TypedDict):
    note: NotRequired[str]

class PublishedVersion(TypedDict):
    id: str
    agentId: str
    version: int
    note: str
    engine: Union[str, None]
    language: str
    published: bool
    createdAt: "Timestamp"
    flow: "FlowOutput"
    warnings: List["FlowWarning"]

class RateEnginesItem(TypedDict):
    engine: str
    perMinute: "Usd"
    totalPerMinute: "Usd"
    available: bool
    missing: List[str]

class Rate(TypedDict):
    phoneNumber: str
    prefix: str
    country: Union[str, None]
    routePerMinute: "Usd"
    engines: List["RateEnginesItem"]
    currency: Literal["USD"]

class RecordingLink(TypedDict):
    url: str
    expiresAt: "Timestamp"

class RecordingPeaks(TypedDict):
    callId: str
    durationSeconds: float
    secondsPerPeak: float
    callee: List[int]
    agent: List[int]

class Replay(TypedDict):
    eventCount: int
    nextSince: Union["Timestamp", None]

class ReplyStage(TypedDict):
    stage: Literal["hold", "detection", "recognition_queue", "recognition", "own_speech", "scheduling", "judges", "model", "tool", "flow", "voice", "playout"]
    ms: int

class ReplyTiming(TypedDict):
    """The components of a reply's latency."""

    holdMs: int
    recognitionMs: int
    decisionMs: int
    firstAudioMs: int
    totalMs: int
    ducks: int
    interruptions: int
    undos: int
    stages: NotRequired[List["ReplyStage"]]

class RetentionDays(TypedDict):
    """The number of days after the end of a call when its recording and transcript are erased, and when the call itself is removed. `null` keeps recordings and transcripts until they are erased on request."""

    recordings: Union[int, None]
    transcripts: Union[int, None]
    calls: Union[int, None]

class RetentionDaysChange(TypedDict):
    recordings: Union[int, None]
    transcripts: Union[int, None]
    calls: NotRequired[Union[int, None]]

class RollbackAgent(TypedDict):
    version: int

class RunScenarios(TypedDict):
    on: Literal["text", "audio"]
    ids: NotRequired[List[str]]
    flow: NotRequired["Flow"]
    version: NotRequired[int]

class Scenario(TypedDict):
    """What a callee does, and what is expected."""

    id: str
    agentId: str
    name: str
    steps: List["CalleeStep"]
    variables: Dict[str, str]
    toolReplies: "ToolReplies"
    expect: List["ScenarioExpectation"]
    madeFromCallId: Union[str, None]
    createdAt: "Timestamp"
    updatedAt: "Timestamp"

ScenarioActual = Union["ScenarioActualEnded", "ScenarioActualWentOn", "ScenarioActualPath", "ScenarioActualCollected", "ScenarioActualNeverSaved", "ScenarioActualTransferred", "ScenarioActualHappened", "ScenarioActualDidNotHappen"]

class ScenarioActualCollected(TypedDict):
    type: Literal["collected"]
    value: Union[str, float, bool, None]

class ScenarioActualDidNotHappen(TypedDict):
    type: Literal["did_not_happen"]

class ScenarioActualEnded(TypedDict):
    type: Literal["ended"]
    reason: "EndReason"

class ScenarioActualHappened(TypedDict):
    type: Literal["happened"]

class ScenarioActualNeverSaved(TypedDict):
    type: Literal["never_saved"]

class ScenarioActualPath(TypedDict):
    type: Literal["path"]
    nodeIds: List[str]

class ScenarioActualTransferred(TypedDict):
    type: Literal["transferred"]
    to: Union[str, None]

class ScenarioActualWentOn(TypedDict):
    type: Literal["went_on"]

class ScenarioChanges(TypedDict):
    name: NotRequired[str]
    steps: NotRequired[List["CalleeStep"]]
    variables: NotRequired[Dict[str, str]]
    toolReplies: NotRequired["ToolReplies"]
    expect: NotRequired[List["ScenarioExpectation"]]

ScenarioExpectation = Union["ScenarioExpectationEnded", "ScenarioExpectationNotEnded", "ScenarioExpectationReached", "ScenarioExpectationNotReached", "ScenarioExpectationCollected", "ScenarioExpectationNotCollected", "ScenarioExpectationSaid", "ScenarioExpectationNotSaid", "ScenarioExpectationSuppressed", "ScenarioExpectationNotSuppressed", "ScenarioExpectationTransferred", "ScenarioExpectationNotTransferred", "ScenarioExpectationToolCalled", "ScenarioExpectationToolNotCalled"]

class ScenarioExpectationCollected(TypedDict):
    type: Literal["collected"]
    name: str
    equals: NotRequired[Union[str, float, bool, None]]

class ScenarioExpectationEnded(TypedDict):
    type: Literal["ended"]
    reason: Union["EndReason", List["EndReason"]]

class ScenarioExpectationNotCollected(TypedDict):
    type: Literal["not_collected"]
    name: str

class ScenarioExpectationNotEnded(TypedDict):
    type: Literal["not_ended"]

class ScenarioExpectationNotReached(TypedDict):
    type: Literal["not_reached"]
    nodeId: str

class ScenarioExpectationNotSaid(TypedDict):
    type: Literal["not_said"]
    contains: str

class ScenarioExpectationNotSuppressed(TypedDict):
    type: Literal["not_suppressed"]

class ScenarioExpectationNotTransferred(TypedDict):
    type: Literal["not_transferred"]

class ScenarioExpectationReached(TypedDict):
    type: Literal["reached"]
    nodeId: str

class ScenarioExpectationSaid(TypedDict):
    type: Literal["said"]
    contains: str

class ScenarioExpectationSuppressed(TypedDict):
    type: Literal["suppressed"]

class ScenarioExpectationToolCalled(TypedDict):
    type: Literal["tool_called"]
    name: str

class ScenarioExpectationToolNotCalled(TypedDict):
    type: Literal["tool_not_called"]
    name: str

class ScenarioExpectationTransferred(TypedDict):
    type: Literal["transferred"]
    to: NotRequired[str]

class ScenarioFailure(TypedDict):
    expectation: Union["ScenarioExpectation", None]
    message: str
    step: Union[int, None]
    nodeId: Union[str, None]
    said: Union[str, None]
    actual: NotRequired[Union["ScenarioActual", None]]
    stepsLeft: NotRequired[int]
    stepsTotal: NotRequired[int]
    faults: NotRequired[List[str]]

class ScenarioFromCall(TypedDict):
    name: NotRequired[str]

class ScenarioImport(TypedDict):
    scenarios: List["NewScenario"]

class ScenarioLine(TypedDict):
    role: Literal["callee", "agent"]
    text: str
    step: int
    nodeId: Union[str, None]

class ScenarioResult(TypedDict):
    scenarioId: str
    name: str
    status: Literal["running", "passed", "failed"]
    failure: Union["ScenarioFailure", None]
    callId: Union[str, None]
    lines: List["ScenarioLine"]
    path: List[str]
    collected: Dict[str, Union[str, float, bool, None]]
    endReason: Union["EndReason", None]

class ScenarioRun(TypedDict):
    id: str
    agentId: str
    on: Literal["text", "audio"]
    status: Literal["running", "done"]
    passed: int
    failed: int
    results: List["ScenarioResult"]
    createdAt: "Timestamp"

Scope = Literal["calls:write", "calls:read", "transcripts:read", "recordings:read", "agents:write", "agents:read", "engines:read", "webhooks:write", "webhooks:read", "billing:read", "suppressions:write", "settings:read", "settings:write", "audit:read"]

class SecondPass(TypedDict):
    """Transcription of the callee by a stronger model after the call."""

    status: Literal["running", "done", "failed"]
    model: str
    finishedAt: Union["Timestamp", None]
    reason: Union[str, None]

class Settings(TypedDict):
    dailySpendCap: Union["Usd", None]
    callSpendCap: Union["Usd", None]
    destinationSpendCap: Union["Usd", None]
    creditLowAt: "Usd"
    callingHours: Union["CallingHours", None]
    retentionDays: Union["RetentionDays", None]
    disclosure: Union[str, None]
    pronunciations: List["Pronunciation"]

class SettingsChanges(TypedDict):
    dailySpendCap: NotRequired[Union[str, None]]
    callSpendCap: NotRequired[Union[str, None]]
    destinationSpendCap: NotRequired[Union[str, None]]
    creditLowAt: NotRequired[str]
    callingHours: NotRequired[Union["CallingHours", None]]
    retentionDays: NotRequired[Union["RetentionDaysChange", None]]
    disclosure: NotRequired[Union[str, None]]
    pronunciations: NotRequired[List["Pronunciation"]]

class SharedCallTranscriptItem(TypedDict):
    role: Literal["callee", "agent"]
    text: str
    startMs: int

class SharedCall(TypedDict):
    """A call as the holder of a link sees it: without metadata, cost and results."""

    createdAt: "Timestamp"
    status: "CallStatus"
    phase: "CallPhase"
    endReason: Union["EndReason", None]
    durationSeconds: Union[int, None]
    phoneNumber: str
    agentName: str
    transcript: List["SharedCallTranscriptItem"]
    recordingUrl: Union[str, None]
    expiresAt: "Timestamp"

class SimulationScriptItemSay(TypedDict):
    say: str

class SimulationScriptItemWaitMs(TypedDict):
    waitMs: int

class SimulationScriptItemWaitForTurn(TypedDict):
    waitForTurn: Literal[True]

class SimulationScriptItemPress(TypedDict):
    press: str

class SimulationScriptItemInterruptAfterMs(TypedDict):
    interruptAfterMs: int
    say: str

class SimulationScriptItemHangUp(TypedDict):
    hangUp: Literal[True]

class Simulation(TypedDict):
    """The behaviour of the simulated callee. Test keys only."""

    answerAfterMs: NotRequired[int]
    script: NotRequired[List[Union["SimulationScriptItemSay", "SimulationScriptItemWaitMs", "SimulationScriptItemWaitForTurn", "SimulationScriptItemPress", "SimulationScriptItemInterruptAfterMs", "SimulationScriptItemHangUp"]]]
    voice: NotRequired[str]
    noise: NotRequired[float]

class Suppression(TypedDict):
    """A number that the account never calls."""

    phoneNumber: str
    reason: str
    createdAt: "Timestamp"

class SuppressionImport(TypedDict):
    phoneNumbers: List[str]
    reason: NotRequired[str]

class TemplateScenario(TypedDict):
    name: str
    steps: List["CalleeStep"]
    variables: Dict[str, str]
    toolReplies: "ToolReplies"
    expect: List["ScenarioExpectation"]

Timestamp = str

class ToolRepliesValue(TypedDict):
    status: int
    body: NotRequired[Any]

ToolReplies = Dict[str, "ToolRepliesValue"]

class ToolSecret(TypedDict):
    secret: str
    previousSecret: Union[str, None]
    previousSecretUntil: Union["Timestamp", None]

class ToolTrialSavesItem(TypedDict):
    path: str
    saveAs: str
    kind: NotRequired[Literal["text", "number", "boolean", "date", "time"]]

class ToolTrial(TypedDict):
    request: "FlowRequest"
    saves: NotRequired[List["ToolTrialSavesItem"]]
    values: NotRequired[Dict[str, Union[str, float, bool, None]]]

class ToolTrialResultSent(TypedDict):
    method: str
    url: str
    headers: Dict[str, str]
    body: Union[str, None]

class ToolTrialResult(TypedDict):
    sent: "ToolTrialResultSent"
    ok: bool
    status: Union[int, None]
    durationMs: int
    excerpt: str
    isCut: bool
    saved: Dict[str, Union[str, float, bool, None]]
    failure: Union[str, None]

class Transcript(TypedDict):
    """The transcript of a call."""

    callId: str
    status: "TranscriptStatus"
    secondPass: Union["SecondPass", None]
    items: List["TranscriptItem"]

TranscriptItem = Union["TranscriptItemSpeech", "TranscriptItemToolCall", "TranscriptItemToolResult", "TranscriptItemNode", "TranscriptItemDecision", "TranscriptItemDtmf", "TranscriptItemNote"]

class TranscriptItemDecisionWhyItem(TypedDict):
    judge: str
    says: str

class TranscriptItemDecision(TypedDict):
    """How the callee's turn was interpreted, and on which evidence."""

    type: Literal["decision"]
    turn: int
    nodeId: str
    taken: Literal["answer", "ask_back", "jump", "request", "not_understood"]
    result: Union[str, float, bool, None]
    evidence: Union[Literal["words", "expected_answer", "similarity", "keys", "judge", "model"], None]
    score: Union[float, None]
    why: NotRequired[List["TranscriptItemDecisionWhyItem"]]
    startMs: int

class TranscriptItemDtmf(TypedDict):
    type: Literal["dtmf"]
    key: str
    by: Literal["callee", "agent"]
    startMs: int

class TranscriptItemNode(TypedDict):
    type: Literal["node"]
    nodeId: str
    exit: NotRequired[str]
    startMs: int

class TranscriptItemNote(TypedDict):
    type: Literal["note"]
    text: str
    startMs: int

class TranscriptItemSpeech(TypedDict):
    type: Literal["speech"]
    role: Literal["callee", "agent"]
    turn: int
    text: str
    revisedText: Union[str, None]
    heardText: str
    interrupted: bool
    startMs: int
    endMs: int
    words: List["TranscriptWord"]
    confidence: NotRequired[float]
    language: NotRequired[str]
    timing: Union["ReplyTiming", None]

class TranscriptItemToolCall(TypedDict):
    type: Literal["tool_call"]
    id: str
    name: str
    input: Any
    startMs: int

class TranscriptItemToolResult(TypedDict):
    type: Literal["tool_result"]
    id: str
    name: str
    ok: bool
    output: Any
    startMs: int

TranscriptStatus = Literal["in_progress", "ready", "erased"]

class TranscriptWord(TypedDict):
    text: str
    startMs: int
    endMs: int

TryEvent = Union["TryEventNode", "TryEventDecision", "TryEventSaid", "TryEventCutOff", "TryEventCollected", "TryEventToolCall", "TryEventToolResult", "TryEventPressed", "TryEventTransfer", "TryEventLanguageNoticed", "TryEventSuppressed", "TryEventFault"]

class TryEventCollected(TypedDict):
    type: Literal["collected"]
    name: str
    value: Union[str, float, bool, None]

class TryEventCutOff(TypedDict):
    type: Literal["cut_off"]
    heardText: str

class TryEventDecisionWhyItem(TypedDict):
    judge: str
    says: str

class TryEventDecision(TypedDict):
    type: Literal["decision"]
    nodeId: str
    taken: Literal["answer", "ask_back", "jump", "request", "not_understood"]
    result: Union[str, float, bool, None]
    evidence: Union[Literal["words", "expected_answer", "similarity", "keys", "judge", "model"], None]
    score: Union[float, None]
    why: NotRequired[List["TryEventDecisionWhyItem"]]

class TryEventFault(TypedDict):
    type: Literal["fault"]
    text: str

class TryEventLanguageNoticed(TypedDict):
    type: Literal["language_noticed"]
    language: str

class TryEventNode(TypedDict):
    type: Literal["node"]
    nodeId: str
    exit: NotRequired[str]

class TryEventPressed(TypedDict):
    type: Literal["pressed"]
    keys: str

class TryEventSaid(TypedDict):
    type: Literal["said"]
    nodeId: Union[str, None]
    text: str

class TryEventSuppressed(TypedDict):
    type: Literal["suppressed"]

class TryEventToolCall(TypedDict):
    type: Literal["tool_call"]
    id: str
    name: str
    input: Any

class TryEventToolResult(TypedDict):
    type: Literal["tool_result"]
    id: str
    name: str
    ok: bool
    output: Any
    isGiven: bool

class TryEventTransfer(TypedDict):
    type: Literal["transfer"]
    to: str
    how: Literal["refer", "bridge", "auto"]

class TryReplyExpects(TypedDict):
    kind: str
    answers: List[str]
    takesKeys: bool

class TryReplyEnded(TypedDict):
    reason: "EndReason"
    by: Literal["agent", "callee", "service"]

class TryReply(TypedDict):
    state: str
    events: List["TryEvent"]
    said: str
    nodeId: Union[str, None]
    path: List[str]
    collected: Dict[str, Union[str, float, bool, None]]
    variables: Dict[str, str]
    expects: Union["TryReplyExpects", None]
    ended: Union["TryReplyEnded", None]
    warnings: List["FlowWarning"]

class TryTurn(TypedDict):
    flow: NotRequired["Flow"]
    version: NotRequired[int]
    language: NotRequired[str]
    variables: NotRequired[Dict[str, str]]
    state: NotRequired[str]
    callee: NotRequired["CalleeStep"]
    toolReplies: NotRequired["ToolReplies"]

class UnmatchedAnswer(TypedDict):
    text: str
    times: int
    callId: str
    saidAt: "Timestamp"

class UnmatchedAnswers(TypedDict):
    answers: List["UnmatchedAnswer"]

class UsageEndReasonsItem(TypedDict):
    endReason: "EndReason"
    calls: int

Usage = TypedDict(
    "Usage",
    {
        "mode": "Mode",
        "from": "Timestamp",
        "to": "Timestamp",
        "granularity": Literal["hour", "day"],
        "timeZone": str,
        "total": "UsageFigures",
        "buckets": List["UsageBucket"],
        "endReasons": List["UsageEndReasonsItem"],
    },
)

UsageBreakdown = TypedDict(
    "UsageBreakdown",
    {
        "mode": "Mode",
        "from": "Timestamp",
        "to": "Timestamp",
        "by": Literal["agent", "version", "engine", "outcome", "hour", "day", "key"],
        "total": "UsageBreakdownTotal",
        "rows": List["UsageBreakdownRow"],
    },
)

class UsageBreakdownBucket(TypedDict):
    start: "Timestamp"
    calls: int
    answered: int
    failed: int
    talkSeconds: int
    spend: "Usd"
    turns: int
    responseMsP50: Union[float, None]
    responseMsP95: Union[float, None]
    interruptions: int
    incidents: int

class UsageBreakdownRow(TypedDict):
    key: str
    calls: int
    answered: int
    failed: int
    talkSeconds: int
    spend: "Usd"
    turns: int
    responseMsP50: Union[float, None]
    responseMsP95: Union[float, None]
    interruptions: int
    incidents: int
    buckets: NotRequired[List["UsageBreakdownBucket"]]

class UsageBreakdownTotal(TypedDict):
    """All calls of the period, including groups that are not listed."""

    calls: int
    answered: int
    failed: int
    talkSeconds: int
    spend: "Usd"
    turns: int
    responseMsP50: Union[float, None]
    responseMsP95: Union[float, None]
    interruptions: int
    incidents: int
    buckets: NotRequired[List["UsageBreakdownBucket"]]

class UsageBucket(TypedDict):
    start: "Timestamp"
    calls: int
    answered: int
    failed: int
    talkSeconds: int
    spend: "Usd"
    turns: int
    responseMsP50: Union[float, None]
    responseMsP95: Union[float, None]
    interruptions: Union[int, None]

class UsageFigures(TypedDict):
    calls: int
    answered: int
    failed: int
    talkSeconds: int
    spend: "Usd"
    turns: int
    responseMsP50: Union[float, None]
    responseMsP95: Union[float, None]
    interruptions: Union[int, None]

Usd = str

class Voice(TypedDict):
    id: str
    name: str
    kind: Literal["natural", "light"]
    sex: Literal["woman", "man"]
    language: str
    isDefault: bool
    isRecommended: bool
    available: bool
    missing: List[str]

class VoicemailPlan(TypedDict):
    """What to do if a voicemail answers. Default: as defined by the agent."""

    action: Literal["hang_up", "leave_message", "continue"]
    message: NotRequired[str]

WebhookDisabledReason = Literal["member", "gone", "failing"]

class WebhookEndpoint(TypedDict):
    """A URL that receives events."""

    id: str
    mode: "Mode"
    url: str
    eventTypes: Union[List["WebhookType"], None]
    description: str
    headerNames: List[str]
    isEnabled: bool
    disabledAt: Union["Timestamp", None]
    disabledReason: Union["WebhookDisabledReason", None]
    failingSince: Union["Timestamp", None]
    lastSuccessAt: Union["Timestamp", None]
    previousSecretUntil: Union["Timestamp", None]
    createdAt: "Timestamp"
    updatedAt: "Timestamp"

class WebhookEndpointChanges(TypedDict):
    url: NotRequired[str]
    eventTypes: NotRequired[Union[List["WebhookType"], None]]
    description: NotRequired[str]
    headers: NotRequired[Dict[str, str]]
    isEnabled: NotRequired[bool]

class WebhookSecret(TypedDict):
    secret: str
    previousSecret: Union[str, None]
    previousSecretUntil: Union["Timestamp", None]

class WebhookTestBodyDataWebhook(TypedDict):
    id: str
    url: str
    description: str

class WebhookTestBodyData(TypedDict):
    webhook: "WebhookTestBodyDataWebhook"

class WebhookTestBody(TypedDict):
    id: str
    createdAt: "Timestamp"
    type: Literal["webhook.test"]
    sequence: None
    data: "WebhookTestBodyData"

WebhookType = Literal["call.initiated", "call.in_progress", "call.completed", "call.failed", "call.transcript.ready", "call.recording.ready", "call.analyzed", "credit.low", "alert.raised", "alert.resolved", "webhook.disabled"]

class ListCallsQuery(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]
    status: NotRequired["CallStatus"]
    phase: NotRequired["CallPhase"]
    agentId: NotRequired[str]
    agentVersion: NotRequired[int]
    engine: NotRequired[str]
    apiKeyId: NotRequired[str]
    memberId: NotRequired[str]
    phoneNumber: NotRequired[str]
    endReason: NotRequired["EndReason"]
    outcome: NotRequired[str]
    hourOfDay: NotRequired[int]
    timeZone: NotRequired[str]
    createdAfter: NotRequired[str]
    createdBefore: NotRequired[str]
    q: NotRequired[str]
    search: NotRequired[str]
    sort: NotRequired[Literal["-createdAt", "createdAt", "-durationSeconds", "durationSeconds", "-cost", "cost"]]

class ExportCallsQuery(TypedDict):
    status: NotRequired["CallStatus"]
    phase: NotRequired["CallPhase"]
    agentId: NotRequired[str]
    agentVersion: NotRequired[int]
    engine: NotRequired[str]
    apiKeyId: NotRequired[str]
    memberId: NotRequired[str]
    phoneNumber: NotRequired[str]
    endReason: NotRequired["EndReason"]
    outcome: NotRequired[str]
    hourOfDay: NotRequired[int]
    timeZone: NotRequired[str]
    createdAfter: NotRequired[str]
    createdBefore: NotRequired[str]
    q: NotRequired[str]
    search: NotRequired[str]

class CountCallsQuery(TypedDict):
    status: NotRequired["CallStatus"]
    phase: NotRequired["CallPhase"]
    agentId: NotRequired[str]
    agentVersion: NotRequired[int]
    engine: NotRequired[str]
    apiKeyId: NotRequired[str]
    memberId: NotRequired[str]
    phoneNumber: NotRequired[str]
    endReason: NotRequired["EndReason"]
    outcome: NotRequired[str]
    hourOfDay: NotRequired[int]
    timeZone: NotRequired[str]
    createdAfter: NotRequired[str]
    createdBefore: NotRequired[str]
    q: NotRequired[str]
    search: NotRequired[str]

class FindCallMatchesQuery(TypedDict):
    text: str
    callIds: str

class ListCallEventsQuery(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]

class GetSharedCallQuery(TypedDict):
    token: str

class ListBatchesQuery(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]

class ListBatchRowsQuery(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]
    status: NotRequired[Literal["waiting", "placed", "refused", "canceled"]]

class ListAgentsQuery(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]

class GetNodeNumbersQuery(TypedDict):
    calls: NotRequired[Literal["own", "all"]]
    version: NotRequired[int]

class GetUnmatchedAnswersQuery(TypedDict):
    calls: NotRequired[Literal["own", "all"]]

class ListAgentVersionsQuery(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]

class ListScenariosQuery(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]

class ListMcpServersQuery(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]

class ListCallDeliveriesQuery(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]

class ListWebhooksQuery(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]

class ListDeliveriesQuery(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]
    status: NotRequired["DeliveryStatus"]
    eventType: NotRequired["DeliveredType"]
    callId: NotRequired[str]

class ReplayWebhookQuery(TypedDict):
    since: str
    only: NotRequired[Literal["undelivered"]]

class ListLedgerQuery(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]

class GetRateQuery(TypedDict):
    phoneNumber: str

class ListSuppressionsQuery(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]
    phoneNumber: NotRequired[str]
    startsWith: NotRequired[str]

class RemoveSuppressionQuery(TypedDict):
    phoneNumber: str

GetUsageQuery = TypedDict(
    "GetUsageQuery",
    {
        "from": NotRequired[str],
        "to": NotRequired[str],
        "granularity": NotRequired[Literal["hour", "day"]],
        "timeZone": NotRequired[str],
    },
)

GetUsageBreakdownQuery = TypedDict(
    "GetUsageBreakdownQuery",
    {
        "from": NotRequired[str],
        "to": NotRequired[str],
        "granularity": NotRequired[Literal["hour", "day"]],
        "timeZone": NotRequired[str],
        "by": Literal["agent", "version", "engine", "outcome", "hour", "day", "key"],
        "agentId": NotRequired[str],
        "agentVersion": NotRequired[int],
        "engine": NotRequired[str],
    },
)

class ListAlertsQuery(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]

class ListAuditQuery(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]
    action: NotRequired[str]
    actor: NotRequired[str]
    createdAfter: NotRequired[str]
    createdBefore: NotRequired[str]

__all__ = [
    "Account",
    "AccountLimits",
    "AccountUsage",
    "Agent",
    "AgentChanges",
    "AgentSummary",
    "AgentTemplate",
    "AgentVersion",
    "AgentVersionSummary",
    "Alert",
    "AlertCause",
    "AlertRules",
    "AlertRulesChanges",
    "AlertWebhookBody",
    "AlertWebhookBodyData",
    "AnswerRateCause",
    "AnswerRateRule",
    "AuditEntry",
    "Batch",
    "BatchCheck",
    "BatchCheckRequest",
    "BatchCheckRequestRowsItem",
    "BatchCheckRowsItem",
    "BatchCheckRowsItemProblemsItem",
    "BatchCounts",
    "BatchRow",
    "BatchRowCall",
    "BatchRowRefusal",
    "Call",
    "CallAnalysis",
    "CallCarrier",
    "CallCheck",
    "CallCheckLocalTimesItem",
    "CallCheckPrice",
    "CallCheckRequest",
    "CallCost",
    "CallCount",
    "CallEnginePart",
    "CallEvent",
    "CallLatency",
    "CallMatch",
    "CallMatchPartsItem",
    "CallNotes",
    "CallNotesChanges",
    "CallPhase",
    "CallQuality",
    "CallRecording",
    "CallRecordingGapsItem",
    "CallShare",
    "CallStatus",
    "CallTranscript",
    "CallView",
    "CallWaiting",
    "CallWebhookBody",
    "CallWebhookBodyData",
    "CalleeStep",
    "CalleeStepHangUp",
    "CalleeStepInterruptAfterMs",
    "CalleeStepMachine",
    "CalleeStepPress",
    "CalleeStepSay",
    "CalleeStepSilent",
    "CallingHours",
    "CheckFlow",
    "CostLine",
    "CountCallsQuery",
    "CreatedCallShare",
    "CreatedWebhookEndpoint",
    "CreditLowBody",
    "CreditLowBodyData",
    "CreditLowCause",
    "DeliveredType",
    "Delivery",
    "DeliveryAttempt",
    "DeliveryDetails",
    "DeliveryStatus",
    "DescribeAgent",
    "DescribedFlow",
    "DescribedFlowProblemsItem",
    "DisabledWebhookBody",
    "DisabledWebhookBodyData",
    "DisabledWebhookBodyDataWebhook",
    "Done",
    "EndReason",
    "Engine",
    "EngineModel",
    "EnginePart",
    "ErrorCode",
    "ErrorDetail",
    "ErrorReply",
    "ErrorReplyError",
    "ExportCallsQuery",
    "FindCallMatchesQuery",
    "Flow",
    "FlowCheck",
    "FlowCheckProblemsItem",
    "FlowComment",
    "FlowCommentPosition",
    "FlowCommentSize",
    "FlowGroup",
    "FlowNode",
    "FlowNodeAsk",
    "FlowNodeAskConfirm",
    "FlowNodeAskDigits",
    "FlowNodeAskExitsItem",
    "FlowNodeAskGlobal",
    "FlowNodeAskOutput",
    "FlowNodeAskOutputConfirm",
    "FlowNodeAskOutputDigits",
    "FlowNodeAskOutputExitsItem",
    "FlowNodeAskOutputGlobal",
    "FlowNodeAskOutputPosition",
    "FlowNodeAskOutputRange",
    "FlowNodeAskOutputRetries",
    "FlowNodeAskPosition",
    "FlowNodeAskRange",
    "FlowNodeAskRetries",
    "FlowNodeBranch",
    "FlowNodeBranchExitsItem",
    "FlowNodeBranchGlobal",
    "FlowNodeBranchOutput",
    "FlowNodeBranchOutputExitsItem",
    "FlowNodeBranchOutputGlobal",
    "FlowNodeBranchOutputPosition",
    "FlowNodeBranchOutputPromptsItem",
    "FlowNodeBranchPosition",
    "FlowNodeBranchPromptsItem",
    "FlowNodeConversation",
    "FlowNodeConversationExitsItem",
    "FlowNodeConversationGlobal",
    "FlowNodeConversationMcpToolsItem",
    "FlowNodeConversationOutput",
    "FlowNodeConversationOutputExitsItem",
    "FlowNodeConversationOutputGlobal",
    "FlowNodeConversationOutputMcpToolsItem",
    "FlowNodeConversationOutputPosition",
    "FlowNodeConversationOutputSavesItem",
    "FlowNodeConversationPosition",
    "FlowNodeConversationSavesItem",
    "FlowNodeDtmf",
    "FlowNodeDtmfGlobal",
    "FlowNodeDtmfPosition",
    "FlowNodeEnd",
    "FlowNodeEndGlobal",
    "FlowNodeEndPosition",
    "FlowNodeOutput",
    "FlowNodeSay",
    "FlowNodeSayGlobal",
    "FlowNodeSayPosition",
    "FlowNodeSet",
    "FlowNodeSetGlobal",
    "FlowNodeSetPosition",
    "FlowNodeSetValuesItem",
    "FlowNodeStart",
    "FlowNodeStartPosition",
    "FlowNodeSubflow",
    "FlowNodeSubflowExitsItem",
    "FlowNodeSubflowGlobal",
    "FlowNodeSubflowInputsItem",
    "FlowNodeSubflowOutput",
    "FlowNodeSubflowOutputExitsItem",
    "FlowNodeSubflowOutputGlobal",
    "FlowNodeSubflowOutputInputsItem",
    "FlowNodeSubflowOutputPosition",
    "FlowNodeSubflowOutputSavesItem",
    "FlowNodeSubflowPosition",
    "FlowNodeSubflowSavesItem",
    "FlowNodeTool",
    "FlowNodeToolGlobal",
    "FlowNodeToolPosition",
    "FlowNodeToolSavesItem",
    "FlowNodeTransfer",
    "FlowNodeTransferGlobal",
    "FlowNodeTransferPosition",
    "FlowNodeVoicemail",
    "FlowNodeVoicemailPosition",
    "FlowOutput",
    "FlowRequest",
    "FlowSettings",
    "FlowSettingsCallback",
    "FlowSettingsHoldMusic",
    "FlowSettingsLimits",
    "FlowSettingsRetries",
    "FlowSettingsSilence",
    "FlowTool",
    "FlowToolParametersItem",
    "FlowTranslation",
    "FlowWarning",
    "GateRecord",
    "GetNodeNumbersQuery",
    "GetRateQuery",
    "GetSharedCallQuery",
    "GetUnmatchedAnswersQuery",
    "GetUsageBreakdownQuery",
    "GetUsageQuery",
    "GrantedAccess",
    "ImportedScenarios",
    "ImportedSuppressions",
    "Incident",
    "IncidentRule",
    "IncidentsCause",
    "LedgerEntry",
    "ListAgentVersionsQuery",
    "ListAgentsQuery",
    "ListAlertsQuery",
    "ListAuditQuery",
    "ListBatchRowsQuery",
    "ListBatchesQuery",
    "ListCallDeliveriesQuery",
    "ListCallEventsQuery",
    "ListCallsQuery",
    "ListDeliveriesQuery",
    "ListLedgerQuery",
    "ListMcpServersQuery",
    "ListScenariosQuery",
    "ListSuppressionsQuery",
    "ListWebhooksQuery",
    "LiveCall",
    "LiveCallLastSpeech",
    "LiveCalls",
    "McpServer",
    "McpTool",
    "McpToolDefinition",
    "Mode",
    "NewAgent",
    "NewBatch",
    "NewBatchRow",
    "NewCall",
    "NewCallConsent",
    "NewCallShare",
    "NewCallView",
    "NewCallViewQuery",
    "NewScenario",
    "NewSuppression",
    "NewVoicePreview",
    "NewWebhookEndpoint",
    "NodeNumber",
    "NodeNumbers",
    "Pronunciation",
    "PublishAgent",
    "PublishedVersion",
    "Rate",
    "RateEnginesItem",
    "RecordingLink",
    "RecordingPeaks",
    "RemoveSuppressionQuery",
    "Replay",
    "ReplayWebhookQuery",
    "ReplyStage",
    "ReplyTiming",
    "RetentionDays",
    "RetentionDaysChange",
    "RollbackAgent",
    "RunScenarios",
    "Scenario",
    "ScenarioActual",
    "ScenarioActualCollected",
    "ScenarioActualDidNotHappen",
    "ScenarioActualEnded",
    "ScenarioActualHappened",
    "ScenarioActualNeverSaved",
    "ScenarioActualPath",
    "ScenarioActualTransferred",
    "ScenarioActualWentOn",
    "ScenarioChanges",
    "ScenarioExpectation",
    "ScenarioExpectationCollected",
    "ScenarioExpectationEnded",
    "ScenarioExpectationNotCollected",
    "ScenarioExpectationNotEnded",
    "ScenarioExpectationNotReached",
    "ScenarioExpectationNotSaid",
    "ScenarioExpectationNotSuppressed",
    "ScenarioExpectationNotTransferred",
    "ScenarioExpectationReached",
    "ScenarioExpectationSaid",
    "ScenarioExpectationSuppressed",
    "ScenarioExpectationToolCalled",
    "ScenarioExpectationToolNotCalled",
    "ScenarioExpectationTransferred",
    "ScenarioFailure",
    "ScenarioFromCall",
    "ScenarioImport",
    "ScenarioLine",
    "ScenarioResult",
    "ScenarioRun",
    "Scope",
    "SecondPass",
    "Settings",
    "SettingsChanges",
    "SharedCall",
    "SharedCallTranscriptItem",
    "Simulation",
    "SimulationScriptItemHangUp",
    "SimulationScriptItemInterruptAfterMs",
    "SimulationScriptItemPress",
    "SimulationScriptItemSay",
    "SimulationScriptItemWaitForTurn",
    "SimulationScriptItemWaitMs",
    "Suppression",
    "SuppressionImport",
    "TemplateScenario",
    "Timestamp",
    "ToolReplies",
    "ToolRepliesValue",
    "ToolSecret",
    "ToolTrial",
    "ToolTrialResult",
    "ToolTrialResultSent",
    "ToolTrialSavesItem",
    "Transcript",
    "TranscriptItem",
    "TranscriptItemDecision",
    "TranscriptItemDecisionWhyItem",
    "TranscriptItemDtmf",
    "TranscriptItemNode",
    "TranscriptItemNote",
    "TranscriptItemSpeech",
    "TranscriptItemToolCall",
    "TranscriptItemToolResult",
    "TranscriptStatus",
    "TranscriptWord",
    "TryEvent",
    "TryEventCollected",
    "TryEventCutOff",
    "TryEventDecision",
    "TryEventDecisionWhyItem",
    "TryEventFault",
    "TryEventLanguageNoticed",
    "TryEventNode",
    "TryEventPressed",
    "TryEventSaid",
    "TryEventSuppressed",
    "TryEventToolCall",
    "TryEventToolResult",
    "TryEventTransfer",
    "TryReply",
    "TryReplyEnded",
    "TryReplyExpects",
    "TryTurn",
    "UnmatchedAnswer",
    "UnmatchedAnswers",
    "Usage",
    "UsageBreakdown",
    "UsageBreakdownBucket",
    "UsageBreakdownRow",
    "UsageBreakdownTotal",
    "UsageBucket",
    "UsageEndReasonsItem",
    "UsageFigures",
    "Usd",
    "Voice",
    "VoicemailPlan",
    "WebhookDisabledReason",
    "WebhookEndpoint",
    "WebhookEndpointChanges",
    "WebhookSecret",
    "WebhookTestBody",
    "WebhookTestBodyData",
    "WebhookTestBodyDataWebhook",
    "WebhookType",
]
