import { copySamples, createFrame, samplesIn } from "@parley/audio/frame";
import { PlayoutPlayer } from "@parley/audio/playout-player";
import { RingWriter } from "@parley/audio/ring";
import type { LegMedia } from "../../carrier.ts";
import { DtmfSender } from "../../rtp/dtmf-sender.ts";
import type { Ticking } from "./sound-tick.ts";

export interface RemoteSoundDeps {
  readonly media: LegMedia;
  readonly batchMs: number;
  readonly cushionMs: number;
  /** Sends the played audio. The batch is reused. */
  readonly send: (batch: Int16Array) => void;
}

/**
 * Our side of the audio of a leg that lives in another process. One tick writes received and played audio, as it does
 * for every leg; played audio is sent in batches.
 */
export class RemoteSound implements Ticking {
  readonly #deps: RemoteSoundDeps;
  readonly #heardRing: RingWriter;
  readonly #playedRing: RingWriter;
  readonly #playout: PlayoutPlayer;
  readonly #heardInbox: SoundInbox;
  readonly #keys = new DtmfSender();
  readonly #heard = createFrame();
  readonly #played = createFrame();
  readonly #batch: Int16Array;
  #batched = 0;
  #playedInbox: SoundInbox | null = null;
  #isAnswered = false;
  #position = 0;

  constructor(deps: RemoteSoundDeps) {
    this.#deps = deps;
    this.#heardRing = new RingWriter(deps.media.heard);
    this.#playedRing = new RingWriter(deps.media.played);
    this.#playout = new PlayoutPlayer(deps.media.playout);
    this.#heardInbox = new SoundInbox(deps.cushionMs);
    this.#batch = new Int16Array(samplesIn(deps.batchMs));
  }

  /** From here on queued audio is sent. */
  answer(): void {
    this.#isAnswered = true;
  }

  /** From now on the callee hears another party, which is also in the played audio. */
  bridge(): void {
    this.#playedInbox ??= new SoundInbox(this.#deps.cushionMs);
  }

  sendDtmf(keys: string): void {
    if (this.#isAnswered) this.#keys.press(keys);
  }

  take(of: "heard" | "played", batch: Int16Array): void {
    if (of === "heard") this.#heardInbox.push(batch);
    else this.#playedInbox?.push(batch);
  }

  tick(): void {
    this.#heardInbox.pull(this.#heard);
    this.#play();
    this.#heardRing.write(this.#heard);
    this.#playedRing.write(this.#played);
    this.#position += this.#heard.length;
  }

  #play(): void {
    const frame = this.#played;
    const isPressing = this.#isAnswered && this.#keys.next(this.#position) !== null;
    if (this.#playedInbox !== null) this.#playedInbox.pull(frame);
    else if (!this.#isAnswered || isPressing) frame.fill(0);
    else this.#playout.pull(frame, this.#position);
    // While a key is pressed the network holds what it has, as we do, and while it bridges it asks for nothing.
    if (this.#isAnswered && !isPressing && this.#playedInbox === null) this.#gather(frame);
  }

  #gather(frame: Int16Array): void {
    this.#batch.set(frame, this.#batched);
    this.#batched += frame.length;
    if (this.#batched < this.#batch.length) return;
    this.#batched = 0;
    this.#deps.send(this.#batch);
  }
}

/** Beyond this it is better to lose audio than to increase the delay. */
const KEPT_MAX_SAMPLES = samplesIn(500);
const KEPT_AFTER_LOSS_SAMPLES = samplesIn(200);

/**
 * Audio that arrives in batches and is read frame by frame. After an underrun it waits for a cushion to fill, so that a
 * batch that comes a little late is not heard as a gap.
 */
export class SoundInbox {
  readonly #cushionSamples: number;
  #batches: Int16Array[] = [];
  #takenOfFirst = 0;
  #kept = 0;
  #waitLeft: number;

  constructor(cushionMs: number) {
    this.#cushionSamples = samplesIn(cushionMs);
    this.#waitLeft = this.#cushionSamples;
  }

  push(batch: Int16Array): void {
    if (batch.length === 0) return;
    this.#batches.push(batch);
    this.#kept += batch.length;
    while (this.#kept > KEPT_MAX_SAMPLES && this.#batches.length > 1) this.#forgetFirst();
  }

  /** Overwrites the frame with what is next, or with silence. */
  pull(frame: Int16Array): void {
    frame.fill(0);
    if (this.#kept === 0) {
      this.#waitLeft = this.#cushionSamples;
      return;
    }
    if (this.#waitLeft > 0) {
      this.#waitLeft -= frame.length;
      return;
    }
    for (let at = 0; at < frame.length; ) {
      const first = this.#batches[0];
      if (first === undefined) return;
      const count = Math.min(frame.length - at, first.length - this.#takenOfFirst);
      copySamples(first, this.#takenOfFirst, frame, at, count);
      this.#takenOfFirst += count;
      this.#kept -= count;
      at += count;
      if (this.#takenOfFirst === first.length) this.#next();
    }
  }

  #forgetFirst(): void {
    while (this.#kept > KEPT_AFTER_LOSS_SAMPLES && this.#batches.length > 1) {
      this.#kept -= (this.#batches[0]?.length ?? 0) - this.#takenOfFirst;
      this.#next();
    }
  }

  #next(): void {
    this.#batches.shift();
    this.#takenOfFirst = 0;
  }
}
