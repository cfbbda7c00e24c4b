import type { Line } from "@parley/voice/ports/line";
import type { LineMedia, LineRequest } from "./conversation-messages.ts";

/** The line of a call as its conversation sees it from another thread: what it asks for is sent to whoever has the leg. */
export class ThreadLine implements Line {
  readonly heard: SharedArrayBuffer;
  readonly played: SharedArrayBuffer;
  readonly playout: LineMedia["playout"];
  readonly #ask: (request: LineRequest) => void;
  #roundTripMs: number | null = null;

  constructor({ heard, played, playout }: LineMedia, ask: (request: LineRequest) => void) {
    this.heard = heard;
    this.played = played;
    this.playout = playout;
    this.#ask = ask;
  }

  setRoundTripMs(roundTripMs: number | null): void {
    this.#roundTripMs = roundTripMs;
  }

  roundTripMs(): number | null {
    return this.#roundTripMs;
  }

  sendDtmf(keys: string): void {
    this.#ask({ type: "send_dtmf", keys });
  }

  transfer(transfer: Parameters<Line["transfer"]>[0]): void {
    this.#ask({ type: "transfer", transfer });
  }

  hangup(): void {
    this.#ask({ type: "hang_up" });
  }
}
