/** An engine this release knows by name, whether or not it can conduct a call. */
export interface KnownEngine {
  readonly name: string;
  readonly description: string;
  /** What stands between it and its first call, in full sentences. Empty when it is ready. */
  readonly missing: readonly string[];
}

/** The engine of an agent, or of a call, that names none. */
export const DEFAULT_ENGINE_NAME = "local";

export const KNOWN_ENGINES: readonly KnownEngine[] = [
  {
    name: DEFAULT_ENGINE_NAME,
    description: "Runs on this installation. It needs no key and no other service.",
    missing: [],
  },
  {
    name: "openai-realtime",
    description: "Speech to speech by OpenAI's Realtime API.",
    missing: [
      "This release has no adapter for it yet, and no setting makes it available. The adapter will read OPENAI_API_KEY; setting it today changes nothing.",
    ],
  },
  {
    name: "gemini-live",
    description: "Speech to speech by Google's Gemini Live API.",
    missing: [
      "This release has no adapter for it yet, and no setting makes it available. The adapter will read GOOGLE_GENERATIVE_AI_API_KEY; setting it today changes nothing.",
    ],
  },
];
