import { beforeAll, describe, expect, test } from "vitest";
import { loadFliteModule } from "../../flite/flite-module.ts";
import { createGuessWord, type GuessWord } from "./pronounce-word.ts";
import { partsToPhonemes, textToPhonemes } from "./text-to-phonemes.ts";

let guess: GuessWord;

beforeAll(async () => {
  guess = createGuessWord(await loadFliteModule(), null);
});

describe("a text is pronounced in American English", () => {
  test.each([
    ["Hello Ada.", "həlˈO ˈAdə."],
    ["Water, twenty-seven.", "wˈɔTəɹ, twˈɛnti sˈɛvən."],
    ["Will you come, or cancel?", "wɪl ju kˈʌm, ɔɹ kˈænsəl?"],
    ["Choose the joy of now.", "ʧˈuz ðə ʤˈY əv nˈW."],
    ["bird measure thing", "bˈɜɹd mˈɛʒəɹ θˈɪŋ"],
  ])("%s", (text, phonemes) => {
    expect(textToPhonemes(text, guess)).toBe(phonemes);
  });
});

describe("small words are weak within a phrase and strong where it ends", () => {
  test.each([
    ["What is it for?", "wˈʌt ɪz ɪt fˈɔɹ?"],
    ["for you", "fɔɹ jˈu"],
    ["the end of the day", "ði ˈɛnd əv ðə dˈA"],
    ["to ask and to go", "tu ˈæsk ænd tə ɡˈO"],
  ])("%s", (text, phonemes) => {
    expect(textToPhonemes(text, guess)).toBe(phonemes);
  });
});

describe("homographs are pronounced as they are meant", () => {
  test.each([
    ["Please record it.", "plˈiz ɹəkˈɔɹd ˈɪt."],
    ["Your record is here.", "jɔɹ ɹˈɛkəɹd ɪz hˈiɹ."],
    ["We live close.", "wi lˈɪv klˈOs."],
    ["We close at noon.", "wi klˈOz æt nˈun."],
    ["Use the keys.", "jˈuz ðə kˈiz."],
    ["the use", "ðə jˈus"],
  ])("%s", (text, phonemes) => {
    expect(textToPhonemes(text, guess)).toBe(phonemes);
  });
});

describe("letters are said by their names", () => {
  test.each([
    ["ten A M.", "tˈɛn ˈA ˈɛm."],
    ["the FBI", "ði ˌɛfbˌiˈI"],
    ["the U.S.A. office", "ðə jˌuˌɛsˈA ˈɔfɪs"],
    ["IT", "ˌItˈi"],
    ["NASA is OK", "nˈæsə ɪz ˈOkˈA"],
    ["A person and I", "ə pˈɜɹsən ænd ˈI"],
    ["option B", "ˈɑpʃən bˈi"],
  ])("%s", (text, phonemes) => {
    expect(textToPhonemes(text, guess)).toBe(phonemes);
  });
});

describe("a name that is in no dictionary is pronounced by its letters, with one stress", () => {
  test.each(["Kowalczyk", "Xylofen", "Zorbtronic", "Przybylski", "Nguyenova", "Hallberry"])("%s", (name) => {
    const phonemes = textToPhonemes(name, guess);
    expect(phonemes.length).toBeGreaterThan(3);
    expect(phonemes.match(/ˈ/g)).toHaveLength(1);
  });

  test("its possessive ends like other possessives", () => {
    expect(textToPhonemes("Kowalczyk's", guess)).toBe(`${textToPhonemes("Kowalczyk", guess)}s`);
  });
});

describe("marks are melody", () => {
  test.each([
    ["Really?!", "ɹˈɪli?"],
    ["Wait... now", "wˈAt… nˈW"],
    ["one – two", "wˈʌn— tˈu"],
    ['He said "yes" (twice).', "hi sˈɛd jˈɛs, twˈIs."],
    [", so", "sˈO"],
    ["...", ""],
    ["?!", ""],
    ["", ""],
  ])("%j", (text, phonemes) => {
    expect(textToPhonemes(text, guess)).toBe(phonemes);
  });
});

test("a British voice drops the r that is not before a vowel, and taps no t", () => {
  expect(textToPhonemes("Water for our car, dear.", guess, "british")).toBe("wˈɔːtə fɔː Wə kˈɑː, dˈɪ.");
});

describe("a given pronunciation is said instead of the word", () => {
  const saidAs = (spoken: string, accent: "american" | "british" = "american") =>
    partsToPhonemes([{ type: "said_as", written: "Siobhan", spoken, hasEmphasis: false }], guess, accent);

  test.each([
    ["/ʃɪˈvɔn/", "ʃɪˈvɔn"],
    ["/ˈdʒeɪmz/", "ˈʤAmz"],
    ["/nuˈjɔrk/", "nuˈjɔɹk"],
    ["/ˈt͡ʃaɪ.nə/", "ˈʧInə"],
    ["/hoˈse/", "hOˈsA"],
    ["/win/", "ˈwin"],
  ])("IPA %s", (ipa, symbols) => {
    expect(saidAs(ipa)).toBe(symbols);
  });

  test("a British voice keeps its own vowels", () => {
    expect(saidAs("/ɡəʊ/", "british")).toBe("ˈɡQ");
    expect(saidAs("/ɡəʊ/")).toBe("ˈɡO");
  });

  test.each([
    ["win", "wˈɪn"],
    ["shi-VAWN", /^ʃ.*vˈ.+n$/],
    ["mac do", /^mˈæk d/],
  ])("respelling %s", (spoken, symbols) => {
    expect(saidAs(spoken)).toMatch(symbols);
  });

  test("the words around it are said as ever", () => {
    const parts = [
      { type: "text", text: "Hello " },
      { type: "said_as", written: "Nguyen", spoken: "/wɪn/", hasEmphasis: false },
      { type: "text", text: ", hello." },
    ] as const;
    expect(partsToPhonemes(parts, guess)).toBe("həlˈO ˈwɪn, həlˈO.");
  });
});

test("a small word with emphasis is said in full and with stress", () => {
  const parts = [
    { type: "text", text: "It " },
    { type: "emphasis", word: "was" },
    { type: "text", text: " you." },
  ] as const;
  expect(partsToPhonemes(parts, guess)).toBe("ɪt wˈɑz jˈu.");
});
