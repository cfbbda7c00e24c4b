import type { RecognizedWord } from "@parley/voice/ports/speech-recognizer";

/** A reply of `POST /audio/transcriptions`, whatever its format was. */
export interface Transcript {
  readonly text: string;
  readonly words: readonly RecognizedWord[];
  readonly segments: readonly { readonly logProbability: number; readonly noSpeech: number }[];
  /** A BCP 47 tag; null if the server does not say, or says it in a way that is not known. */
  readonly language: string | null;
}

/** Reads `json` and `verbose_json`. Null if it is neither. */
export function readTranscript(reply: string): Transcript | null {
  const value = parse(reply);
  if (!isObject(value) || typeof value.text !== "string") return null;
  return {
    text: value.text.trim(),
    words: objectsIn(value.words).flatMap(readWord),
    segments: objectsIn(value.segments).flatMap((segment) => {
      const { avg_logprob: logProbability, no_speech_prob: noSpeech } = segment;
      return typeof logProbability === "number" && typeof noSpeech === "number" ? [{ logProbability, noSpeech }] : [];
    }),
    language: typeof value.language === "string" ? tagOf(value.language) : null,
  };
}

/** Reads the events of a streamed transcript. Null unless it is complete. */
export function readTranscriptEvents(reply: string): Transcript | null {
  for (const line of reply.split(/\r?\n/)) {
    if (!line.startsWith("data:")) continue;
    const event = parse(line.slice(5));
    if (isObject(event) && event.type === "transcript.text.done" && typeof event.text === "string") {
      return { text: event.text.trim(), words: [], segments: [], language: null };
    }
  }
  return null;
}

function readWord({ word, start, end }: Record<string, unknown>): RecognizedWord[] {
  if (typeof word !== "string" || typeof start !== "number" || typeof end !== "number") return [];
  // Whisper gives some short words no length at all.
  const startMs = Math.max(0, Math.round(1000 * start));
  return [{ text: word.trim(), startMs, endMs: Math.max(startMs + 1, Math.round(1000 * end)) }];
}

const names = new Intl.DisplayNames("en", { type: "language" });
const LANGUAGES =
  "ar bg ca cs da de el en es et fi fr he hi hr hu id it ja ko lt lv ms nl no pl pt ro ru sk sl sv th tr uk vi zh";
const TAG_BY_NAME = new Map(LANGUAGES.split(" ").map((tag) => [names.of(tag)?.toLowerCase() ?? tag, tag]));

/** Whisper writes "english", other servers "en". */
function tagOf(language: string): string | null {
  const named = TAG_BY_NAME.get(language.toLowerCase());
  if (named !== undefined) return named;
  return /^[a-z]{2,3}(-[A-Za-z0-9]+)*$/.test(language) ? (Intl.getCanonicalLocales(language)[0] ?? null) : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function objectsIn(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
