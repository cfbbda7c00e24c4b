import { createFrame, durationMsOf, FRAME_SAMPLES, samplesIn, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { createPlayout } from "@parley/audio/playout-layout";
import { PlayoutPlayer } from "@parley/audio/playout-player";
import { Resampler } from "@parley/audio/resample";
import type { SampleRateHz } from "@parley/audio/resample-filter";
import { createRing, RingWriter } from "@parley/audio/ring";
import type { Flow } from "@parley/contract/flow";
import { TRY_VOICE_RATE_HZ, TRY_VOICE_SECONDS_MAX, type TryVoiceEvent } from "@parley/contract/try-voice";
import type { AudioTick } from "@parley/telephony/simulated-network/audio/audio-tick";
import type { Clock } from "@parley/time/clock";
import type { ConversationEnd, JournalEntry } from "@parley/voice/ports/conversation-journal";
import { enteredOf } from "../../../calls/transcripts/transcript-items.ts";
import type { ConversationEvent, LineMedia, LineRequest } from "../../../speech/conversations/conversation-messages.ts";
import type { ConversationPlan } from "../../../speech/conversations/conversation-plan.ts";
import type { Conversations } from "../../../speech/conversations/conversation-pool.ts";
import type { LiveConversation } from "../../../speech/conversations/conversation-thread.ts";

/** What a process that holds conversations is asked to hold. */
export interface TryOrder {
  readonly tryId: string;
  readonly accountId: string;
  readonly flow: Flow;
  readonly language: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly microphoneRateHz: SampleRateHz;
}

export type TryCommand = { readonly type: "press"; readonly keys: string } | { readonly type: "hang_up" };

export interface HoldTryDeps {
  readonly conversations: Conversations;
  readonly clock: Clock;
  readonly tick: AudioTick;
  /** The plan of a call that is like the try, with its voice and what signs its tools. */
  planTry(order: TryOrder): Promise<ConversationPlan>;
}

/** Receives the events and the audio of a trial. */
export interface TrialListener {
  onEvent(event: TryVoiceEvent): void;
  onAudio(bytes: Buffer): void;
  /** Called once, last. */
  onEnd(): void;
}

/** Pieces of 40 ms: small enough to be immediate, and half as many as the frames. */
const FRAMES_PER_PIECE = 2;
/** A conversation that is not prepared in this time starts anyway: on the phone no one would wait longer. */
const PREPARE_MAX_MS = 5_000;
const NO_TRANSFERS = "a trial places no calls";

/** A conversation over a microphone, conducted as on the phone. */
export class RunningTrial {
  readonly #deps: HoldTryDeps;
  readonly #listener: TrialListener;
  readonly #line: TryLine;
  #conversation: LiveConversation | null = null;
  #reason: ConversationEnd = "engine_error";
  #beganMs: number | null = null;
  #pieces: Buffer[] = [];
  #stopTicking: () => void = () => undefined;
  #cancelLimit: () => void = () => undefined;
  #cancelPrepare: () => void = () => undefined;
  #isOver = false;

  constructor(deps: HoldTryDeps, order: TryOrder, listener: TrialListener) {
    this.#deps = deps;
    this.#listener = listener;
    this.#line = new TryLine(order.microphoneRateHz);
    void this.#begin(order).catch((error: unknown) => this.#fail(error));
  }

  hear(bytes: Buffer): void {
    if (this.#beganMs !== null) this.#line.hear(bytes);
  }

  command(command: TryCommand): void {
    if (command.type === "hang_up") return this.hangUp();
    for (const key of command.keys) this.#conversation?.tell({ type: "dtmf", key });
  }

  /** The person at the microphone has left. */
  hangUp(): void {
    if (this.#conversation === null) return this.#finish();
    this.#conversation.tell({ type: "ended" });
  }

  async #begin(order: TryOrder): Promise<void> {
    const { conversations, planTry, clock, tick } = this.#deps;
    await conversations.ready();
    const plan = await planTry(order);
    if (this.#isOver) return;
    this.#stopTicking = tick.join({ tick: () => this.#tick() });
    this.#conversation = conversations.begin(plan, this.#line.media, {
      hear: (event) => this.#follow(event),
      mayDial: async () => ({ isAllowed: true }),
    });
    this.#cancelPrepare = clock.setTimer(PREPARE_MAX_MS, () => this.#answer());
  }

  #answer(): void {
    if (this.#beganMs !== null || this.#isOver) return;
    this.#cancelPrepare();
    this.#beganMs = durationMsOf(this.#line.position);
    this.#listener.onEvent({ type: "ready", sampleRateHz: TRY_VOICE_RATE_HZ, secondsMax: TRY_VOICE_SECONDS_MAX });
    this.#conversation?.tell({ type: "answered" });
    this.#cancelLimit = this.#deps.clock.setTimer(TRY_VOICE_SECONDS_MAX * 1000, () => {
      this.#listener.onEvent({ type: "note", text: "A try ends after ten minutes." });
      this.hangUp();
    });
  }

  #tick(): void {
    const bytes = this.#line.tick();
    if (this.#beganMs === null || this.#isOver) return;
    this.#pieces.push(bytes);
    if (this.#pieces.length < FRAMES_PER_PIECE) return;
    this.#listener.onAudio(Buffer.concat(this.#pieces));
    this.#pieces = [];
  }

  #follow(event: ConversationEvent): void {
    if (this.#isOver) return;
    switch (event.type) {
      case "prepared":
        return this.#answer();
      case "noted": {
        if (event.entry.type === "over") this.#reason = event.entry.reason;
        const voiceEvent = toVoiceEvent(event.entry, this.#beganMs ?? Number.POSITIVE_INFINITY);
        if (voiceEvent !== null) this.#listener.onEvent(voiceEvent);
        return;
      }
      case "asked":
        return this.#carryOut(event.request);
      case "failed":
        this.#listener.onEvent({ type: "note", text: event.reason });
        return;
      case "finished":
        return this.#finish();
    }
  }

  #carryOut(request: LineRequest): void {
    if (request.type === "hang_up") this.#conversation?.tell({ type: "ended" });
    if (request.type !== "transfer") return;
    this.#listener.onEvent({ type: "transfer", to: request.transfer.to });
    this.#conversation?.tell({ type: "transfer_progressed", state: "failed", reason: NO_TRANSFERS });
  }

  #fail(error: unknown): void {
    this.#listener.onEvent({ type: "note", text: error instanceof Error ? error.message : String(error) });
    this.#finish();
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopTicking();
    this.#cancelLimit();
    this.#cancelPrepare();
    this.#line.close();
    this.#listener.onEvent({ type: "ended", reason: this.#conversation === null ? "callee_hangup" : this.#reason });
    this.#listener.onEnd();
  }
}

