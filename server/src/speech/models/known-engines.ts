/**
 * An engine that this release can conduct calls with. One is listed only when its adapter exists and settings alone can
 * make it available: whatever is listed here is offered in replies, prices, the builder and the reference.
 */
export interface KnownEngine {
  readonly name: string;
  readonly description: string;
  /** The voice engine that conducts its calls: `voice/src/engine/NAME-engine.ts`. */
  readonly adapter: "cascade";
  /** The settings between it and its first call, in full sentences. Empty when it is ready. */
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
    adapter: "cascade",
    missing: [],
    takesModel: true,
  },
];
