import { ClipStore } from "@parley/audio/clip-store";
import { createPlayout } from "@parley/audio/playout-layout";
import { PlayoutPlayer } from "@parley/audio/playout-player";
import { PlayoutQueue } from "@parley/audio/playout-queue";
import { createRing, RingWriter } from "@parley/audio/ring";
import { RingReader } from "@parley/audio/ring-reader";
import { createRandom, type Random } from "@parley/audio/testing/random";
import type { MediaAddress } from "../media/media-address.ts";
import { type MediaEvent, MediaLeg } from "../media/media-leg.ts";
import type { MediaSetup } from "../media/media-setup.ts";
import { type DatagramSink, SENT_BYTES_MAX } from "../sockets/media-sockets.ts";

/** How a network treats packets. All shares are from 0 to 1. */
export interface PathConditions {
  seed: number;
  delayMs?: number;
  /** Deviation of a one-sided bell added to the delay. */
  jitterMs?: number;
  /** Occasionally everything stalls for this long. */
  stallShare?: number;
  stallMs?: number;
  lossShare?: number;
  /** Packets lost in a row, on average. */
  lossBurst?: number;
  reorderShare?: number;
  duplicateShare?: number;
}

interface InFlight<T> {
  item: T;
  arrivalMs: number;
}

/** One direction of a network, on the clock of the test. */
export class SimulatedPath<T> {
  readonly #conditions: Required<PathConditions>;
  readonly #random: Random;
  #inFlight: InFlight<T>[] = [];
  #lastArrivalMs = 0;
  #isLosing = false;
  lost = 0;

