import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { VENDORS, type Vendor, vendorOfSpeech } from "@parley/providers/registry";
import { z } from "zod";

export const ENGINE_SETTINGS = {
  PARLEY_ENGINES: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Engines of your own, as a JSON array or the path of a file with one; the same in every process. See [Engines](../operations/engines.md). Default: only `local` and the presets.",
    ),
  PARLEY_LOCAL_FALLBACK: z
    .enum(["on", "off"])
    .default("on")
    .describe(
      "Whether recognition and voices of this machine take over when every vendor of an engine fails during a call, in the languages that they know.",
    ),
};

/** The provider of parts that run on this machine. */
export const LOCAL_PROVIDER = "local";

/** A speech part of an engine as a recipe names it. */
export interface PartName {
  readonly provider: string;
  /** Null for the vendor's default. */
  readonly model: string | null;
  /** Null for the vendor's default. Synthesis and models that speak. */
  readonly voice: string | null;
}

/** How an engine is made: for each part, the first choice and its fallbacks in order. */
export interface Recipe {
  readonly name: string;
  readonly description: string;
  /** Models that hear and speak. Of the other parts, an engine with such models may have only voices that speak for them. */
  readonly speech: readonly PartName[];
  readonly recognition: readonly PartName[];
  /** Language models by name (`provider` or `provider/model`). Null: those of the installation. */
  readonly models: readonly string[] | null;
  readonly synthesis: readonly PartName[];
}

export interface EngineSettings {
  readonly own: readonly Recipe[];
  readonly hasLocalFallback: boolean;
}

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const word = z
  .string()
  .max(200)
  .regex(/^[^\s,]+$/, "must have no spaces and no commas");
const Part = z.union([
  word.transform((text) => ({ ...splitName(text), voice: null })),
  z
    .strictObject({ provider: word, model: word.nullable().default(null), voice: word.nullable().default(null) })
    .transform(({ provider, model, voice }) => ({ provider, model, voice })),
]);
const Parts = z.array(Part).min(1).max(5);
const ofEveryEngine = {
  name: z.string().max(64).regex(NAME, "must be lower-case letters and digits, joined by hyphens"),
  description: z.string().min(1).max(500).optional(),
};
const CascadeRecipe = z
  .strictObject({
    ...ofEveryEngine,
    recognition: Parts,
    model: z.array(word).min(1).max(5).optional(),
    synthesis: Parts,
  })
  .transform(({ name, description, recognition, model, synthesis }) => ({
    name,
    description,
    speech: [],
    recognition,
    models: model ?? null,
    synthesis,
  }));
const SpeechRecipe = z
  .strictObject({ ...ofEveryEngine, speech: Parts, synthesis: Parts.optional() })
  .transform(({ name, description, speech, synthesis = [] }) => ({
    name,
    description,
    speech,
    recognition: [],
    models: null,
    synthesis,
  }));
const hasSpeech = (value: unknown) => value !== null && typeof value === "object" && "speech" in value;
/** Chosen by what it has, so that mistakes are reported for the kind of engine that was meant. */
const OwnRecipe = z.unknown().transform((value, context): z.output<typeof CascadeRecipe | typeof SpeechRecipe> => {
  const parsed = (hasSpeech(value) ? SpeechRecipe : CascadeRecipe).safeParse(value);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) context.addIssue({ ...issue });
  return z.NEVER;
});
const OwnRecipes = z.array(OwnRecipe).max(50);

/** Reads the engines that the operator described. All mistakes are reported, each with its place. */
export function readEngineSettings(
  raw: { readonly PARLEY_ENGINES?: string | undefined; readonly PARLEY_LOCAL_FALLBACK: "on" | "off" },
  folder: string,
  vendors: readonly Vendor[] = VENDORS,
): { settings: EngineSettings; mistakes: string[] } {
  const hasLocalFallback = raw.PARLEY_LOCAL_FALLBACK === "on";
  const nothing = { own: [], hasLocalFallback };
  if (raw.PARLEY_ENGINES === undefined) return { settings: nothing, mistakes: [] };
  const json = parse(raw.PARLEY_ENGINES, folder);
  if (typeof json === "string") return { settings: nothing, mistakes: [`PARLEY_ENGINES: ${json}`] };
  const parsed = OwnRecipes.safeParse(json.value);
  if (!parsed.success) {
    const mistakes = parsed.error.issues.map(({ path, message }) => `PARLEY_ENGINES: ${placeOf(path)}${message}`);
    return { settings: nothing, mistakes };
  }
  const own = parsed.data.map(
    (recipe): Recipe => ({ ...recipe, description: recipe.description ?? describeRecipe(recipe, vendors) }),
  );
  const mistakes = findRecipeMistakes(own, vendors).map((mistake) => `PARLEY_ENGINES: ${mistake}`);
  return { settings: { own, hasLocalFallback }, mistakes };
}

