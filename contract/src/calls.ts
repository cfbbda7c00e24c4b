import { z } from "zod";
import { CallAnalysis } from "./analysis.ts";
import { CallEnginePart } from "./engines.ts";
import { GateRecord } from "./gate.ts";
import { idSchema } from "./ids.ts";
import { INCIDENTS_MAX, Incident } from "./incidents.ts";
import { Usd } from "./money.ts";
import {
  Mode,
  Name,
  PageQuery,
  PhoneNumber,
  PhoneNumberFilter,
  Timestamp,
  TimestampInput,
  TimeZone,
  wholeNumberText,
} from "./shared-fields.ts";
import { Simulation } from "./simulation.ts";
import { TranscriptStatus } from "./transcripts.ts";

const CALL_STATUSES = ["initiated", "in_progress", "completed", "failed"] as const;
export const CallStatus = z.enum(CALL_STATUSES).meta({
  id: "CallStatus",
  description: "`initiated` (being dialed), `in_progress` (active), `completed` (has ended), `failed`.",
});
export type CallStatus = z.infer<typeof CallStatus>;

const CALL_PHASES = ["scheduled", "queued", "dialing", "ringing", "talking", "ended"] as const;
export const CallPhase = z.enum(CALL_PHASES).meta({ id: "CallPhase" });
export type CallPhase = z.infer<typeof CallPhase>;

const WAITING_REASONS = ["concurrency_limit", "rate_limit", "capacity", "no_worker", "next"] as const;
export type WaitingReason = (typeof WAITING_REASONS)[number];

export const END_REASONS = [
  "callee_hangup",
  "agent_hangup",
  "api_hangup",
  "transferred",
  "voicemail_hangup",
  "voicemail_left",
  "max_duration",
  "silence",
  "no_answer",
  "busy",
  "declined",
  "blocked",
  "invalid_number",
  "unreachable",
  "canceled",
  "expired",
  "carrier_rejected",
  "carrier_unavailable",
  "media_timeout",
  "no_audio",
  "fax",
  "engine_error",
  "insufficient_credit",
  "spend_limit",
  "destination_blocked",
  "suppressed",
  "outside_calling_hours",
  "worker_lost",
  "internal_error",
] as const;
export const EndReason = z.enum(END_REASONS).meta({ id: "EndReason" });
export type EndReason = z.infer<typeof EndReason>;

const ENDED_BY = ["callee", "agent", "service", "api"] as const;
export type EndedBy = (typeof ENDED_BY)[number];
export const ANSWERED_BY = ["human", "voicemail", "ivr", "screening", "fax", "unknown"] as const;

/** The name of the simulated network in `network`. No trunk may have it. */
export const SIMULATED_NETWORK = "simulated";

const stringMap = (keysMax: number, valueCharsMax: number) =>
  z
    .record(z.string().min(1).max(64), z.string().max(valueCharsMax))
    .refine((map) => Object.keys(map).length <= keysMax, `must have at most ${keysMax} keys`);

const CALLING_HOURS_POLICIES = ["wait", "fail", "ignore"] as const;
export type CallingHoursPolicy = (typeof CALLING_HOURS_POLICIES)[number];

export const VoicemailPlan = z
  .strictObject({
    action: z.enum(["hang_up", "leave_message", "continue"]).meta({
      description: "`leave_message` waits for the tone. `continue` treats the machine like a person.",
    }),
    message: z.string().min(1).max(2000).optional().meta({
      description: "The message, with `{{name}}` placeholders. Default: the message in the agent's flow.",
    }),
  })
  .meta({ id: "VoicemailPlan", description: "What to do if a voicemail answers. Default: as defined by the agent." });
export type VoicemailPlan = z.infer<typeof VoicemailPlan>;

