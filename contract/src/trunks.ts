import { z } from "zod";
import { SIMULATED_NETWORK } from "./calls.ts";
import type { ErrorDetail } from "./errors.ts";
import { idSchema } from "./ids.ts";
import { HostName, IpAddress, Port, ProxyUri, printableText } from "./network-fields.ts";
import { Name, PageQuery, PhoneNumber, Timestamp } from "./shared-fields.ts";

/**
 * How trunks are reached: by SIP, or by the API of a vendor. A further vendor needs its name here, its rules in `VENDOR_TRUNKS`, and its
 * carrier in `server/src/phone/carriers/vendors/vendor-carriers.ts`.
 */
const TRUNK_KINDS = ["sip", "twilio", "telnyx"] as const;
export type TrunkKind = (typeof TRUNK_KINDS)[number];
/** The kinds that are reached by the API of a vendor. */
export type VendorTrunkKind = Exclude<TrunkKind, "sip">;

/** What is particular to each vendor. The field names of a SIP trunk's credentials are used for those of an account. */
export const VENDOR_TRUNKS: Readonly<Record<VendorTrunkKind, VendorTrunk>> = {
  twilio: {
    label: "Twilio",
    host: "api.twilio.com",
    username: { label: "account SID", pattern: /^AC[0-9a-f]{32}$/, form: "AC and 32 hexadecimal digits" },
    password: { label: "auth token" },
    publicKey: null,
  },
  telnyx: {
    label: "Telnyx",
    host: "api.telnyx.com",
    username: { label: "Voice API application ID", pattern: /^[1-9][0-9]{0,19}$/, form: "up to 20 digits" },
    password: { label: "API key" },
    publicKey: { label: "public key", pattern: /^[A-Za-z0-9+/]{43}=$/, form: "44 characters, the last of them =" },
  },
};

interface VendorTrunk {
  readonly label: string;
  /** Where its API is, and the only host to which the password is sent. */
  readonly host: string;
  readonly username: LabelledField;
  readonly password: { readonly label: string };
  /** For vendors that sign what they send with a key of their own; null for those that sign it with the password. */
  readonly publicKey: LabelledField | null;
}

interface LabelledField {
  readonly label: string;
  readonly pattern: RegExp;
  readonly form: string;
}

export function isVendorKind(kind: TrunkKind): kind is VendorTrunkKind {
  return kind !== "sip";
}

const TRANSPORTS = ["udp", "tcp", "tls"] as const;
const SPEECH_CODECS = ["PCMU", "PCMA", "G722", "OPUS"] as const;
const SRTP_POLICIES = ["off", "optional", "required"] as const;
const NUMBER_FORMATS = ["e164", "digits"] as const;
/** The number of days over which a reply counts calls. */
export const ANSWER_DAYS = 7;

const distinct = (list: readonly string[]) => new Set(list).size === list.length;

