import { z } from "zod";
import { defineRoute } from "../route.ts";
import { NewVoicePreview, Voice } from "../voices.ts";

const read = { by: "key_or_member", scope: "engines:read" } as const;

export const listVoices = defineRoute({
  id: "listVoices",
  method: "GET",
  path: "/api/v1/voices",
  tag: "Engines",
  summary: "List the available voices",
  access: read,
  data: z.array(Voice),
});

export const previewVoice = defineRoute({
  id: "previewVoice",
  method: "POST",
  path: "/api/v1/voices/{id}/preview",
  tag: "Engines",
  summary: "Preview a voice as a callee hears it; WAV, 8 kHz",
  access: read,
  params: z.strictObject({ id: z.string().min(1).max(64).meta({ example: "af_heart" }) }),
  body: NewVoicePreview,
  data: z.string(),
  alsoProduces: ["audio/wav"],
  producesJson: false,
  errors: ["not_found", "invalid_state", "unavailable"],
});
