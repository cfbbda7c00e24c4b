import type { CallLeg, LegEvent, LegMedia, LegStatistics, TransferRequest } from "../carrier.ts";
import type { Clock } from "../clock.ts";
import { lost } from "../leg-end.ts";
import { LegEvents, type ListenerErrorReporter } from "../leg-events.ts";
import { checkKeys } from "./check-keys.ts";
import { LegMemory } from "./leg-memory.ts";

export interface RemoteLegParts {
  readonly dialId: string;
  readonly clock: Clock;
  /** How long the network may take to confirm a hangup. */
  readonly patienceMs: number;
  readonly onListenerError: ListenerErrorReporter | undefined;
  readonly sendHangup: () => void;
  readonly onEnded: () => void;
}

/** Our side of a leg that lives in another process. */
export class RemoteLeg implements CallLeg {
  readonly dialId: string;
  readonly #memory = new LegMemory();
  readonly #parts: RemoteLegParts;
  readonly #events: LegEvents;
  readonly #ended = Promise.withResolvers<void>();
  #cancelPatience: (() => void) | null = null;

  constructor(parts: RemoteLegParts) {
    this.dialId = parts.dialId;
    this.#parts = parts;
    this.#events = new LegEvents(parts.dialId, parts.onListenerError);
  }

  get media(): LegMedia {
    return this.#memory.media;
  }

  onEvent(listener: (event: LegEvent) => void): () => void {
    return this.#events.onEvent(listener);
  }

  hangup(): Promise<void> {
    if (!this.#events.hasEnded && this.#cancelPatience === null) {
      const giveUp = () => this.report(lost("The simulated network did not confirm the hangup in time."));
      this.#cancelPatience = this.#parts.clock.setTimer(this.#parts.patienceMs, giveUp);
      this.#parts.sendHangup();
    }
    return this.#ended.promise;
  }

  sendDtmf(keys: string): void {
    checkKeys(keys);
  }

  transfer({ how }: TransferRequest): void {
    const mode = how === "bridge" ? "bridge" : "refer";
    this.report({ type: "transferProgress", how: mode, state: "failed", code: 501, reason: "Not Implemented" });
  }

  async statistics(): Promise<LegStatistics | null> {
    return null;
  }

  report(event: LegEvent): void {
    if (this.#events.hasEnded) return;
    this.#events.emit(event);
    if (event.type !== "ended") return;
    this.#cancelPatience?.();
    this.#parts.onEnded();
    this.#ended.resolve();
  }
}
