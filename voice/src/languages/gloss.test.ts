import { describe, expect, it } from "vitest";
import { gloss } from "./gloss.ts";
import { packOf } from "./language-pack.ts";

function glossed(language: string, text: string): string {
  const pack = packOf(language);
  if (pack === null) throw new Error(`there is no pack for ${language}`);
  return gloss(text, pack);
}

describe("the gloss of an utterance", () => {
  it.each([
    ["de-DE", "Nächsten Dienstag um halb vier", "next tuesday at 3:30"],
    ["de-DE", "Am dritten März um fünfzehn Uhr dreißig", "march 3 at 15:30"],
    ["de-DE", "Um halb eins", "at 12:30"],
    ["de-AT", "Dreihundertzweiundzwanzig", "322"],
    ["de-DE", "null eins sieben zwei", "0 1 7 2"],
    ["de-DE", "Ja, wenn es nicht regnet", "yes, if it not regnet"],
    ["es-ES", "El martes que viene a las tres y media de la tarde", "next tuesday at 3:30 in the afternoon"],
    ["es-MX", "a las cinco menos cuarto", "at quarter to 5"],
    ["es-ES", "mil doscientos treinta y cinco", "1235"],
    ["es-ES", "Me llamo José García", "my name is José García"],
    ["fr-FR", "Mardi prochain à quinze heures trente", "next tuesday at 15:30"],
    ["fr-FR", "quatre heures moins le quart", "quarter to 4"],
    ["fr-FR", "quatre-vingt-dix-sept", "97"],
    ["fr-CA", "soixante et onze", "71"],
    ["fr-FR", "zéro six douze trente-quatre", "0 6 12 34"],
  ])("%s: %s", (language, text, english) => {
    expect(glossed(language, text)).toBe(english);
  });

  it("finds words that were written without their accents", () => {
    expect(glossed("fr", "bien sur")).toBe("of course");
    expect(glossed("de", "naturlich")).toBe("of course");
  });

  it("does not take a condition for a yes where an accent distinguishes them", () => {
    expect(glossed("es", "sí")).toBe("yes");
    expect(glossed("es", "si puedo")).toBe("if i can");
  });

  it("is not needed for English, and not available for languages without a pack", () => {
    expect(packOf("en-GB")).toBeNull();
    expect(packOf("ja-JP")).toBeNull();
  });
});
