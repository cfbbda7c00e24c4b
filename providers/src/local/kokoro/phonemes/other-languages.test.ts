import { describe, expect, test } from "vitest";
import { KokoroInput } from "../kokoro-input.ts";
import { FRENCH } from "./languages/french.ts";
import { ITALIAN } from "./languages/italian.ts";
import { PORTUGUESE } from "./languages/portuguese.ts";
import { SPANISH } from "./languages/spanish.ts";
import { countWordsIn, isReadable, partsToPhonemesIn } from "./other-languages.ts";
import { FRENCH_WORDS, ITALIAN_WORDS, PORTUGUESE_WORDS, SPANISH_WORDS } from "./testing/known-words.ts";

const say = (language: string, text: string) => partsToPhonemesIn(language, [{ type: "text", text }]);

/** Kokoro's symbols as the lists write them: without the second stress and without variants of a sound. */
const BROAD: Readonly<Record<string, (symbols: string) => string>> = {
  es: (symbols) =>
    replaced(symbols, [
      [/A/g, "ei"],
      [/I/g, "ai"],
      [/W/g, "au"],
      [/ɪ/g, "i"],
      [/ʊ/g, "u"],
      [/ɛ/g, "e"],
      [/ʝ/g, "j"],
      [/ŋ/g, "n"],
      [/mf/g, "nf"],
      [/ʧ/g, "tʃ"],
      // An adverb in "-mente" has two stresses; the second is the main one.
      [/ˈ(?=.*mˈente)/g, ""],
    ]),
  fr: (symbols) =>
    replaced(symbols.normalize("NFD"), [
      [/y(?=ˈ?[aeiouɛɔ])/g, "ɥ"],
      [/œ\u0303/g, "ɛ\u0303"],
      [/ɔ(?!\u0303)/g, "o"],
      [/ɛ(?!\u0303)/g, "e"],
      [/œ(?!\u0303)/g, "ø"],
    ]),
  it: (symbols) =>
    replaced(symbols, [
      [/S/g, "ss"],
      [/I/g, "ai"],
      [/aj$/, "ai"],
      [/ɛ/g, "e"],
      [/ɔ/g, "o"],
      [/ʊ/g, "u"],
      [/ŋ/g, "n"],
      [/ʧː/g, "ttʃ"],
      [/ʤː/g, "ddʒ"],
      [/ʧ/g, "tʃ"],
      [/ʤ/g, "dʒ"],
      [/ʦː?/g, "ts"],
      [/ʣː?/g, "dz"],
      [/(.)ː/g, "$1$1"],
      [/tts/g, "ts"],
      [/ddz/g, "dz"],
    ]),
  pt: (symbols) =>
    replaced(symbols.normalize("NFD"), [
      [/A[ŋm]$/, "e\u0303j"],
      [/A[ŋm]/g, "e\u0303"],
      [/ɐ\u0303(?=[mnɲ][aeiouæʊɐ])/g, "a"],
      [/([aeiouɐ])\u0303?[ŋm](?![aeiouæʊɐˈ])/g, "$1\u0303"],
      [/A/g, "ej"],
      [/W/g, "aw"],
      [/I/g, "aj"],
      [/ɪ/g, "j"],
      [/ɔ/g, "o"],
      [/ɛ/g, "e"],
      [/[æɐ]/g, "a"],
      [/ʊ\u0303/g, "w"],
      [/(?<=[aeiou])ʊ/g, "w"],
      [/ʊ/g, "u"],
      [/x/g, "h"],
      [/r/g, "ɾ"],
      [/ʧ/g, "tʃ"],
      [/ʤ/g, "dʒ"],
    ]),
};

function replaced(symbols: string, replacements: readonly (readonly [RegExp, string])[]): string {
  return replacements.reduce((text, [from, to]) => text.replace(from, to), symbols.replaceAll("ˌ", ""));
}

