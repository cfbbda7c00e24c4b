import type { SpeechVoice } from "@parley/voice/ports/speech-synthesizer";
import type { KnownVoice } from "../speech/known-voices.ts";

const LANGUAGES: Readonly<Record<string, string>> = {
  en: "English",
  es: "Spanish",
  de: "German",
  fr: "French",
  it: "Italian",
  ja: "Japanese",
  nl: "Dutch",
};

/** By language, best known first. */
const NAMES: Readonly<Record<string, string>> = {
  en:
    "thalia andromeda helena apollo arcas aries amalthea asteria athena atlas aurora callista cora cordelia delia draco electra " +
    "harmonia hera hermes hyperion iris janus juno jupiter luna mars minerva neptune odysseus ophelia orion orpheus " +
    "pandora phoebe pluto saturn selene theia vesta zeus",
  es: "celeste estrella nestor sirio carina alvaro diana aquila selena javier agustina antonia gloria luciano olivia silvia valerio",
  de: "julius viktoria elara aurelia lara fabian kara",
  fr: "agathe hector",
  it: "livia dionisio melia elio flavio maia cinzia cesare demetra",
  ja: "fujin izanami uzume ebisu ama",
  nl: "rhea sander beatrix daphne cornelia hestia lars roman leda",
};

/** The voices of Aura-2. Their id is Deepgram's name of the model. */
export const AURA_VOICES: readonly SpeechVoice[] = Object.entries(NAMES).flatMap(([language, names]) =>
  names.split(" ").map((name) => ({
    id: `aura-2-${name}-${language}`,
    language,
    description: `${name.slice(0, 1).toUpperCase()}${name.slice(1)}, ${LANGUAGES[language]}, Deepgram Aura-2`,
  })),
);

/** What Deepgram lists as masculine. */
const MEN = new Set(
  (
    "apollo arcas aries atlas draco hermes hyperion jupiter mars neptune odysseus orion orpheus pluto saturn zeus " +
    "nestor sirio alvaro aquila javier luciano valerio julius fabian hector dionisio elio flavio cesare fujin ebisu sander lars roman"
  ).split(" "),
);

export const KNOWN_AURA_VOICES: readonly KnownVoice[] = Object.entries(NAMES).flatMap(([language, names]) =>
  names
    .split(" ")
    .map((name) => ({ id: `aura-2-${name}-${language}`, sex: MEN.has(name) ? "man" : "woman", language })),
);
