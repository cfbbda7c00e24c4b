import { z } from "zod";
import { Pronunciations } from "./pronunciations.ts";

export const VOICE_PREVIEW_CHARS_MAX = 400;

export const Voice = z
  .strictObject({
    id: z.string().meta({ example: "af_heart", description: "The id for `settings.voice` of a flow." }),
    name: z.string().meta({ example: "Heart" }),
    kind: z.enum(["natural", "light"]).meta({
      description:
        "A `natural` voice sounds like a person; a `light` one sounds robotic and takes less processor time. Both say any text.",
    }),
    sex: z.enum(["woman", "man"]),
    language: z.string().meta({ example: "en-US" }),
    isDefault: z
      .boolean()
      .meta({ description: "Whether agents in its language use it if they have no voice setting." }),
    isRecommended: z.boolean().meta({
      description: "Whether it is one of the six natural voices that were tested most.",
    }),
    available: z.boolean(),
    missing: z.array(z.string()).meta({ description: "Settings that are required before it can be used." }),
  })
  .meta({ id: "Voice" });
export type Voice = z.infer<typeof Voice>;

export const NewVoicePreview = z
  .strictObject({
    text: z.string().trim().min(1).max(VOICE_PREVIEW_CHARS_MAX).meta({
      description: "The text, as in a flow. A `{{name}}` without a value is omitted.",
    }),
    language: z
      .string()
      .regex(/^[a-z]{2}(-[A-Z]{2})?$/, "must be a language tag such as en or en-US")
      .default("en-US")
      .meta({ description: "The language in which numbers, dates and so on are read." }),
    variables: z
      .record(z.string().min(1).max(64), z.string().max(200))
      .refine((map) => Object.keys(map).length <= 100, "must have at most 100 keys")
      .optional()
      .meta({ description: "Values for `{{name}}` placeholders." }),
    pace: z.number().min(0.7).max(1.3).optional().meta({ description: "As in the settings of a flow." }),
    pronunciations: Pronunciations.optional().meta({
      description: "As in the settings of a flow, in addition to the account's list.",
    }),
  })
  .meta({ id: "NewVoicePreview" });
export type NewVoicePreview = z.infer<typeof NewVoicePreview>;
