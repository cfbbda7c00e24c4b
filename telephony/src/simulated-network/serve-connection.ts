import { once } from "node:events";
import type { Socket } from "node:net";
import { ClipStore } from "@parley/audio/clip-store";
import { samplesIn } from "@parley/audio/frame";
import { PlayoutQueue } from "@parley/audio/playout-queue";
import { RingReader } from "@parley/audio/ring-reader";
import type { Clock } from "@parley/time/clock";
import type { CallLeg, LegEvent } from "../carrier.ts";
import { decodeAudio, encodeAudio } from "./audio/audio-payload.ts";
import { createLineReader } from "./line-reader.ts";
import {
  AUDIO_BATCH_MS,
  AUDIO_CUSHION_MS,
  encodeLine,
  LINE_MAX_BYTES,
  type NetworkReply,
  type NetworkRequest,
  parseRequest,
} from "./network-protocol.ts";
import type { SimulatedNetwork } from "./simulated-network.ts";

/** A worker that does not read is cut off here. Its legs continue, as they do whenever a worker is lost. */
const UNREAD_MAX_BYTES = 16 * 1024 * 1024;

/** Serves one worker until its connection closes. The legs it placed stay with the network. */
export function serveConnection(socket: Socket, network: SimulatedNetwork, clock: Clock): void {
  const legs = new Map<number, Promise<CallLeg>>();
  const sounds = new Map<number, ServedAudio>();
  let cancelCollecting: (() => void) | null = null;
  let reports: Promise<void> = Promise.resolve();
  let reportsDue = 0;

  function send(reply: NetworkReply): void {
    if (!socket.writable) return;
    socket.write(encodeLine(reply));
    if (socket.writableLength > UNREAD_MAX_BYTES) socket.destroy();
  }

  async function place({ leg: number, dial }: Extract<NetworkRequest, { type: "place" }>): Promise<void> {
    const placing = network.place(dial);
    legs.set(number, placing);
    const leg = await placing;
    leg.onEvent((event) => {
      if (event.type === "ended") void reportEnd(number, leg, event);
      else {
        followAudio(number, leg, event);
        send({ type: "leg", leg: number, event });
      }
    });
  }

  async function reportEnd(number: number, leg: CallLeg, event: LegEvent): Promise<void> {
    legs.delete(number);
    sendAudio(number);
    sounds.delete(number);
    send({ type: "leg", leg: number, event, statistics: await leg.statistics() });
  }

  function followAudio(number: number, leg: CallLeg, event: LegEvent): void {
    if (event.type === "early_media" && socket.writable) {
      sounds.set(number, new ServedAudio(leg, AUDIO_CUSHION_MS));
      cancelCollecting ??= clock.setTimer(AUDIO_BATCH_MS, collectAudio);
    }
    if (event.type === "transfer_progressed" && event.how === "bridge" && event.state === "completed") {
      sounds.get(number)?.bridge();
    }
  }

  function sendAudio(number: number): void {
    sounds.get(number)?.collect((of, batch) => send({ type: "audio", leg: number, of, ...encodeAudio(batch) }));
  }

  function collectAudio(): void {
    for (const number of sounds.keys()) sendAudio(number);
    cancelCollecting = sounds.size === 0 ? null : clock.setTimer(AUDIO_BATCH_MS, collectAudio);
  }

  async function report(request: number): Promise<void> {
    for (const record of network.dialed()) {
      if (!socket.writable) return;
      socket.write(encodeLine({ type: "record", request, record }));
      if (socket.writableNeedDrain) await drainedOrClosed(socket);
    }
    send({ type: "report", request, counts: network.counts() });
  }

  /** One report at a time, and nothing is read meanwhile: asking faster than reading cannot fill the memory. */
  async function reportInTurn(request: number): Promise<void> {
    socket.pause();
    reportsDue += 1;
    reports = reports.then(() => report(request));
    await reports;
    reportsDue -= 1;
    if (reportsDue === 0) socket.resume();
  }

  async function serve(request: NetworkRequest): Promise<void> {
    switch (request.type) {
      case "place":
        if (legs.has(request.leg)) send({ type: "error", message: "This leg number is taken." });
        else await place(request);
        return;
      case "hangup":
        // A number that is not known belongs to a leg that has just ended.
        await (await legs.get(request.leg))?.hangup();
        return;
      case "keys":
        (await legs.get(request.leg))?.sendDtmf(request.keys);
        return;
      case "transfer":
        (await legs.get(request.leg))?.transfer(request.transfer);
        return;
      case "audio":
        sounds.get(request.leg)?.play(decodeAudio(request));
        return;
      case "statistics": {
        const statistics = (await (await legs.get(request.leg))?.statistics()) ?? null;
        send({ type: "statistics", request: request.request, statistics });
        return;
      }
      case "end_orphan":
        send({ type: "orphan", request: request.request, gone: await network.endOrphan(request.orphan) });
        return;
      case "report":
        await reportInTurn(request.request);
        return;
    }
  }

  function serveLine(line: string): void {
    const parsed = parseRequest(line);
    if (!parsed.isValid) {
      send(parsed.error);
      return;
    }
    serve(parsed.request).catch((error: unknown) => send({ type: "error", message: String(error) }));
  }

  const read = createLineReader({
    lineMaxBytes: LINE_MAX_BYTES,
    onLine: serveLine,
    onTooLong: () => send({ type: "error", message: `The line is longer than ${LINE_MAX_BYTES} bytes.` }),
  });
  socket.setNoDelay(true);
  socket.on("data", read);
  // A reset connection is a lost worker, which is an ordinary thing here: the close that follows is all it means.
  socket.on("error", () => socket.destroy());
  socket.on("close", () => {
    cancelCollecting?.();
    sounds.clear();
  });
}

async function drainedOrClosed(socket: Socket): Promise<void> {
  const stopWaiting = new AbortController();
  const { signal } = stopWaiting;
  try {
    await Promise.race([once(socket, "drain", { signal }), once(socket, "close", { signal })]);
  } finally {
    stopWaiting.abort();
  }
}

/** Beyond this it is better to lose what a worker says than to play it later and later. */
const QUEUED_MAX_SAMPLES = samplesIn(500);

const BATCH_MAX_SAMPLES = samplesIn(400);

/** The audio of a leg for its worker in another process, using only the rings and the queue of the leg. */
class ServedAudio {
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
