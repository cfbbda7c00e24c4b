import { ReadableStream } from "node:stream/web";
import { initializeLogger, voice } from "@livekit/agents";
import { STTv2 } from "@livekit/agents-plugin-deepgram";
import { TTS } from "@livekit/agents-plugin-elevenlabs";
import { LLM } from "@livekit/agents-plugin-openai";
import { VAD } from "@livekit/agents-plugin-silero";
import { AudioFrame } from "@livekit/rtc-node";
import { askForCollection } from "../../src/turns/collect-on-request.ts";
import { ScriptedCallee } from "../../src/turns/scripted-callee.ts";

/**
 * Calls conducted by LiveKit Agents without a room, with its plugins for Deepgram, OpenAI and ElevenLabs and its speech
 * detection. The audio of the lines comes and goes in this process, by a tick of 20 ms: no RTP, codec or recording.
 */

const { Agent, AgentSession, AudioInput, AudioOutput } = voice;
const RATE_HZ = 8_000;
const FRAME_MS = 20;
const FRAME_SAMPLES = (RATE_HZ * FRAME_MS) / 1_000;

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

/** Plays what it was given, a frame each tick, and reports the result. */
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
    this.#finishWhenPlayed();
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
    this.#finishWhenPlayed();
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

const vad = await VAD.load({ sampleRate: RATE_HZ });
const played = new Int16Array(FRAME_SAMPLES);
const said = new Int16Array(FRAME_SAMPLES);
const talking = new Map();
let calls = [];
let greeting = "";
let dueMs = performance.now();

async function open({ plans, clips, urls, key, voiceId, greeting: text }) {
  greeting = text;
  calls = await Promise.all(plans.map((plan) => prepare(plan, clips, urls, key, voiceId)));
  process.send({ type: "opened" });
}

async function prepare(plan, clips, urls, key, voiceId) {
  const session = new AgentSession({
    vad,
    stt: new STTv2({
      apiKey: key,
      model: "flux-general-en",
      sampleRate: RATE_HZ,
      endpointUrl: `${urls.deepgram.replace("http", "ws")}/v2/listen`,
    }),
    llm: new LLM({ apiKey: key, model: "gpt-5.4-mini", baseURL: `${urls.openai}/v1` }),
    tts: new TTS({
      apiKey: key,
      voiceId,
      model: "eleven_flash_v2_5",
      encoding: "pcm_8000",
      baseURL: `${urls.elevenlabs}/v1`,
    }),
    turnHandling: {
      turnDetection: "stt",
      endpointing: { minDelay: 0, maxDelay: 0 },
      interruption: { mode: "vad", resumeFalseInterruption: false },
      preemptiveGeneration: { enabled: false },
    },
    aecWarmupDuration: null,
    userAwayTimeout: null,
  });
  const line = { callee: new ScriptedCallee(plan, clips), input: new LineInput(), output: new LineOutput(), session };
  session.input.audio = line.input;
  session.output.audio = line.output;
  await session.start({ agent: new Agent({ instructions: "Tell the caller about the items." }), record: false });
  return line;
}

function tick() {
  const nowMs = performance.now();
  for (const [call, { callee, input, output }] of talking) {
    output.pull(played);
    callee.step(played, said, nowMs);
    input.push(said);
    if (callee.isDone) finish(call);
  }
  dueMs += FRAME_MS;
  setTimeout(tick, Math.max(0, dueMs - performance.now()));
}

function finish(call) {
  const { callee, session } = talking.get(call);
  talking.delete(call);
  void session.close();
  process.send({ type: "done", call, notes: callee.notes, originMs: performance.timeOrigin });
}

// The parent process has exited.
process.on("disconnect", () => process.exit(0));
process.on("message", (command) => {
  if (command.type === "open") void open(command);
  else if (command.type === "begin") {
    talking.set(command.call, calls[command.call]);
    calls[command.call].session.say(greeting);
  } else if (command.type === "collect") void askForCollection().then(() => process.send({ type: "collected" }));
  else process.exit(0);
});
tick();
process.send({ type: "ready" });
