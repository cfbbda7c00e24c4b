import type { AgentCore } from "../agent-core.ts";
import type { InviteRecord } from "../dialog/dialog-record.ts";
import { bracketed } from "../message/uri.ts";
import { sentBy } from "../message/via.ts";
import { preloadedRoute } from "../sip-trunk.ts";
import { DATAGRAM_MAX_BYTES, noWayTo } from "../transaction/transaction-layer.ts";
import type { Hop, TransportKind } from "../transport/sip-transport.ts";
import {
  buildInvite,
  type InviteIdentity,
  type InviteOrder,
  localAddress,
  MIN_SESSION_EXPIRES_S,
  remoteAddress,
} from "./build-invite.ts";

export type Preparation =
  | { readonly ok: true; readonly record: InviteRecord; readonly identity: InviteIdentity }
  | { readonly ok: false; readonly reason: string };

export interface PreparationDeps {
  readonly core: AgentCore;
  readonly order: InviteOrder;
  readonly callId?: string;
  readonly localTag?: string;
  /** Where to send it; without one the best place of the trunk is taken. */
  readonly hop?: Hop;
  readonly hops: (transport: TransportKind) => Promise<readonly Hop[]>;
}

/** Room for the answer to a challenge, which makes the second sending larger than the first. */
const ANSWER_TO_CHALLENGE_BYTES = 320;

/** Decides everything about an INVITE that another process would have to know to cancel it, before any of it is sent. */
export async function prepareInvite(deps: PreparationDeps): Promise<Preparation> {
  const { core, order } = deps;
  const { trunk } = order;
  const hop = deps.hop ?? (await deps.hops(trunk.transport))[0];
  if (hop === undefined) return { ok: false, reason: `no address was found for ${trunk.host}` };
  const callId = deps.callId ?? core.random.hex(16);
  const ids = { callId, localTag: deps.localTag ?? core.random.hex(8), branchBase: core.layer.newBranch() };
  const first = prepareFor(deps, ids, hop);
  const byteLength = first === null ? 0 : sizeOf(deps, first);
  if (first === null) return { ok: false, reason: noWayTo(hop) };
  if (hop.transport !== "udp" || byteLength <= DATAGRAM_MAX_BYTES) return { ok: true, ...first };
  if (trunk.allowsTcpForLarge && core.layer.hasTransport("tcp")) {
    const [overTcp] = await deps.hops("tcp");
    const second = overTcp === undefined ? null : prepareFor(deps, ids, overTcp);
    if (second !== null) return { ok: true, ...second };
  }
  const reason = `the INVITE takes ${byteLength} bytes, more than the ${DATAGRAM_MAX_BYTES} that are safe over UDP`;
  return { ok: false, reason };
}

interface Ids {
  readonly callId: string;
  readonly localTag: string;
  readonly branchBase: string;
}

type Prepared = Omit<Extract<Preparation, { ok: true }>, "ok">;

function prepareFor({ core, order }: PreparationDeps, ids: Ids, hop: Hop): Prepared | null {
  const local = core.layer.transportTo(hop)?.local;
  if (local === undefined) return null;
  const own = order.trunk.publicAddress ?? local;
  const { callId, localTag, branchBase } = ids;
  const identity = { callId, localTag, transport: hop.transport, contactHost: own.host, contactPort: own.port };
  const record: InviteRecord = {
    kind: "invite",
    callId,
    localTag,
    branchBase,
    requestUri: firstInvite(core, order, identity).uri,
    localAddress: localAddress(order),
    remoteAddress: remoteAddress(order),
    routeSet: preloadedRoute(order.trunk),
    sentBy: sentBy({ host: bracketed(own.host), port: own.port === 0 ? null : own.port }),
    hop,
  };
  return { record, identity };
}

function firstInvite(core: AgentCore, order: InviteOrder, identity: InviteIdentity) {
  const { sessionExpiresS } = order.trunk;
  return buildInvite(core, order, identity, {
    cseqNumber: 1,
    sessionExpiresS,
    minSessionExpiresS: MIN_SESSION_EXPIRES_S,
  });
}

function sizeOf({ core, order }: PreparationDeps, { record, identity }: Prepared): number {
  const invite = firstInvite(core, order, identity);
  const branch = `${record.branchBase}-1`;
  const bytes = core.layer.byteLength(invite, record.hop, { branch, sentBy: record.sentBy });
  return bytes + (order.trunk.credentials === null ? 0 : ANSWER_TO_CHALLENGE_BYTES);
}
