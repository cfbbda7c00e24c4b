import type { Flow } from "@parley/contract/flow";
import { describe, expect, it } from "vitest";
import { compileFlow } from "./compile.ts";
import { translatableTexts, translatedLanguages, translatePlan } from "./translate.ts";

const TEXTS = {
  "What day, {{name}}?": "¿Qué día, {{name}}?",
  "next week": "la semana que viene",
  "in a week": "dentro de una semana",
  Goodbye: "Adiós",
  "I'm Sam.": "Soy Sam.",
};

function flowWith(texts: Readonly<Record<string, string>>): Flow {
  return {
    schemaVersion: 1,
    variables: ["name"],
    nodes: [
      { id: "start", type: "start", next: "day" },
      {
        id: "day",
        type: "ask",
        text: "What day, {{name}}?",
        answer: "choice",
        saveAs: "day",
        exits: [{ when: "next week", phrases: ["in a week"], next: "bye" }],
        otherwise: "bye",
      },
      { id: "bye", type: "end", text: "Goodbye" },
      { id: "message", type: "voicemail", text: "Call us." },
    ],
    settings: {
      identification: "I'm Sam.",
      phrases: { unclear: "Come again?", again: "Sure." },
      translations: [{ language: "es-ES", texts: { ...texts } }],
    },
  };
}

function compile(texts: Readonly<Record<string, string>>) {
  const compiled = compileFlow(flowWith(texts));
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return compiled;
}

describe("a flow with all its texts in another language", () => {
  it("can be held in it; what is collected stays the same", () => {
    const { plan, warnings } = compile({ ...TEXTS, "Sure.": "Claro." });
    expect(warnings).toEqual([]);
    expect(translatedLanguages(plan)).toEqual(["es-ES"]);
    const spanish = translatePlan(plan, "es-ES");
    expect(spanish.nodes.get("day")).toMatchObject({
      text: "¿Qué día, {{name}}?",
      exits: [{ when: "next week", phrases: ["la semana que viene", "dentro de una semana"], next: "bye" }],
    });
    expect(spanish.settings).toMatchObject({ identification: "Soy Sam.", phrases: { again: "Claro." } });
  });

  it("uses the standard phrases of that language where the agent's own are not translated", () => {
    const spanish = translatePlan(compile(TEXTS).plan, "es-ES");
    expect(spanish.settings.phrases).toEqual({});
  });
});

it("a language of which texts are missing is not offered, and publishing says which", () => {
  const { Goodbye: _, "next week": __, ...texts } = TEXTS;
  const { plan, warnings } = compile(texts);
  expect(translatedLanguages(plan)).toEqual([]);
  expect(warnings).toMatchObject([
    {
      code: "untranslated_text",
      path: "settings.translations[0].texts",
      message: expect.stringContaining("and 1 more"),
    },
  ]);
});

it("a translation with an unknown placeholder keeps the flow from being published", () => {
  const compiled = compileFlow(flowWith({ ...TEXTS, Goodbye: "Adiós, {{nombre}}" }));
  expect(compiled).toMatchObject({ ok: false, problems: [{ code: "undeclared_variable" }] });
});

it("what can be translated is listed once, with what a language needs first", () => {
  expect(translatableTexts(flowWith({}))).toEqual([
    { text: "What day, {{name}}?", isNeeded: true },
    { text: "Goodbye", isNeeded: true },
    { text: "next week", isNeeded: true },
    { text: "I'm Sam.", isNeeded: true },
    { text: "in a week", isNeeded: false },
    { text: "Come again?", isNeeded: false },
    { text: "Sure.", isNeeded: false },
  ]);
});