/** What is voiceEvent of an entry of the journal, with times since the conversation began; null for what is not voiceEvent. */
function toVoiceEvent(entry: JournalEntry, beganMs: number): TryVoiceEvent | null {
  const since = (positionMs: number) => Math.max(0, Math.round(positionMs - beganMs));
  switch (entry.type) {
    case "callee_said": {
      const { turnId: turn, text, startMs, endMs } = entry;
      const times = { startMs: since(startMs), endMs: since(endMs) };
      return { type: "speech", role: "callee", turn, text, heardText: text, interrupted: false, ...times };
    }
    case "agent_said": {
      const { turnId: turn, text, heardText, wasInterrupted: interrupted, startMs, endMs } = entry;
      const times = { startMs: since(startMs), endMs: since(endMs) };
      return { type: "speech", role: "agent", turn, text, heardText, interrupted, ...times };
    }
    case "turn_undone":
      return { type: "turn_undone", turn: entry.turnId };
    case "entered":
      return { type: "node", ...enteredOf(entry), atMs: since(entry.atMs) };
    case "decided":
      return { type: "decision", turn: entry.turnId, ...entry.decision, atMs: since(entry.atMs) };
    case "collected":
    case "answers_withdrawn":
      return entry;
    case "tool_call":
    case "tool_result": {
      const { atMs, ...voiceEvent } = entry;
      return { ...voiceEvent, atMs: since(atMs) };
    }
    case "dtmf":
      return { type: "pressed", key: entry.key, by: entry.by, atMs: since(entry.atMs) };
    case "note":
      return { type: "note", text: entry.text };
    case "incident":
      return entry.isUpdate ? null : { type: "note", text: `${entry.what}: ${entry.reason}` };
    case "language_noticed":
      return { type: "language_noticed", language: entry.language };
    case "answered_by":
      return { type: "answered_by", kind: entry.kind };
    case "suppress":
      return { type: "suppressed" };
    case "turn_timing":
    case "over":
      return null;
  }
}

