import { FLITE_VOICES } from "@parley/providers/local/flite/flite-voices";
import { KOKORO_VOICES } from "@parley/providers/local/kokoro/kokoro-voices";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type {
  SpeechRequest,
  SpeechSynthesizer,
  SpeechVoice,
  VoiceChange,
} from "@parley/voice/ports/speech-synthesizer";
import { expect, test } from "vitest";
import { createCallingVoice } from "./calling-voice.ts";
import { refuseUnknownVoice } from "./known-voices.ts";

function voiceThat(voices: readonly SpeechVoice[], speak: (request: SpeechRequest) => Int16Array[]) {
  const asked: string[] = [];
  let isClosed = false;
  const synthesizer: SpeechSynthesizer = {
    name: "test",
    voices,
    async *speak(request) {
      asked.push(`${request.voiceId}: ${request.text}`);
      yield* speak(request);
    },
    async close() {
      isClosed = true;
    },
  };
  return { ...synthesizer, asked, isClosed: () => isClosed };
}

const broken = () => {
  throw new ProviderError("kokoro", "its process ended twice", { retryable: false });
};
const sound = () => [Int16Array.of(1, 2)];

async function say(
  synthesizer: SpeechSynthesizer,
  voiceId: string,
  onVoiceChanged: (change: VoiceChange) => void = () => undefined,
  keepsVoice = false,
) {
  const pieces: Int16Array[] = [];
  const request = { text: "Hi.", voiceId, sampleRateHz: 8_000, onVoiceChanged, keepsVoice } as const;
  for await (const piece of synthesizer.speak(request)) pieces.push(piece);
  return pieces;
}

test("each voice is spoken by the engine that has it", async () => {
  const light = voiceThat(FLITE_VOICES, sound);
  const natural = voiceThat(KOKORO_VOICES, sound);
  const voice = createCallingVoice({ light, natural });
  await say(voice, "rms");
  await say(voice, "af_heart");
  expect(light.asked).toEqual(["rms: Hi."]);
  expect(natural.asked).toEqual(["af_heart: Hi."]);
  expect(voice.voices).toHaveLength(KOKORO_VOICES.length + FLITE_VOICES.length);
  await voice.close();
  expect([light.isClosed(), natural.isClosed()]).toEqual([true, true]);
});

test("a text that the natural voice fails to say is said by a similar light voice, and that is reported", async () => {
  const light = voiceThat(FLITE_VOICES, sound);
  const changes: VoiceChange[] = [];
  const voice = createCallingVoice({
    light,
    natural: voiceThat(KOKORO_VOICES, broken),
  });
  expect(await say(voice, "am_adam", (change) => changes.push(change))).toEqual(sound());
  expect(light.asked).toEqual(["rms: Hi."]);
  expect(changes).toEqual([{ voiceId: "rms", reason: "its process ended twice" }]);
});

test.each(["ef_dora", "em_alex", "ff_siwis", "if_sara", "pm_alex"])(
  "words in another language are not read by a light voice, which speaks only English: %s fails",
  async (voiceId) => {
    const light = voiceThat(FLITE_VOICES, sound);
    const changes: VoiceChange[] = [];
    const voice = createCallingVoice({ light, natural: voiceThat(KOKORO_VOICES, broken) });
    await expect(say(voice, voiceId, (change) => changes.push(change))).rejects.toThrow("its process ended twice");
    expect([light.asked, changes]).toEqual([[], []]);
  },
);

test("a callee who has heard the natural voice hears no other one: what it fails to say is not said", async () => {
  const light = voiceThat(FLITE_VOICES, sound);
  const changes: VoiceChange[] = [];
  const voice = createCallingVoice({ light, natural: voiceThat(KOKORO_VOICES, broken) });
  const said = say(voice, "am_adam", (change) => changes.push(change), true);
  await expect(said).rejects.toThrow("its process ended twice");
  expect([light.asked, changes]).toEqual([[], []]);
});

test("a callee who hung up is not spoken to by another voice", async () => {
  const light = voiceThat(FLITE_VOICES, sound);
  const reason = new Error("hung up");
  const natural = voiceThat(KOKORO_VOICES, () => {
    throw reason;
  });
  const voice = createCallingVoice({ light, natural });
  expect(await say(voice, "af_heart").catch((error: unknown) => error)).toBe(reason);
  expect(light.asked).toEqual([]);
});

test("an agent with a voice that does not exist is refused with the names of those that do", () => {
  const flow = { schemaVersion: 1, variables: [], nodes: [] } as const;
  expect(() => refuseUnknownVoice({ ...flow, variables: [], nodes: [], settings: { voice: "hal" } })).toThrow(
    /no voice "hal".*af_heart.*bm_george.*slt/,
  );
  expect(() => refuseUnknownVoice({ ...flow, variables: [], nodes: [], settings: { voice: "slt" } })).not.toThrow();
  expect(() => refuseUnknownVoice({ ...flow, variables: [], nodes: [] })).not.toThrow();
});
