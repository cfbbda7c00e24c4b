import { VENDORS, type Vendor } from "@parley/providers/registry";
import { makeModelFolder } from "@parley/providers/sherpa/testing/sherpa-library";
import { describe, expect, test } from "vitest";
import { readEngineSettings } from "../../platform/config/engine-settings.ts";
import { readSettings } from "../../platform/config/read-settings.ts";
import { mergeEnvironment, mergeModels } from "../models/merge-models.ts";
import type { StoredProvider } from "../models/provider-store.ts";
import { type EngineSources, openEngineCatalog, ownRecognizers, recipeFor } from "./engine-catalog.ts";

const unused = async () => {
  throw new Error("nothing is opened here");
};
const vendor = (name: string, languages: readonly string[]): Vendor => ({
  name,
  title: name.toUpperCase(),
  needs: { apiKey: `KEY_${name}` },
  takes: { baseUrl: `URL_${name}` },
  recognition: { defaultModel: `${name}-ears`, languages, open: unused },
  synthesis: { defaultModel: `${name}-mouth`, defaultVoice: `${name}-voice`, languages, open: unused },
});
const TALKERS = [vendor("alpha", ["en", "de"]), vendor("beta", ["en", "de", "fr"])];
const MODELS = VENDORS.flatMap(({ recognition: _, synthesis: __, speech: ___, ...vendor }) =>
  vendor.languageModel ? [vendor] : [],
);
const vendors = [...MODELS, ...TALKERS];

/** The engines of an installation with these settings; vendors of speech are made up unless real ones are named. */
function installation(
  environment: Record<string, string>,
  own?: unknown,
  stored: StoredProvider[] = [],
  offered: readonly Vendor[] = vendors,
) {
  const { KEY_alpha, KEY_beta, ...known } = environment;
  const read = readSettings({ PARLEY_DATA_DIR: "d", ...known }, "/").modelEnvironment;
  const given = Object.assign({}, read, KEY_alpha ? { KEY_alpha } : {}, KEY_beta ? { KEY_beta } : {});
  const json = own === undefined ? {} : { PARLEY_ENGINES: JSON.stringify(own) };
  const { settings, mistakes } = readEngineSettings({ PARLEY_LOCAL_FALLBACK: "on", ...json }, "/", offered);
  expect(mistakes).toEqual([]);
  const installed = { ...mergeModels(given, stored), environment: mergeEnvironment(given, stored) };
  const sources: EngineSources = { installed: () => installed, settings, vendors: offered };
  return { sources, catalog: openEngineCatalog(sources) };
}
const readyNames = (...from: Parameters<typeof installation>) =>
  installation(...from)
    .catalog.list()
    .filter(({ missing }) => missing.length === 0)
    .map(({ name }) => name);

describe("the engines of an installation", () => {
  test("are the one of this machine while no key is set", () => {
    expect(readyNames({})).toEqual(["local"]);
  });

  test("say what a vendor lacks on this machine although its settings are there", () => {
    const environment = readSettings({ PARLEY_DATA_DIR: "d", PARLEY_SHERPA_MODEL: "/nowhere" }, "/").modelEnvironment;
    const installed = { ...mergeModels(environment, []), environment };
    const { settings } = readEngineSettings({ PARLEY_LOCAL_FALLBACK: "on" }, "/", VENDORS);
    const sherpa = openEngineCatalog({ installed: () => installed, settings }).find("sherpa-local");
    expect(sherpa?.missing).toEqual([
      "Install sherpa-onnx-node in the folder that PARLEY_SHERPA_MODEL names: npm install sherpa-onnx-node.",
    ]);
    expect(sherpa?.recognition).toMatchObject([{ provider: "sherpa", model: "sherpa-onnx", available: false }]);
  });

  test("include a preset for every combination of vendors as soon as their keys are set", () => {
    expect(readyNames({ KEY_alpha: "a" })).toEqual(["local", "alpha"]);
    expect(readyNames({ KEY_alpha: "a", KEY_beta: "b", PARLEY_ANTHROPIC_API_KEY: "c" })).toEqual([
      "local",
      "alpha-anthropic-alpha",
      "alpha-anthropic-beta",
      "beta-anthropic-alpha",
      "beta-anthropic-beta",
    ]);
  });

  test("keep a preset known by name though it is not listed, and say what it misses", () => {
    const { catalog } = installation({ KEY_alpha: "a" });
    const engine = catalog.find("alpha-openai-beta");
    expect(engine?.missing.join(" ")).toMatch(/PARLEY_OPENAI_API_KEY.*KEY_beta/);
    expect(engine?.missing.join(" ")).not.toContain("KEY_alpha");
    expect(catalog.find("alpha-nobody-beta")).toBeUndefined();
    expect(catalog.find("constructor")).toBeUndefined();
  });

  test("speak the languages that both recognition and synthesis know", () => {
    const { catalog } = installation({ KEY_alpha: "a", KEY_beta: "b" });
    expect(catalog.find("beta-alpha")?.languages).toEqual(["de", "en"]);
    expect(catalog.find("beta")?.languages).toEqual(["de", "en", "fr"]);
    expect(catalog.find("beta-local")?.languages).toEqual(["en", "fr"]);
    // Local recognition knows only English.
    expect(catalog.find("local-beta")?.languages).toEqual(["en"]);
    expect(catalog.find("local")?.languages).toEqual(["en"]);
  });

  test("include the operator's own, which one configured choice of each part makes available", () => {
    const own = [
      { name: "reception", recognition: ["beta/x-2", "alpha"], synthesis: ["alpha"], model: ["google", "openai"] },
    ];
    const { catalog } = installation({ KEY_alpha: "a", PARLEY_OPENAI_API_KEY: "o" }, own);
    const engine = catalog.find("reception");
    expect(engine).toMatchObject({ missing: [], model: { name: "openai/gpt-5.4-mini" } });
    expect(engine?.recognition).toEqual([
      { provider: "beta", model: "x-2", voice: null, available: false },
      { provider: "alpha", model: "alpha-ears", voice: null, available: true },
    ]);
    expect(engine?.description).toContain("BETA (then ALPHA) recognizes speech");
  });
});