/** A microphone that is further ahead of us than this lost time somewhere; older audio is dropped. */
const AHEAD_MAX_SAMPLES = samplesIn(600);
/** So much is gathered before it is listened to, so that a late piece leaves no hole. */
const CUSHION_SAMPLES = samplesIn(60);

/**
 * A line whose far end is a microphone and a loudspeaker. One tick writes heard and played audio, as on a leg, so
 * that the conversation notices no difference.
 */
export class TryLine {
  readonly media: LineMedia = { heard: createRing(), played: createRing(), playout: createPlayout() };
  readonly #heardRing = new RingWriter(this.media.heard);
  readonly #playedRing = new RingWriter(this.media.played);
  readonly #player = new PlayoutPlayer(this.media.playout);
  readonly #resampler: Resampler | null;
  readonly #heard = createFrame();
  readonly #played = createFrame();
  #waiting: Int16Array = new Int16Array(0);
  #isFlowing = false;
  #position = 0;
  #isClosed = false;

  constructor(microphoneRateHz: SampleRateHz) {
    this.#resampler =
      microphoneRateHz === TELEPHONE_RATE_HZ ? null : new Resampler(microphoneRateHz, TELEPHONE_RATE_HZ);
  }

  /** Samples since it began. */
  get position(): number {
    return this.#position;
  }

  /** Takes microphone audio: 16-bit little-endian mono. Half a sample at its end is dropped. */
  hear(bytes: Buffer): void {
    const samples = new Int16Array(Math.floor(bytes.length / 2));
    for (let index = 0; index < samples.length; index += 1) samples[index] = bytes.readInt16LE(index * 2);
    const slow = this.#slowDown(samples);
    const all = new Int16Array(this.#waiting.length + slow.length);
    all.set(this.#waiting);
    all.set(slow, this.#waiting.length);
    this.#waiting = all.subarray(Math.max(0, all.length - AHEAD_MAX_SAMPLES));
  }

  /** One step of 20 ms. Returns its played audio, as bytes for a loudspeaker. */
  tick(): Buffer {
    if (this.#isClosed) return Buffer.alloc(0);
    this.#takeHeard();
    this.#player.pull(this.#played, this.#position);
    this.#heardRing.write(this.#heard);
    this.#playedRing.write(this.#played);
    this.#position += FRAME_SAMPLES;
    const bytes = Buffer.alloc(FRAME_SAMPLES * 2);
    for (let index = 0; index < FRAME_SAMPLES; index += 1) bytes.writeInt16LE(this.#played[index] as number, index * 2);
    return bytes;
  }

  /** Signals the end to the readers of the rings. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#heardRing.close();
    this.#playedRing.close();
  }

  #slowDown(samples: Int16Array): Int16Array {
    if (this.#resampler === null) return samples;
    const slow = new Int16Array(this.#resampler.outputSamplesFor(samples.length));
    return slow.subarray(0, this.#resampler.process(samples, slow));
  }

  #takeHeard(): void {
    this.#isFlowing = this.#waiting.length >= (this.#isFlowing ? FRAME_SAMPLES : CUSHION_SAMPLES);
    const count = this.#isFlowing ? FRAME_SAMPLES : 0;
    this.#heard.fill(0);
    this.#heard.set(this.#waiting.subarray(0, count));
    this.#waiting = this.#waiting.subarray(count);
  }
}
