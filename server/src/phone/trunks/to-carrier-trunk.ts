import { isVendorKind, type VendorTrunkKind } from "@parley/contract/trunks";
import type { RoutedTrunk, Trunk, TrunkDirectory, TrunkRoute } from "@parley/telephony/sip-carrier/trunks/trunk";
import type { Secrets } from "../../platform/config/secret.ts";
import type { Database } from "../../platform/database/database.ts";
import { unknownTrunk } from "./read-trunks.ts";
import { passwordPlace, publicAddressOf, type TrunkRow } from "./trunk-record.ts";
import { countRoutesOf, type TrunkRouteRow } from "./trunk-route-store.ts";
import { readTrunkRow } from "./trunk-store.ts";

/** A trunk at a vendor with an API. */
export interface VendorTrunk extends RoutedTrunk {
  readonly kind: VendorTrunkKind;
  /** Names the account at the vendor, and the secret that goes with it. */
  readonly accountId: string;
  readonly secret: string;
  /** For vendors that sign what they send with a key of their own. */
  readonly publicKey: string | null;
}

export type CarrierTrunk = Trunk | VendorTrunk;
export type CarrierDirectory = TrunkDirectory<CarrierTrunk>;

export function isSipTrunk(trunk: CarrierTrunk): trunk is Trunk {
  return "sip" in trunk;
}

/** The part of the directory that the SIP carrier knows. */
export function sipTrunksOf({ trunks, routes }: CarrierDirectory): TrunkDirectory {
  return { trunks: trunks.filter(isSipTrunk), routes };
}

/** The trunk as a carrier needs it, with its password. Throws UnreadableSecret when that cannot be read. */
export function toCarrierTrunk(row: TrunkRow, secrets: Pick<Secrets, "open">): CarrierTrunk {
  const password = row.password_sealed === null ? null : secrets.open(row.password_sealed, passwordPlace(row.id));
  return isVendorKind(row.kind) ? toVendorTrunk(row, row.kind, password ?? "") : toSipTrunk(row, password);
}

function toVendorTrunk(row: TrunkRow, kind: VendorTrunkKind, secret: string): VendorTrunk {
  return {
    id: row.id,
    name: row.name,
    isEnabled: row.is_enabled,
    callerIds: row.caller_ids,
    channelsMax: row.channels_max,
    callsPerSecond: row.calls_per_second,
    kind,
    accountId: row.username ?? "",
    secret,
    publicKey: row.public_key,
  };
}

function toSipTrunk(row: TrunkRow, password: string | null): Trunk {
  return {
    id: row.id,
    name: row.name,
    isEnabled: row.is_enabled,
    sip: {
      host: row.host,
      port: row.port,
      transport: row.transport,
      outboundProxy: row.outbound_proxy,
      credentials: row.username === null || password === null ? null : { username: row.username, password },
      fromHost: row.from_host,
      publicAddress: publicAddressOf(row),
      listensForTrunk: false,
      allowsTcpForLarge: row.allows_tcp_for_large,
      assertsIdentity: row.asserts_identity,
      noResponseMs: row.no_response_ms,
      sessionExpiresS: row.session_timer_seconds,
      offersReliableRinging: row.offers_reliable_ringing,
      staysOnFirstHop: row.stays_on_first_hop,
    },
    numberFormat: row.number_format,
    dialPrefix: row.dial_prefix,
    callerIds: row.caller_ids,
    codecs: row.codecs,
    srtp: row.srtp,
    publicMediaHost: row.public_media_host,
    registersAs: row.registers_as,
    pingIntervalMs: row.ping_interval_seconds === null ? null : row.ping_interval_seconds * 1000,
    channelsMax: row.channels_max,
    callsPerSecond: row.calls_per_second,
  };
}

export function toCarrierRoute(row: TrunkRouteRow): TrunkRoute {
  return { id: row.id, prefix: row.prefix, trunkId: row.trunk_id, priority: row.priority, weight: row.weight };
}

/** A trunk's current state for a carrier, with its password. Throws UnreadableSecret when that cannot be read. */
export async function readCarrierTrunk(
  db: Database,
  secrets: Pick<Secrets, "open">,
  trunkId: string,
): Promise<{ readonly trunk: CarrierTrunk; readonly routes: number }> {
  const row = await readTrunkRow(db, trunkId);
  if (!row) throw unknownTrunk();
  return { trunk: toCarrierTrunk(row, secrets), routes: await countRoutesOf(db, trunkId) };
}
