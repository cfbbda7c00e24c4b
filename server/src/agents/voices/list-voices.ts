import type { Voice } from "@parley/contract/voices";
import { FLITE_VOICES } from "@parley/providers/local/flite/flite-voices";
import { isKokoroVoice, isWoman, KOKORO_VOICES } from "@parley/providers/local/kokoro/kokoro-voices";
import { DEFAULT_VOICE } from "./known-voices.ts";

/** Every voice an agent may have, as clients choose among them: the default first. */
export function listVoices(hasNaturalVoices: boolean): Voice[] {
  const natural = KOKORO_VOICES.map(({ id, language, description }): Voice => {
    const [name = id] = description.split(":");
    return {
      ...{ id, name, language, kind: "natural" },
      sex: isKokoroVoice(id) && !isWoman(id) ? "man" : "woman",
      isDefault: id === DEFAULT_VOICE,
      available: hasNaturalVoices,
      missing: hasNaturalVoices ? [] : ["Set PARLEY_NATURAL_VOICES to on."],
    };
  });
  const light = FLITE_VOICES.map(
    ({ id, language, description }): Voice => ({
      ...{ id, name: id.toUpperCase(), language, kind: "light", isDefault: false, available: true, missing: [] },
      sex: description.startsWith("Woman") ? "woman" : "man",
    }),
  );
  return [...natural, ...light];
}
