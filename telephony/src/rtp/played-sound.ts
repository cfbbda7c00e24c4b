import { DEFAULT_DTMF_PACE, dtmfSignal } from "@parley/audio/dtmf";
import { mixInto } from "@parley/audio/gain";
import type { PlayoutPlayer } from "@parley/audio/playout-player";
import { SignalPlayer } from "@parley/audio/signal";
import { heldKeyMs } from "./dtmf-sender.ts";

/**
 * The output of a leg: key tones, else queued audio, mixed with the audio of a joined leg. The two are mixed, because
 * precedence of the queue would swallow words of the other party, and precedence of the party would swallow a notice
 * that both must hear. Nothing is mixed into keys: a menu may not recognise them under a voice.
 */
export class PlayedSound {
  readonly #playout: PlayoutPlayer;
  readonly #keys: SignalPlayer[] = [];

  constructor(playout: PlayoutPlayer) {
    this.#playout = playout;
  }

  /** Keys that are pressed while others are still playing wait for them. */
  pressKeys(keys: string, keyMs: number = DEFAULT_DTMF_PACE.keyMs): void {
    if (keys === "") return;
    this.#keys.push(new SignalPlayer(dtmfSignal(keys, { ...DEFAULT_DTMF_PACE, keyMs: heldKeyMs(keyMs) })));
  }

  /** Overwrites the frame with what goes out at `position`. */
  fill(frame: Int16Array, position: number, joined: Int16Array | null): void {
    while (this.#keys[0] !== undefined) {
      if (this.#keys[0].fill(frame) > 0) return;
      this.#keys.shift();
    }
    const filled = this.#playout.pull(frame, position);
    if (joined === null) return;
    if (filled === 0) frame.set(joined);
    else mixInto(frame, joined);
  }
}
