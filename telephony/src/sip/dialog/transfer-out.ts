import type { AgentCore } from "../agent-core.ts";
import type { InviteEvent } from "../invite/invite-events.ts";
import type { HeaderLine, ReceivedRequest } from "../message/message.ts";
import { contentType, headerWithParams } from "../message/read-headers.ts";
import type { DialogPeer } from "./dialog-peer.ts";

export interface TransferOutDeps {
  readonly core: AgentCore;
  readonly peer: DialogPeer;
  readonly contact: () => string;
  readonly emit: (event: InviteEvent) => void;
}

/** How long a transfer may take until its outcome is reported. */
const OUTCOME_MAX_MS = 180_000;

/** RFC 3515: asks the peer to call another party instead of us, and follows the progress. One at a time. */
export class TransferOut {
  readonly #deps: TransferOutDeps;
  #stopWaiting: (() => void) | null = null;

  constructor(deps: TransferOutDeps) {
    this.#deps = deps;
  }

  start(target: string, headers: readonly HeaderLine[]): void {
    const { core, peer, contact, emit } = this.#deps;
    if (this.#stopWaiting !== null) {
      emit({ type: "transfer", status: 491, reason: "Request Pending", isFinal: true, isReported: false });
      return;
    }
    this.#stopWaiting = core.clock.setTimer(OUTCOME_MAX_MS, () => {
      this.#report(408, "no outcome was reported", true, false);
    });
    const lines: readonly HeaderLine[] = [["Refer-To", `<${target}>`], ["Contact", contact()], ...headers];
    peer.send({ method: "REFER", headers: lines }, (result) => {
      if (result.kind !== "response") this.#report(408, "the request was not answered", true, false);
      else if (result.response.status >= 300) this.#report(result.response.status, result.response.reason, true);
    });
  }

  /** Takes a NOTIFY of the peer and says how to answer it. */
  notified(request: ReceivedRequest): number {
    if (!isTransferNotice(request)) return 489;
    const progress = readTransferNotice(request);
    if (progress !== null) this.#report(progress.status, progress.reason, progress.isFinal, progress.isReported);
    return 200;
  }

  stop(): void {
    this.#stopWaiting?.();
    this.#stopWaiting = null;
  }

  #report(status: number, reason: string, isFinal: boolean, isReported = true): void {
    if (this.#stopWaiting === null) return;
    if (isFinal) this.stop();
    this.#deps.emit({ type: "transfer", status, reason, isFinal, isReported });
  }
}

interface TransferProgress {
  readonly status: number;
  readonly reason: string;
  readonly isFinal: boolean;
  /** False for a notice that is the last and yet does not say how it went. */
  readonly isReported: boolean;
}

const NOT_REPORTED: TransferProgress = {
  status: 408,
  reason: "the outcome was not reported",
  isFinal: true,
  isReported: false,
};

/** Whether this NOTIFY is about a REFER (RFC 3515 section 2.4.4). */
function isTransferNotice(request: ReceivedRequest): boolean {
  return headerWithParams(request, "Event")?.value.toLowerCase() === "refer";
}

/**
 * RFC 3515 section 2.4.5: the body is the first line of the response the transferred party got. Null for a notice that
 * is redundant.
 */
function readTransferNotice(request: ReceivedRequest): TransferProgress | null {
  const isOver = headerWithParams(request, "Subscription-State")?.value.toLowerCase() === "terminated";
  const isFragment = contentType(request).startsWith("message/sipfrag");
  const match = isFragment ? /^SIP\/2\.0 ([1-6]\d\d)(?: ([^\r\n]*))?/.exec(request.body.toString()) : null;
  if (match === null) return isOver ? NOT_REPORTED : null;
  const status = Number(match[1]);
  if (isOver && status < 200) return NOT_REPORTED;
  return { status, reason: match[2]?.trim() ?? "", isFinal: status >= 200, isReported: true };
}