export const NewCall = z
  .strictObject({
    phoneNumber: PhoneNumber,
    agentId: idSchema("agent"),
    engine: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({ description: "Default: the agent's engine.", example: "local" }),
    agentVersion: z
      .union([z.int().min(1).max(1_000_000), z.literal("draft")])
      .optional()
      .meta({
        description: "Default: the published version. `draft` is the current draft, with test keys only.",
      }),
    from: PhoneNumber.optional().meta({
      description:
        "The caller id shown to the callee. On trunks it must be allowed by the operator, otherwise 422. Default: the trunk's own.",
    }),
    variables: stringMap(100, 2000)
      .optional()
      .meta({ description: "Values for `{{name}}` placeholders in the agent's texts." }),
    metadata: stringMap(50, 500).optional().meta({ description: "Echoed back; 50 keys, 500 characters each." }),
    maxDurationSeconds: z.int().min(1).max(7200).default(600),
    ringTimeoutSeconds: z.int().min(5).max(120).default(30),
    record: z
      .boolean()
      .default(true)
      .meta({ description: "Whether the call is recorded. It is transcribed in any case." }),
    voicemail: VoicemailPlan.optional(),
    scheduledAt: TimestampInput.optional().meta({
      description: "When to call, at most 90 days ahead. Credit is held at that time. Default: now.",
    }),
    callingHours: z.enum(CALLING_HOURS_POLICIES).default("wait").meta({
      description:
        "What to do outside the calling hours in the callee's time zone: `wait` for them, up to a day; `fail`; or `ignore` them, which the operator may forbid. Does not apply to simulated calls.",
    }),
    consent: z
      .strictObject({ basis: z.string().min(1).max(500), at: TimestampInput })
      .optional()
      .meta({ description: "Stored as evidence of the callee's consent." }),
    simulation: Simulation.optional(),
  })
  .meta({ id: "NewCall" });
export type NewCall = z.infer<typeof NewCall>;

const CostLine = z
  .strictObject({ item: z.string(), seconds: z.int(), perMinute: Usd, amount: Usd })
  .meta({ id: "CostLine" });

const CallCost = z
  .strictObject({
    total: Usd,
    currency: z.literal("USD"),
    lines: z.array(CostLine),
    charged: z.boolean().meta({
      description:
        "Whether the total was charged to the balance. `false` for test calls, for calls that cost nothing, and for live calls on the simulated network unless the operator charges them.",
    }),
  })
  .meta({ id: "CallCost" });

const RECORDING_STATUSES = ["recording", "ready", "failed", "erased"] as const;
/** Further gaps are merged with their neighbours. */
export const RECORDING_GAPS_MAX = 50;
const CallRecording = z
  .strictObject({
    status: z.enum(RECORDING_STATUSES),
    durationSeconds: z.number().nullable(),
    partial: z
      .boolean()
      .meta({ description: "Whether a part is missing: replaced by silence, or cut off at the end." }),
    gaps: z
      .array(z.strictObject({ startMs: z.int().min(0), endMs: z.int().min(0) }))
      .max(RECORDING_GAPS_MAX)
      .meta({
        description:
          "Where audio is missing, relative to the answer. A gap within the recording is silence of the same length, so that later times stay correct; a gap at the end lasts until the end of the call.",
      }),
    url: z.string(),
    reason: z.string().nullable().meta({ description: "Why it failed, is partial or was erased; otherwise `null`." }),
  })
  .meta({ id: "CallRecording" });

