import { type NewTrunk, type Trunk, type TrunkKind, VENDOR_TRUNKS } from "@parley/contract/trunks";

/** The form values; numbers are text until they are sent. */
export interface TrunkForm {
  kind: TrunkKind;
  name: string;
  isEnabled: boolean;
  host: string;
  port: string;
  transport: NewTrunk["transport"];
  outboundProxy: string;
  username: string;
  /** Write-only: empty keeps the stored one. */
  password: string;
  /** For vendors that sign with a key of their own. */
  publicKey: string;
  registersAs: string;
  callerIds: string;
  numberFormat: NewTrunk["numberFormat"];
  dialPrefix: string;
  fromHost: string;
  assertsIdentity: boolean;
  channelsMax: string;
  callsPerSecond: string;
  /** In order of preference, separated by spaces. */
  codecs: string;
  srtp: NewTrunk["srtp"];
  publicHost: string;
  publicPort: string;
  publicMediaHost: string;
  pingIntervalSeconds: string;
  noResponseMs: string;
  sessionTimerSeconds: string;
  offersReliableRinging: boolean;
  allowsTcpForLarge: boolean;
  staysOnFirstHop: boolean;
}

export const NEW_TRUNK_FORM: TrunkForm = {
  kind: "sip",
  name: "",
  isEnabled: true,
  host: "",
  port: "",
  transport: "udp",
  outboundProxy: "",
  username: "",
  password: "",
  publicKey: "",
  registersAs: "",
  callerIds: "",
  numberFormat: "e164",
  dialPrefix: "",
  fromHost: "",
  assertsIdentity: false,
  channelsMax: "",
  callsPerSecond: "",
  codecs: ["PCMU", "PCMA"].join(" "),
  srtp: "off",
  publicHost: "",
  publicPort: "",
  publicMediaHost: "",
  pingIntervalSeconds: "60",
  noResponseMs: "4000",
  sessionTimerSeconds: "180",
  offersReliableRinging: true,
  allowsTcpForLarge: false,
  staysOnFirstHop: false,
};

export function toTrunkForm(trunk: Trunk): TrunkForm {
  const text = (value: string | number | null) => (value === null ? "" : String(value));
  const { publicAddress, codecs, callerIds, ...rest } = trunk;
  return {
    kind: rest.kind,
    name: rest.name,
    isEnabled: rest.isEnabled,
    host: rest.host,
    port: text(rest.port),
    transport: rest.transport,
    outboundProxy: text(rest.outboundProxy),
    username: text(rest.username),
    password: "",
    publicKey: text(rest.publicKey),
    registersAs: text(rest.registersAs),
    callerIds: callerIds.join("\n"),
    numberFormat: rest.numberFormat,
    dialPrefix: rest.dialPrefix,
    fromHost: text(rest.fromHost),
    assertsIdentity: rest.assertsIdentity,
    channelsMax: text(rest.channelsMax),
    callsPerSecond: text(rest.callsPerSecond),
    codecs: codecs.join(" "),
    srtp: rest.srtp,
    publicHost: text(publicAddress?.host ?? null),
    publicPort: text(publicAddress?.port ?? null),
    publicMediaHost: text(rest.publicMediaHost),
    pingIntervalSeconds: text(rest.pingIntervalSeconds),
    noResponseMs: text(rest.noResponseMs),
    sessionTimerSeconds: text(rest.sessionTimerSeconds),
    offersReliableRinging: rest.offersReliableRinging,
    allowsTcpForLarge: rest.allowsTcpForLarge,
    staysOnFirstHop: rest.staysOnFirstHop,
  };
}

const NO_RESPONSE_DEFAULT_MS = Number(NEW_TRUNK_FORM.noResponseMs);

type SipTrunkBody = Omit<NewTrunk, "kind" | "host" | "password"> & { host: string; password?: string };
type VendorTrunkBody = Pick<NewTrunk, (typeof VENDOR_FIELDS)[number]> & { password?: string };
const VENDOR_FIELDS = [
  "name",
  "isEnabled",
  "username",
  "publicKey",
  "callerIds",
  "channelsMax",
  "callsPerSecond",
] as const;

const orNull = (text: string) => text.trim() || null;
const number = (text: string) => (text.trim() === "" ? null : Number(text));

/** The request for a trunk of a vendor, which has few settings. */
export function readVendorForm({ password, ...form }: TrunkForm): VendorTrunkBody {
  return {
    name: form.name.trim(),
    isEnabled: form.isEnabled,
    username: orNull(form.username),
    ...(password === "" ? {} : { password }),
    // Another kind may have been chosen after it was typed.
    publicKey: form.kind !== "sip" && VENDOR_TRUNKS[form.kind].publicKey === null ? null : orNull(form.publicKey),
    callerIds: form.callerIds.split(/[\s,;]+/).filter(Boolean),
    channelsMax: number(form.channelsMax),
    callsPerSecond: number(form.callsPerSecond),
  };
}

/** The request for a SIP trunk. An empty password is omitted, so that the stored one stays. */
export function readTrunkForm(form: TrunkForm): SipTrunkBody {
  const { kind: _, password, publicHost, publicPort, callerIds, codecs, ...rest } = form;
  const host = orNull(publicHost);
  return {
    name: rest.name.trim(),
    isEnabled: rest.isEnabled,
    host: rest.host.trim(),
    port: number(rest.port),
    transport: rest.transport,
    outboundProxy: orNull(rest.outboundProxy),
    username: orNull(rest.username),
    ...(password === "" ? {} : { password }),
    publicKey: null,
    registersAs: orNull(rest.registersAs),
    callerIds: callerIds.split(/[\s,;]+/).filter(Boolean),
    numberFormat: rest.numberFormat,
    dialPrefix: rest.dialPrefix.trim(),
    fromHost: orNull(rest.fromHost),
    assertsIdentity: rest.assertsIdentity,
    channelsMax: number(rest.channelsMax),
    callsPerSecond: number(rest.callsPerSecond),
    codecs: codecs.split(" ") as NewTrunk["codecs"],
    srtp: rest.srtp,
    // The API rejects a port without a host with a message about the host, which is what is missing.
    publicAddress: host === null && publicPort.trim() === "" ? null : { host: host ?? "", port: Number(publicPort) },
    publicMediaHost: orNull(rest.publicMediaHost),
    pingIntervalSeconds: number(rest.pingIntervalSeconds),
    noResponseMs: number(rest.noResponseMs) ?? NO_RESPONSE_DEFAULT_MS,
    sessionTimerSeconds: number(rest.sessionTimerSeconds),
    offersReliableRinging: rest.offersReliableRinging,
    allowsTcpForLarge: rest.allowsTcpForLarge,
    staysOnFirstHop: rest.staysOnFirstHop,
  };
}
