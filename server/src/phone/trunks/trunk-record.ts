import { isVendorKind, type NewTrunk, type Trunk, VENDOR_TRUNKS } from "@parley/contract/trunks";
import type { Insertable, Selectable } from "kysely";
import type { ManagedBy, Schema } from "../../platform/database/schema/schema.ts";

/** A trunk with its limits, which are kept where calls are counted. */
export type TrunkRow = Selectable<Schema["trunks"]> &
  Pick<Selectable<Schema["trunk_channels"]>, "channels_max" | "calls_per_second" | "active_count">;

/** All settings of a trunk except its password. */
export type TrunkSettings = Omit<NewTrunk, "password">;

export type TrunkColumns = Omit<
  Insertable<Schema["trunks"]>,
  "id" | "managed_by" | "password_sealed" | "created_at" | "updated_at"
>;

export interface TrunkLimits {
  readonly channels_max: number | null;
  readonly calls_per_second: number | null;
}

export function columnsOf(settings: TrunkSettings): TrunkColumns {
  return {
    name: settings.name,
    kind: settings.kind,
    is_enabled: settings.isEnabled,
    host: hostOf(settings),
    port: settings.port,
    transport: settings.transport,
    outbound_proxy: settings.outboundProxy,
    username: settings.username,
    public_key: settings.publicKey,
    from_host: settings.fromHost,
    public_host: settings.publicAddress?.host ?? null,
    public_port: settings.publicAddress?.port ?? null,
    allows_tcp_for_large: settings.allowsTcpForLarge,
    asserts_identity: settings.assertsIdentity,
    no_response_ms: settings.noResponseMs,
    session_timer_seconds: settings.sessionTimerSeconds,
    offers_reliable_ringing: settings.offersReliableRinging,
    stays_on_first_hop: settings.staysOnFirstHop,
    number_format: settings.numberFormat,
    dial_prefix: settings.dialPrefix,
    caller_ids: settings.callerIds,
    codecs: settings.codecs,
    srtp: settings.srtp,
    public_media_host: settings.publicMediaHost,
    registers_as: settings.registersAs,
    ping_interval_seconds: settings.pingIntervalSeconds,
  };
}

/** Fields that make no sense have been refused before. */
function hostOf({ kind, host }: TrunkSettings): string {
  if (isVendorKind(kind)) return VENDOR_TRUNKS[kind].host;
  if (host === null) throw new Error("a SIP trunk has no host");
  return host;
}

export function limitsOf(settings: TrunkSettings): TrunkLimits {
  return { channels_max: settings.channelsMax, calls_per_second: settings.callsPerSecond };
}

export function settingsOf(row: TrunkRow): TrunkSettings {
  return {
    kind: row.kind,
    name: row.name,
    isEnabled: row.is_enabled,
    host: isVendorKind(row.kind) ? null : row.host,
    port: row.port,
    transport: row.transport,
    outboundProxy: row.outbound_proxy,
    username: row.username,
    publicKey: row.public_key,
    registersAs: row.registers_as,
    fromHost: row.from_host,
    publicAddress: publicAddressOf(row),
    publicMediaHost: row.public_media_host,
    numberFormat: row.number_format,
    dialPrefix: row.dial_prefix,
    callerIds: row.caller_ids,
    codecs: row.codecs,
    srtp: row.srtp,
    channelsMax: row.channels_max,
    callsPerSecond: row.calls_per_second,
    pingIntervalSeconds: row.ping_interval_seconds,
    noResponseMs: row.no_response_ms,
    sessionTimerSeconds: row.session_timer_seconds,
    offersReliableRinging: row.offers_reliable_ringing,
    assertsIdentity: row.asserts_identity,
    allowsTcpForLarge: row.allows_tcp_for_large,
    staysOnFirstHop: row.stays_on_first_hop,
  };
}

export function publicAddressOf(row: TrunkRow): { host: string; port: number } | null {
  return row.public_host === null || row.public_port === null ? null : { host: row.public_host, port: row.public_port };
}

/** What is known of a trunk beyond its settings. */
export interface TrunkFindings {
  readonly answers: Trunk["answers"];
  readonly health: Trunk["health"];
}

/** The trunk as operators see it. Its password is never part of it. */
export function toTrunk(row: TrunkRow, findings: TrunkFindings): Trunk {
  return {
    id: row.id,
    ...settingsOf(row),
    host: row.host,
    hasPassword: row.password_sealed !== null,
    managedBy: row.managed_by satisfies ManagedBy,
    activeCalls: row.active_count,
    ...findings,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** The place of the password for its encryption: it can be decrypted only there. */
export function passwordPlace(trunkId: string): string {
  return `${trunkId}/password`;
}
