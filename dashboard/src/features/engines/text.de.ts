import type { EnginesText } from "./text.ts";

export const german: EnginesText = {
  // engine-options.tsx
  notSetUpGroup: "Nicht eingerichtet",

  // engine-words.ts
  part: {
    recognition: "Spracherkennung",
    model: "Sprachmodell",
    synthesis: "Stimme",
    speech: "Speech-to-Speech",
  },
  dependsOnYourServer: "Hängt von Ihrem Server ab",
  noCommonLanguage: "Keine: Spracherkennung und Stimmen haben keine gemeinsame Sprache",
  languagesAndMore: (languages, more) => `${languages.join(", ")} und ${more} weitere`,
  languageModel: "Sprachmodell",
  notSetUp: "nicht eingerichtet",
  needs: (lacks) => `benötigt ${lacks.join(", ")}`,
  doesNotSpeak: (engine, language, others) =>
    `Die Engine ${engine} spricht kein ${language}, deshalb würden Anrufe abgelehnt. ${
      others.length === 0
        ? "Keine hier eingerichtete Engine spricht diese Sprache; ein Betreiber kann einen Sprachanbieter hinzufügen."
        : `Wählen Sie stattdessen ${others.join(" oder ")}.`
    }`,
};