  constructor(conditions: PathConditions) {
    this.#conditions = {
      delayMs: 30,
      jitterMs: 0,
      stallShare: 0,
      stallMs: 0,
      lossShare: 0,
      lossBurst: 1,
      reorderShare: 0,
      duplicateShare: 0,
      ...conditions,
    };
    this.#random = createRandom(conditions.seed);
  }

  send(item: T, nowMs: number): void {
    const { delayMs, jitterMs, stallShare, stallMs, reorderShare, duplicateShare } = this.#conditions;
    if (this.#loses()) {
      this.lost += 1;
      return;
    }
    let arrivalMs = nowMs + delayMs + Math.abs(this.#random.normal()) * jitterMs;
    if (this.#random.next() < stallShare) arrivalMs += stallMs;
    // A queue keeps the order, so a stall delays everything behind it; only a second path changes it.
    if (this.#random.next() < reorderShare) arrivalMs += 30;
    else {
      arrivalMs = Math.max(arrivalMs, this.#lastArrivalMs);
      this.#lastArrivalMs = arrivalMs;
    }
    this.#inFlight.push({ item, arrivalMs });
    if (this.#random.next() < duplicateShare) this.#inFlight.push({ item, arrivalMs: arrivalMs + 1 });
  }

  /** Hands over, in the order of arrival, all that is there by now. */
  deliver(nowMs: number, receive: (item: T, arrivalMs: number) => void): void {
    const due = this.#inFlight.filter(({ arrivalMs }) => arrivalMs <= nowMs);
    if (due.length === 0) return;
    this.#inFlight = this.#inFlight.filter(({ arrivalMs }) => arrivalMs > nowMs);
    due.sort((a, b) => a.arrivalMs - b.arrivalMs);
    for (const { item, arrivalMs } of due) receive(item, arrivalMs);
  }

  /** Gilbert's model: a good and a bad state, with the wanted share and length of the bad one. */
  #loses(): boolean {
    const { lossShare, lossBurst } = this.#conditions;
    if (this.#isLosing) this.#isLosing = this.#random.next() >= 1 / lossBurst;
    else this.#isLosing = this.#random.next() < lossShare / (1 - lossShare) / lossBurst;
    return this.#isLosing;
  }
}

interface Datagram {
  bytes: Buffer;
  isControl: boolean;
  from: MediaAddress;
}

/** One end of a simulated call, with all that the rest of the service would see of it. */
export interface PairedLeg {
  leg: MediaLeg;
  address: MediaAddress;
  events: MediaEvent[];
  queue: PlayoutQueue;
  /** Plays a recording, immediately when nothing else is playing. */
  say(samples: Int16Array): void;
  /** All that was heard and played since the last call of either. */
  takeHeard(): Int16Array;
  takePlayed(): Int16Array;
  heardHasEnded(): boolean;
}

export interface LegPair {
  left: PairedLeg;
  right: PairedLeg;
  readonly nowMs: number;
  /** Lets time pass: both ends tick every 20 ms, 7 ms apart. */
  run(durationMs: number): void;
  /** Throws a datagram at the left end. */
  injectLeft(bytes: Buffer, from: MediaAddress): void;
}

export function setupTowards(remote: MediaAddress, changes: Partial<MediaSetup> = {}): MediaSetup {
  return {
    remote,
    remoteControl: { host: remote.host, port: remote.port + 1 },
    isFinal: true,
    direction: "sendrecv",
    codec: "PCMU",
    payloadType: 0,
    dtmfPayloadType: 101,
    srtp: null,
    ...changes,
  };
}

export function createLegPair(
  toRight: PathConditions,
  toLeft: PathConditions = { ...toRight, seed: toRight.seed + 1 },
): LegPair {
  const pathToRight = new SimulatedPath<Datagram>(toRight);
  const pathToLeft = new SimulatedPath<Datagram>(toLeft);
  let nowMs = 0;
  const left = createEnd({ host: "192.0.2.1", port: 4000 }, 0x11111111, 65_400, pathToRight, () => nowMs);
  const right = createEnd({ host: "192.0.2.2", port: 5000 }, 0x22222222, 7, pathToLeft, () => nowMs);
  return {
    left,
    right,
    get nowMs() {
      return nowMs;
    },
    run(durationMs) {
      for (const endMs = nowMs + durationMs; nowMs < endMs; nowMs++) {
        pathToRight.deliver(nowMs, (datagram, arrivalMs) => handOver(right.leg, datagram, arrivalMs));
        pathToLeft.deliver(nowMs, (datagram, arrivalMs) => handOver(left.leg, datagram, arrivalMs));
        if (nowMs % 20 === 0) left.leg.tick(nowMs);
        if (nowMs % 20 === 7) right.leg.tick(nowMs);
      }
    },
    injectLeft: (bytes, { host, port }) => left.leg.receive(bytes, bytes.length, host, port, nowMs),
  };
}

function handOver(leg: MediaLeg, { bytes, isControl, from }: Datagram, arrivalMs: number): void {
  const copy = Buffer.from(bytes);
  if (isControl) leg.receiveControl(copy, copy.length, from.host, arrivalMs);
  else leg.receive(copy, copy.length, from.host, from.port, arrivalMs);
}

function createEnd(
  address: MediaAddress,
  ssrc: number,
  firstSequence: number,
  path: SimulatedPath<Datagram>,
  now: () => number,
): PairedLeg {
  const playoutHandle = createPlayout({ storeSamples: 1_200_000 });
  const heardRing = createRing(2_000_000);
  const playedRing = createRing(2_000_000);
  const heard = new RingReader(heardRing);
  const played = new RingReader(playedRing);
  const queue = new PlayoutQueue(playoutHandle);
  const store = new ClipStore(playoutHandle);
  const events: MediaEvent[] = [];
  const random = createRandom(ssrc);
  const buffer = Buffer.alloc(SENT_BYTES_MAX);
  const createSink = (isControl: boolean): DatagramSink => ({
    takeBuffer: () => buffer,
    send: (bytes, length) =>
      path.send({ bytes: Buffer.from(bytes.subarray(0, length)), isControl, from: address }, now()),
  });
  const leg = new MediaLeg({
    heard: new RingWriter(heardRing),
    played: new RingWriter(playedRing),
    playout: new PlayoutPlayer(playoutHandle),
    stream: { ssrc, firstSequence, firstTimestamp: 0xffff_0000 },
    cname: `leg-${ssrc}`,
    wallOffsetMs: 1_700_000_000_000,
    rtp: createSink(false),
    rtcp: createSink(true),
    report: (event) => events.push(event),
    random: () => random.next(),
  });
  const take = (reader: RingReader) => {
    const samples = new Int16Array(reader.availableSamples);
    reader.read(samples);
    return samples;
  };
  return {
    leg,
    address,
    events,
    queue,
    say(samples) {
      const offset = store.put(samples);
      if (offset === null || !queue.enqueue(1, offset, samples.length)) throw new Error("no room for the recording");
    },
    takeHeard: () => take(heard),
    takePlayed: () => take(played),
    heardHasEnded: () => heard.isEnded,
  };
}
