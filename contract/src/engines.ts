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

export const Engine = z
  .strictObject({
    name: z.string().meta({ example: "local" }),
    description: z.string(),
    available: z.boolean(),
    missing: z.array(z.string()).meta({ description: "Settings that are required before it can be used." }),
    isDefault: z.boolean(),
    model: EngineModel.nullable().meta({
      description:
        "The language model of agents that need one; other agents work without it. Null if the engine is itself a model.",
    }),
  })
  .meta({ id: "Engine" });
export type Engine = z.infer<typeof Engine>;
