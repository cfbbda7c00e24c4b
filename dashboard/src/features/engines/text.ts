import { inLanguage } from "../../languages/texts.ts";

const english = {
  // engine-options.tsx
  notSetUpGroup: "Not set up",

  // engine-words.ts
  part: {
    recognition: "Recognition",
    model: "Language model",
    synthesis: "Voice",
    speech: "Speech-to-speech",
  },
  dependsOnYourServer: "Depends on your server",
  noCommonLanguage: "None: its recognition and its voices have no language in common",
  languagesAndMore: (languages: readonly string[], more: number) => `${languages.join(", ")} and ${more} more`,
  languageModel: "a language model",
  notSetUp: "not set up",
  needs: (lacks: readonly string[]) => `needs ${lacks.join(", ")}`,
  doesNotSpeak: (engine: string, language: string, others: readonly string[]) =>
    `The engine ${engine} does not speak ${language}, so calls would be refused. ${
      others.length === 0
        ? "No engine that is set up here does; an operator can add a speech vendor."
        : `Choose ${others.join(" or ")} instead.`
    }`,
};

export type EnginesText = typeof english;

export const enginesText = inLanguage("engines", english);
