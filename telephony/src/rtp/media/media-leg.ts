import { DtmfDetector } from "@parley/audio/detect/dtmf-detector";
import { DEFAULT_DTMF_PACE, dtmfSignal } from "@parley/audio/dtmf";
import { createFrame, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { mixInto } from "@parley/audio/gain";
import type { PlayoutPlayer } from "@parley/audio/playout-player";
import type { RingWriter } from "@parley/audio/ring";
import { SignalPlayer } from "@parley/audio/signal";
import type { ReceivedKey } from "../dtmf/dtmf-receiver.ts";
import { DtmfSender, heldKeyMs } from "../dtmf/dtmf-sender.ts";
import type { ReceptionAlarm } from "../far-reception.ts";
import { isRtcp } from "../packet.ts";
import { RtcpExchange } from "../rtcp-exchange.ts";
import { RtpReceiver } from "../rtp-receiver.ts";
import { RtpSender, type StreamStart } from "../rtp-sender.ts";
import type { DatagramSink } from "../sockets/media-sockets.ts";
import { LatchedSource } from "./latched-source.ts";
import type { MediaAddress } from "./media-address.ts";
import { expectsAudio, type MediaSetup, sendsAudio } from "./media-setup.ts";
import { type MediaStatistics, summarizeMedia } from "./media-statistics.ts";
import { type MediaAlarm, MediaWatch } from "./media-watch.ts";

export type MediaEvent =
  | { readonly type: "dtmf"; readonly key: string; readonly durationMs: number }
  | { readonly type: "source_locked"; readonly source: MediaAddress }
  | { readonly type: MediaAlarm }
  | ReceptionAlarm;

export interface MediaLegDeps {
  heard: RingWriter;
  played: RingWriter;
  playout: PlayoutPlayer;
  stream: StreamStart;
  cname: string;
  /** What to add to the clock of the ticks for milliseconds since 1970. */
  wallOffsetMs: number;
  rtp: DatagramSink;
  rtcp: DatagramSink;
  report: (event: MediaEvent) => void;
  random: () => number;
}

/**
 * The media of one leg, without sockets, threads or timers: their owner calls `tick` every 20 ms and `receive`
 * when a datagram came. One tick writes heard audio and sends played audio, so equal positions in the two rings are
 * equal instants.
 */
export class MediaLeg {
  readonly #deps: MediaLegDeps;
  readonly #sender: RtpSender;
  readonly #receiver: RtpReceiver;
  readonly #rtcp: RtcpExchange;
  readonly #source = new LatchedSource();
  readonly #watch = new MediaWatch();
  readonly #keys = new DtmfSender();
  readonly #keyTones: KeyTones;
  readonly #heardFrame = createFrame();
  readonly #playedFrame = createFrame();
  readonly #audio: PlayedAudio;
  #joined: MediaLeg | null = null;
  #setup: MediaSetup | null = null;
  #position = 0;
  #heardSincePosition: number | null = null;
  #isClosed = false;

  constructor(deps: MediaLegDeps) {
    this.#deps = deps;
    this.#sender = new RtpSender(deps.stream, deps.rtp);
    this.#audio = new PlayedAudio(deps.playout);
    this.#receiver = new RtpReceiver(({ key, durationMs }) => {
      deps.report({ type: "dtmf", key, durationMs });
      this.#joined?.sendDtmf(key, durationMs);
    });
    // A joined leg gets these as tones in the audio; an additional event would press them twice.
    this.#keyTones = new KeyTones(({ key, durationMs }) => deps.report({ type: "dtmf", key, durationMs }));
    this.#rtcp = new RtcpExchange({
      sender: this.#sender,
      receiver: this.#receiver,
      cname: deps.cname,
      wallOffsetMs: deps.wallOffsetMs,
      sink: () => (this.#setup?.remoteControl === null ? deps.rtp : deps.rtcp),
      onReception: deps.report,
      random: deps.random,
    });
  }

  /** Samples since the leg began, the same for both rings. */
  get position(): number {
    return this.#position;
  }

  /** A new SDP was agreed on: the first one, the answer, hold, another codec, another address, another key. */
  configure(setup: MediaSetup, nowMs: number): void {
    this.#setup = setup;
    this.#source.configure(setup);
    this.#sender.configure(setup);
    this.#receiver.configure(setup);
    this.#keyTones.configure(setup.dtmfPayloadType);
    this.#rtcp.configure(setup);
    this.#watch.expect(setup.isFinal && expectsAudio(setup.direction), nowMs);
    if (!sendsAudio(setup.direction)) this.#sender.pause();
  }

  /** A datagram on the RTP port. Its bytes may be changed. */
  receive(bytes: Uint8Array, length: number, host: string, port: number, nowMs: number): void {
    if (!this.#source.accepts(host, port)) return;
    if (isRtcp(bytes, length)) {
      this.#rtcp.receive(bytes, length, nowMs);
      return;
    }
    const reception = this.#receiver.receive(bytes, length, nowMs);
    if (reception === "dropped") return;
    this.#heardSincePosition ??= this.#position;
    const lockedOn = this.#source.follow(host, port);
    if (lockedOn !== null) this.#deps.report({ type: "source_locked", source: lockedOn });
    this.#raise(this.#watch.noteReception(nowMs, reception === "noise"));
  }

  /** A datagram on the RTCP port. */
  receiveControl(bytes: Uint8Array, length: number, host: string, nowMs: number): void {
    if (this.#source.acceptsControl(host)) this.#rtcp.receive(bytes, length, nowMs);
  }

  /** Presses keys as telephone events, or as tones where events were not negotiated. */
  sendDtmf(keys: string, keyMs?: number): void {
    if (this.#setup === null || this.#setup.dtmfPayloadType !== null) this.#keys.press(keys, keyMs);
    else this.#audio.pressKeys(keys, keyMs);
  }

  /**
   * From now on each of the two plays what the other hears, keys included, until one of them is joined with another, with
   * null, or closed. Both must tick on one clock: a tick plays the newest frame of the other, once.
   */
  join(other: MediaLeg | null): void {
    if (other === this) throw new RangeError("a leg cannot be joined with itself");
    this.#part();
    if (other !== null) other.#part();
    if (other === null || this.#isClosed || other.#isClosed) return;
    this.#joined = other;
    other.#joined = this;
  }

  tick(nowMs: number): void {
    if (this.#isClosed) return;
    this.#receiver.jitterBuffer.pull(this.#heardFrame, nowMs);
    this.#play();
    this.#deps.heard.write(this.#heardFrame);
    this.#deps.played.write(this.#playedFrame);
    this.#position += this.#playedFrame.length;
    this.#receiver.tick(nowMs);
    this.#keyTones.push(this.#heardFrame);
    this.#raise(this.#watch.tick(nowMs));
    const control = this.#source.controlTarget;
    if (control !== null) this.#rtcp.tick(nowMs, control);
  }

  /** Sends BYE and signals the readers of the rings that nothing more comes. */
  close(nowMs: number): void {
    if (this.#isClosed) return;
    this.#part();
    this.#isClosed = true;
    const control = this.#source.controlTarget;
    if (control !== null && this.#sender.packets > 0) this.#rtcp.send(nowMs, control, true);
    this.#setup = null;
    this.#sender.close();
    this.#receiver.close();
    this.#source.close();
    this.#deps.heard.close();
    this.#deps.played.close();
  }

  statistics(): MediaStatistics {
    return summarizeMedia({
      sender: this.#sender,
      receiver: this.#receiver,
      rtcp: this.#rtcp,
      heardSamples: this.#heardSincePosition === null ? 0 : this.#position - this.#heardSincePosition,
      foreignPackets: this.#source.foreignPackets,
    });
  }

  #part(): void {
    if (this.#joined !== null) this.#joined.#joined = null;
    this.#joined = null;
  }

  /** Queued audio waits while nothing may be sent: on hold, before there is an address, and while keys are pressed. */
  #play(): void {
    const frame = this.#playedFrame;
    const setup = this.#setup;
    const to = this.#source.target;
    if (setup === null || to === null || !sendsAudio(setup.direction)) {
      frame.fill(0);
      return;
    }
    const event = setup.dtmfPayloadType === null ? null : this.#keys.next(this.#sender.timestampAt(this.#position));
    if (event !== null && setup.dtmfPayloadType !== null) {
      frame.fill(0);
      this.#sender.sendEvent(event, setup.dtmfPayloadType, to);
      return;
    }
    this.#audio.fill(frame, this.#position, this.#joined === null ? null : this.#joined.#heardFrame);
    this.#sender.sendFrame(frame, this.#position, to);
  }

  #raise(alarm: MediaAlarm | null): void {
    if (alarm !== null) this.#deps.report({ type: alarm });
  }
}

/**
 * Detects keys in the audio of a leg, only while telephone events are not agreed on: where they are, a far end that
 * plays the tones as well would press every key twice. A key is reported when it is released, like that of an event.
 */
export class KeyTones {
  readonly #report: (key: ReceivedKey) => void;
  #detector: DtmfDetector | null = null;

  constructor(report: (key: ReceivedKey) => void) {
    this.#report = report;
  }

  configure(dtmfPayloadType: number | null): void {
    if (dtmfPayloadType !== null) this.#detector = null;
    else {
      this.#detector ??= new DtmfDetector((event) => {
        if (event.type !== "key.released") return;
        const samples = event.position - event.pressedPosition;
        this.#report({ key: event.key, durationMs: (samples * 1000) / TELEPHONE_RATE_HZ });
      });
    }
  }

  push(frame: Int16Array): void {
    this.#detector?.push(frame);
  }
}

/**
 * The output of a leg: key tones, else queued audio, mixed with the audio of a joined leg. The two are mixed, because
 * precedence of the queue would swallow words of the other party, and precedence of the party would swallow a notice
 * that both must hear. Nothing is mixed into keys: a menu may not recognise them under a voice.
 */
export class PlayedAudio {
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
