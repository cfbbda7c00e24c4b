import { AppError } from "@parley/contract/errors";
import type { Flow } from "@parley/contract/flow";
import type { Voice } from "@parley/contract/voices";
import {
  DEFAULT_FLITE_VOICE,
  FLITE_VOICES,
  type FliteVoiceId,
  isFliteVoice,
} from "@parley/providers/local/flite/flite-voices";
import type { KokoroSynthesizer } from "@parley/providers/local/kokoro/kokoro-synthesizer";
import {
  DEFAULT_KOKORO_VOICE,
  isBritish,
  isKokoroVoice,
  isWoman,
  KOKORO_VOICES,
  type KokoroVoiceId,
} from "@parley/providers/local/kokoro/kokoro-voices";
import type { ConversationPlan } from "../../speech/conversations/conversation-plan.ts";
import { textsOfCall } from "./call-texts.ts";

/** What an agent speaks with when its flow does not say. */
export const DEFAULT_VOICE: KokoroVoiceId = DEFAULT_KOKORO_VOICE;

/** Every voice an agent may have: natural ones that are rendered ahead, then light ones that can say anything at once. */
const VOICE_IDS: readonly string[] = [...KOKORO_VOICES, ...FLITE_VOICES].map(({ id }) => id);

export function isKnownVoice(id: string): boolean {
  return isKokoroVoice(id) || isFliteVoice(id);
}

/** The light voice that speaks for a natural one, of the same sex and from the same side of the sea. */
export function lightVoiceFor(id: string): FliteVoiceId {
  if (isFliteVoice(id)) return id;
  if (!isKokoroVoice(id) || isWoman(id)) return DEFAULT_FLITE_VOICE;
  return isBritish(id) ? "awb" : "rms";
}

/** Throws 422 with the names of the voices there are. A draft may name any; what is published must be heard. */
export function refuseUnknownVoice({ settings }: Flow): void {
  const voice = settings?.voice;
  if (voice === undefined || isKnownVoice(voice)) return;
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
      isDefault: id === DEFAULT_VOICE,
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
      available: true,
      missing: [],
      sex: description.startsWith("Woman") ? "woman" : "man",
    }),
  );
  return [...natural, ...light];
}

export interface ChooseVoiceDeps {
  /** Null where the installation has light voices alone. */
  readonly natural: Pick<KokoroSynthesizer, "renderAhead"> | null;
  /** How long a call may wait for its texts before it is dialed. */
  readonly waitMs: number;
}

export interface ChosenVoice {
  readonly voiceId: string;
  /** Why it is not the natural voice that was asked for; null when nothing is amiss. */
  readonly because: string | null;
}

/**
 * Decides with which voice a call is held, from its first word to its last: the natural one when everything that may be
 * said lies ready or can be rendered soon enough, else a light one. Never rejects.
 */
export async function chooseVoice({ natural, waitMs }: ChooseVoiceDeps, plan: ConversationPlan): Promise<ChosenVoice> {
  const asked = plan.flow.settings?.voice;
  const wanted = asked !== undefined && isKnownVoice(asked) ? asked : DEFAULT_VOICE;
  if (!isKokoroVoice(wanted)) return { voiceId: wanted, because: null };
  const lightly = (because: string): ChosenVoice => ({ voiceId: lightVoiceFor(wanted), because });
  if (natural === null) return lightly("natural voices are turned off");
  const { texts, unknowable } = textsOfCall(plan);
  if (unknowable !== null) return lightly(unknowable);
  const { missing } = await natural.renderAhead(texts, wanted, { deadlineMs: waitMs });
  if (missing.length > 0) return lightly(`${missing.length} of ${texts.length} texts are not rendered yet`);
  return { voiceId: wanted, because: null };
}
