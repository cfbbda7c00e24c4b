import type { LegEvent, TransferProgress, TransferRequest } from "../carrier.ts";
import type { TransferNews } from "../sip/invite-events.ts";
import { NO_TRANSFER, stepTransfer, type TransferEffect, type TransferInput } from "./transfer-machine.ts";

/** The second leg of a bridge. */
export interface Party {
  onEvent(listener: (event: LegEvent) => void): () => void;
  hangup(): Promise<void>;
}

export interface LegTransfersParts<Joined extends Party> {
  readonly report: (progress: TransferProgress) => void;
  readonly refer: (to: string) => void;
  /** Rejects when nothing could be sent. */
  readonly placeParty: (request: TransferRequest) => Promise<Joined>;
  readonly join: (party: Joined) => void;
  readonly endLeg: (reason: string) => void;
  readonly reportError: (error: unknown) => void;
}

/** Carries out the transfers of one leg. */
export class LegTransfers<Joined extends Party> {
  readonly #parts: LegTransfersParts<Joined>;
  #state = NO_TRANSFER;
  #party: Joined | null = null;

  constructor(parts: LegTransfersParts<Joined>) {
    this.#parts = parts;
  }

  ask(request: TransferRequest, isTalking: boolean): void {
    this.#input({ type: "asked", request, isTalking });
  }

  hear(news: TransferNews): void {
    this.#input({ type: "news", news });
  }

  /** Before the leg reports its end, so that nothing follows that. */
  legEnded(): void {
    this.#input({ type: "leg_ended" });
  }

  #input(input: TransferInput): void {
    const [next, effects] = stepTransfer(this.#state, input);
    this.#state = next;
    for (const effect of effects) this.#carryOut(effect);
  }

  #carryOut(effect: TransferEffect): void {
    switch (effect.do) {
      case "report":
        return this.#parts.report(effect.progress);
      case "refer":
        return this.#parts.refer(effect.to);
      case "place_party":
        this.#place(effect.request).catch(this.#parts.reportError);
        return;
      case "join":
        if (this.#party !== null) this.#parts.join(this.#party);
        return;
      case "drop_party":
        this.#party?.hangup().catch(this.#parts.reportError);
        return;
      case "end_leg":
        return this.#parts.endLeg(effect.reason);
    }
  }

  async #place(request: TransferRequest): Promise<void> {
    let party: Joined;
    try {
      party = await this.#parts.placeParty(request);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#input({ type: "party_ended", end: { code: null, reason } });
      return;
    }
    if (this.#state.name !== "bridging") {
      await party.hangup();
      return;
    }
    this.#party = party;
    party.onEvent((event) => this.#follow(event));
  }

  #follow(event: LegEvent): void {
    if (event.type === "ringing") this.#input({ type: "party_rang" });
    else if (event.type === "answered") this.#input({ type: "party_answered" });
    else if (event.type === "ended") this.#input({ type: "party_ended", end: event });
  }
}
