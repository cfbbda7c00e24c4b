import type { Engine } from "@parley/contract/engines";
import { describe, expect, test } from "vitest";
import { engineOption, lacksInWords, languageMismatch, languagesInWords, partLabel } from "./engine-words.ts";

const part = (provider: string, available = true) => ({ provider, model: null, voice: null, available });
const engine = (changes: Partial<Engine>): Engine => ({
  name: "local",
  description: "",
  available: true,
  missing: [],
  isDefault: false,
  languages: ["en"],
  speech: [],
  recognition: [part("local")],
  synthesis: [part("local")],
  model: { name: null, fallbacks: [], missing: ["Set a key."] },
  ...changes,
});

describe("the languages of an engine", () => {
  test("are named, those with their own rules first", () =>
    expect(languagesInWords(["de", "en", "it"])).toBe("English, German, Italian"));

  test("are counted if there are many", () =>
    expect(languagesInWords(["da", "de", "en", "es", "fr", "it", "nl"])).toBe(
      "English, German, Spanish, French and 3 more",
    ));

  test("of an operator's server are not known", () => expect(languagesInWords(null)).toBe("Depends on your server"));
});

describe("what an engine lacks", () => {
  test("is each vendor whose key is not set, once", () => {
    const lacking = engine({
      recognition: [part("openai", false)],
      synthesis: [part("openai", false)],
      missing: ["x"],
    });
    expect(lacksInWords(lacking)).toBe("needs openai");
  });

  test("is the vendor of a model that hears and speaks", () => {
    const parts = { recognition: [], synthesis: [], model: null, missing: ["Set a key."] };
    expect(lacksInWords(engine({ ...parts, speech: [part("gemini-live", false)] }))).toBe("needs gemini-live");
  });

  test("is nothing where a fallback is set up", () => {
    const recognition = [part("deepgram", false), part("openai")];
    expect(lacksInWords(engine({ recognition, synthesis: [part("cartesia", false)] }))).toBe("needs cartesia");
  });

  test("is a language model only if the engine cannot be used without it", () => {
    expect(lacksInWords(engine({ missing: ["Set a key."] }))).toBe("needs a language model");
    expect(engineOption(engine({}))).toBe("local (English)");
  });
});

describe("an engine that does not speak the language of an agent", () => {
  const other = engine({ name: "deepgram-elevenlabs", languages: ["de", "en"] });

  test("is named with those that do", () =>
    expect(languageMismatch(engine({}), [engine({}), other], "de-DE")).toBe(
      "The engine local does not speak German, so calls would be refused. Choose deepgram-elevenlabs instead.",
    ));

  test("is not confused with one that does, or that no one knows about", () => {
    expect(languageMismatch(other, [other], "de-DE")).toBeNull();
    expect(languageMismatch(engine({ languages: null }), [], "de-DE")).toBeNull();
    expect(languageMismatch(undefined, [], "de-DE")).toBeNull();
  });

  test("is not replaced by one that is not set up", () =>
    expect(languageMismatch(engine({}), [{ ...other, available: false }], "de-DE")).toContain("No engine"));
});

test("a part of a later release is shown by its own name", () => {
  expect(partLabel("synthesis")).toBe("Voice");
  expect(partLabel("avatar")).toBe("Avatar");
});
