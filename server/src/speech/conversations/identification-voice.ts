import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { standardTexts } from "@parley/flow/standard-texts";
import { DEFAULT_FLITE_VOICE } from "@parley/providers/local/flite/flite-voices";
import { splitClauses } from "@parley/voice/conversation/texts/clauses";
import { joinSamples } from "@parley/voice/engine/join-samples";
import { plainText } from "@parley/voice/ports/speech-notation";
import type { SpeechSynthesizer } from "@parley/voice/ports/speech-synthesizer";
import { spokenForm } from "@parley/voice/text/spoken-form";
import { LRUCache } from "lru-cache";
import type { ConversationPlan } from "./conversation-plan.ts";
import type { SpokenIdentification } from "./fallback-speaker.ts";

/** Agents identify themselves to many callees with the same words. */
const KEPT_MAX = 64;

/** Renders the agent's introduction outside the threads that hold conversations. */
export function createIdentificationVoice(synthesizer: Pick<SpeechSynthesizer, "speak">) {
  const kept = new LRUCache<string, Promise<SpokenIdentification | null>>({ max: KEPT_MAX });

  async function make(text: string, voiceId: string): Promise<SpokenIdentification | null> {
    try {
      const pieces: Int16Array[] = [];
      for (const clause of splitClauses(text)) {
        const request = { text: clause, voiceId, sampleRateHz: TELEPHONE_RATE_HZ } as const;
        for await (const piece of synthesizer.speak(request)) pieces.push(piece);
      }
      return { text: plainText(text), clip: joinSamples(pieces) };
    } catch {
      // Without it, such a callee is hung up on a little earlier.
      return null;
    }
  }

  return function identify(plan: ConversationPlan): Promise<SpokenIdentification | null> {
    const text = identificationOf(plan);
    const { voiceId = DEFAULT_FLITE_VOICE } = plan;
    const key = JSON.stringify([voiceId, text]);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = make(text, voiceId);
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