test("models in a folder of this machine are known before a call needs them, once they can be loaded", async () => {
  const folder = await makeModelFolder();
  const chosenIn = (path: string) =>
    ownRecognizers(installation({ PARLEY_SHERPA_MODEL: path }, [], [], VENDORS).sources);
  try {
    const used = recipeFor(
      installation({ PARLEY_SHERPA_MODEL: folder.path }, [], [], VENDORS).sources,
      "sherpa-local",
      "en-US",
    );
    expect(chosenIn(folder.path)).toEqual([used?.recognition[0]]);
    expect(used?.recognition[0]).toMatchObject({ provider: "sherpa", folder: folder.path, baseUrl: null });
    expect(chosenIn("/nowhere")).toEqual([]);
  } finally {
    await folder.remove();
  }
});

describe("the engine of a call", () => {
  test("has the keys of its parts, and those of this machine last", () => {
    const { sources } = installation({
      KEY_alpha: "secret",
      PARLEY_OPENAI_API_KEY: "o",
      PARLEY_ANTHROPIC_API_KEY: "c",
    });
    const recipe = recipeFor(sources, "alpha-anthropic-alpha", "en-US");
    expect(recipe?.recognition).toEqual([
      { provider: "alpha", model: "alpha-ears", voice: null, apiKey: "secret", baseUrl: null, folder: null },
      { provider: "local", model: null, voice: null, apiKey: null, baseUrl: null, folder: null },
    ]);
    expect(recipe?.synthesis[0]).toMatchObject({ provider: "alpha", model: "alpha-mouth", voice: "alpha-voice" });
    expect(recipe?.models?.choices.map(({ provider }) => provider)).toEqual(["anthropic", "openai"]);
  });

  test("has voices of both sexes in the language of the call where a vendor's are known, unless the operator named one", () => {
    const own = [
      { name: "usual", recognition: ["deepgram"], synthesis: ["deepgram", "openai"] },
      { name: "named", recognition: ["deepgram"], synthesis: [{ provider: "deepgram", voice: "aura-2-zeus-en" }] },
    ];
    const keys = { PARLEY_DEEPGRAM_API_KEY: "d", PARLEY_OPENAI_API_KEY: "o" };
    const { sources } = installation(keys, own, [], VENDORS);
    const voicesIn = (name: string, language: string) =>
      recipeFor(sources, name, language)?.synthesis.flatMap(({ provider, voice, voicesBySex }) =>
        provider === "local" ? [] : [[voice, voicesBySex]],
      );
    expect(voicesIn("usual", "fr-FR")).toEqual([
      ["aura-2-agathe-fr", { woman: "aura-2-agathe-fr", man: "aura-2-hector-fr" }],
      ["marin", { woman: "marin", man: "cedar" }],
    ]);
    expect(voicesIn("usual", "de-DE")?.[0]).toEqual([
      "aura-2-julius-de",
      { woman: "aura-2-viktoria-de", man: "aura-2-julius-de" },
    ]);
    expect(voicesIn("named", "en-US")?.[0]).toEqual(["aura-2-zeus-en", undefined]);
  });

  test("leaves out what does not know the language", () => {
    const own = [{ name: "two", recognition: ["alpha", "beta"], synthesis: ["beta"] }];
    const { sources } = installation({ KEY_alpha: "a", KEY_beta: "b" }, own);
    const recipe = recipeFor(sources, "two", "fr");
    expect(recipe?.recognition.map(({ provider }) => provider)).toEqual(["beta"]);
    expect(recipe?.models).toBeNull();
  });

  test("uses a key that an operator stored, unless the vendor is turned off", () => {
    const stored: StoredProvider = {
      name: "openai",
      apiKey: "kept",
      baseUrl: null,
      model: null,
      use: "fallback",
      trouble: null,
    };
    const names = (row: StoredProvider) =>
      recipeFor(
        installation({ KEY_alpha: "a" }, undefined, [row]).sources,
        "alpha-openai-alpha",
        "en",
      )?.models?.choices.map(({ apiKey }) => apiKey);
    expect(names(stored)).toEqual(["kept"]);
    expect(names({ ...stored, use: "off" })).toEqual([]);
  });
});

