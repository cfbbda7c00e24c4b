import type { KokoroSynthesizer } from "@parley/providers/local/kokoro/kokoro-synthesizer";
import { isKokoroVoice } from "@parley/providers/local/kokoro/kokoro-voices";
import type { ConversationPlan } from "../../speech/conversations/conversation-plan.ts";
import { DEFAULT_VOICE, isKnownVoice, lightVoiceFor } from "./known-voices.ts";
import { textsOfCall } from "./texts-to-say.ts";

export interface ChooseVoiceParts {
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
export async function chooseVoice({ natural, waitMs }: ChooseVoiceParts, plan: ConversationPlan): Promise<ChosenVoice> {
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
