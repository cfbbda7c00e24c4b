import type { MessagePort } from "node:worker_threads";
import { connectPort } from "@parley/threads/port-requests";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { Recognition, SpeechRecognizer } from "@parley/voice/ports/speech-recognizer";
import type { UtteranceWork } from "./recognize-utterance.ts";
import { UtteranceBuffer } from "./utterance-buffer.ts";

const PROVIDER = "moonshine";

/** What a conversation sends over its port. */
export interface RecognitionRequest {
  readonly work: UtteranceWork;
  readonly isUrgent: boolean;
}

/** The recognizer as one thread uses it, over a port that `EarsThread.connect` gave. */
export function connectRecognizer(port: MessagePort): SpeechRecognizer {
  const client = connectPort<RecognitionRequest, Recognition | null>(
    port,
    (reason, retryable) => new ProviderError(PROVIDER, reason, { retryable }),
  );

  async function recognize(request: RecognitionRequest, signal: AbortSignal): Promise<Recognition> {
    const recognition = await client.request(request, signal);
    if (recognition === null) throw new ProviderError(PROVIDER, "it was cancelled", { retryable: true });
    return recognition;
  }

  return {
    name: PROVIDER,
    async open({ language, sampleRateHz }) {
      if (!/^en\b/i.test(language)) {
        throw new ProviderError(PROVIDER, `the local recognizer knows English only, not ${language}`, {
          retryable: false,
        });
      }
      const utterance = new UtteranceBuffer(sampleRateHz);
      const closed = new AbortController();
      return {
        hear: (samples) => utterance.add(samples),
        startUtterance: () => utterance.clear(),
        recognize({ expected, isSpeechCertain, isGuess, signal }) {
          const work = { samples: utterance.copy(), expected, isSpeechCertain };
          const either = signal === undefined ? closed.signal : AbortSignal.any([signal, closed.signal]);
          return recognize({ work, isUrgent: !isGuess }, either);
        },
        close: () => closed.abort(new ProviderError(PROVIDER, "the call is over", { retryable: false })),
      };
    },
    async close() {
      client.close();
    },
  };
}
