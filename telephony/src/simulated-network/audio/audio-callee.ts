import type { ComfortNoise } from "@parley/audio/comfort-noise";
import { DtmfDetector } from "@parley/audio/detect/dtmf-detector";
import { FaxDetector } from "@parley/audio/detect/fax-detector";
import { ToneTracker } from "@parley/audio/detect/tone-tracker";
import { createFrame, durationMsOf, FRAME_MS, samplesIn, saturate, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { mixInto } from "@parley/audio/gain";
import { rmsAt, rmsOf } from "@parley/audio/level";
import type { CalleeEffect, CalleeEvent, RunningCallee, Speaker } from "../callees/callee-machine.ts";
import type { CalleeRecognizer } from "../ports/callee-recognizer.ts";
import { CalleeSpeaker, type PressedKey } from "./callee-speaker.ts";
import type { LineBook, SpokenLine } from "./line-book.ts";
import { networkSound } from "./network-sounds.ts";

export interface AudioCalleeDeps {
  readonly callee: RunningCallee;
  readonly book: LineBook;
  readonly recognizer: CalleeRecognizer | null;
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

/** Gives a callee its audio: a detector for the agent's speech, a speaker, music, and room noise. */
export class AudioCallee {
  readonly #deps: AudioCalleeDeps;
  readonly #detector: AgentSpeechDetector;
  readonly #speaker = new CalleeSpeaker();
  /** Detectors of what this callee listens for beside speech. */
  readonly #detectors: ((frame: Int16Array) => void)[] = [];
  readonly #noiseFrame = createFrame();
  readonly #mailbox: Happening[] = [];
  /** Lines to be spoken that are not rendered yet. */
  readonly #unspoken: { readonly line: SpokenLine; readonly latestPosition: number }[] = [];
  #music: HoldMusic | null = null;
  #understanding: AbortController | null = null;
  #position = 0;
  #hasHungUp = false;

  constructor(deps: AudioCalleeDeps) {
    this.#deps = deps;
    this.#detector = new AgentSpeechDetector(deps.recognizer !== null);
    if (deps.callee.hears.includes("keys")) this.#detectKeys();
    if (deps.callee.hears.includes("fax")) this.#detectFax();
  }

  /** A key that arrived as an event and not as a tone. */
  pressKey(key: string): void {
    this.#deps.onKeyHeard?.(key);
    this.#mailbox.push({ type: "key.pressed", key });
  }

  /** Receives one frame and overwrites the other with its own audio. */
  tick(hears: Int16Array, says: Int16Array): void {
    this.#deps.onHears?.(hears);
    this.#listen(hears);
    for (let event = this.#mailbox.shift(); event !== undefined; event = this.#mailbox.shift()) this.#tell(event);
    this.#tell({ type: "tick" });
    this.#speakUp();
    const wasSpeaking = this.#speaker.isSpeaking;
    this.#speaker.fill(says, this.#deps.onKey);
    if (wasSpeaking && !this.#speaker.isSpeaking) this.#mailbox.push({ type: "line.finished" });
    if (this.#music !== null) this.#mixIn(this.#music, says);
    if (this.#deps.noise !== null) this.#mixIn(this.#deps.noise, says);
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
    const event = this.#detector.push(frame);
    if (event === null) return;
    if (event.type === "started") {
      this.#understanding?.abort();
      this.#mailbox.push({ type: "agent.started" });
    } else {
      this.#mailbox.push({ type: "agent.stopped", spokeMs: event.spokeMs });
      this.#understand();
    }
  }

  /** An utterance that continues before it was understood is kept, and understood as a whole. */
  #understand(): void {
    const { recognizer } = this.#deps;
    if (recognizer === null) {
      this.#mailbox.push({ type: "agent.understood", words: null });
      return;
    }
    const stop = new AbortController();
    this.#understanding = stop;
    const take = (words: string | null) => {
      if (stop.signal.aborted) return;
      this.#detector.forget();
      this.#mailbox.push({ type: "agent.understood", words });
    };
    recognizer.understand(this.#detector.takeUtterance(), stop.signal).then(take, () => take(null));
  }

  #tell(event: Happening): void {
    if (this.#hasHungUp) return;
    const atMs = durationMsOf(this.#position);
    for (const effect of this.#deps.callee.tell({ ...event, atMs } as CalleeEvent)) this.#carryOut(effect);
  }

  #carryOut(effect: CalleeEffect): void {
    const { book, voices, onHangUp } = this.#deps;
    switch (effect.type) {
      case "say": {
        const line = { text: effect.text, voice: voices[effect.by ?? "human"] };
        this.#unspoken.push({ line, latestPosition: this.#position + samplesIn(VOICE_WAIT_MS) });
        if (!book.isReady([line])) void book.prepare([line]);
        return;
      }
      case "play":
        return this.#speaker.say(networkSound(effect.audio));
      case "press":
        return this.#speaker.press(effect.keys);
      case "music":
        this.#music = effect.isOn ? new HoldMusic() : null;
        return;
      case "stop_speaking":
        this.#unspoken.length = 0;
        return this.#speaker.stop();
      case "hang_up":
        this.#hasHungUp = true;
        return onHangUp();
    }
  }

  /** A callee without a voice yet pauses for a moment, and then babbles. */
  #speakUp(): void {
    const { book } = this.#deps;
    for (let next = this.#unspoken[0]; next !== undefined; next = this.#unspoken[0]) {
      if (!book.isReady([next.line]) && this.#position < next.latestPosition) return;
      this.#unspoken.shift();
      this.#speaker.say(book.find(next.line));
    }
  }

  #mixIn(source: { fill(frame: Int16Array): void }, frame: Int16Array): void {
    source.fill(this.#noiseFrame);
    mixInto(frame, this.#noiseFrame);
  }
}

/** Semitones above the A below middle C: an arpeggio over four chords (A minor, F, C, G). */
const MELODY = [0, 7, 12, 15, 12, 7, -4, 3, 8, 12, 8, 3, 3, 7, 10, 15, 10, 7, -2, 5, 10, 14, 10, 5] as const;
const BASE_HZ = 220;
const NOTE_MS = 260;
const HARMONICS = [1, 0.45, 0.2, 0.08] as const;
/** About -20 dBFS on average, as music on hold is usually played. */
const AMPLITUDE = 6_500;
/** A plucked string has lost two thirds of its energy after this time. */
const DECAY_MS = 220;

/** Hold music: endless plucked notes, the same in every call. */
export class HoldMusic {
  readonly #noteSamples = samplesIn(NOTE_MS);
  #position = 0;
  #phase = 0;

  /** Overwrites the frame. */
  fill(frame: Int16Array): void {
    for (let index = 0; index < frame.length; index++) {
      const inNote = this.#position % this.#noteSamples;
      const note = MELODY[Math.floor(this.#position / this.#noteSamples) % MELODY.length] ?? 0;
      if (inNote === 0) this.#phase = 0;
      this.#phase += (2 * Math.PI * BASE_HZ * 2 ** (note / 12)) / TELEPHONE_RATE_HZ;
      const attack = Math.min(1, inNote / samplesIn(5));
      const envelope = attack * Math.exp(-inNote / samplesIn(DECAY_MS));
      let value = 0;
      for (let harmonic = 0; harmonic < HARMONICS.length; harmonic++) {
        value += (HARMONICS[harmonic] as number) * Math.sin((harmonic + 1) * this.#phase);
      }
      frame[index] = saturate(AMPLITUDE * envelope * value);
      this.#position += 1;
    }
  }
}

export type AgentSpeechEvent =
  | { readonly type: "started" }
  /** How long the agent spoke, without the silence after it. */
  | { readonly type: "stopped"; readonly spokeMs: number };

/** Louder than line noise, and 6 dB apart so that the end of a word is not the end of a sentence. */
const SPEECH_RMS = rmsAt(-42);
const SILENCE_RMS = rmsAt(-48);
/** A click is not speech. */
const START_FRAMES = 3;
/** Longer than the agent's pauses between sentences, or a callee would interrupt it. */
const STOP_AFTER_MS = 900;
const UTTERANCE_MAX_SAMPLES = samplesIn(15_000);
/** Kept from before the speech was noticed, so that its beginning is not lost. */
const LEAD_SAMPLES = samplesIn(200);
const FORGET_SAMPLES = samplesIn(1_000);

/** Detects by loudness alone when the agent starts and stops, and keeps its speech. */
export class AgentSpeechDetector {
  readonly #buffer: Int16Array;
  #kept = 0;
  #loudFrames = 0;
  #quietMs = 0;
  #spokenMs = 0;
  #isSpeaking = false;

  /** Without `keepsWords` no speech is kept. */
  constructor(keepsWords: boolean) {
    this.#buffer = new Int16Array(keepsWords ? UTTERANCE_MAX_SAMPLES : 0);
  }

  /** Takes the next frame and says what changed with it. */
  push(frame: Int16Array): AgentSpeechEvent | null {
    this.#keep(frame);
    const rms = rmsOf(frame);
    return this.#isSpeaking ? this.#followSpeech(frame, rms) : this.#awaitSpeech(rms);
  }

  /** What the agent said last, with a little of the silence around it, at most the last 15 s. */
  takeUtterance(): Int16Array {
    return this.#buffer.slice(0, this.#kept);
  }

  /** The utterance was processed: the next one starts empty. */
  forget(): void {
    if (!this.#isSpeaking) this.#shorten(this.#kept - Math.min(this.#kept, LEAD_SAMPLES));
  }

  #awaitSpeech(rms: number): AgentSpeechEvent | null {
    this.#loudFrames = rms >= SPEECH_RMS ? this.#loudFrames + 1 : 0;
    if (this.#loudFrames < START_FRAMES) return null;
    this.#isSpeaking = true;
    this.#quietMs = 0;
    this.#spokenMs = START_FRAMES * FRAME_MS;
    return { type: "started" };
  }

  #followSpeech(frame: Int16Array, rms: number): AgentSpeechEvent | null {
    const frameMs = durationMsOf(frame.length);
    this.#spokenMs += frameMs;
    this.#quietMs = rms < SILENCE_RMS ? this.#quietMs + frameMs : 0;
    if (this.#quietMs < STOP_AFTER_MS) return null;
    this.#isSpeaking = false;
    this.#loudFrames = 0;
    return { type: "stopped", spokeMs: this.#spokenMs - this.#quietMs };
  }

  #keep(frame: Int16Array): void {
    if (this.#buffer.length === 0) return;
    if (this.#kept + frame.length > this.#buffer.length) this.#shorten(FORGET_SAMPLES);
    this.#buffer.set(frame, this.#kept);
    this.#kept += frame.length;
  }

  #shorten(count: number): void {
    this.#buffer.copyWithin(0, count, this.#kept);
    this.#kept -= count;
  }
}
