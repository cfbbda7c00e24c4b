import { FLITE_VOICES } from "@parley/providers/local/flite/flite-voices";
import { isKokoroVoice, isWoman } from "@parley/providers/local/kokoro/kokoro-voices";
import { VENDORS, type Vendor, vendorOfSpeech } from "@parley/providers/registry";
import type { VoiceSex } from "@parley/providers/speech/known-voices";
import { LOCAL_PROVIDER, type PartName, voiceOf } from "../../platform/config/engine-settings.ts";

/** Whether a part speaks with the voice of a woman or a man for an agent that names this voice, if any. Null if that is not known. */
export function sexOfPart(
  part: PartName,
  asked: string | undefined,
  vendors: readonly Vendor[] = VENDORS,
): VoiceSex | null {
  if (part.provider === LOCAL_PROVIDER) return sexOfLocal(asked);
  const voice = voiceOf(part, asked);
  const model = vendorOfSpeech(part.provider, vendors)?.speech;
  if (model !== undefined) return model.men.includes(voice) ? "man" : "woman";
  const { synthesis } = vendors.find(({ name }) => name === part.provider) ?? {};
  return synthesis?.knownVoices?.find(({ id }) => id === voice)?.sex ?? null;
}

/** The voices of this machine for agents that name none of them are those of women. */
function sexOfLocal(asked: string | undefined): VoiceSex {
  if (asked === undefined) return "woman";
  if (isKokoroVoice(asked)) return isWoman(asked) ? "woman" : "man";
  return FLITE_VOICES.find(({ id }) => id === asked)?.description.startsWith("Man") ? "man" : "woman";
}
