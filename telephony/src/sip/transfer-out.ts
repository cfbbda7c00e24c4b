import type { AgentCore } from "./agent-core.ts";
import type { DialogPeer } from "./dialog-peer.ts";
import type { InviteEvent } from "./invite-events.ts";
import type { HeaderLine, ReceivedRequest } from "./message.ts";
import { isTransferNotice, readTransferNotice } from "./transfer-progress.ts";

export interface TransferOutParts {
  readonly core: AgentCore;
  readonly peer: DialogPeer;
  readonly contact: () => string;
  readonly emit: (event: InviteEvent) => void;
}

/** How long a transfer may take until its outcome is told. */
const OUTCOME_MAX_MS = 180_000;

/** RFC 3515: asks the peer to call somebody else instead of us, and follows how that goes. One at a time. */
export class TransferOut {
  readonly #parts: TransferOutParts;
  #stopWaiting: (() => void) | null = null;

  constructor(parts: TransferOutParts) {
    this.#parts = parts;
  }

  start(target: string, headers: readonly HeaderLine[]): void {
    const { core, peer, contact, emit } = this.#parts;
    if (this.#stopWaiting !== null) {
      emit({ type: "transfer", status: 491, reason: "Request Pending", isFinal: true, isTold: false });
      return;
    }
    this.#stopWaiting = core.clock.setTimer(OUTCOME_MAX_MS, () => {
      this.#report(408, "no outcome was told", true, false);
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
    if (progress !== null) this.#report(progress.status, progress.reason, progress.isFinal, progress.isTold);
    return 200;
  }

  stop(): void {
    this.#stopWaiting?.();
    this.#stopWaiting = null;
  }

  #report(status: number, reason: string, isFinal: boolean, isTold = true): void {
    if (this.#stopWaiting === null) return;
    if (isFinal) this.stop();
    this.#parts.emit({ type: "transfer", status, reason, isFinal, isTold });
  }
}
