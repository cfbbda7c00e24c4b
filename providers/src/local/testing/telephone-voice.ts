import { throughG711 } from "@parley/audio/testing/through-g711";
import type { SpeechSynthesizer } from "@parley/voice/ports/speech-synthesizer";
import { renderClip } from "../clip-cache.ts";
import { createFliteSynthesizer } from "../flite/flite-synthesizer.ts";

/** A voice on the telephone, for tests of components that listen. */
export interface TelephoneVoice {
  /** 8 kHz audio after mu-law coding. */
  speak(text: string): Promise<Int16Array>;
  close(): Promise<void>;
}

/** No callee waits for it, and the machine that runs the tests may be busy. */
const DEADLINE_MS = 60_000;

export function openTelephoneVoice(
  synthesizer: SpeechSynthesizer = createFliteSynthesizer({ deadlineMs: DEADLINE_MS }),
  voiceId = "slt",
): TelephoneVoice {
  return {
    speak: async (text) => throughG711(await renderClip(synthesizer, { text, voiceId, sampleRateHz: 8_000 })),
    close: () => synthesizer.close(),
  };
}
