import { z } from "zod";
import { BilledUnit } from "./engines.ts";
import { Timestamp } from "./shared-fields.ts";

/** The settings of a provider. */
export const PROVIDER_FIELDS = ["apiKey", "baseUrl", "model"] as const;
export type ProviderField = (typeof PROVIDER_FIELDS)[number];

const PROVIDER_USES = ["first", "fallback", "off"] as const;
export type ProviderUse = (typeof PROVIDER_USES)[number];

const USE_WORDS =
  "`first`: used before all others, by one provider only; `fallback`: used if that one fails; `off`: stored but not used.";

/** The base URL of a server with OpenAI's chat completions API. */
export function isModelServerUrl(text: string): boolean {
  const { username, password, search, hash, pathname } = new URL(text);
  return [username, password, search, hash].every((part) => part === "") && !pathname.endsWith("/chat/completions");
}

const ModelServerUrl = z
  .url({ protocol: /^https?$/, abort: true })
  .max(2000)
  .transform((text) => text.replace(/\/+$/, ""))
  .refine(isModelServerUrl, "must have no password and no query, and end before /chat/completions");

// Characters that a header cannot carry are never part of a key; usually a line break was copied with it.
const ProviderKey = z
  .string()
  .max(1024)
  .regex(/^[\x21-\x7e]+$/, "must be a key, without spaces and line breaks");

/** No commas, because they separate models in the settings. */
const ModelName = z
  .string()
  .max(200)
  .regex(/^[^\s,]+$/, "must be the name of a model, without spaces and commas");

const fields = {
  apiKey: ProviderKey.nullable().meta({
    description: "Never shown again, and must be sent again if `baseUrl` changes to another host. `null` removes it.",
  }),
  baseUrl: ModelServerUrl.nullable().meta({
    description: "For your own server. It ends before `/chat/completions`.",
    example: "http://127.0.0.1:11434/v1",
  }),
  model: ModelName.nullable().meta({ description: "`null` selects the provider's fast model." }),
  use: z.enum(PROVIDER_USES).meta({ description: USE_WORDS }),
};

export const ProviderName = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: "As in the list of providers.", example: "openai" });

export const NewProvider = z
  .strictObject({
    name: ProviderName,
    apiKey: fields.apiKey.default(null),
    baseUrl: fields.baseUrl.default(null),
    model: fields.model.default(null),
    use: fields.use.default("fallback"),
  })
  .meta({ id: "NewProvider" });
export type NewProvider = z.infer<typeof NewProvider>;

export const ProviderChanges = z
  .strictObject(fields)
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, "must change at least one field")
  .meta({ id: "ProviderChanges" });
export type ProviderChanges = z.infer<typeof ProviderChanges>;

export const Provider = z
  .strictObject({
    name: ProviderName,
    title: z.string().meta({ example: "OpenAI" }),
    source: z.enum(["environment", "operator"]).nullable().meta({
      description:
        "Where it is configured: in the environment, which takes precedence, or by an operator. `null` if it is not configured.",
    }),
    settings: z.array(z.string()).meta({ description: "The environment variables that configure it." }),
    needs: z.array(z.enum(PROVIDER_FIELDS)).meta({ description: "Required settings." }),
    takes: z.array(z.enum(PROVIDER_FIELDS)).meta({ description: "Optional settings." }),
    hasApiKey: z.boolean(),
    lastFour: z
      .string()
      .nullable()
      .meta({ description: "The last characters of the key; `null` without a key, and for a key that is too short." }),
    baseUrl: z.string().nullable(),
    model: z.string().nullable().meta({ description: "The selected model, if any." }),
    defaultModel: z.string().nullable(),
    parts: z.array(z.enum(["recognition", "model", "synthesis"])).meta({
      description: "The parts of an engine that it can be: it recognizes speech, is a language model, or speaks.",
    }),
    billedUnits: z.array(BilledUnit).meta({
      description: "What operators can set rates for. A model that hears and speaks has a name of its own.",
    }),
    use: z
      .enum(PROVIDER_USES)
      .nullable()
      .meta({ description: `The use chosen by the operator. ${USE_WORDS}` }),
    asked: z
      .enum(["first", "fallback"])
      .nullable()
      .meta({ description: "The effective use, with the environment taken into account; `null`: it is not used." }),
    trouble: z.string().nullable().meta({ description: "Why the stored settings cannot be used, and what to do." }),
    updatedAt: Timestamp.nullable(),
  })
  .meta({ id: "Provider", description: "A vendor of language models or speech." });
export type Provider = z.infer<typeof Provider>;