describe.each([
  ["es", SPANISH, SPANISH_WORDS],
  ["fr", FRENCH, FRENCH_WORDS],
  ["it", ITALIAN, ITALIAN_WORDS],
  ["pt", PORTUGUESE, PORTUGUESE_WORDS],
] as const)("words in %s are said as people say them", (language, rules, words) => {
  const broad = (symbols: string) => (BROAD[language] as (symbols: string) => string)(symbols);

  test.each(words)("%s", (word, ipa) => {
    expect(broad(rules.pronounce(word.toLowerCase()))).toBe(broad(ipa));
  });
});

describe("a clause is said as Kokoro was taught", () => {
  test.each([
    ["es", "Buenos días, le llamo de la clínica.", "bwˈenos ðˈias, le ʎˈamo ðe la klˈinika."],
    ["es", "¿Puede confirmar su cita?", "pwˈeðe kˌomfiɾmˈaɾ su θˈita?"],
    ["fr", "Bonjour madame, je vous appelle.", "bɔ̃ʒˈuʁ madˈam, ʒə vuz apˈɛl."],
    ["fr", "Votre rendez-vous est à deux heures.", "vɔtʁ ʁɑ̃devˈu ɛt a dˈøz ˈœʁ."],
    ["fr", "Il y a six personnes, s'il vous plaît.", "il i a sˈi pɛʁsˈɔn, sil vu plˈɛ."],
    ["it", "Grazie mille e arrivederci.", "ɡrˈaʦje mˈille e arrivedˈerʧi."],
    ["pt", "Quinta-feira, sim.", "kˌiŋtæfˈAɾæ, sˈiŋ."],
  ])("%s: %s", (language, text, phonemes) => {
    expect(say(language, text)).toBe(phonemes);
  });

  test.each(["es", "fr", "it", "pt"])("every symbol in %s is one of Kokoro's", async (language) => {
    const input = await KokoroInput.open();
    const lists = { es: SPANISH_WORDS, fr: FRENCH_WORDS, it: ITALIAN_WORDS, pt: PORTUGUESE_WORDS };
    const text = lists[language as keyof typeof lists].map(([word]) => word);
    for (const word of text) {
      const phonemes = say(language, word);
      // Two edges are added.
      expect([word, input.idsOf(phonemes).length]).toEqual([word, [...phonemes].length + 2]);
    }
  });
});

describe("names, letters and given pronunciations", () => {
  test.each([
    ["es", "DNI", "dˌeˌeneˈi"],
    ["es", "IVA", "ˈiβa"],
    ["es", "la B", "la βˈe"],
    ["fr", "TVA", "tˌevˌeˈa"],
    ["it", "SMS", "ˌeSeˌemmeˈeSe"],
  ])("letters in %s: %s", (language, text, phonemes) => {
    expect(say(language, text)).toBe(phonemes);
  });

  test("IPA from the list of pronunciations is said as it is", () => {
    const said = [{ type: "said_as", written: "Siobhan", spoken: "/ʃɪˈvɔn/", hasEmphasis: false }] as const;
    expect(partsToPhonemesIn("es", said)).toBe("ʃɪˈvɔn");
  });

  test("a respelling is read by the rules of the language", () => {
    const said = [{ type: "said_as", written: "Siobhan", spoken: "shi-VON", hasEmphasis: false }] as const;
    expect(partsToPhonemesIn("es", said)).toBe("ʃiβˈon");
  });

  test("a weak word has its stress with emphasis and at the end of a phrase", () => {
    expect(
      partsToPhonemesIn("es", [
        { type: "emphasis", word: "con" },
        { type: "text", text: "azúcar" },
      ]),
    ).toBe("kˈon aθˈukaɾ");
    expect(say("fr", "avec vous")).toBe("avˈɛk vˈu");
  });
});

test("words are counted as they are spoken", () => {
  expect(countWordsIn("¿Rendez-vous, s'il vous plaît ?")).toBe(4);
});

test("a text in another script cannot be read", () => {
  expect(isReadable("こんにちは")).toBe(false);
  expect(isReadable("Señor")).toBe(true);
});
