import { createFrame } from "@parley/audio/frame";
import { PlayoutPlayer } from "@parley/audio/playout-player";
import { RingWriter } from "@parley/audio/ring";
import { type Signal, SignalPlayer } from "@parley/audio/signal";
import type { LegMedia, LegStatistics } from "../../carrier.ts";
import { DtmfSender } from "../../rtp/dtmf/dtmf-sender.ts";
import { keyOf } from "../../rtp/dtmf/telephone-event.ts";
import { type MediaAlarm, MediaWatch } from "../../rtp/media/media-watch.ts";
import type { AudioCallee } from "./audio-callee.ts";
import type { Ticking } from "./audio-tick.ts";
import type { Echo } from "./echo.ts";
import type { Line } from "./line.ts";

/** The callee at the far end once it has answered. */
export interface FarEnd {
  readonly callee: AudioCallee;
  readonly line: Line;
  readonly echo: Echo | null;
}

export interface LegAudioDeps {
  readonly media: LegMedia;
  readonly ringback: Signal;
  readonly onAlarm: (alarm: MediaAlarm) => void;
}

/**
 * The audio of one leg. One tick writes heard and played audio, so equal positions in the two rings are equal
 * instants: ringing until the answer, then the callee. Audio queued before the answer waits for it.
 */
export class LegAudio implements Ticking {
  readonly #deps: LegAudioDeps;
  readonly #heardRing: RingWriter;
  readonly #playedRing: RingWriter;
  readonly #playout: PlayoutPlayer;
  readonly #ringback: SignalPlayer;
  readonly #keys = new DtmfSender();
  readonly #watch = new MediaWatch();
  readonly #heard = createFrame();
  readonly #played = createFrame();
  #farEnd: FarEnd | null = null;
  #bridgedTo: LegAudio | null = null;
  #lastKeyTimestamp = -1;
  #position = 0;
  #packetsSent = 0;
  #isClosed = false;

  constructor(deps: LegAudioDeps) {
    this.#deps = deps;
    this.#heardRing = new RingWriter(deps.media.heard);
    this.#playedRing = new RingWriter(deps.media.played);
    this.#playout = new PlayoutPlayer(deps.media.playout);
    this.#ringback = new SignalPlayer(deps.ringback);
  }

  answer(farEnd: FarEnd, nowMs: number): void {
    this.#farEnd = farEnd;
    this.#watch.expect(true, nowMs);
  }

  /** From now on the callee hears the other leg's callee instead of us. Call it on both legs. */
  bridgeTo(other: LegAudio): void {
    this.#bridgedTo = other;
  }

  sendDtmf(keys: string): void {
    if (this.#farEnd !== null) this.#keys.press(keys);
  }

  tick(dueMs: number): void {
    if (this.#isClosed) return;
    const farEnd = this.#farEnd;
    if (farEnd === null) {
      this.#ringback.fill(this.#heard);
      this.#played.fill(0);
    } else this.#converse(farEnd, dueMs);
    // The callee may have hung up in this very frame, and then it is not heard any more.
    if (this.#isClosed) return;
    this.#heardRing.write(this.#heard);
    this.#playedRing.write(this.#played);
    this.#position += this.#heard.length;
    if (farEnd !== null) this.#watchFor(farEnd, dueMs);
  }

  /** Null before the callee answered. Unchanged after the end. */
  statistics(): LegStatistics | null {
    if (this.#farEnd === null) return null;
    // This network sends no reports.
    return { packetsSent: this.#packetsSent, isHeard: null, ...this.#farEnd.line.reception() };
  }

  /** Signals the readers of the rings that nothing more comes. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#farEnd?.callee.close();
    this.#heardRing.close();
    this.#playedRing.close();
  }

  #converse({ callee, line, echo }: FarEnd, dueMs: number): void {
    this.#play(callee);
    this.#packetsSent += 1;
    callee.tick(this.#played, this.#heard);
    echo?.pass(this.#played, this.#heard);
    line.carry(this.#heard, dueMs);
  }

  /** While a key is pressed nothing else is sent, and the queue waits. */
  #play(callee: AudioCallee): void {
    const frame = this.#played;
    const event = this.#keys.next(this.#position);
    if (event !== null) {
      frame.fill(0);
      // The end of an event is sent three times and is one key.
      if (event.isEnd && event.timestamp !== this.#lastKeyTimestamp) {
        this.#lastKeyTimestamp = event.timestamp;
        callee.pressKey(keyOf(event.code));
      }
    } else if (this.#bridgedTo !== null) frame.set(this.#bridgedTo.#heard);
    else this.#playout.pull(frame, this.#position);
  }

  #watchFor({ line }: FarEnd, dueMs: number): void {
    const returned = line.isAlive ? this.#watch.noteReception(dueMs, false) : null;
    const alarm = returned ?? this.#watch.tick(dueMs);
    if (alarm !== null) this.#deps.onAlarm(alarm);
  }
}
