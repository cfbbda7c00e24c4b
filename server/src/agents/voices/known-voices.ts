import { AppError } from "@parley/contract/errors";
import type { Flow } from "@parley/contract/flow";
import type { Voice } from "@parley/contract/voices";
import {
  DEFAULT_FLITE_VOICE,
  FLITE_VOICES,
  type FliteVoiceId,
  isFliteVoice,
} from "@parley/providers/local/flite/flite-voices";
import {
  DEFAULT_KOKORO_VOICE,
  defaultVoiceIn,
  isBritish,
  isKokoroVoice,
  isWoman,
  KOKORO_VOICES,
  type KokoroVoiceId,
  languageOf,
} from "@parley/providers/local/kokoro/kokoro-voices";
import { VENDORS } from "@parley/providers/registry";
import type { ConversationPlan } from "../../speech/conversations/conversation-plan.ts";
import type { EngineRecipe } from "../../speech/engines/engine-catalog.ts";
import type { NaturalCalls, NaturalVoices } from "./natural-voices.ts";
import { sexOfPart } from "./voice-sex.ts";

/** What an agent speaks English with when its flow does not say. */
export const DEFAULT_VOICE: KokoroVoiceId = DEFAULT_KOKORO_VOICE;

/** The live voice was trained and tested most with these: women and men, American and British. */
const RECOMMENDED: ReadonlySet<string> = new Set<KokoroVoiceId>([
  "af_heart",
  "af_bella",
  "am_michael",
  "am_puck",
  "bf_emma",
  "bm_george",
]);

/** Every voice an agent may have: natural ones, then light ones. */
const VOICE_IDS: readonly string[] = [...KOKORO_VOICES, ...FLITE_VOICES].map(({ id }) => id);

export function isKnownVoice(id: string): boolean {
  return isKokoroVoice(id) || isFliteVoice(id);
}

/** A voice of a vendor, such as `elevenlabs/JBFqnCBsd6RMkjVDRZzb`. Only the vendor knows which there are. */
function isVendorVoice(id: string): boolean {
  return VENDORS.some(({ name, synthesis, speech }) =>
    [synthesis && name, speech?.name].some((part) => part !== undefined && id.startsWith(`${part}/`)),
  );
}

/**
 * The light voice that speaks for a natural one, of the same sex and from the same side of the sea. Null for voices of other
 * languages: the light ones speak only English, and nothing is said by a voice that does not speak the language of the words.
 */
export function lightVoiceFor(id: string): FliteVoiceId | null {
  if (isFliteVoice(id)) return id;
  if (isKokoroVoice(id) && languageOf(id) !== "en") return null;
  if (!isKokoroVoice(id) || isWoman(id)) return DEFAULT_FLITE_VOICE;
  return isBritish(id) ? "awb" : "rms";
}

/** Throws 422 with the names of the voices there are. A draft may name any; what is published must be heard. */
export function refuseUnknownVoice({ settings }: Flow): void {
  const voice = settings?.voice;
  if (voice === undefined || isKnownVoice(voice) || isVendorVoice(voice)) return;
  const message = `There is no voice ${JSON.stringify(voice)}. The voices are: ${VOICE_IDS.join(", ")}.`;
  const param = "flow.settings.voice";
  throw new AppError("validation_failed", message, { details: [{ param, code: "unknown_voice", message }] });
}

/** Every voice an agent may have, as clients choose among them: the default first. */
export function listVoices(hasNaturalVoices: boolean): Voice[] {
  const natural = KOKORO_VOICES.map(({ id, language, description }): Voice => {
    const [name = id] = description.split(":");
    return {
      id,
      name,
      language,
      kind: "natural",
      sex: isKokoroVoice(id) && !isWoman(id) ? "man" : "woman",
      isDefault: id === defaultVoiceIn(language),
      isRecommended: RECOMMENDED.has(id),
      available: hasNaturalVoices,
      missing: hasNaturalVoices ? [] : ["Set PARLEY_NATURAL_VOICES to on."],
    };
  });
  const light = FLITE_VOICES.map(
    ({ id, language, description }): Voice => ({
      id,
      name: id.toUpperCase(),
      language,
      kind: "light",
      isDefault: false,
      isRecommended: false,
      available: true,
      missing: [],
      sex: description.startsWith("Woman") ? "woman" : "man",
    }),
  );
  return [...natural, ...light];
}

export interface ChooseVoiceDeps extends NaturalCalls {
  /** Null where natural voices are turned off. */
  readonly natural: Pick<NaturalVoices, "refusalFor"> | null;
}

export interface ChosenVoice {
  /** Null where no voice of this machine speaks the language now. */
  readonly voiceId: string | null;
  /** Why it is not the requested natural voice; null when it is, or when a light one was requested. */
  readonly because: string | null;
  /** Whether that is a failure of the service rather than a matter of settings. */
  readonly isIncident: boolean;
}

/** Decides with which voice a call is held, from its first word to its last, before it is dialed. */
export async function chooseVoice(
  { natural, ...calls }: ChooseVoiceDeps,
  { flow, language, engine }: Pick<ConversationPlan, "flow" | "language" | "engine">,
): Promise<ChosenVoice> {
  const asked = flow.settings?.voice;
  const isEnglish = /^en\b/i.test(language);
  if (asked !== undefined && isFliteVoice(asked) && isEnglish)
    return { voiceId: asked, because: null, isIncident: false };
  const wanted = naturalVoiceFor(asked, language, engine);
  if (wanted === null)
    return { voiceId: null, because: `the voices of this machine do not speak ${language}`, isIncident: false };
  const lightly = (because: string, isIncident: boolean): ChosenVoice => ({
    voiceId: lightVoiceFor(wanted),
    because,
    isIncident,
  });
  if (natural === null) return lightly("natural voices are turned off", false);
  // No light voice could take over.
  if (!isEnglish) return { voiceId: wanted, because: null, isIncident: false };
  const refusal = await natural.refusalFor(calls);
  return refusal === null ? { voiceId: wanted, because: null, isIncident: false } : lightly(refusal, true);
}

/**
 * The natural voice of an agent: the one that it names if that voice speaks its language, otherwise the default voice of the language, which is a
 * man's if it speaks for a model or takes over for a vendor with a man's voice. Null if no natural voice speaks the language.
 */
export function naturalVoiceFor(
  asked: string | undefined,
  language: string,
  engine?: Pick<EngineRecipe, "speech" | "synthesis">,
): KokoroVoiceId | null {
  const [code = ""] = language.toLowerCase().split("-");
  if (asked !== undefined && isKokoroVoice(asked) && languageOf(asked) === code) return asked;
  return defaultVoiceIn(language, engine && hasMansVoice(engine, asked) ? "man" : "woman");
}

function hasMansVoice(
  { speech, synthesis }: Pick<EngineRecipe, "speech" | "synthesis">,
  asked: string | undefined,
): boolean {
  const [first] = speech.length > 0 ? speech : synthesis;
  return first !== undefined && sexOfPart(first, asked) === "man";
}