export const Call = z
  .strictObject({
    id: idSchema("call"),
    phoneNumber: PhoneNumber,
    agentId: idSchema("agent"),
    status: CallStatus,
    engine: z.string(),
    createdAt: Timestamp,
    mode: Mode,
    phase: CallPhase,
    waiting: z
      .strictObject({
        reason: z.enum(WAITING_REASONS).meta({
          description:
            "`concurrency_limit` and `rate_limit`: limits of the account. `capacity`: all machines are busy, and a call that cannot be held well is not dialed. `no_worker`: no process that conducts calls is running. `next`: about to be dialed.",
        }),
        explanation: z.string(),
      })
      .nullable()
      .meta({ description: "Why a queued call is not dialed yet; `null` in other phases and in webhooks." }),
    network: z.string().nullable().meta({
      description:
        "`simulated`, or the name of the trunk. Before the call is dialed: the trunk that its route prefers, or `null` if several are possible or no route matches the number.",
      example: SIMULATED_NETWORK,
    }),
    agentVersion: z.int().meta({ description: "0 for a draft." }),
    from: z.string().nullable(),
    variables: z.record(z.string(), z.string()),
    metadata: z.record(z.string(), z.string()),
    scheduledAt: Timestamp.nullable(),
    answeredAt: Timestamp.nullable(),
    endedAt: Timestamp.nullable(),
    durationSeconds: z.int().nullable(),
    endReason: EndReason.nullable(),
    endedBy: z.enum(ENDED_BY).nullable(),
    answeredBy: z.enum(ANSWERED_BY).nullable(),
    calleeLanguage: z.string().nullable().meta({
      description:
        "The language that the callee spoke, if it was noticed to be another one than the agent's: an ISO 639-1 code.",
      example: "es",
    }),
    carrier: z
      .strictObject({
        name: z.string(),
        code: z.int().nullable().meta({
          description: "The final status sent by the phone network; `null` if it sent none or we ended the call.",
        }),
        reason: z.string().nullable(),
        explanation: z.string().nullable(),
      })
      .nullable(),
    gate: GateRecord.nullable(),
    cost: CallCost.nullable(),
    recording: CallRecording.nullable(),
    transcript: z.strictObject({ status: TranscriptStatus, url: z.string() }).nullable(),
    latency: z
      .strictObject({
        responseMsP50: z.number().nullable(),
        responseMsP95: z.number().nullable(),
        turns: z.int(),
        interruptions: z.int(),
      })
      .nullable(),
    engineParts: z.array(CallEnginePart).nullable().meta({
      description:
        "What the call used of each part of its engine: latency, amounts and their cost. Null before the answer.",
    }),
    quality: z.strictObject({ mos: z.number(), lossPercent: z.number(), jitterMs: z.number() }).nullable(),
    collected: z.record(z.string(), z.unknown()).nullable(),
    analysis: CallAnalysis.nullable().meta({
      description: "`null` before the answer, and for unanswered calls.",
    }),
    country: z.string().nullable().meta({ description: "ISO 3166 code of the number's country, if known." }),
    follows: idSchema("call").nullable().meta({
      description: "The earlier call in which the callee asked to be called later.",
    }),
    followedBy: idSchema("call").nullable().meta({
      description: "The later call that was scheduled because the callee asked for it.",
    }),
    incidents: z
      .array(Incident)
      .max(INCIDENTS_MAX)
      .meta({ description: "Failures of the service itself during this call." }),
  })
  .meta({ id: "Call", description: "A call. Values that are not known yet are `null`." });
export type Call = z.infer<typeof Call>;

export const CallCheckRequest = z
  .strictObject({
    phoneNumber: PhoneNumber,
    engine: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({ description: "Default: the installation's.", example: "local" }),
    from: PhoneNumber.optional().meta({ description: "The caller id, as for a call." }),
    callingHours: z.enum(CALLING_HOURS_POLICIES).default("wait"),
  })
  .meta({ id: "CallCheckRequest" });

