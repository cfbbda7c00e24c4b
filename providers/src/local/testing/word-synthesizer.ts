import { ProviderError } from "@parley/voice/ports/provider-error";
import type { SpeechRequest, SpeechSynthesizer } from "@parley/voice/ports/speech-synthesizer";

/** A synthesizer whose clips a test finishes by hand. The samples are the codes of the letters. */
export interface WordSynthesizer extends SpeechSynthesizer {
  /** Requested texts, in order. */
  readonly asked: readonly string[];
  /** Texts whose rendering was aborted. */
  readonly abandoned: readonly string[];
  finish(text: string): void;
  fail(text: string): void;
}

export function createWordSynthesizer(): WordSynthesizer {
  const asked: string[] = [];
  const abandoned: string[] = [];
  const waiting = new Map<string, PromiseWithResolvers<void>>();

  async function* speak({ text, signal }: SpeechRequest): AsyncGenerator<Int16Array> {
    asked.push(text);
    const done = Promise.withResolvers<void>();
    waiting.set(text, done);
    signal?.addEventListener("abort", () => {
      abandoned.push(text);
      done.reject(signal.reason);
    });
    await done.promise;
    for (const letter of text) yield Int16Array.of(letter.charCodeAt(0));
  }

  return {
    name: "words",
    voices: [{ id: "only", language: "en-US", description: "Letters" }],
    asked,
    abandoned,
    speak,
    finish: (text) => waiting.get(text)?.resolve(),
    fail: (text) => waiting.get(text)?.reject(new ProviderError("words", "told to fail", { retryable: true })),
    close: async () => undefined,
  };
}
