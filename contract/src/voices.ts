import { z } from "zod";

export const VOICE_PREVIEW_CHARS_MAX = 400;

export const Voice = z
  .strictObject({
    id: z.string().meta({ example: "af_heart", description: "What `settings.voice` of a flow names." }),
    name: z.string().meta({ example: "Heart" }),
    kind: z.enum(["natural", "light"]).meta({
      description: "A `natural` voice is rendered ahead of a call; a `light` one says anything at once.",
    }),
    sex: z.enum(["woman", "man"]),
    language: z.string().meta({ example: "en-US" }),
    isDefault: z.boolean().meta({ description: "Whether it speaks for agents that name none." }),
    available: z.boolean(),
    missing: z.array(z.string()).meta({ description: "Settings to make before it can be used." }),
  })
  .meta({ id: "Voice" });
export type Voice = z.infer<typeof Voice>;

export const NewVoicePreview = z
  .strictObject({
    text: z.string().trim().min(1).max(VOICE_PREVIEW_CHARS_MAX).meta({
      description: "What to say, as a flow writes it. A `{{name}}` that is not filled is left out.",
    }),
    language: z
      .string()
      .regex(/^[a-z]{2}(-[A-Z]{2})?$/, "must be a language tag such as en or en-US")
      .default("en-US")
      .meta({ description: "How numbers, dates and the like in it are read." }),
    variables: z
      .record(z.string().min(1).max(64), z.string().max(200))
      .refine((map) => Object.keys(map).length <= 100, "must have at most 100 keys")
      .optional()
      .meta({ description: "Filled into `{{name}}`." }),
  })
  .meta({ id: "NewVoicePreview" });
export type NewVoicePreview = z.infer<typeof NewVoicePreview>;
