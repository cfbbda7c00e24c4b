import { FRAME_SAMPLES } from "@parley/audio/frame";
import type { Flow } from "@parley/contract/flow";
import { createFliteSynthesizer } from "@parley/providers/local/flite/flite-synthesizer";
import { isQuick } from "../quick.ts";
import { prepareClips, spoken } from "../turns/callee-clips.ts";
import type { CalleePlan } from "../turns/callee-script.ts";
import type { VendorUrls } from "./vendor-messages.ts";

/** The same conversation for every program: a callee asks for several items, and the agent says something about each. */

export const ENGINE = "deepgram-openai-elevenlabs";
export const VENDOR_KEY = "bench-key";
export const VOICE_ID = "21m00Tcm4TlvDq8ikWAM";
export const GREETING = isQuick ? "Hello." : "Hello, what would you like to know more about today?";

const QUESTIONS = [
  "This is what I would like to know more about today.",
  "Please tell me a little more about the next one of them.",
  "And can you explain the other one to me as well?",
];
const REPLY = "You asked about this item. I will gladly tell you more about it, and it does not take long at all.";
/** A sample louder than this is speech for the stand-in. G.711 changes it by less than the difference. */
const LOUD_LEVEL = 650;

export interface EngineSounds {
  readonly clips: ReadonlyMap<string, Int16Array>;
  /** What the voice vendor sends, as much of it as the text is long. */
  readonly reply: Int16Array;
}

export async function prepareEngineSounds(): Promise<EngineSounds> {
  const { clips } = await prepareClips(QUESTIONS, []);
  const synthesizer = createFliteSynthesizer({ deadlineMs: 60_000 });
  const pieces: Int16Array[] = [];
  const request = { text: REPLY, voiceId: "slt", sampleRateHz: 8_000 } as const;
  for await (const piece of synthesizer.speak(request)) pieces.push(piece);
  await synthesizer.close();
  const reply = Int16Array.from(pieces.flatMap((piece) => [...piece]));
  return {
    clips: new Map([...clips].map(([name, sound]) => [name, betweenLoudSamples(sound)])),
    reply: reply.subarray(reply.findIndex((sample) => Math.abs(sample) > LOUD_LEVEL)),
  };
}

/** Whole frames, of which the last one ends with a loud sample: then all programs agree on when the callee stopped. */
function betweenLoudSamples(sound: Int16Array): Int16Array {
  const isLoud = (sample: number) => Math.abs(sample) > LOUD_LEVEL;
  const end = sound.findLastIndex(isLoud) + 1;
  const start = sound.findIndex(isLoud);
  return sound.slice(start + ((end - start) % FRAME_SAMPLES), end);
}

export function engineCallee(index: number, turns: number): CalleePlan {
  return {
    acts: Array.from({ length: turns }, (_, turn) => ({
      type: "answer",
      purpose: "free",
      clipName: spoken(QUESTIONS[(index + turn) % QUESTIONS.length] ?? "", index + turn),
      afterMs: 700 + ((index * 3 + turn) % 7) * 60,
    })),
    fillerClip: spoken(QUESTIONS[0] ?? "", index),
    echo: null,
    beginsAfterMs: 200,
  };
}

export const ENGINE_FLOW: Flow = {
  schemaVersion: 1,
  variables: [],
  nodes: [
    { id: "start", type: "start", next: "talk" },
    {
      id: "talk",
      type: "conversation",
      text: GREETING,
      prompt: "Tell the caller about the items.",
      exits: [],
      turnsMax: 100,
      otherwise: "bye",
    },
    { id: "bye", type: "end", text: "Goodbye." },
  ],
  settings: { greeting: "immediate", disclosure: null },
};

/** The settings of our service for the vendors. Flux reports the ends of turns itself, for us and for the peer. */
export function engineEnvironment(urls: VendorUrls): Readonly<Record<string, string>> {
  return {
    PARLEY_CONVERSATION_THREADS: "1",
    PARLEY_SPEECH_PROCESSES: "1",
    PARLEY_NATURAL_VOICES: "off",
    PARLEY_DEEPGRAM_API_KEY: VENDOR_KEY,
    PARLEY_DEEPGRAM_URL: urls.deepgram,
    PARLEY_OPENAI_API_KEY: VENDOR_KEY,
    PARLEY_OPENAI_URL: `${urls.openai}/v1`,
    PARLEY_ELEVENLABS_API_KEY: VENDOR_KEY,
    PARLEY_ELEVENLABS_URL: urls.elevenlabs,
    PARLEY_ENGINES: JSON.stringify([
      { name: ENGINE, recognition: ["deepgram/flux-general-en"], model: ["openai"], synthesis: ["elevenlabs"] },
    ]),
  };
}