/** The fields of a trunk, validated individually. `findTrunkFaults` validates combinations. */
const fields = {
  name: Name.refine(
    (name) => name.toLowerCase() !== SIMULATED_NETWORK,
    `must not be ${SIMULATED_NETWORK}, which is the name of the simulated network`,
  ).meta({ description: "A unique display name.", example: "Carrier One" }),
  isEnabled: z.boolean().meta({ description: "A disabled trunk gets no calls." }),
  host: HostName.nullable().meta({
    description: "The host name or address of a SIP trunk, used in the request URI. Trunks of vendors have their own.",
  }),
  port: Port.nullable().meta({ description: "`null` uses DNS (SRV), or else the default port." }),
  transport: z.enum(TRANSPORTS),
  outboundProxy: ProxyUri.nullable().meta({ description: "All requests are sent to this proxy." }),
  username: printableText(128).nullable().meta({
    description:
      "For trunks that require authentication. For Twilio, the account SID; for Telnyx, the ID of the Voice API application.",
  }),
  publicKey: printableText(128).nullable().meta({
    description:
      "For Telnyx, the public key of the account, in base64: webhooks are verified with it. Other trunks have none.",
  }),
  registersAs: printableText(128).nullable().meta({
    description:
      "The name to register, usually `username`, for trunks that require registration. `null` does not register.",
  }),
  fromHost: HostName.nullable().meta({ description: "The host in From, if it differs from `host`." }),
  publicAddress: z.strictObject({ host: HostName, port: Port }).nullable().meta({
    description: "Our SIP address as seen by the trunk, behind NAT.",
  }),
  publicMediaHost: IpAddress.nullable().meta({
    description: "Our media address as seen by the trunk, behind NAT.",
  }),
  numberFormat: z.enum(NUMBER_FORMATS).meta({ description: "`e164` writes `+4930...`, `digits` writes `4930...`." }),
  dialPrefix: z
    .string()
    .regex(/^[0-9*#+]{0,16}$/, "must be at most 16 of 0-9 * # +")
    .meta({ description: "Prepended to every number." }),
  callerIds: z
    .array(PhoneNumber)
    .max(1000)
    .refine(distinct, "must not contain a number twice")
    .meta({
      description: "Numbers that may be used as caller id; the first is the default. Empty: any, or none.",
      example: ["+15550100099"],
    }),
  codecs: z
    .array(z.enum(SPEECH_CODECS))
    .min(1)
    .max(SPEECH_CODECS.length)
    .refine(distinct, "must not contain a codec twice")
    .meta({ description: "In order of preference." }),
  srtp: z.enum(SRTP_POLICIES).meta({
    description: "Whether audio is encrypted: never, if the trunk supports it, or always (otherwise the call fails).",
  }),
  channelsMax: z
    .int()
    .min(1)
    .max(100_000)
    .nullable()
    .meta({ description: "Maximum concurrent calls; `null` for no limit." }),
  callsPerSecond: z.number().min(0.01).max(1000).nullable().meta({ description: "`null` without limit." }),
  pingIntervalSeconds: z.int().min(5).max(3600).nullable().meta({
    description: "How often OPTIONS is sent to check the trunk; `null` for never.",
  }),
  noResponseMs: z.int().min(1_000).max(30_000).meta({
    description: "The next trunk is tried after this time without any response to a call.",
  }),
  sessionTimerSeconds: z.int().min(90).max(7200).nullable().meta({
    description: "The session timer (RFC 4028); `null` leaves it to the trunk.",
  }),
  offersReliableRinging: z
    .boolean()
    .meta({ description: "Whether reliable provisional responses are offered (RFC 3262)." }),
  assertsIdentity: z.boolean().meta({ description: "Whether P-Asserted-Identity is sent (RFC 3325)." }),
  allowsTcpForLarge: z
    .boolean()
    .meta({ description: "Whether a request that is too large for a datagram may be sent over TCP." }),
  staysOnFirstHop: z.boolean().meta({
    description:
      "Sends all requests of a call to the destination of its INVITE, for trunks with an unreachable Contact.",
  }),
};

const Password = printableText(256).meta({
  description:
    "Never shown again, and must be sent again if `host`, `port` or `outboundProxy` changes. For Twilio, the auth token; for Telnyx, an API key.",
});

const Kind = z.enum(TRUNK_KINDS).meta({
  description:
    "How the trunk is reached: by `sip`, or by the API of a vendor. A `twilio` trunk needs `username`, `password`, at least one of `callerIds`, and the setting `PARLEY_PUBLIC_URL`; a `telnyx` trunk also needs `publicKey`. Fields of SIP must be left out. Cannot be changed.",
});

export const NewTrunk = z
  .strictObject({
    kind: Kind.default("sip"),
    ...fields,
    isEnabled: fields.isEnabled.default(true),
    host: fields.host.default(null),
    port: fields.port.default(null),
    transport: fields.transport.default("udp"),
    outboundProxy: fields.outboundProxy.default(null),
    username: fields.username.default(null),
    password: Password.nullable().default(null),
    publicKey: fields.publicKey.default(null),
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

/** Omitted fields are unchanged. Without a username there is no password either. */
export const TrunkChanges = z
  .strictObject({ ...fields, host: HostName, password: Password.nullable() })
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, "must change at least one field")
  .meta({ id: "TrunkChanges" });
export type TrunkChanges = z.infer<typeof TrunkChanges>;

const ManagedBy = z.enum(["operator", "configuration"]).meta({
  description: "A trunk managed by `configuration` can only be changed in the file named by `PARLEY_TRUNKS`.",
});

const counts = {
  attempts: z.int(),
  rang: z.int(),
  answered: z.int(),
  answerRate: z.number().nullable().meta({ description: "Answered attempts divided by all attempts, from 0 to 1." }),
};
const AnswerCounts = z
  .strictObject(counts)
  .meta({ id: "AnswerCounts", description: `Calls of the last ${ANSWER_DAYS} days (UTC).` });

const TrunkHealth = z
  .strictObject({
    workerId: idSchema("worker"),
    isReachable: z.boolean().nullable().meta({ description: "`null` if it was not checked." }),
    isRegistered: z.boolean().nullable().meta({ description: "`null` if it does not register." }),
    circuit: z.enum(["closed", "open", "half_open"]).meta({
      description: "After too many failures a trunk gets no calls (`open`), then one test call (`half_open`).",
    }),
    trouble: z.string().nullable().meta({ description: "The latest problem." }),
    reportedAt: Timestamp,
  })
  .meta({ id: "TrunkHealth", description: "The state of the trunk as seen by one worker." });

export const Trunk = z
  .strictObject({
    id: idSchema("trunk"),
    kind: Kind,
    ...fields,
    name: z.string(),
    host: z.string(),
    hasPassword: z.boolean(),
    managedBy: ManagedBy,
    activeCalls: z.int().meta({ description: "Current calls." }),
    answers: AnswerCounts,
    health: z.array(TrunkHealth),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "Trunk", description: "A connection to the phone network." });
export type Trunk = z.infer<typeof Trunk>;

export const TrunkDetails = z
  .strictObject({
    ...Trunk.shape,
    answersByCallerId: z
      .array(z.strictObject({ callerId: z.string().nullable(), ...counts }))
      .meta({ description: `The most used caller ids of the last ${ANSWER_DAYS} days.` }),
    answersByDay: z
      .array(z.strictObject({ day: z.string().meta({ example: "2026-01-31" }), ...counts }))
      .meta({ description: "Days with calls, newest first." }),
  })
  .meta({ id: "TrunkDetails" });
export type TrunkDetails = z.infer<typeof TrunkDetails>;

export const TrunkQuery = z.strictObject(PageQuery);

/** The fields that must make sense together. */
export type CombinedTrunkFields = Pick<
  NewTrunk,
  "kind" | "callerIds" | "username" | "publicKey" | "dialPrefix" | SipOnlyField
> & {
  readonly hasPassword: boolean;
};

/** Fields without which a SIP trunk works, and which mean nothing on others. */
const SIP_ONLY_FIELDS = [
  "host",
  "port",
  "outboundProxy",
  "registersAs",
  "fromHost",
  "publicAddress",
  "publicMediaHost",
] as const;
type SipOnlyField = (typeof SIP_ONLY_FIELDS)[number];

/** Validates combinations of fields. */
export function findTrunkFaults(trunk: CombinedTrunkFields): ErrorDetail[] {
  return isVendorKind(trunk.kind) ? findVendorFaults(VENDOR_TRUNKS[trunk.kind], trunk) : findSipFaults(trunk);
}

function findSipFaults(trunk: CombinedTrunkFields): ErrorDetail[] {
  const { host, username, hasPassword, registersAs, publicKey } = trunk;
  const faults: ErrorDetail[] = [];
  if (host === null) faults.push({ param: "host", code: "required", message: "is required" });
  if (username !== null && !hasPassword)
    faults.push({ param: "password", code: "required", message: "is required with username" });
  if (username === null && hasPassword)
    faults.push({ param: "username", code: "required", message: "is required with password" });
  if (registersAs !== null && username === null)
    faults.push({ param: "registersAs", code: "needs_credentials", message: "needs username and password" });
  if (publicKey !== null)
    faults.push({
      param: "publicKey",
      code: "not_applicable",
      message: "is for trunks of vendors; a SIP trunk has none",
    });
  return faults;
}

function findVendorFaults(vendor: VendorTrunk, trunk: CombinedTrunkFields): ErrorDetail[] {
  const { label, username, password, publicKey } = vendor;
  const faults: ErrorDetail[] = [...findFieldFaults(vendor, "username", username, trunk.username)];
  if (!trunk.hasPassword)
    faults.push({ param: "password", code: "required", message: `must be the ${password.label} of ${label}` });
  if (publicKey !== null) faults.push(...findFieldFaults(vendor, "publicKey", publicKey, trunk.publicKey));
  else if (trunk.publicKey !== null)
    faults.push({ param: "publicKey", code: "not_applicable", message: `is not needed; a ${label} trunk has none` });
  if (trunk.callerIds.length === 0)
    faults.push({ param: "callerIds", code: "required", message: `must contain a number of the ${label} account` });
  const unused = SIP_ONLY_FIELDS.filter((field) => trunk[field] !== null);
  const params = trunk.dialPrefix === "" ? unused : [...unused, "dialPrefix"];
  for (const param of params)
    faults.push({ param, code: "not_applicable", message: `is for SIP trunks; a ${label} trunk has none` });
  return faults;
}

function findFieldFaults(
  vendor: VendorTrunk,
  param: string,
  { label, pattern, form }: LabelledField,
  value: string | null,
): readonly ErrorDetail[] {
  if (value !== null && pattern.test(value)) return [];
  const message = `must be the ${label} of ${vendor.label}, ${form}`;
  return [{ param, code: value === null ? "required" : "wrong", message }];
}
