import { z } from "zod";
import { Timestamp } from "./shared-fields.ts";

/** What a provider can be given. */
export const PROVIDER_FIELDS = ["apiKey", "baseUrl", "model"] as const;
export type ProviderField = (typeof PROVIDER_FIELDS)[number];

const PROVIDER_USES = ["first", "fallback", "off"] as const;
export type ProviderUse = (typeof PROVIDER_USES)[number];

const USE_WORDS =
  "`first`: asked before all others, of which there is one; `fallback`: asked when that one fails; `off`: kept and not asked.";

/** The address of a server that speaks OpenAI's chat completions, without what is appended to it. */
export function isModelServerUrl(text: string): boolean {
  const { username, password, search, hash, pathname } = new URL(text);
  return [username, password, search, hash].every((part) => part === "") && !pathname.endsWith("/chat/completions");
}

const ModelServerUrl = z
  .url({ protocol: /^https?$/, abort: true })
  .max(2000)
  .transform((text) => text.replace(/\/+$/, ""))
  .refine(isModelServerUrl, "must have no password and no query, and end before /chat/completions");

// What a header cannot carry is no key; most often it is a line break that was copied with it.
const ProviderKey = z
  .string()
  .max(1024)
  .regex(/^[\x21-\x7e]+$/, "must be a key, without spaces and line breaks");

/** Commas stand between models in the settings. */
const ModelName = z
  .string()
  .max(200)
  .regex(/^[^\s,]+$/, "must be the name of a model, without spaces and commas");

const fields = {
  apiKey: ProviderKey.nullable().meta({
    description:
      "Never shown again, and must be sent again when `baseUrl` leads to another host. `null` takes it away.",
  }),
  baseUrl: ModelServerUrl.nullable().meta({
    description: "For a server of your own. It ends before `/chat/completions`.",
    example: "http://127.0.0.1:11434/v1",
  }),
  model: ModelName.nullable().meta({ description: "`null` takes the provider's quick one." }),
  use: z.enum(PROVIDER_USES).meta({ description: USE_WORDS }),
};

export const ProviderName = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: "As the list of providers has it.", example: "openai" });

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
        "Who set it: the environment of the processes, which wins, or an operator here. `null` while nobody has.",
    }),
    settings: z.array(z.string()).meta({ description: "By what it is set in the environment." }),
    needs: z.array(z.enum(PROVIDER_FIELDS)).meta({ description: "Without these it cannot be asked." }),
    takes: z.array(z.enum(PROVIDER_FIELDS)).meta({ description: "These it takes where they are given." }),
    hasApiKey: z.boolean(),
    lastFour: z
      .string()
      .nullable()
      .meta({ description: "How the key ends; `null` without one, and for one too short to show any of it." }),
    baseUrl: z.string().nullable(),
    model: z.string().nullable().meta({ description: "The model that is asked for, where one was named." }),
    defaultModel: z.string().nullable(),
    use: z
      .enum(PROVIDER_USES)
      .nullable()
      .meta({ description: `What an operator wants of it. ${USE_WORDS}` }),
    asked: z
      .enum(["first", "fallback"])
      .nullable()
      .meta({ description: "What becomes of it, after the environment had its say; `null`: it is not asked." }),
    trouble: z.string().nullable().meta({ description: "Why what is stored cannot be used, and what to do." }),
    updatedAt: Timestamp.nullable(),
  })
  .meta({ id: "Provider", description: "Somebody whose language models can hold a conversation." });
export type Provider = z.infer<typeof Provider>;
