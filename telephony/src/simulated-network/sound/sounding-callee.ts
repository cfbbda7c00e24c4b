import type { ComfortNoise } from "@parley/audio/comfort-noise";
import { DtmfDetector } from "@parley/audio/detect/dtmf-detector";
import { FaxDetector } from "@parley/audio/detect/fax-detector";
import { ToneTracker } from "@parley/audio/detect/tone-tracker";
import { createFrame, durationMsOf, samplesIn } from "@parley/audio/frame";
import { mixInto } from "@parley/audio/gain";
import type { CalleeEffect, CalleeEvent, RunningCallee, Speaker } from "../callees/callee-machine.ts";
import type { CalleeEars } from "../ports/callee-ears.ts";
import { AgentEar } from "./agent-ear.ts";
import { HoldMusic } from "./hold-music.ts";
import type { LineBook, SpokenLine } from "./line-book.ts";
import { Mouth, type PressedKey } from "./mouth.ts";
import { networkSound } from "./network-sounds.ts";

export interface SoundingCalleeParts {
  readonly callee: RunningCallee;
  readonly book: LineBook;
  readonly ears: CalleeEars | null;
  /** The voice of each speaker at the far end. */
  readonly voices: Readonly<Record<Speaker, string>>;
  readonly noise: ComfortNoise | null;
  readonly onKey: (pressed: PressedKey) => void;
  readonly onHangUp: () => void;
  readonly onHears?: (frame: Int16Array) => void;
  readonly onKeyHeard?: (key: string) => void;
}

/** A line that was not rendered before the answer is waited for this long. */
const VOICE_WAIT_MS = 1_500;

/** What happened since the last tick, without its time. */
type Happening = CalleeEvent extends infer Event ? (Event extends CalleeEvent ? Omit<Event, "atMs"> : never) : never;

/** Gives a callee a body: an ear for the agent, a mouth, music, and the noise of the room behind it. */
export class SoundingCallee {
  readonly #parts: SoundingCalleeParts;
  readonly #ear: AgentEar;
  readonly #mouth = new Mouth();
  /** Detectors of what this callee listens for beside speech. */
  readonly #detectors: ((frame: Int16Array) => void)[] = [];
  readonly #noiseFrame = createFrame();
  readonly #mailbox: Happening[] = [];
  /** Lines that are to be said and whose sound is not there yet. */
  readonly #unspoken: { readonly line: SpokenLine; readonly latestPosition: number }[] = [];
  #music: HoldMusic | null = null;
  #understanding: AbortController | null = null;
  #position = 0;
  #hasHungUp = false;

  constructor(parts: SoundingCalleeParts) {
    this.#parts = parts;
    this.#ear = new AgentEar(parts.ears !== null);
    if (parts.callee.hears.includes("keys")) this.#detectKeys();
    if (parts.callee.hears.includes("fax")) this.#detectFax();
  }

  /** A key that came as an event and not as sound. */
  pressKey(key: string): void {
    this.#parts.onKeyHeard?.(key);
    this.#mailbox.push({ type: "key.pressed", key });
  }

  /** Hears a frame and overwrites the other with what it says meanwhile. */
  tick(hears: Int16Array, says: Int16Array): void {
    this.#parts.onHears?.(hears);
    this.#listen(hears);
    for (let event = this.#mailbox.shift(); event !== undefined; event = this.#mailbox.shift()) this.#tell(event);
    this.#tell({ type: "tick" });
    this.#speakUp();
    const wasSpeaking = this.#mouth.isSpeaking;
    this.#mouth.fill(says, this.#parts.onKey);
    if (wasSpeaking && !this.#mouth.isSpeaking) this.#mailbox.push({ type: "line.finished" });
    if (this.#music !== null) this.#mixIn(this.#music, says);
    if (this.#parts.noise !== null) this.#mixIn(this.#parts.noise, says);
    this.#position += says.length;
  }

  close(): void {
    this.#understanding?.abort();
  }

  #detectKeys(): void {
    const keys = new DtmfDetector((event) => {
      if (event.type === "key.pressed") this.pressKey(event.key);
    });
    this.#detectors.push((frame) => keys.push(frame));
  }

  #detectFax(): void {
    const tones = new ToneTracker();
    const calls = new FaxDetector(tones, ({ type }) => {
      if (type === "fax.called") this.#mailbox.push({ type: "fax.heard" });
    });
    this.#detectors.push((frame) => {
      tones.push(frame);
      calls.check(frame.length);
    });
  }

  #listen(frame: Int16Array): void {
    for (const detect of this.#detectors) detect(frame);
    const event = this.#ear.push(frame);
    if (event === null) return;
    if (event.type === "started") {
      this.#understanding?.abort();
      this.#mailbox.push({ type: "agent.started" });
    } else {
      this.#mailbox.push({ type: "agent.stopped", spokeMs: event.spokeMs });
      this.#understand();
    }
  }

  /** An utterance that goes on before it was understood is kept, and understood as a whole. */
  #understand(): void {
    const { ears } = this.#parts;
    if (ears === null) {
      this.#mailbox.push({ type: "agent.understood", words: null });
      return;
    }
    const stop = new AbortController();
    this.#understanding = stop;
    const take = (words: string | null) => {
      if (stop.signal.aborted) return;
      this.#ear.forget();
      this.#mailbox.push({ type: "agent.understood", words });
    };
    ears.understand(this.#ear.takeUtterance(), stop.signal).then(take, () => take(null));
  }

  #tell(event: Happening): void {
    if (this.#hasHungUp) return;
    const atMs = durationMsOf(this.#position);
    for (const effect of this.#parts.callee.tell({ ...event, atMs } as CalleeEvent)) this.#carryOut(effect);
  }

  #carryOut(effect: CalleeEffect): void {
    const { book, voices, onHangUp } = this.#parts;
    switch (effect.type) {
      case "say": {
        const line = { text: effect.text, voice: voices[effect.by ?? "human"] };
        this.#unspoken.push({ line, latestPosition: this.#position + samplesIn(VOICE_WAIT_MS) });
        if (!book.isReady([line])) void book.prepare([line]);
        return;
      }
      case "play":
        return this.#mouth.say(networkSound(effect.sound));
      case "press":
        return this.#mouth.press(effect.keys);
      case "music":
        this.#music = effect.isOn ? new HoldMusic() : null;
        return;
      case "stop_speaking":
        this.#unspoken.length = 0;
        return this.#mouth.stop();
      case "hang_up":
        this.#hasHungUp = true;
        return onHangUp();
    }
  }

  /** Who has no voice yet thinks for a moment, and then babbles. */
  #speakUp(): void {
    const { book } = this.#parts;
    for (let next = this.#unspoken[0]; next !== undefined; next = this.#unspoken[0]) {
      if (!book.isReady([next.line]) && this.#position < next.latestPosition) return;
      this.#unspoken.shift();
      this.#mouth.say(book.find(next.line));
    }
  }

  #mixIn(source: { fill(frame: Int16Array): void }, frame: Int16Array): void {
    source.fill(this.#noiseFrame);
    mixInto(frame, this.#noiseFrame);
  }
}
