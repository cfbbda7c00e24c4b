import type { WireSession } from "../../speech/testing/streaming-sessions.ts";

const PIECE_BYTES = 4_096;
const FLUSHES_MAX = 20;
const FLUSH_WINDOW_MS = 60_000;
const TEXT_LENGTH_MAX = 2_000;

/** Speaks a text as 16-bit audio at the given rate. */
export type SpeakText = (text: string, sampleRateHz: number, model: string) => Int16Array | Promise<Int16Array>;

interface AuraSettings {
  readonly requestId: string;
  readonly query: URLSearchParams;
  readonly speak: SpeakText;
  now(): number;
  send(message: object | Uint8Array): void;
  end(): void;
}

/** One connection to `/v1/speak`: Speak, Flush, Clear and Close, with the limits of the real one. */
export function startAuraStream({ requestId, query, speak, now, send, end }: AuraSettings): WireSession {
  const model = query.get("model") ?? "aura-asteria-en";
  let text = "";
  let sequence = 0;
  let flushTimes: number[] = [];

  send({
    type: "Metadata",
    request_id: requestId,
    model_name: model,
    model_version: "2025-04-07.0",
    model_uuid: "ecb76e9d-f2db-4127-8060-79b05590d22f",
  });

  const warn = (code: string, description: string) => send({ type: "Warning", code, description });

  async function flush(): Promise<void> {
    flushTimes = flushTimes.filter((atMs) => now() - atMs < FLUSH_WINDOW_MS);
    if (flushTimes.length >= FLUSHES_MAX) {
      return warn("DATA-0002", "Exceeded the maximum number of flushes per minute.");
    }
    flushTimes.push(now());
    const samples =
      text === "" ? new Int16Array(0) : await speak(text, Number(query.get("sample_rate") ?? 24_000), model);
    text = "";
    const bytes = new Uint8Array(samples.slice().buffer);
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) send(bytes.slice(at, at + PIECE_BYTES));
    send({ type: "Flushed", sequence_id: sequence });
    sequence += 1;
  }

  return {
    async hear() {
      warn("DATA-0000", "Binary messages are not supported.");
    },
    async control(message) {
      if (message.type === "Speak" && typeof message.text === "string") {
        if (message.text.length > TEXT_LENGTH_MAX) return warn("DATA-0001", "The text is too long.");
        text += message.text;
      } else if (message.type === "Flush") await flush();
      else if (message.type === "Clear") {
        text = "";
        send({ type: "Cleared", sequence_id: sequence });
        sequence += 1;
      } else if (message.type === "Close") {
        if (text !== "") await flush();
        end();
      } else warn("DATA-0000", `The message type ${String(message.type)} is unknown.`);
    },
  };
}
