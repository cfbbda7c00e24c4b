import { z } from "zod";
import { Usd, UsdInput } from "./money.ts";

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
    voice: z.string().nullable().meta({
      description: "The voice of agents that name none. Synthesis and models that speak.",
    }),
    available: z.boolean().meta({ description: "Whether its settings are complete. Otherwise it is left out." }),
  })
  .meta({ id: "EnginePart" });
export type EnginePart = z.infer<typeof EnginePart>;

export const ENGINE_PART_KINDS = ["recognition", "model", "synthesis", "speech"] as const;

export const CallEnginePart = z
  .strictObject({
    part: z.enum(ENGINE_PART_KINDS),
    provider: z.string().meta({ example: "deepgram" }),
    model: z.string().nullable(),
    requests: z.int(),
    failures: z.int().meta({ description: "Requests that failed. A fallback served them, if there is one." }),
    firstResultMsP50: z.int().nullable().meta({
      description: "From a request to its first result: a text, audio, or a word. Null if there was none.",
    }),
    firstResultMsP95: z.int().nullable(),
    audioSeconds: z.number().meta({
      description: "Audio that was sent to recognition, or heard and spoken by a model that does both.",
    }),
    characters: z.int().meta({ description: "Text that was sent to synthesis." }),
    inputTokens: z.int(),
    outputTokens: z.int(),
    cost: Usd.nullable().meta({
      description: "What the vendor charges the operator, by the operator's rates. Null if they do not cover it.",
    }),
  })
  .meta({ id: "CallEnginePart" });
export type CallEnginePart = z.infer<typeof CallEnginePart>;

/** What vendors charge for. */
const PROVIDER_UNITS = [
  "recognition_minute",
  "synthesis_1000_characters",
  "input_1m_tokens",
  "output_1m_tokens",
] as const;
export type ProviderUnit = (typeof PROVIDER_UNITS)[number];

const rateKey = { provider: z.string().min(1).max(64), unit: z.enum(PROVIDER_UNITS) };

export const BilledUnit = z
  .strictObject(rateKey)
  .meta({ id: "BilledUnit", description: "What a vendor may charge for, by the name that its rate has." });
export type BilledUnit = z.infer<typeof BilledUnit>;

export const ProviderRate = z
  .strictObject({ ...rateKey, price: Usd })
  .meta({ id: "ProviderRate", description: "What a vendor charges for a unit." });
export type ProviderRate = z.infer<typeof ProviderRate>;

export const NewProviderRate = z
  .strictObject({ ...rateKey, price: UsdInput.nullable().meta({ description: "`null` removes the rate." }) })
  .meta({ id: "NewProviderRate" });
export type NewProviderRate = z.infer<typeof NewProviderRate>;

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
    speech: z.array(EnginePart).meta({
      description:
        "A model that hears, thinks and speaks: the first choice, then its fallbacks. Such an engine has no other parts, and conducts agents that are one conversation.",
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
