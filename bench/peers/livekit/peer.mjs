import { ReadableStream } from "node:stream/web";
import { initializeLogger, llm, stt, tts, voice } from "@livekit/agents";
import { VAD } from "@livekit/agents-plugin-silero";
import { AudioFrame } from "@livekit/rtc-node";
import { BareLine } from "../../src/turns/bare-line.ts";

/**
 * Calls conducted by LiveKit Agents without a room, with providers that need no time. It is told and says the same as
 * our own program (bench/src/turns/bare-messages.ts), and gets and gives sound by a tick of 20 ms.
 */

const { Agent, AgentSession, AudioInput, AudioOutput } = voice;
const RATE_HZ = 8_000;
const FRAME_MS = 20;
const FRAME_SAMPLES = (RATE_HZ * FRAME_MS) / 1_000;
/** Silence after which the words are there: recognition that needs no time follows the sound itself. */
const WORDS_AFTER_FRAMES = 5;
const SPEECH_RMS = 300;

initializeLogger({ pretty: false, level: "error" });

class LineInput extends AudioInput {
  #controller = null;

  constructor() {
    super();
    this.multiStream.addInputStream(new ReadableStream({ start: (controller) => (this.#controller = controller) }));
  }

  push(samples) {
    this.#controller.enqueue(new AudioFrame(samples.slice(), RATE_HZ, 1, samples.length));
  }
}

/** Plays what it was given, a frame each tick, and reports what became of it. */
class LineOutput extends AudioOutput {
  #frames = [];
  #offset = 0;
  #playedSamples = 0;
  #isFlushed = false;

  constructor() {
    super(RATE_HZ, undefined, { pause: false });
  }

  async captureFrame(frame) {
    await super.captureFrame(frame);
    this.#isFlushed = false;
    this.#frames.push(frame.data);
  }

  flush() {
    super.flush();
    this.#isFlushed = true;
    this.#finishWhenPlayed(false);
  }

  clearBuffer() {
    const wasPlaying = this.#frames.length > 0 || this.#playedSamples > 0;
    this.#frames = [];
    this.#offset = 0;
    if (wasPlaying) this.#finish(true);
  }

  /** Fills one frame of the line. */
  pull(out) {
    out.fill(0);
    let at = 0;
    while (at < out.length && this.#frames.length > 0) {
      const frame = this.#frames[0];
      if (this.#playedSamples === 0) this.onPlaybackStarted(Date.now());
      const count = Math.min(out.length - at, frame.length - this.#offset);
      out.set(frame.subarray(this.#offset, this.#offset + count), at);
      at += count;
      this.#offset += count;
      this.#playedSamples += count;
      if (this.#offset === frame.length) {
        this.#frames.shift();
        this.#offset = 0;
      }
    }
    this.#finishWhenPlayed(false);
  }

  #finishWhenPlayed() {
    if (this.#isFlushed && this.#frames.length === 0 && this.#playedSamples > 0) this.#finish(false);
  }

  #finish(interrupted) {
    const playbackPosition = this.#playedSamples / RATE_HZ;
    this.#playedSamples = 0;
    this.#isFlushed = false;
    this.onPlaybackFinished({ playbackPosition, interrupted });
  }
}

class ReadyStt extends stt.STT {
  label = "ready.STT";

  constructor() {
    super({ streaming: true, interimResults: false });
  }

  async _recognize() {
    throw new Error("the words come from the agent's own node");
  }

  stream() {
    throw new Error("the words come from the agent's own node");
  }
}

class ReadyLlm extends llm.LLM {
  label() {
    return "ready.LLM";
  }

  chat() {
    throw new Error("what is said comes from the agent's own node");
  }
}

class ReadyTts extends tts.TTS {
  label = "ready.TTS";

  constructor() {
    super(RATE_HZ, 1, { streaming: true });
  }

  synthesize() {
    throw new Error("the sound comes from the agent's own node");
  }

  stream() {
    throw new Error("the sound comes from the agent's own node");
  }
}

/** Recognition, thinking and synthesis that need no time. */
class ReadyAgent extends Agent {
  #reply;

  constructor(reply) {
    super({ instructions: "Say the same." });
    this.#reply = reply;
  }

  async sttNode(audio) {
    return ReadableStream.from(wordsOf(audio));
  }

  async llmNode() {
    return ReadableStream.from(["All right."]);
  }

  async ttsNode(text) {
    return ReadableStream.from(soundOf(text, this.#reply));
  }
}

async function* wordsOf(audio) {
  let silentFrames = 0;
  let isSpeech = false;
  for await (const frame of audio) {
    const isLoud = rmsOf(frame.data) > SPEECH_RMS;
    silentFrames = isLoud ? 0 : silentFrames + 1;
    isSpeech ||= isLoud;
    if (!isSpeech || silentFrames < WORDS_AFTER_FRAMES) continue;
    isSpeech = false;
    const alternative = {
      language: "en",
      text: "I would like to know more.",
      startTime: 0,
      endTime: 0,
      confidence: 0.9,
    };
    yield { type: stt.SpeechEventType.FINAL_TRANSCRIPT, alternatives: [alternative] };
  }
}

async function* soundOf(text, reply) {
  for await (const _ of text) {
    // The sound does not depend on it.
  }
  // Pieces of the length that vendors send.
  for (let start = 0; start < reply.length; start += 10 * FRAME_SAMPLES) {
    const piece = reply.slice(start, start + 10 * FRAME_SAMPLES);
    yield new AudioFrame(piece, RATE_HZ, 1, piece.length);
  }
}

function rmsOf(samples) {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / Math.max(1, samples.length));
}

let begin = async () => undefined;

async function open({ plans, clips, reply, holdMs, interruptMs }) {
  const vad = await VAD.load({ minSilenceDuration: holdMs, sampleRate: RATE_HZ });
  const lines = plans.map((plan) => new BareLine(plan, clips));
  begin = async () => {
    const calls = await Promise.all(lines.map((line) => converse(line, vad, reply, holdMs, interruptMs)));
    await pump(calls);
    process.send({ type: "over", calls: lines.map((line) => ({ notes: line.callee.notes, sound: line.sound })) });
  };
  process.send({ type: "opened" });
}

async function converse(line, vad, reply, holdMs, interruptMs) {
  const input = new LineInput();
  const output = new LineOutput();
  const session = new AgentSession({
    ...{ vad, stt: new ReadyStt(), llm: new ReadyLlm(), tts: new ReadyTts() },
    turnHandling: {
      turnDetection: "vad",
      endpointing: { minDelay: holdMs, maxDelay: holdMs },
      interruption: { mode: "vad", minDuration: interruptMs, resumeFalseInterruption: false },
      preemptiveGeneration: { enabled: false },
    },
    aecWarmupDuration: null,
    userAwayTimeout: null,
  });
  session.input.audio = input;
  session.output.audio = output;
  await session.start({ agent: new ReadyAgent(reply), record: false });
  session.say("All right.");
  return { line, input, output };
}

function pump(calls) {
  const { promise, resolve } = Promise.withResolvers();
  const played = new Int16Array(FRAME_SAMPLES);
  const said = new Int16Array(FRAME_SAMPLES);
  let dueMs = performance.now();
  const tick = () => {
    for (const { line, input, output } of calls) {
      if (line.isOver) continue;
      output.pull(played);
      line.step(played, said);
      input.push(said);
    }
    if (calls.every(({ line }) => line.isOver)) return resolve();
    dueMs += FRAME_MS;
    setTimeout(tick, Math.max(0, dueMs - performance.now()));
  };
  tick();
  return promise;
}

// Whoever started this is gone.
process.on("disconnect", () => process.exit(0));
process.on("message", (command) => {
  if (command.type === "open") void open(command);
  else if (command.type === "begin") void begin();
  // Its timers and native handles are not ours to wait for.
  else process.exit(0);
});
process.send({ type: "ready" });
