import { copySamples, createFrame, samplesIn } from "@parley/audio/frame";
import { PlayoutPlayer } from "@parley/audio/playout-player";
import { RingWriter } from "@parley/audio/ring";
import type { Clock } from "@parley/time/clock";
import type { CallLeg, LegEvent, LegMedia, LegStatistics, TransferRequest } from "../carrier.ts";
import { checkKeys } from "../check-keys.ts";
import { lost } from "../leg-end.ts";
import { LegEvents, type ListenerErrorReporter } from "../leg-events.ts";
import { LegMemory } from "../leg-memory.ts";
import { DtmfSender } from "../rtp/dtmf/dtmf-sender.ts";
import { type AudioPayload, decodeAudio, encodeAudio } from "./audio/audio-payload.ts";
import type { AudioTick, Ticking } from "./audio/audio-tick.ts";
import { AUDIO_BATCH_MS, AUDIO_CUSHION_MS } from "./network-protocol.ts";
import type { PlainTransfer } from "./read-message.ts";

/** What can be asked of the far side of a leg. */
type FarRequest =
  | { readonly type: "hangup" }
  | { readonly type: "keys"; readonly keys: string }
  | { readonly type: "transfer"; readonly transfer: PlainTransfer }
  | ({ readonly type: "audio" } & AudioPayload);

export interface RemoteLegDeps {
  readonly dialId: string;
  readonly clock: Clock;
  /** Ticks the audio of all legs of a connection. */
  readonly tick: AudioTick;
  /** How long the network may take to confirm a hangup. */
  readonly patienceMs: number;
  readonly onListenerError: ListenerErrorReporter | undefined;
  readonly send: (request: FarRequest) => void;
  /** Null when the network does not say in time. */
  readonly askStatistics: () => Promise<LegStatistics | null>;
  readonly onEnded: () => void;
}

/** Our side of a leg that lives in another process. */
export class RemoteLeg implements CallLeg {
  readonly dialId: string;
  readonly #deps: RemoteLegDeps;
  readonly #events: LegEvents;
  readonly #memory = new LegMemory();
  readonly #ended = Promise.withResolvers<void>();
  #cancelPatience: (() => void) | null = null;
  #audio: RemoteAudio | null = null;
  #stopTicking: (() => void) | null = null;
  #isAnswered = false;
  #lastStatistics: LegStatistics | null = null;

  constructor(deps: RemoteLegDeps) {
    this.dialId = deps.dialId;
    this.#deps = deps;
    this.#events = new LegEvents(deps.dialId, deps.onListenerError);
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
      this.#cancelPatience = this.#deps.clock.setTimer(this.#deps.patienceMs, giveUp);
      this.#deps.send({ type: "hangup" });
    }
    return this.#ended.promise;
  }

  sendDtmf(keys: string): void {
    checkKeys(keys);
    if (!this.#isAnswered || this.#events.hasEnded || keys === "") return;
    this.#audio?.sendDtmf(keys);
    this.#deps.send({ type: "keys", keys });
  }

  transfer({ to, how, dialId, ringTimeoutMs }: TransferRequest): void {
    if (!this.#isAnswered || this.#events.hasEnded) return;
    this.#deps.send({ type: "transfer", transfer: { to, how, dialId, ringTimeoutMs } });
  }

  async statistics(): Promise<LegStatistics | null> {
    if (this.#events.hasEnded) return this.#lastStatistics;
    const asked = await this.#deps.askStatistics();
    // The leg may have ended meanwhile, and the network has forgotten it.
    return asked ?? this.#lastStatistics;
  }

  takeAudio(of: "heard" | "played", payload: AudioPayload): void {
    this.#audio?.take(of, decodeAudio(payload));
  }

  report(event: LegEvent, statistics: LegStatistics | null = null): void {
    if (this.#events.hasEnded) return;
    this.#follow(event);
    this.#events.emit(event);
    if (event.type !== "ended") return;
    this.#lastStatistics = statistics;
    this.#stopTicking?.();
    this.#memory.close();
    this.#cancelPatience?.();
    this.#deps.onEnded();
    this.#ended.resolve();
  }

  #follow(event: LegEvent): void {
    if (event.type === "early_media") this.#startAudio();
    if (event.type === "answered") {
      this.#isAnswered = true;
      this.#audio?.answer();
    }
    if (event.type === "transfer_progressed" && event.how === "bridge" && event.state === "completed") {
      this.#audio?.bridge();
    }
  }

  #startAudio(): void {
    const { tick, send } = this.#deps;
    if (this.#audio !== null) return;
    const audio = new RemoteAudio({
      media: this.media,
      batchMs: AUDIO_BATCH_MS,
      cushionMs: AUDIO_CUSHION_MS,
      send: (batch) => send({ type: "audio", ...encodeAudio(batch) }),
    });
    this.#audio = audio;
    this.#stopTicking = tick.join(audio);
  }
}

export interface RemoteAudioDeps {
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
export class RemoteAudio implements Ticking {
  readonly #deps: RemoteAudioDeps;
  readonly #heardRing: RingWriter;
  readonly #playedRing: RingWriter;
  readonly #playout: PlayoutPlayer;
  readonly #heardInbox: AudioInbox;
  readonly #keys = new DtmfSender();
  readonly #heard = createFrame();
  readonly #played = createFrame();
  readonly #batch: Int16Array;
  #batched = 0;
  #playedInbox: AudioInbox | null = null;
  #isAnswered = false;
  #position = 0;

  constructor(deps: RemoteAudioDeps) {
    this.#deps = deps;
    this.#heardRing = new RingWriter(deps.media.heard);
    this.#playedRing = new RingWriter(deps.media.played);
    this.#playout = new PlayoutPlayer(deps.media.playout);
    this.#heardInbox = new AudioInbox(deps.cushionMs);
    this.#batch = new Int16Array(samplesIn(deps.batchMs));
  }

  /** From here on queued audio is sent. */
  answer(): void {
    this.#isAnswered = true;
  }

  /** From now on the callee hears another party, which is also in the played audio. */
  bridge(): void {
    this.#playedInbox ??= new AudioInbox(this.#deps.cushionMs);
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
export class AudioInbox {
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