export const CallCheck = z
  .strictObject({
    phoneNumber: PhoneNumber,
    country: z.string().nullable().meta({ description: "ISO 3166 code, if known." }),
    network: z.string().nullable().meta({ description: "As for a call that has not been dialed yet." }),
    gate: GateRecord.meta({
      description: "The gate's decision for a call at this moment. Spend caps are only checked when a call is placed.",
    }),
    waitsUntil: Timestamp.nullable().meta({ description: "When calling hours begin, if the decision is `waiting`." }),
    localTimes: z
      .array(
        z.strictObject({
          timeZone: z.string().meta({ example: "Europe/Berlin" }),
          localTime: z.string().meta({ example: "2026-01-31T10:30:00" }),
        }),
      )
      .meta({ description: "The local time in every time zone that the number may be in. Empty if unknown." }),
    price: z
      .strictObject({
        prefix: z.string(),
        routePerMinute: Usd,
        enginePerMinute: Usd,
        totalPerMinute: Usd,
        currency: z.literal("USD"),
        charged: z.boolean().meta({ description: "Whether a call would be charged." }),
      })
      .nullable()
      .meta({ description: "`null` if there is no rate for the number." }),
  })
  .meta({ id: "CallCheck", description: "The result of checking a number, as if a call were placed now." });
export type CallCheck = z.infer<typeof CallCheck>;

const CALL_ORDERS = ["-createdAt", "createdAt", "-durationSeconds", "durationSeconds", "-cost", "cost"] as const;
export type CallOrder = (typeof CALL_ORDERS)[number];

const VERSION_MAX = 999_999_999;
/** The value of `apiKeyId` for calls that no key placed. */
export const NO_API_KEY = "none";

export const CallQuery = z.strictObject({
  ...PageQuery,
  status: CallStatus.optional(),
  phase: CallPhase.optional(),
  agentId: idSchema("agent").optional(),
  agentVersion: wholeNumberText(0, VERSION_MAX).optional().meta({ description: "0 for drafts." }),
  engine: z.string().min(1).max(64).optional(),
  apiKeyId: idSchema("apiKey")
    .optional()
    .meta({ description: `The key that placed the call; \`${NO_API_KEY}\` for calls that members placed.` }),
  memberId: idSchema("member").optional().meta({ description: "The member who placed the call in the dashboard." }),
  phoneNumber: PhoneNumberFilter.optional(),
  endReason: EndReason.optional(),
  outcome: z.string().min(1).max(64).optional().meta({
    description: "`analysis.outcome`, or `endReason` for calls without one, as in `GET /usage/breakdown`.",
  }),
  hourOfDay: wholeNumberText(0, 23).optional().meta({
    description: "The hour of the day in which the call was requested, as in `GET /usage/breakdown`.",
  }),
  timeZone: TimeZone.optional().meta({ description: "The time zone of `hourOfDay`. Default: UTC." }),
  createdAfter: TimestampInput.optional(),
  createdBefore: TimestampInput.optional(),
  q: z.string().min(1).max(200).optional().meta({
    description:
      'Words spoken in the call, in any form and order; `"words in quotes"` must be adjacent, `-word` excludes calls. Only calls that have ended are found. Also needs the scope `transcripts:read`. A page may have fewer than `limit` items while `nextCursor` is not `null`.',
  }),
  search: z.string().min(1).max(200).optional().meta({
    description:
      "Anything that identifies a call: part of its number, its id, or words that were spoken or that occur in its metadata, tags or note. A word of three or more letters also matches longer words that begin with it. Also needs the scope `transcripts:read`. Pages as with `q`.",
  }),
  sort: z.enum(CALL_ORDERS).default("-createdAt").meta({
    description:
      "A minus sign means descending. `durationSeconds` and `cost` list only calls that have one, and need filters that leave at most 20,000 calls.",
  }),
});
export type CallQuery = z.infer<typeof CallQuery>;

/** An export has no pages and is always in the same order. */
export const CallExportQuery = CallQuery.omit({ limit: true, cursor: true, sort: true });

export const CallCount = z
  .strictObject({
    count: z.int(),
    isExact: z.boolean().meta({ description: "`false` if there may be more." }),
  })
  .meta({ id: "CallCount" });
export type CallCount = z.infer<typeof CallCount>;

const CALL_MATCH_PLACES = ["speech", "metadata", "tag", "note"] as const;
export type CallMatchPlace = (typeof CALL_MATCH_PLACES)[number];

