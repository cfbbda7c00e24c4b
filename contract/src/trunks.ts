import { z } from "zod";
import { SIMULATED_NETWORK } from "./calls.ts";
import type { ErrorDetail } from "./errors.ts";
import { idSchema } from "./ids.ts";
import { HostName, IpAddress, Port, ProxyUri, printableText } from "./network-fields.ts";
import { Name, PageQuery, PhoneNumber, Timestamp } from "./shared-fields.ts";

const TRANSPORTS = ["udp", "tcp", "tls"] as const;
const SPEECH_CODECS = ["PCMU", "PCMA"] as const;
const SRTP_POLICIES = ["off", "optional", "required"] as const;
const NUMBER_FORMATS = ["e164", "digits"] as const;
/** How many days back a reply counts calls. */
export const ANSWER_DAYS = 7;

const distinct = (list: readonly string[]) => new Set(list).size === list.length;

/** What an operator says of a trunk, each field by itself. What fields mean together is in `findTrunkFaults`. */
const fields = {
  name: Name.refine(
    (name) => name.toLowerCase() !== SIMULATED_NETWORK,
    `must not be ${SIMULATED_NETWORK}: calls name the simulated network so`,
  ).meta({ description: "What people call it. No two trunks have the same.", example: "Carrier One" }),
  isEnabled: z.boolean().meta({ description: "A trunk that is not enabled gets no calls." }),
  host: HostName.meta({ description: "The trunk's name or address. Numbers are dialed at it." }),
  port: Port.nullable().meta({ description: "`null` asks DNS for the service (SRV), else takes the usual port." }),
  transport: z.enum(TRANSPORTS),
  outboundProxy: ProxyUri.nullable().meta({ description: "Every request is sent here first." }),
  username: printableText(128).nullable().meta({ description: "For trunks that ask for a password." }),
  registersAs: printableText(128).nullable().meta({
    description: "Registers under this name, usually `username`, for trunks that want it. `null` does not register.",
  }),
  fromHost: HostName.nullable().meta({ description: "The host in From, where it must not be `host`." }),
  publicAddress: z.strictObject({ host: HostName, port: Port }).nullable().meta({
    description: "Where the trunk reaches our SIP, where address translation stands between.",
  }),
  publicMediaHost: IpAddress.nullable().meta({
    description: "Where the trunk reaches our sound, where address translation stands between.",
  }),
  numberFormat: z.enum(NUMBER_FORMATS).meta({ description: "`e164` writes `+4930...`, `digits` writes `4930...`." }),
  dialPrefix: z
    .string()
    .regex(/^[0-9*#+]{0,16}$/, "must be at most 16 of 0-9 * # +")
    .meta({ description: "Put before every number." }),
  callerIds: z
    .array(PhoneNumber)
    .max(1000)
    .refine(distinct, "must not name a number twice")
    .meta({
      description: "Numbers that may be shown to callees; the first where a call names none. Empty: any, or none.",
      example: ["+15550100099"],
    }),
  codecs: z
    .array(z.enum(SPEECH_CODECS))
    .min(1)
    .max(SPEECH_CODECS.length)
    .refine(distinct, "must not name a codec twice")
    .meta({ description: "In order of preference." }),
  srtp: z.enum(SRTP_POLICIES).meta({
    description: "Whether sound is encrypted: never, where the trunk can, or else there is no call.",
  }),
  channelsMax: z.int().min(1).max(100_000).nullable().meta({ description: "Calls at once; `null` without limit." }),
  callsPerSecond: z.number().min(0.01).max(1000).nullable().meta({ description: "`null` without limit." }),
  pingIntervalSeconds: z.int().min(5).max(3600).nullable().meta({
    description: "How often it is asked whether it is there; `null` never asks.",
  }),
  noResponseMs: z.int().min(1_000).max(30_000).meta({
    description: "Without any response to a call for so long, the next trunk is tried.",
  }),
  sessionTimerSeconds: z.int().min(90).max(7200).nullable().meta({
    description:
      "How long a call lives without a sign of life from the trunk (RFC 4028); `null` leaves it to the trunk.",
  }),
  offersReliableRinging: z.boolean().meta({ description: "RFC 3262: whether ringing may be acknowledged." }),
  assertsIdentity: z
    .boolean()
    .meta({ description: "Also states the caller's number in P-Asserted-Identity (RFC 3325)." }),
  allowsTcpForLarge: z.boolean().meta({ description: "Whether a request too large for a datagram may go over TCP." }),
  staysOnFirstHop: z.boolean().meta({
    description: "Sends everything of a call to where its INVITE went, for trunks whose Contact cannot be reached.",
  }),
};

const Password = printableText(256).meta({
  description: "Never shown again, and must be sent again when `host`, `port` or `outboundProxy` changes.",
});

export const NewTrunk = z
  .strictObject({
    ...fields,
    isEnabled: fields.isEnabled.default(true),
    port: fields.port.default(null),
    transport: fields.transport.default("udp"),
    outboundProxy: fields.outboundProxy.default(null),
    username: fields.username.default(null),
    password: Password.nullable().default(null),
    registersAs: fields.registersAs.default(null),
    fromHost: fields.fromHost.default(null),
    publicAddress: fields.publicAddress.default(null),
    publicMediaHost: fields.publicMediaHost.default(null),
    numberFormat: fields.numberFormat.default("e164"),
    dialPrefix: fields.dialPrefix.default(""),
    callerIds: fields.callerIds.default([]),
    codecs: fields.codecs.default(["PCMU", "PCMA"]),
    srtp: fields.srtp.default("off"),
    channelsMax: fields.channelsMax.default(null),
    callsPerSecond: fields.callsPerSecond.default(null),
    pingIntervalSeconds: fields.pingIntervalSeconds.default(60),
    noResponseMs: fields.noResponseMs.default(4_000),
    sessionTimerSeconds: fields.sessionTimerSeconds.default(180),
    offersReliableRinging: fields.offersReliableRinging.default(true),
    assertsIdentity: fields.assertsIdentity.default(false),
    allowsTcpForLarge: fields.allowsTcpForLarge.default(false),
    staysOnFirstHop: fields.staysOnFirstHop.default(false),
  })
  .meta({ id: "NewTrunk" });
export type NewTrunk = z.infer<typeof NewTrunk>;

/** What is left out stays. Without a username there is no password either. */
export const TrunkChanges = z
  .strictObject({ ...fields, password: Password.nullable() })
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, "must change at least one field")
  .meta({ id: "TrunkChanges" });
export type TrunkChanges = z.infer<typeof TrunkChanges>;

const ManagedBy = z.enum(["operator", "configuration"]).meta({
  description: "What `configuration` manages is changed in the file that `PARLEY_TRUNKS` names, and nowhere else.",
});

const counts = {
  attempts: z.int(),
  rang: z.int(),
  answered: z.int(),
  answerRate: z.number().nullable().meta({ description: "Answered of all attempts, from 0 to 1." }),
};
const AnswerCounts = z
  .strictObject(counts)
  .meta({ id: "AnswerCounts", description: `Calls of the last ${ANSWER_DAYS} days (UTC).` });

const TrunkHealth = z
  .strictObject({
    workerId: idSchema("worker"),
    isReachable: z.boolean().nullable().meta({ description: "`null` when it was not asked." }),
    isRegistered: z.boolean().nullable().meta({ description: "`null` when it does not register." }),
    circuit: z.enum(["closed", "open", "half_open"]).meta({
      description: "After too many failures a trunk gets no calls (`open`), then one to try (`half_open`).",
    }),
    trouble: z.string().nullable().meta({ description: "The newest trouble, in words." }),
    reportedAt: Timestamp,
  })
  .meta({ id: "TrunkHealth", description: "How the trunk does, as one worker sees it." });

export const Trunk = z
  .strictObject({
    id: idSchema("trunk"),
    ...fields,
    name: z.string(),
    hasPassword: z.boolean(),
    managedBy: ManagedBy,
    activeCalls: z.int().meta({ description: "Calls on it right now." }),
    answers: AnswerCounts,
    health: z.array(TrunkHealth),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "Trunk", description: "A way into the telephone network." });
export type Trunk = z.infer<typeof Trunk>;

export const TrunkDetails = z
  .strictObject({
    ...Trunk.shape,
    answersByCallerId: z
      .array(z.strictObject({ callerId: z.string().nullable(), ...counts }))
      .meta({ description: `The caller ids most used in the last ${ANSWER_DAYS} days.` }),
    answersByDay: z
      .array(z.strictObject({ day: z.string().meta({ example: "2026-01-31" }), ...counts }))
      .meta({ description: "Days with calls, newest first." }),
  })
  .meta({ id: "TrunkDetails" });
export type TrunkDetails = z.infer<typeof TrunkDetails>;

export const TrunkQuery = z.strictObject(PageQuery);

/** What the fields of a trunk must fulfil together. */
export interface TrunkCredentials {
  readonly username: string | null;
  readonly hasPassword: boolean;
  readonly registersAs: string | null;
}

export function findTrunkFaults({ username, hasPassword, registersAs }: TrunkCredentials): ErrorDetail[] {
  const faults: ErrorDetail[] = [];
  if (username !== null && !hasPassword)
    faults.push({ param: "password", code: "required", message: "is required with username" });
  if (username === null && hasPassword)
    faults.push({ param: "username", code: "required", message: "is required with password" });
  if (registersAs !== null && username === null)
    faults.push({ param: "registersAs", code: "needs_credentials", message: "needs username and password" });
  return faults;
}
