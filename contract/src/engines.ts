import { z } from "zod";

export const EngineModel = z
  .strictObject({
    name: z.string().nullable().meta({ example: "openai/gpt-5.4-mini", description: "Null while none is set." }),
    fallbacks: z.array(z.string()).meta({
      description:
        "Asked in this order when it fails or says nothing in time, and first by nodes that name one of them.",
    }),
    missing: z.array(z.string()).meta({ description: "Settings to make before there is one." }),
  })
  .meta({ id: "EngineModel" });
export type EngineModel = z.infer<typeof EngineModel>;

export const Engine = z
  .strictObject({
    name: z.string().meta({ example: "local" }),
    description: z.string(),
    available: z.boolean(),
    missing: z.array(z.string()).meta({ description: "Settings to make before it can be used." }),
    isDefault: z.boolean(),
    model: EngineModel.nullable().meta({
      description:
        "The language model of agents that need one; the others work without it. Null where the engine is a model itself.",
    }),
  })
  .meta({ id: "Engine" });
export type Engine = z.infer<typeof Engine>;