describe("an engine that is one model", () => {
  const sources = (own?: unknown): EngineSources => {
    const environment = readSettings({ PARLEY_DATA_DIR: "d", PARLEY_OPENAI_API_KEY: "k" }, "/").modelEnvironment;
    const json = own === undefined ? {} : { PARLEY_ENGINES: JSON.stringify(own) };
    const { settings, mistakes } = readEngineSettings({ PARLEY_LOCAL_FALLBACK: "on", ...json }, "/");
    expect(mistakes).toEqual([]);
    const installed = { ...mergeModels(environment, []), environment: mergeEnvironment(environment, []) };
    return { installed: () => installed, settings };
  };

  test("appears with its vendor's key, and has one part", () => {
    expect(openEngineCatalog(sources()).find("openai-realtime")).toMatchObject({
      adapter: "speech-to-speech",
      missing: [],
      model: null,
      speech: [{ provider: "openai-realtime", model: "gpt-realtime-2.1-mini", voice: "marin", available: true }],
      recognition: [],
      synthesis: [],
    });
    expect(
      openEngineCatalog(sources())
        .list()
        .map(({ name }) => name),
    ).toContain("openai-realtime");
  });

  test("is opened with the key, model and voice of a recipe of the operator", () => {
    const speech = [{ provider: "openai-realtime", model: "gpt-realtime-2.1", voice: "cedar" }];
    const recipe = recipeFor(sources([{ name: "reception", speech }]), "reception", "de-DE");
    expect(recipe?.speech).toEqual([{ ...speech[0], apiKey: "k", baseUrl: null, folder: null }]);
  });

  test("has voices that speak for it in other languages: of its recipe, of this machine, and of its vendor", () => {
    const own = [{ name: "reception", speech: ["openai-realtime"], synthesis: ["deepgram", "own-tts"] }];
    const withDeepgram = (language: string, hasNaturalVoices = true) => {
      const { installed, settings } = sources(own);
      const environment = { ...installed().environment, PARLEY_DEEPGRAM_API_KEY: "d" };
      const given = { installed: () => ({ ...installed(), environment }), settings, hasNaturalVoices };
      return recipeFor(given, "reception", language)?.synthesis.map(({ provider, voice }) => [provider, voice]);
    };
    expect(withDeepgram("de-DE")).toEqual([
      ["deepgram", "aura-2-julius-de"],
      ["openai", null],
    ]);
    expect(withDeepgram("pt-BR")).toEqual([
      ["local", null],
      ["openai", null],
    ]);
    expect(withDeepgram("pt-BR", false)).toEqual([["openai", null]]);
    expect(recipeFor(sources(), "openai-realtime", "en-US")?.synthesis.map(({ provider }) => provider)).toEqual([
      "local",
      "openai",
    ]);
  });

  test("a local voice does not take over in languages that only natural voices speak, where these are turned off", () => {
    const own = [{ name: "mixed", recognition: ["deepgram"], synthesis: ["elevenlabs"] }];
    const read = (language: string, hasNaturalVoices: boolean) => {
      const { installed, settings } = sources(own);
      const keys = { PARLEY_DEEPGRAM_API_KEY: "d", PARLEY_ELEVENLABS_API_KEY: "e" };
      const environment = { ...installed().environment, ...keys };
      const given = {
        installed: () => ({ ...installed(), environment }),
        settings: { ...settings, hasLocalFallback: true },
        hasNaturalVoices,
      };
      return recipeFor(given, "mixed", language)?.synthesis.map(({ provider }) => provider);
    };
    expect(read("es-ES", true)).toEqual(["elevenlabs", "local"]);
    expect(read("es-ES", false)).toEqual(["elevenlabs"]);
    expect(read("en-US", false)).toEqual(["elevenlabs", "local"]);
  });

  test("is ready although a voice that speaks for it has no key", () => {
    const own = [{ name: "reception", speech: ["openai-realtime"], synthesis: ["elevenlabs"] }];
    const engine = openEngineCatalog(sources(own)).find("reception");
    expect(engine).toMatchObject({ missing: [], synthesis: [{ provider: "elevenlabs", available: false }] });
    expect(engine?.standInLanguages).toContain("de");
  });

  test("has no other parts, and only models that speak", () => {
    const read = (own: unknown) =>
      readEngineSettings({ PARLEY_LOCAL_FALLBACK: "on", PARLEY_ENGINES: JSON.stringify(own) }, "/").mistakes;
    expect(read([{ name: "a", speech: ["deepgram"] }])).toEqual([expect.stringContaining("a.speech[0]")]);
    expect(read([{ name: "a", speech: ["openai-realtime"], recognition: ["openai"] }])).toHaveLength(1);
    expect(read([{ name: "a", speech: ["openai-realtime"], synthesis: ["soniox"] }])).toHaveLength(1);
  });
});
