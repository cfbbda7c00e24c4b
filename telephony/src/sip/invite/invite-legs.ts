import type { AgentCore } from "../agent-core.ts";
import type { AuthState } from "../authentication/authenticate.ts";
import { belongsTo, dialogFromResponse, nextHopUri } from "../dialog/dialog.ts";
import { DialogPeer } from "../dialog/dialog-peer.ts";
import type { ReceivedRequest, ReceivedResponse, SipRequest } from "../message/message.ts";
import { tagOf } from "../message/name-addr.ts";
import { headerNumber, headerTokens, sdpOf } from "../message/read-headers.ts";
import { publicSentBy, type SipTrunk } from "../sip-trunk.ts";
import type { Hop } from "../transport/sip-transport.ts";

/** One phone that an INVITE reached. A forking proxy may have reached several, each with its own dialog. */
export class InviteLeg {
  readonly peer: DialogPeer;
  #ringing: RingingState = null;
  #sdp: string | null = null;
  #hasReliableSdp = false;
  #ackedCSeq: number | null = null;

  constructor(peer: DialogPeer) {
    this.peer = peer;
  }

  /** The latest audio description of this phone. */
  get sdp(): string | null {
    return this.#sdp;
  }

  /** Whether our offer was answered before the call was: then the peer may send a new offer (RFC 3311 section 5.1). */
  get hasReliableSdp(): boolean {
    return this.#hasReliableSdp;
  }

  get isAcknowledged(): boolean {
    return this.#ackedCSeq !== null;
  }

  /** Processes a provisional response and acknowledges it if required. False for a repetition. */
  ring(response: ReceivedResponse): boolean {
    const decision = judgeProvisional(this.#ringing, response);
    if (decision.kind === "ignore") return false;
    this.#describe(response, decision.kind === "acknowledge");
    if (decision.kind === "acknowledge") {
      this.#ringing = decision.state;
      this.peer.send({ method: "PRACK", headers: [["RAck", decision.rack]] }, () => undefined);
    }
    return true;
  }

  answer(response: ReceivedResponse): void {
    // RFC 3261 section 13.2.1: once the offer was answered reliably, what the 2xx repeats does not count.
    if (!this.#hasReliableSdp) this.#describe(response, true);
  }

  /** Also for every repetition of the 2xx: then the ACK was lost. */
  acknowledge(cseqNumber: number = this.#ackedCSeq ?? 0): void {
    this.#ackedCSeq = cseqNumber;
    this.peer.acknowledge(cseqNumber);
  }

  #describe(response: ReceivedResponse, isReliable: boolean): void {
    const sdp = sdpOf(response);
    if (sdp === null) return;
    this.#sdp = sdp;
    this.#hasReliableSdp ||= isReliable;
  }
}

export interface InviteLegsDeps {
  readonly core: AgentCore;
  readonly trunk: SipTrunk;
  readonly firstHop: Hop;
  readonly auth: () => AuthState;
}

/** No fork rings as many phones as this; each costs memory, and each that answers a BYE. */
const RINGING_MAX = 16;
/** Room for phones that answer without having rung, so that ringing never keeps an answer out. */
const ANSWERED_MAX = 2 * RINGING_MAX;

/** The phones an INVITE reached, by the tag each of them chose. The number of tags per peer is limited. */
export class InviteLegs {
  readonly #deps: InviteLegsDeps;
  readonly #byTag = new Map<string, InviteLeg>();

  constructor(deps: InviteLegsDeps) {
    this.#deps = deps;
  }

  /** The phone a response comes from; null while it has not said which one it is, and for one phone too many. */
  of(response: ReceivedResponse, invite: SipRequest): InviteLeg | null {
    const dialog = dialogFromResponse(invite, response);
    if (dialog === null) return null;
    const known = this.#byTag.get(dialog.remoteTag);
    if (known !== undefined) return known;
    if (this.#byTag.size >= (response.status < 200 ? RINGING_MAX : ANSWERED_MAX)) return null;
    const { core, trunk, firstHop, auth } = this.#deps;
    const way = { firstHop, firstHopUri: nextHopUri(invite), ...publicSentBy(trunk) };
    const peer = new DialogPeer({ core, trunk, dialog, auth: auth(), ...way });
    const leg = new InviteLeg(peer);
    this.#byTag.set(dialog.remoteTag, leg);
    return leg;
  }

  /** The phone a request comes from. */
  find(request: ReceivedRequest): InviteLeg | null {
    const leg = this.#byTag.get(tagOf(request.essentials.from) ?? "");
    return leg !== undefined && belongsTo(leg.peer.dialog, request) ? leg : null;
  }
}

/**
 * RFC 3262: which reliable provisional responses of one early dialog were acknowledged, as a value: the RSeq of the last
 * one, null before the first.
 */
export type RingingState = number | null;

type RingingVerdict =
  /** Not reliable: nothing to acknowledge. */
  | { readonly kind: "plain" }
  | { readonly kind: "acknowledge"; readonly state: RingingState; readonly rack: string }
  /** Repeated, or one before it is still missing: as if it had not come (RFC 3262 section 4). */
  | { readonly kind: "ignore" };

function judgeProvisional(state: RingingState, response: ReceivedResponse): RingingVerdict {
  const rseq = headerNumber(response, "RSeq");
  if (response.status === 100 || rseq === null || !headerTokens(response, "Require").has("100rel"))
    return { kind: "plain" };
  if (state !== null && rseq !== state + 1) return { kind: "ignore" };
  const { number, method } = response.essentials.cseq;
  return { kind: "acknowledge", state: rseq, rack: `${rseq} ${number} ${method}` };
}
