import { z } from "zod";

export const EngineModel = z
  .strictObject({
    name: z.string().nullable().meta({ example: "openai/gpt-5.4-mini", description: "Null if none is configured." }),
    fallbacks: z.array(z.string()).meta({
      description:
        "Used in this order if it fails or does not respond in time, and first by nodes that name one of them.",
    }),
    missing: z.array(z.string()).meta({ description: "Settings that are required to configure one." }),
  })
  .meta({ id: "EngineModel" });
export type EngineModel = z.infer<typeof EngineModel>;

export const EnginePart = z
  .strictObject({
    provider: z.string().meta({ example: "deepgram", description: "`local` runs on the machine of the service." }),
    model: z.string().nullable().meta({ example: "nova-3" }),
    voice: z.string().nullable().meta({ description: "The voice of agents that name none. Synthesis only." }),
    available: z.boolean().meta({ description: "Whether its settings are complete. Otherwise it is left out." }),
  })
  .meta({ id: "EnginePart" });
export type EnginePart = z.infer<typeof EnginePart>;

export const Engine = z
  .strictObject({
    name: z.string().meta({ example: "local" }),
    description: z.string(),
    available: z.boolean(),
    missing: z.array(z.string()).meta({ description: "Settings that are required before it can be used." }),
    isDefault: z.boolean(),
    languages: z
      .array(z.string())
      .nullable()
      .meta({
        description:
          "The languages in which it recognizes and speaks, as ISO 639-1 codes. Null if a server of the operator decides that.",
        example: ["en"],
      }),
    recognition: z.array(EnginePart).meta({ description: "Recognizes speech: the first choice, then its fallbacks." }),
    synthesis: z.array(EnginePart).meta({ description: "Speaks: the first choice, then its fallbacks." }),
    model: EngineModel.nullable().meta({
      description:
        "The language model of agents that need one; other agents work without it. Null if the engine is itself a model.",
    }),
  })
  .meta({ id: "Engine" });
export type Engine = z.infer<typeof Engine>;
