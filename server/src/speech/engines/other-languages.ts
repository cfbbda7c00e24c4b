import type { Flow } from "@parley/contract/flow";
import { STANDARD_LANGUAGES } from "@parley/flow/standard-texts";
import { naturalVoiceFor } from "../../agents/voices/known-voices.ts";
import type { ConversationPlan } from "../conversations/conversation-plan.ts";
import { type EngineSources, hearsAndSpeaks, recipeFor } from "./engine-catalog.ts";

/**
 * The languages that a call may change to when the callee speaks them, and in which the agent can say at least that it
 * cannot: those of the translations of its flow, and those with standard texts, as far as the engine hears and speaks
 * them.
 */
export function otherLanguages(
  sources: EngineSources,
  engineName: string,
  { settings = {} }: Flow,
  language: string,
): NonNullable<ConversationPlan["inOtherLanguages"]> {
  const translated = (settings.translations ?? []).map((each) => each.language);
  const known = new Set([language, ...translated].map(codeOf));
  const candidates = [...translated, ...STANDARD_LANGUAGES.filter((code) => !known.has(code))];
  return candidates.flatMap((tag) => {
    if (codeOf(tag) === codeOf(language) || !hearsAndSpeaks(sources, engineName, tag)) return [];
    const engine = recipeFor(sources, engineName, tag);
    if (engine === undefined) return [];
    return [{ language: tag, engine, voiceId: naturalVoiceFor(settings.voice, tag, engine) ?? "" }];
  });
}

function codeOf(language: string): string {
  return language.toLowerCase().split("-")[0] ?? "";
}
