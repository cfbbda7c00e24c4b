import { connectRecognizer, startRecognizerThread } from "@parley/providers/local/stt/recognizer-thread";
import { openTelephoneVoice } from "@parley/providers/local/testing/telephone-voice";
import type { StandInSpeech } from "./vendor-stand-ins.ts";

/** What stand-ins for vendors understand and how they speak: recognition and a voice of this machine. */
export interface LocalStandInSpeech extends StandInSpeech {
  close(): Promise<void>;
}

export async function openStandInSpeech(): Promise<LocalStandInSpeech> {
  const ears = await startRecognizerThread({ size: "tiny", processes: 1, deadlineMs: 60_000 });
  const recognizer = connectRecognizer(ears.connect());
  const voice = openTelephoneVoice();
  // Vendors do not load their voices during calls, and do not share a processor with the service.
  await voice.speak("Hello.");
  const clips = new Map<string, Promise<Int16Array>>();
  return {
    speak(text) {
      const clip = clips.get(text) ?? voice.speak(text);
      clips.set(text, clip);
      return clip;
    },
    async recognize(samples) {
      const stream = await recognizer.open({ language: "en-US", sampleRateHz: 8_000 });
      try {
        stream.hear(samples);
        return (await stream.recognize({ expected: [], isSpeechCertain: true, isGuess: false })).text;
      } finally {
        stream.close();
      }
    },
    async close() {
      await Promise.all([voice.close(), recognizer.close()]);
      await ears.stop();
    },
  };
}
