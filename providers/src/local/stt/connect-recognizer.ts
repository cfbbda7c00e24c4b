import type { MessagePort } from "node:worker_threads";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { Recognition, SpeechRecognizer } from "@parley/voice/ports/speech-recognizer";
import type { EarsReply, EarsRequest } from "./ears-messages.ts";
import type { UtteranceWork } from "./recognize-utterance.ts";
import { UtteranceBuffer } from "./utterance-buffer.ts";

const PROVIDER = "moonshine";

interface Asked {
  readonly resolve: (recognition: Recognition) => void;
  readonly reject: (reason: unknown) => void;
}

/** The recognizer as one thread uses it, over a port that `EarsThread.connect` gave. */
export function connectRecognizer(port: MessagePort): SpeechRecognizer {
  const asked = new Map<number, Asked>();
  let nextId = 1;
  port.on("message", (reply: EarsReply) => {
    const waiting = asked.get(reply.requestId);
    if (waiting === undefined) return;
    if (reply.type === "failed") {
      waiting.reject(new ProviderError(PROVIDER, reply.reason, { retryable: reply.retryable }));
    } else if (reply.recognition !== null) waiting.resolve(reply.recognition);
    else waiting.reject(new ProviderError(PROVIDER, "it was given up", { retryable: true }));
  });
  port.on("close", () => {
    const error = new ProviderError(PROVIDER, "speech recognition was closed", { retryable: false });
    for (const { reject } of asked.values()) reject(error);
  });
  // A port that nobody waits on must not keep a program from ending.
  port.unref();

  function ask(work: UtteranceWork, isUrgent: boolean, signal: AbortSignal | undefined): Promise<Recognition> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const requestId = nextId++;
    const { promise, resolve, reject } = Promise.withResolvers<Recognition>();
    const onAbort = () => {
      tell({ type: "cancel", requestId });
      forget();
      reject(signal?.reason);
    };
    const forget = () => {
      asked.delete(requestId);
      signal?.removeEventListener("abort", onAbort);
      if (asked.size === 0) port.unref();
    };
    asked.set(requestId, {
      resolve(recognition) {
        forget();
        resolve(recognition);
      },
      reject(reason) {
        forget();
        reject(reason);
      },
    });
    signal?.addEventListener("abort", onAbort, { once: true });
    port.ref();
    tell({ type: "recognize", requestId, work, isUrgent });
    return promise;
  }

  const tell = (request: EarsRequest) => port.postMessage(request);

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
          return ask(work, !isGuess, either);
        },
        close: () => closed.abort(new ProviderError(PROVIDER, "the call is over", { retryable: false })),
      };
    },
    async close() {
      port.close();
    },
  };
}
