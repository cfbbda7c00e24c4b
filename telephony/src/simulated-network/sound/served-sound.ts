import { ClipStore } from "@parley/audio/clip-store";
import { samplesIn } from "@parley/audio/frame";
import { PlayoutQueue } from "@parley/audio/playout-queue";
import { RingReader } from "@parley/audio/ring-reader";
import type { CallLeg } from "../../carrier.ts";

/** Beyond this it is better to lose what a worker says than to play it later and later. */
const QUEUED_MAX_SAMPLES = samplesIn(500);

const BATCH_MAX_SAMPLES = samplesIn(400);

/** The audio of a leg for its worker in another process, using only the rings and the queue of the leg. */
export class ServedSound {
  readonly #heard: RingReader;
  readonly #store: ClipStore;
  readonly #queue: PlayoutQueue;
  readonly #cushion: Int16Array;
  readonly #leg: CallLeg;
  #played: RingReader | null = null;

  constructor(leg: CallLeg, cushionMs: number) {
    this.#leg = leg;
    this.#heard = new RingReader(leg.media.heard, 0);
    this.#store = new ClipStore(leg.media.playout);
    this.#queue = new PlayoutQueue(leg.media.playout);
    this.#cushion = new Int16Array(samplesIn(cushionMs));
  }

  /** Plays a batch after those before it. A queue that ran dry gets a cushion first. */
  play(batch: Int16Array): void {
    this.#takeReports();
    const waiting = this.#queue.waitingSamples();
    if (waiting > QUEUED_MAX_SAMPLES) return;
    if (waiting === 0) this.#enqueue(this.#cushion);
    this.#enqueue(batch);
  }

  /** From now on the callee hears another party, which is sent as well. */
  bridge(): void {
    this.#played ??= new RingReader(this.#leg.media.played);
  }

  /** Hands over what came since the last time. */
  collect(visit: (of: "heard" | "played", batch: Int16Array) => void): void {
    this.#takeReports();
    for (const batch of takeAll(this.#heard)) visit("heard", batch);
    if (this.#played !== null) for (const batch of takeAll(this.#played)) visit("played", batch);
  }

  #enqueue(samples: Int16Array): void {
    if (samples.length === 0) return;
    const offset = this.#store.put(samples);
    if (offset !== null && !this.#queue.enqueue(0, offset, samples.length)) this.#store.free(offset);
  }

  #takeReports(): void {
    this.#queue.takeReports(({ offset }) => this.#store.free(offset));
  }
}

/** In batches that fit into a line, however late we are. */
function* takeAll(reader: RingReader): Generator<Int16Array> {
  while (reader.availableSamples > 0) {
    const samples = new Int16Array(Math.min(reader.availableSamples, BATCH_MAX_SAMPLES));
    const count = reader.read(samples);
    if (count > 0) yield samples.subarray(0, count);
  }
}
