import {
  ListenedAudio,
  type SpokenWord,
  type Understand,
  WORD_CONFIDENCE,
} from "../../speech/testing/listened-audio.ts";
import type { WireSession } from "../../speech/testing/streaming-sessions.ts";

const INTERIM_EVERY_MS = 250;
const SILENT_RESULT_EVERY_MS = 3_000;
/** Less audio than this is not worth an answer to `Finalize`. */
const FINALIZE_MIN_MS = 60;

interface NovaSettings {
  readonly requestId: string;
  readonly query: URLSearchParams;
  readonly understand: Understand;
  /** Speech after which a part of the text is final although the speaker goes on. */
  readonly finalEveryMs: number;
  send(message: object): void;
  end(): void;
}

/** One stream of `/v1/listen`: interim and final results, endpointing, utterance ends, Finalize, KeepAlive, CloseStream. */
export function startNovaStream({ requestId, query, understand, finalEveryMs, send, end }: NovaSettings): WireSession {
  const audio = new ListenedAudio(Number(query.get("sample_rate")), understand);
  const endpointing = query.get("endpointing");
  const endpointingMs = endpointing === "false" ? null : Number(endpointing ?? 10);
  const utteranceEndMs = query.has("utterance_end_ms") ? Number(query.get("utterance_end_ms")) : null;
  const wantsInterim = query.get("interim_results") === "true";
  const hasPunctuation = query.get("smart_format") === "true" || query.get("punctuate") === "true";
  let interimAtMs = 0;
  let lastWordEndMs: number | null = null;
  let wasSpeaking = false;

  async function report(is: { final: boolean; speechFinal?: boolean; fromFinalize?: boolean }): Promise<void> {
    const words = await audio.words();
    if (!is.final && words.length === 0) return;
    send({
      type: "Results",
      channel_index: [0, 1],
      start: audio.startMs / 1000,
      duration: (audio.endMs - audio.startMs) / 1000,
      is_final: is.final,
      speech_final: is.speechFinal ?? false,
      ...(is.final ? { from_finalize: is.fromFinalize ?? false } : {}),
      channel: { alternatives: [alternativeOf(words)] },
      metadata: {
        request_id: requestId,
        model_info: { name: "general-nova-3", version: "2025-04-17.21547", arch: "nova-3" },
        model_uuid: "40bd3654-e622-47c4-a111-63a61b23bfe8",
      },
    });
    if (!is.final) return;
    const last = words.at(-1);
    if (last) lastWordEndMs = last.end * 1000;
    audio.dispose();
    interimAtMs = audio.endMs;
  }

  function alternativeOf(words: readonly SpokenWord[]): object {
    const written = words.map((word, index) => ({
      ...word,
      word: word.word.toLowerCase(),
      ...(hasPunctuation ? { punctuated_word: index === 0 ? capitalized(word.word) : word.word } : {}),
    }));
    const transcript = written.map((word) => word.punctuated_word ?? word.word).join(" ");
    const languages = query.get("language") === "multi" ? { languages: ["en"] } : {};
    return { transcript, confidence: words.length > 0 ? WORD_CONFIDENCE : 0, words: written, ...languages };
  }

  return {
    async hear(bytes) {
      for (const frame of audio.take(bytes)) {
        if (frame.isSpeech && !wasSpeaking && query.get("vad_events") === "true") {
          send({ type: "SpeechStarted", channel: [0, 1], timestamp: (frame.endMs - 20) / 1000 });
        }
        wasSpeaking = frame.isSpeech || (wasSpeaking && frame.silenceMs < 100);
        if (audio.hasSpeech) {
          const heardMs = frame.endMs - audio.startMs;
          if (endpointingMs !== null && !frame.isSpeech && frame.silenceMs >= Math.max(endpointingMs, 100)) {
            await report({ final: true, speechFinal: true });
          } else if (!frame.isSpeech && heardMs >= finalEveryMs) await report({ final: true });
          else if (wantsInterim && frame.endMs - interimAtMs >= INTERIM_EVERY_MS) {
            interimAtMs = frame.endMs;
            await report({ final: false });
          }
        } else if (frame.endMs - audio.startMs >= SILENT_RESULT_EVERY_MS) await report({ final: true });
        if (utteranceEndMs !== null && lastWordEndMs !== null && !audio.hasSpeech) {
          if (frame.endMs - lastWordEndMs >= utteranceEndMs) {
            send({ type: "UtteranceEnd", channel: [0, 1], last_word_end: lastWordEndMs / 1000 });
            lastWordEndMs = null;
          }
        }
      }
    },
    async control(message) {
      if (message.type === "Finalize") {
        if (audio.endMs - audio.startMs >= FINALIZE_MIN_MS) await report({ final: true, fromFinalize: true });
      } else if (message.type === "CloseStream") {
        await report({ final: true });
        send({
          type: "Metadata",
          transaction_key: "deprecated",
          request_id: requestId,
          sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
          created: "2026-11-16T21:00:00.000Z",
          duration: audio.endMs / 1000,
          channels: 1,
        });
        end();
      } else if (message.type !== "KeepAlive") {
        send({ type: "Error", description: `unknown message type ${String(message.type)}`, message: "", variant: "" });
      }
    },
  };
}

function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
