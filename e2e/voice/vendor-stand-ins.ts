import { startAssemblyAiServer } from "@parley/providers/assemblyai/testing/assemblyai-server";
import { startCartesiaServer } from "@parley/providers/cartesia/testing/cartesia-server";
import { startDeepgramServer } from "@parley/providers/deepgram/testing/deepgram-server";
import { startElevenLabsServer } from "@parley/providers/elevenlabs/testing/elevenlabs-server";
import { startOpenAiServer } from "@parley/providers/openai/testing/openai-server";
import { serveTranscription } from "@parley/providers/openai/testing/realtime-input";
import { VENDORS } from "@parley/providers/registry";
import { startSonioxServer } from "@parley/providers/soniox/testing/soniox-server";
import type { RecognizedWord } from "@parley/voice/ports/speech-recognizer";

/** What the stand-ins understand and how they speak: telephone audio of 8 kHz. */
export interface StandInSpeech {
  recognize(samples: Int16Array): Promise<string>;
  speak(text: string): Promise<Int16Array>;
}

interface StandIn {
  readonly url: string;
  close(): Promise<void>;
}

const KEY = "vendor-key-2741";

/** Recognition with a library that operators install themselves. Its adapter is tested where it is. */
const WITHOUT_SERVER: readonly string[] = ["sherpa"];

/** The vendors that recognize or speak over the network. */
export const SPEECH_VENDORS = VENDORS.filter(
  ({ name, recognition, synthesis }) => (recognition ?? synthesis) !== undefined && !WITHOUT_SERVER.includes(name),
);

/** How to start each vendor with speech. One that is missing here fails the tests of presets. */
const START: Readonly<Record<string, (speech: StandInSpeech) => Promise<StandIn>>> = {
  openai: (speech) => startAudioServer(speech, KEY),
  "own-stt": (speech) => startAudioServer(speech, null),
  "own-tts": (speech) => startAudioServer(speech, null),
  deepgram: (speech) =>
    startDeepgramServer({
      key: KEY,
      recognize: whenSilent(speech),
      speak: async (text, rateHz) => atRate(await speech.speak(text), rateHz),
    }),
  assemblyai: (speech) => startAssemblyAiServer({ key: KEY, recognize: whenSilent(speech) }),
  soniox: (speech) => startSonioxServer({ key: KEY, recognize: whenSilent(speech) }),
  elevenlabs: (speech) =>
    startElevenLabsServer({
      apiKey: KEY,
      voiceIds: [defaultVoiceOf("elevenlabs")],
      recognize: whenSilent(speech),
      speak: async (text, _voice, rateHz) => atRate(await speech.speak(text), rateHz),
    }),
  cartesia: (speech) =>
    startCartesiaServer({
      apiKey: KEY,
      voiceIds: [defaultVoiceOf("cartesia")],
      speak: async (text, _voice, rateHz) => atRate(await speech.speak(text), rateHz),
    }),
};

/** What stands between the service and a vendor, if anything. */
type Behind = (vendor: string, url: string, key: string | null) => Promise<StandIn>;

export interface VendorStandIns {
  /** The settings that lead the service to them. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** A stand-in for every vendor that recognizes or speaks, reached directly or through what `behind` opens. */
export async function startVendorStandIns(speech: StandInSpeech, behind?: Behind): Promise<VendorStandIns> {
  const environment: Record<string, string> = {};
  const started: StandIn[] = [];
  for (const { name, needs, takes } of SPEECH_VENDORS) {
    const start = START[name];
    if (start === undefined) throw new Error(`the vendor ${name} has no stand-in here`);
    const server = await start(speech);
    started.push(server);
    const settings = { ...takes, ...needs };
    if (settings.baseUrl === undefined) throw new Error(`the vendor ${name} has no setting for its address`);
    const reached = behind ? await behind(name, server.url, needs.apiKey === undefined ? null : KEY) : server;
    if (reached !== server) started.unshift(reached);
    environment[settings.baseUrl] = reached.url;
    if (needs.apiKey !== undefined) environment[needs.apiKey] = KEY;
  }
  return {
    environment,
    async close() {
      await Promise.all(started.map((server) => server.close()));
    },
  };
}

function startAudioServer(speech: StandInSpeech, apiKey: string | null): Promise<StandIn> {
  const recognize = recognizeWords(speech);
  return startOpenAiServer({
    apiKey,
    recognize,
    speak: (text) => speech.speak(text),
    respond: () => "I do not know.",
    onRealtime: (socket) => serveTranscription(socket, { recognize }),
  });
}

/** What is said with times, spread evenly. */
export function recognizeWords(speech: StandInSpeech): (samples: Int16Array) => Promise<RecognizedWord[]> {
  return async (samples) => {
    const words = (await speech.recognize(samples)).split(/\s+/).filter((word) => word !== "");
    const stepMs = samples.length / 8 / Math.max(1, words.length);
    return words.map((text, index) => ({ text, startMs: index * stepMs, endMs: (index + 1) * stepMs }));
  };
}

const SPEECH_LEVEL = 500;
const PAUSE_SAMPLES = 1_200;
/** On a noisy line a pause is not silent, but quieter than the speech: by 8 dB. */
const PAUSE_SHARE = 0.4;

/** Recognizes in pauses only: the test machine has no time for partial results. */
function whenSilent({ recognize }: StandInSpeech): (samples: Int16Array) => Promise<string> {
  return async (samples) => {
    const end = samples.subarray(-PAUSE_SAMPLES);
    const isSilent = end.every((sample) => Math.abs(sample) < SPEECH_LEVEL);
    return isSilent || rmsOf(end) < PAUSE_SHARE * loudestRms(samples) ? recognize(samples) : "";
  };
}

/** Of the stretches that are as long as a pause. */
function loudestRms(samples: Int16Array): number {
  let loudest = 0;
  for (let start = 0; start < samples.length; start += PAUSE_SAMPLES)
    loudest = Math.max(loudest, rmsOf(samples.subarray(start, start + PAUSE_SAMPLES)));
  return loudest;
}

function rmsOf(samples: Int16Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / Math.max(1, samples.length));
}

function defaultVoiceOf(name: string): string {
  return VENDORS.find((vendor) => vendor.name === name)?.synthesis?.defaultVoice ?? "";
}

/** Repeats samples: good enough for 16 and 24 kHz, which come back to 8 kHz. */
function atRate(samples: Int16Array, rateHz: number): Int16Array {
  const factor = rateHz / 8_000;
  return Int16Array.from(
    { length: Math.floor(samples.length * factor) },
    (_, at) => samples[Math.floor(at / factor)] ?? 0,
  );
}
