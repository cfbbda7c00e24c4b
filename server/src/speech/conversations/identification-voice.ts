import { standardTexts } from "@parley/flow/standard-texts";
import { plainText } from "@parley/voice/ports/speech-notation";
import { spokenForm } from "@parley/voice/text/spoken-form";
import { LRUCache } from "lru-cache";
import type { ConversationPlan } from "./conversation-plan.ts";
import type { SpokenIdentification } from "./fallback-speaker.ts";
import { type LocalVoices, localVoiceIn, speakWhole } from "./local-voices.ts";

/** Agents identify themselves to many callees with the same words. */
const KEPT_MAX = 64;

/** Renders the agent's introduction outside the threads that hold conversations. */
export function createIdentificationVoice(local: LocalVoices) {
  const kept = new LRUCache<string, Promise<SpokenIdentification | null>>({ max: KEPT_MAX });

  async function make(text: string, voiceId: string, language: string): Promise<SpokenIdentification | null> {
    try {
      return { text: plainText(text), clip: await speakWhole(local, text, { language, voiceId }) };
    } catch {
      // Without it, such a callee is hung up on a little earlier.
      return null;
    }
  }

  return function identify(plan: ConversationPlan): Promise<SpokenIdentification | null> {
    const { language } = plan;
    const voiceId = localVoiceIn(local, plan.voiceId, language);
    // Another voice would read the language as if it were English.
    if (voiceId === null) return Promise.resolve(null);
    const text = identificationOf(plan);
    const key = JSON.stringify([voiceId, text]);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = make(text, voiceId, language);
    kept.set(key, made);
    // The next call may succeed.
    void made.then((spoken) => {
      if (spoken === null) kept.delete(key);
    });
    return made;
  };
}

/** The agent's introduction, as spoken, with marks for the voice. */
export function identificationOf({
  flow,
  language,
  variables,
}: Pick<ConversationPlan, "flow" | "language" | "variables">): string {
  const { identification, pace, pronunciations } = flow.settings ?? {};
  if (identification === undefined) return momentOf({ flow, language, variables });
  return spokenForm(identification, variables, { language, pace, pronunciations });
}

/** "One moment, please.", as this agent says it. */
export function momentOf({
  flow,
  language,
  variables,
}: Pick<ConversationPlan, "flow" | "language" | "variables">): string {
  const { phrases, pace, pronunciations } = flow.settings ?? {};
  const text = phrases?.moment ?? standardTexts(language).phrases.moment;
  return spokenForm(text, variables, { language, pace, pronunciations });
}
