import { AppError } from "@parley/contract/errors";
import { LANGUAGE_MODEL_PROVIDERS } from "@parley/providers/registry";
import { describe, expect, it } from "vitest";
import { SETTING_NAMES } from "../../platform/config/settings.ts";
import { type EngineCatalog, type KnownEngine, LOCAL_ENGINE } from "../engines/engine-catalog.ts";
import { createEngineRegistry, describeModel } from "./engine-registry.ts";

const UNCONFIGURED: KnownEngine = {
  name: "cloud",
  description: "Needs a key.",
  adapter: "cascade",
  missing: ["Set PARLEY_OPENAI_API_KEY."],
  model: null,
  languages: ["en", "de"],
  speech: [],
  recognition: [],
  synthesis: [],
  standInLanguages: null,
};

const catalogOf = (...engines: KnownEngine[]): EngineCatalog => ({
  list: () => engines,
  find: (name) => engines.find((engine) => engine.name === name),
});

function refusalOf(work: () => unknown): AppError {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

describe("the engine registry", () => {
  const engines = createEngineRegistry();

  it("has one engine that works without any key, and it is the default", () => {
    expect(engines.requireEngine("local")).toMatchObject({ available: true, missing: [], isDefault: true });
    expect(engines.list().filter(({ isDefault }) => isDefault)).toHaveLength(1);
    expect(engines.defaultName).toBe("local");
  });

  it("names the known engines when given an unknown one", () => {
    const refusal = refusalOf(() => engines.requireEngine("constructor"));
    expect(refusal).toMatchObject({ code: "engine_unknown", status: 422, param: "engine" });
    expect(refusal.message).toContain('"constructor"');
    for (const { name } of engines.list()) expect(refusal.message).toContain(`"${name}"`);
  });

  it.each([LOCAL_ENGINE])(
    "lists $name because it has an adapter and settings alone make it available",
    async (engine) => {
      const adapter: Record<string, unknown> = await import(`@parley/voice/engine/${engine.adapter}-engine`);
      expect(Object.keys(adapter).some((name) => /^create\w+Engine$/.test(name))).toBe(true);
      for (const sentence of engine.missing)
        expect(
          SETTING_NAMES.some((setting) => sentence.includes(setting)),
          sentence,
        ).toBe(true);
    },
  );

  it("says what an unconfigured engine lacks, and still accepts it in a draft", () => {
    const registry = createEngineRegistry({ catalog: catalogOf(LOCAL_ENGINE, UNCONFIGURED) });
    const refusal = refusalOf(() => registry.requireEngine(UNCONFIGURED.name));
    expect(refusal).toMatchObject({ code: "engine_unavailable", status: 409 });
    expect(refusal.message).toContain("PARLEY_OPENAI_API_KEY");
    expect(registry.requireKnownEngine(UNCONFIGURED.name)).toMatchObject({ available: false, isDefault: false });
  });

  it("does not start with a default engine that cannot be used", () => {
    const catalog = catalogOf(LOCAL_ENGINE, UNCONFIGURED);
    expect(() => createEngineRegistry({ catalog, defaultName: UNCONFIGURED.name })).toThrow(/not available/);
  });

  it("says what to set for an agent that needs a language model, while there is none", () => {
    const { missing } = engines.requireEngine("local").model ?? { missing: [] };
    const refusal = refusalOf(() => engines.chooseFor("local", { needsModel: true }));
    expect(refusal).toMatchObject({ code: "engine_unavailable", status: 409 });
    for (const { needs } of LANGUAGE_MODEL_PROVIDERS) {
      for (const setting of Object.values(needs)) {
        expect(refusal.message).toContain(setting);
        expect(missing.join(" ")).toContain(setting);
      }
    }
    expect(engines.modelNames).toEqual([]);
    expect(engines.chooseFor("local", { needsModel: false })).toMatchObject({ name: "local" });
    expect(refusalOf(() => engines.chooseFor("nobody", { needsModel: true }))).toMatchObject({
      code: "engine_unknown",
    });
  });

  it("conducts such an agent once there is one, and names it without its key", () => {
    const choices = [
      { provider: "openai", model: "gpt-5.4-mini", apiKey: "sk-secret", baseUrl: null },
      { provider: "openai-compatible", model: "llama3.2", apiKey: null, baseUrl: "http://10.0.0.7:11434/v1" },
    ];
    const withModel = createEngineRegistry({ model: () => describeModel({ choices }) });
    expect(withModel.chooseFor("local", { needsModel: true }).model).toEqual({
      name: "openai/gpt-5.4-mini",
      fallbacks: ["openai-compatible/llama3.2"],
      missing: [],
    });
    expect(withModel.modelNames).toEqual(["openai/gpt-5.4-mini", "openai-compatible/llama3.2"]);
    expect(JSON.stringify(withModel.list())).not.toMatch(/sk-secret|10\.0\.0\.7/);
  });

  it("provides no language model to an engine that is one itself", () => {
    const catalog = catalogOf(LOCAL_ENGINE, { ...UNCONFIGURED, name: "speaker", missing: [] });
    const registry = createEngineRegistry({ catalog });
    expect(registry.chooseFor("speaker", { needsModel: true })).toMatchObject({ available: true, model: null });
  });

  it("refuses an agent whose language the engine does not speak, and names engines that do", () => {
    const catalog = catalogOf(LOCAL_ENGINE, { ...UNCONFIGURED, name: "cloud", missing: [] });
    const registry = createEngineRegistry({ catalog });
    const german = { needsModel: false, language: "de-DE" };
    const refusal = refusalOf(() => registry.chooseFor("local", german));
    expect(refusal).toMatchObject({ code: "engine_unavailable", status: 409, param: "engine" });
    expect(refusal.message).toContain("German");
    expect(refusal.message).toContain('"cloud"');
    expect(registry.chooseFor("cloud", german).name).toBe("cloud");
    expect(registry.chooseFor("local", { needsModel: false, language: "en-GB" }).name).toBe("local");
  });
});

describe("a model that hears and speaks", () => {
  const engine: KnownEngine = {
    ...UNCONFIGURED,
    ...{ name: "live", adapter: "speech-to-speech", missing: [], languages: ["en", "de", "it"] },
    standInLanguages: ["en", "it"],
  };
  const { silenceProblem } = createEngineRegistry({ catalog: catalogOf(LOCAL_ENGINE, engine) });

  it("leaves callees in silence in a language that no other voice speaks", () => {
    expect(silenceProblem("live", "de-DE", {})).toMatch(/no other voice speaks German.*"synthesis"/);
    expect(silenceProblem("live", "en-US", {})).toBeNull();
  });

  it("leaves them in silence in a language without standard words, unless the agent has words of its own", () => {
    expect(silenceProblem("live", "it-IT", {})).toMatch(/no standard words in Italian/);
    expect(silenceProblem("live", "it-IT", { settings: { phrases: { moment: "Un attimo." } } })).toBeNull();
  });

  it("is another matter in a language that it does not speak itself, and so are other engines", () => {
    expect(silenceProblem("live", "ja-JP", {})).toBeNull();
    expect(silenceProblem(null, "de-DE", {})).toBeNull();
  });
});
