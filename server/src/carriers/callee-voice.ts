import { ClipCache } from "@parley/providers/local/clip-cache";
import { createFliteSynthesizer } from "@parley/providers/local/flite/flite-synthesizer";
import { DEFAULT_FLITE_VOICE, isFliteVoice } from "@parley/providers/local/flite/flite-voices";
import type { CalleeVoice } from "@parley/telephony/simulated-network/ports/callee-voice";

export interface OpenCalleeVoice extends CalleeVoice {
  close(): Promise<void>;
}

// What callees say is little and always the same, but for scripts: some four minutes of sound.
const CLIPS_BYTES_MAX = 4 * 1024 * 1024;
/** The agent's own voice is the default one, so callees have others: it must be heard who speaks. */
const VOICE_BY_KIND: ReadonlyMap<string, string> = new Map([
  ["human", "rms"],
  ["machine", "kal"],
]);

/** Gives simulated callees the voices that come with the installation. Nothing is loaded before somebody speaks. */
export function openCalleeVoice(): OpenCalleeVoice {
  const synthesizer = createFliteSynthesizer({ threadsMax: 1 });
  const clips = new ClipCache(synthesizer, { bytesMax: CLIPS_BYTES_MAX });
  return {
    render: (text, voice) => clips.clipOf({ text, voiceId: voiceIdOf(voice), sampleRateHz: 8_000 }),
    close: () => synthesizer.close(),
  };
}

function voiceIdOf(voice: string): string {
  if (isFliteVoice(voice)) return voice;
  return VOICE_BY_KIND.get(voice) ?? VOICE_BY_KIND.get("human") ?? DEFAULT_FLITE_VOICE;
}