/** The parts of an engine in a sentence. */
export function describeRecipe(
  { speech, recognition, models, synthesis }: Omit<Recipe, "name" | "description">,
  vendors: readonly Vendor[] = VENDORS,
): string {
  const titles = (names: readonly string[]) => {
    const found = names.map((name) => titleOf(name, vendors));
    return found.length < 2 ? found.join("") : `${found[0]} (then ${found.slice(1).join(", ")})`;
  };
  if (speech.length > 0) {
    const heard = titles(speech.map(({ provider }) => provider));
    return `${heard} hears, thinks and speaks. It conducts agents that are one conversation.`;
  }
  const brain = models === null ? "" : `, ${titles(models.map((name) => splitName(name).provider))} thinks`;
  const ears = titles(recognition.map(({ provider }) => provider));
  return `${ears} recognizes speech${brain}, ${titles(synthesis.map(({ provider }) => provider))} speaks.`;
}

function titleOf(provider: string, vendors: readonly Vendor[] = VENDORS): string {
  if (provider === LOCAL_PROVIDER) return "this machine";
  const vendor = vendors.find(({ name }) => name === provider);
  return vendor?.title ?? vendorOfSpeech(provider, vendors)?.speech?.title ?? provider;
}

/** "provider/model", of which the model may be left out and may itself contain slashes. */
export function splitName(text: string): { readonly provider: string; readonly model: string | null } {
  const slash = text.indexOf("/");
  if (slash < 0) return { provider: text, model: null };
  return { provider: text.slice(0, slash), model: text.slice(slash + 1) || null };
}

/** The voice that an agent names, if it is one of this provider; otherwise the one of the recipe. */
export function voiceOf({ provider, voice }: PartName, asked: string | undefined): string {
  const own = asked?.startsWith(`${provider}/`) ? asked.slice(provider.length + 1) : "";
  return own || (voice ?? "");
}

function findRecipeMistakes(own: readonly Recipe[], vendors: readonly Vendor[]): string[] {
  const names = own.map(({ name }) => name);
  const repeated = names.filter((name, index) => names.indexOf(name) < index);
  const having = (part: "recognition" | "synthesis" | "languageModel") =>
    vendors.flatMap((vendor) => (vendor[part] ? [vendor.name] : []));
  const check = (place: string, providers: readonly string[], known: readonly string[]) =>
    providers.flatMap((provider, index) =>
      known.includes(provider)
        ? []
        : [`${place}[${index}]: there is no such provider as ${provider}; there are ${known.join(", ") || "none"}`],
    );
  return [
    ...new Set(repeated.map((name) => `there are two engines named ${name}`)),
    ...(names.includes(LOCAL_PROVIDER) ? [`the name ${LOCAL_PROVIDER} belongs to the engine of this machine`] : []),
    ...own.flatMap(({ name, speech, recognition, models, synthesis }) => [
      ...check(
        `${name}.speech`,
        speech.map(({ provider }) => provider),
        vendors.flatMap((vendor) => (vendor.speech ? [vendor.speech.name] : [])),
      ),
      ...check(
        `${name}.recognition`,
        recognition.map(({ provider }) => provider),
        [LOCAL_PROVIDER, ...having("recognition")],
      ),
      ...check(`${name}.model`, models?.map((model) => splitName(model).provider) ?? [], having("languageModel")),
      ...check(
        `${name}.synthesis`,
        synthesis.map(({ provider }) => provider),
        [LOCAL_PROVIDER, ...having("synthesis")],
      ),
      ...(recognition.some(({ voice }) => voice !== null) ? [`${name}.recognition: only synthesis has a voice`] : []),
    ]),
  ];
}

function parse(text: string, folder: string): { readonly value: unknown } | string {
  const isJson = /^\s*[[{]/.test(text);
  let content = text;
  if (!isJson) {
    try {
      content = readFileSync(resolve(folder, text), "utf8");
    } catch {
      return `is neither a JSON array nor a file that can be read: ${resolve(folder, text)}`;
    }
  }
  try {
    return { value: JSON.parse(content) };
  } catch (error) {
    return `is not valid JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function placeOf(path: readonly PropertyKey[]): string {
  const place = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
  return place === "" ? "" : `${place.replace(/^\./, "")}: `;
}
