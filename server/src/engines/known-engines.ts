/** An engine this release knows by name, whether or not it can conduct a call. */
export interface KnownEngine {
  readonly name: string;
  readonly description: string;
  /** What stands between it and its first call, in full sentences. Empty when it is ready. */
  readonly missing: readonly string[];
  /** Whether agents that need a language model are given one beside it. */
  readonly takesModel: boolean;
}

/** The engine of an agent, or of a call, that names none. */
export const DEFAULT_ENGINE_NAME = "local";

export const KNOWN_ENGINES: readonly KnownEngine[] = [
  {
    name: DEFAULT_ENGINE_NAME,
    description: "Runs on this installation. It needs no key and no other service; a language model is up to you.",
    missing: [],
    takesModel: true,
  },
  {
    name: "openai-realtime",
    description: "Speech to speech by OpenAI's Realtime API.",
    missing: [
      "This release has no adapter for it yet, and no setting makes it available. The adapter will use PARLEY_OPENAI_API_KEY.",
    ],
    takesModel: false,
  },
  {
    name: "gemini-live",
    description: "Speech to speech by Google's Gemini Live API.",
    missing: [
      "This release has no adapter for it yet, and no setting makes it available. The adapter will use PARLEY_GOOGLE_API_KEY.",
    ],
    takesModel: false,
  },
];
