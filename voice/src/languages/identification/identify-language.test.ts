import { describe, expect, it } from "vitest";
import { identifyLanguage } from "./identify-language.ts";

const SAID: Readonly<Record<string, readonly string[]>> = {
  es: ["No hablo inglés", "¿Quién habla?", "Mañana por la tarde", "No, se ha equivocado usted", "Yo no he pedido nada"],
  de: ["Ich spreche kein Englisch", "Da sind Sie falsch", "Morgen Nachmittag passt mir", "Was wollen Sie denn?"],
  fr: ["Je ne parle pas anglais", "C'est qui à l'appareil ?", "Ça ne m'intéresse pas", "Je n'ai rien commandé"],
  it: ["Non parlo inglese", "Non ho capito niente", "Può ripetere per favore?"],
  pt: ["Não falo inglês", "Eu não entendo nada", "Pode falar mais devagar?"],
  en: ["I don't speak that", "You have the wrong number", "Tomorrow afternoon works for me", "Who is this?"],
};

describe.each(["en", "de", "es", "fr"])("to an agent that speaks %s", (own) => {
  it.each(Object.keys(SAID).filter((language) => language !== own))("sentences in %s are identified", (language) => {
    for (const text of SAID[language] ?? [])
      expect([text, identifyLanguage(text, own)?.language]).toEqual([text, language]);
  });

  it("sentences in its language are not", () => {
    for (const text of SAID[own] ?? []) expect([text, identifyLanguage(text, own)]).toEqual([text, null]);
  });
});

it.each([
  ["a greeting", "Buenos días"],
  ["a joke", "sí señor"],
  ["a goodbye", "auf Wiedersehen"],
])("%s is weak evidence", (_, text) => {
  expect(identifyLanguage(text, "en-US")?.evidence).not.toBe("strong");
});

it.each([
  "no",
  "OK",
  "Maria de los Angeles Garcia",
  "Las Vegas on Friday",
  "Hans Peter Müller",
  "die, no, don't",
  "was it me?",
])("%s is none", (text) => {
  expect(identifyLanguage(text, "en-US")).toBeNull();
});

it("accents do not matter, and neither does case", () => {
  expect(identifyLanguage("NO HABLO INGLES", "en-US")).toEqual({ language: "es", evidence: "strong" });
});

it("nothing is identified for an agent in a language that is not known here", () => {
  expect(identifyLanguage("I would like to come on Tuesday", "pl-PL")).toBeNull();
});
