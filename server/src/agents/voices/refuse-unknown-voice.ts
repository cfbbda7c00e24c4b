import { AppError } from "@parley/contract/errors";
import type { Flow } from "@parley/contract/flow";
import { isKnownVoice, VOICE_IDS } from "./known-voices.ts";

/** Throws 422 with the names of the voices there are. A draft may name any; what is published must be heard. */
export function refuseUnknownVoice({ settings }: Flow): void {
  const voice = settings?.voice;
  if (voice === undefined || isKnownVoice(voice)) return;
  const message = `There is no voice ${JSON.stringify(voice)}. The voices are: ${VOICE_IDS.join(", ")}.`;
  const param = "flow.settings.voice";
  throw new AppError("validation_failed", message, { details: [{ param, code: "unknown_voice", message }] });
}
