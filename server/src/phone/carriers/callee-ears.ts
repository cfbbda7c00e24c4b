import type { MessagePort } from "node:worker_threads";
import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { connectRecognizer } from "@parley/providers/local/stt/connect-recognizer";
import type { CalleeEars } from "@parley/telephony/simulated-network/ports/callee-ears";
import type { SpeechRecognizer } from "@parley/voice/ports/speech-recognizer";

export interface OpenCalleeEars extends CalleeEars {
  close(): Promise<void>;
}

/**
 * Lets simulated callees understand the agent by the same recognition that agents use. Agents go first: a callee that is
 * not real can wait. Nothing is loaded before the first of them listens.
 */
export function openCalleeEars(connect: () => Promise<MessagePort>): OpenCalleeEars {
  let opening: Promise<SpeechRecognizer> | null = null;
  const recognizer = () => {
    opening ??= connect().then(connectRecognizer, (error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };
  return {
    async understand(utterance, signal) {
      const stream = await (await recognizer()).open({ language: "en-US", sampleRateHz: TELEPHONE_RATE_HZ });
      try {
        stream.hear(utterance);
        const question = { expected: [], isSpeechCertain: true, isGuess: true, signal };
        return (await stream.recognize(question)).text;
      } finally {
        stream.close();
      }
    },
    async close() {
      const [opened] = await Promise.allSettled(opening ? [opening] : []);
      if (opened?.status === "fulfilled") await opened.value.close();
    },
  };
}