/** How many calls are looked at for matches in one request. */
const MATCHED_CALLS_MAX = 100;

export const CallMatchQuery = z.strictObject({
  text: z.string().min(1).max(200).meta({ description: "The text of `search` or `q`." }),
  callIds: z
    .string()
    .min(1)
    .max(40 * MATCHED_CALLS_MAX)
    .transform((text) => [...new Set(text.split(","))])
    .refine((ids) => ids.length <= MATCHED_CALLS_MAX, `must be at most ${MATCHED_CALLS_MAX} ids, separated by commas`)
    .meta({
      description: `Ids of calls that a search returned, separated by commas; at most ${MATCHED_CALLS_MAX}.`,
      override: ({ jsonSchema }) => {
        Object.assign(jsonSchema, { type: "string" });
      },
    }),
});

export const CallMatch = z
  .strictObject({
    callId: idSchema("call"),
    place: z.enum(CALL_MATCH_PLACES),
    name: z.string().nullable().meta({ description: "Who spoke, or the key of the metadata; otherwise `null`." }),
    startMs: z.int().nullable().meta({ description: "For `speech`: milliseconds since the callee answered." }),
    parts: z
      .array(z.strictObject({ text: z.string(), isFound: z.boolean() }))
      .meta({ description: "The excerpt, divided into what was searched for and the text around it." }),
  })
  .meta({ id: "CallMatch", description: "Where a search found its words in a call." });
export type CallMatch = z.infer<typeof CallMatch>;

export const LIVE_CALLS_MAX = 100;

export const LiveCall = z
  .strictObject({
    call: Call,
    waitsFor: z.enum(["scheduled_time", "dialing", "answer", "callee", "agent", "request", "transfer"]).meta({
      description:
        "`scheduled_time`: the time it is scheduled for, or calling hours. `dialing`: its turn to be dialed. `answer`: someone to pick up. `callee`: the callee to speak. `agent`: the agent to reply. `request`: another system to respond. `transfer`: the callee talks to someone else.",
    }),
    nodeId: z.string().nullable().meta({ description: "The node of the flow that the conversation is at." }),
    request: z.string().nullable().meta({ description: "The tool whose response is awaited." }),
    lastSpeech: z
      .strictObject({ role: z.enum(["callee", "agent"]), text: z.string() })
      .nullable()
      .meta({ description: "What was said last. `null` for keys without the scope `transcripts:read`." }),
  })
  .meta({ id: "LiveCall", description: "A call that has not ended, and what it waits for." });
export type LiveCall = z.infer<typeof LiveCall>;

export const LiveCalls = z
  .strictObject({
    calls: z.array(LiveCall).max(LIVE_CALLS_MAX).meta({ description: "Those that are furthest along come first." }),
    total: z.int().meta({ description: "How many there are, including those left out." }),
  })
  .meta({ id: "LiveCalls" });
export type LiveCalls = z.infer<typeof LiveCalls>;

const CALL_VIEW_FILTERS = CallQuery.omit({ limit: true, cursor: true })
  .extend({
    // A view keeps the text of a query.
    agentVersion: z.string().regex(/^\d{1,9}$/),
    hourOfDay: z.string().regex(/^(1?\d|2[0-3])$/),
  })
  .partial();
export const NewCallView = z
  .strictObject({
    name: Name,
    query: CALL_VIEW_FILTERS.meta({ description: "Filters and order, as in the query of the list." }),
  })
  .meta({ id: "NewCallView" });

export const CALL_VIEWS_MAX = 50;
export const CallView = z
  .strictObject({
    id: idSchema("callView"),
    name: z.string(),
    query: z.record(z.string(), z.string()),
    createdAt: Timestamp,
  })
  .meta({ id: "CallView", description: "A saved view of the list of calls, for all members of the account." });
export type CallView = z.infer<typeof CallView>;
