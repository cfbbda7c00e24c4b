import type { AgentCore } from "./agent-core.ts";
import { NOT_CHALLENGED } from "./authentication/authenticate.ts";
import { dialogFromResponse } from "./dialog/dialog.ts";
import { DialogPeer } from "./dialog/dialog-peer.ts";
import type { DialogRecord, InviteRecord } from "./dialog/dialog-record.ts";
import { branchOfSending, buildCancel, INVITE_SENDINGS_MAX } from "./invite/invite-attempts.ts";
import { type HeaderLine, NO_BODY, type ReceivedResponse, type SipRequest } from "./message/message.ts";
import { branchOf } from "./message/via.ts";
import type { RequestResult } from "./send-request.ts";
import { publicSentBy, type SipTrunk } from "./sip-trunk.ts";
import { acknowledgeRefusal } from "./transaction/acknowledge.ts";

/** The dead owner may have sent requests after it wrote the dialog down; ours must bear a higher number than those. */
const CSEQ_LEAP = 1_000;

/** Ends an answered call whose owner died. True when the peer confirmed that it is over, or that it knows no such call. */
export function endLostDialog(core: AgentCore, trunk: SipTrunk, record: DialogRecord): Promise<boolean> {
  const { dialog, inviteCSeq, hop } = record;
  const way = { firstHop: hop, firstHopUri: null, ...publicSentBy(trunk) };
  const peer = new DialogPeer({ core, trunk, dialog, auth: NOT_CHALLENGED, ...way });
  // The owner may have died before its ACK; a peer that waits for it would keep repeating its answer.
  peer.acknowledge(inviteCSeq);
  return new Promise((resolve) => {
    const bye = { method: "BYE", cseqNumber: dialog.localCSeq + CSEQ_LEAP };
    peer.send(bye, (result) => resolve(isOver(result)));
  });
}

function isOver(result: RequestResult): boolean {
  if (result.kind !== "response") return false;
  const { status } = result.response;
  return status < 300 || status === 481 || status === 404 || status === 410;
}

/**
 * Cancels an INVITE whose owner died before it was answered. How often it was sent is not known, so that every sending is
 * cancelled: one of them rings, and for the others the peer has forgotten the branch. True when all were answered.
 */
export async function cancelLostInvite(core: AgentCore, record: InviteRecord): Promise<boolean> {
  const invite = rebuildInvite(record);
  const results = await Promise.all(
    Array.from({ length: INVITE_SENDINGS_MAX }, (_, index) => cancelSending(core, record, invite, index + 1)),
  );
  return results.every(Boolean);
}

function cancelSending(
  core: AgentCore,
  record: InviteRecord,
  invite: SipRequest,
  cseqNumber: number,
): Promise<boolean> {
  const options = { branch: branchOfSending(record.branchBase, cseqNumber), sentBy: record.sentBy };
  return new Promise((resolve) => {
    const owner = {
      onFailure: () => resolve(false),
      onResponse: ({ status }: { status: number }) => status >= 200 && resolve(true),
    };
    core.layer.request(buildCancel(invite, cseqNumber), record.hop, owner, options);
  });
}

/** A phone rings because of an abandoned INVITE. RFC 3261 section 9.1: now it may be cancelled. */
export function cancelLateRinging(core: AgentCore, record: InviteRecord, response: ReceivedResponse): void {
  cancelSending(core, record, rebuildInvite(record), response.essentials.cseq.number).catch(core.reportError);
}

/**
 * A final response to an INVITE whose owner died reaches us when we took over its port. A refusal is acknowledged; an
 * answer that crossed the CANCEL is acknowledged and ended.
 */
export function settleLateFinal(
  core: AgentCore,
  trunk: SipTrunk,
  record: InviteRecord,
  response: ReceivedResponse,
): void {
  const invite = rebuildInvite(record);
  const { via, cseq } = response.essentials;
  const branch = branchOf(via) ?? core.layer.newBranch();
  if (response.status >= 300) {
    core.layer.requestOnce(acknowledgeRefusal(invite, response), record.hop, { branch, sentBy: record.sentBy });
    return;
  }
  const dialog = dialogFromResponse(invite, response);
  if (dialog === null) return;
  const way = { firstHop: record.hop, firstHopUri: null, ...publicSentBy(trunk) };
  const peer = new DialogPeer({ core, trunk, dialog, auth: NOT_CHALLENGED, ...way });
  peer.acknowledge(cseq.number);
  peer.send({ method: "BYE" }, () => undefined);
}

/** As much of the INVITE as its CANCEL and ACK repeat. */
function rebuildInvite(record: InviteRecord): SipRequest {
  const headers: HeaderLine[] = [
    ...record.routeSet.map((route): HeaderLine => ["Route", route]),
    ["Max-Forwards", "70"],
    ["From", `${record.localAddress};tag=${record.localTag}`],
    ["To", record.remoteAddress],
    ["Call-ID", record.callId],
  ];
  return { kind: "request", method: "INVITE", uri: record.requestUri, headers, body: NO_BODY };
}
