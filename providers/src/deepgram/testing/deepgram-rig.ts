import { systemClock } from "@parley/time/clock";
import { LevelSpeech } from "../../speech/testing/level-speech.ts";
import { type DeepgramServer, type DeepgramServerOptions, startDeepgramServer } from "./deepgram-server.ts";

export const TEST_KEY = "dg-7d1f0c55a9e84b2f";

/** A stand-in that understands level speech, and what an adapter needs to reach it. */
export async function openDeepgramRig(options: Partial<DeepgramServerOptions> = {}) {
  const speech = new LevelSpeech();
  const server: DeepgramServer = await startDeepgramServer({
    key: TEST_KEY,
    recognize: (samples) => speech.read(samples),
    ...options,
  });
  return { speech, server, access: { apiKey: TEST_KEY, baseUrl: server.url, clock: systemClock } };
}
