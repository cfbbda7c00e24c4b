import { decodeMulaw } from "@parley/audio/g711";
import type { Clock } from "@parley/time/clock";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { SpeechModel, SpeechModelRequest, SpeechModelSession } from "@parley/voice/ports/speech-model";
import { readableDetail } from "../websocket/vendor-status.ts";
import { RealtimeConnection, type ServerEvent } from "./realtime-connection.ts";

export interface OpenAiSpeechModelOptions {
  readonly apiKey: string;
  readonly clock: Clock;
  readonly baseUrl?: string;
  readonly model?: string;
  /** Writes down what the callee says. */
  readonly transcriptionModel?: string;
}

const PROVIDER = "openai-realtime";
const MODEL = "gpt-realtime-2.1-mini";
const TRANSCRIPTION_MODEL = "gpt-4o-mini-transcribe";

/** OpenAI's Realtime API as a model that hears and speaks, in G.711 both ways. Needs PARLEY_OPENAI_API_KEY. */
export function createOpenAiSpeechModel(options: OpenAiSpeechModelOptions): SpeechModel {
  const sessions = new Set<RealtimeSession>();
  let isClosed = false;
  return {
    name: PROVIDER,
    async open(request) {
      if (isClosed) throw failure("was closed", false);
      const session: RealtimeSession = new RealtimeSession(options, request, () => sessions.delete(session));
      sessions.add(session);
      await session.connect();
      return session;
    },
    async close() {
      isClosed = true;
      for (const session of [...sessions]) session.close();
    },
  };
}

class RealtimeSession implements SpeechModelSession {
  readonly #options: OpenAiSpeechModelOptions;
  readonly #request: SpeechModelRequest;
  readonly #connection: RealtimeConnection;
  #isResponding = false;
  /** Replies that are requested when the one in progress is over: the API allows one at a time. */
  #owed: object[] = [];

  constructor(options: OpenAiSpeechModelOptions, request: SpeechModelRequest, onClosed: () => void) {
    this.#options = options;
    this.#request = request;
    const { apiKey, clock, baseUrl, model = MODEL } = options;
    this.#connection = new RealtimeConnection({
      ...{ provider: PROVIDER, apiKey, clock, baseUrl, query: { model } },
      onEvent: (event) => this.#handle(event),
      onLost: (error) => request.onEvent({ type: "failed", error }),
      onEnded: onClosed,
    });
  }

  connect(): Promise<void> {
    return this.#connection.connect(this.#session());
  }

  hear(samples: Int16Array): void {
    this.#connection.hear(samples);
  }

  reply(instructions: string): void {
    this.#respond({ instructions });
  }

  interrupt(itemId: string | null, heardMs: number): void {
    this.#owed = [];
    // Where its own speech detection has stopped the reply already, there is nothing to cancel.
    if (this.#isResponding) this.#connection.send({ type: "response.cancel" });
    if (itemId === null) return;
    this.#connection.send({
      type: "conversation.item.truncate",
      item_id: itemId,
      content_index: 0,
      audio_end_ms: heardMs,
    });
  }

  answer(callId: string, output: unknown, isLast: boolean): void {
    const item = { type: "function_call_output", call_id: callId, output: JSON.stringify(output ?? null) };
    this.#connection.send({ type: "conversation.item.create", item });
    if (!isLast) this.#respond({});
  }

  close(): void {
    this.#connection.close();
  }

  #session(): object {
    const { instructions, tools, language, voiceId } = this.#request;
    const { model = MODEL, transcriptionModel = TRANSCRIPTION_MODEL } = this.#options;
    const format = { type: "audio/pcmu" };
    return {
      type: "realtime",
      model,
      instructions,
      output_modalities: ["audio"],
      audio: {
        input: {
          format,
          transcription: { model: transcriptionModel, language: new Intl.Locale(language).language },
          turn_detection: { type: "server_vad", create_response: true, interrupt_response: true },
        },
        output: { format, voice: voiceId },
      },
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: "function",
        name,
        description,
        parameters: inputSchema,
      })),
    };
  }

  #respond(response: object): void {
    if (this.#isResponding) return void this.#owed.push(response);
    this.#isResponding = true;
    this.#connection.send({ type: "response.create", response });
  }

  #handle(event: ServerEvent): void {
    const { onEvent } = this.#request;
    const itemId = String(event.item_id);
    switch (event.type) {
      case "input_audio_buffer.speech_started":
        return onEvent({ type: "callee_started", itemId, atMs: Number(event.audio_start_ms) });
      case "input_audio_buffer.speech_stopped":
        return onEvent({ type: "callee_stopped", itemId, atMs: Number(event.audio_end_ms) });
      case "conversation.item.input_audio_transcription.completed":
        return onEvent({ type: "callee_said", itemId, text: String(event.transcript ?? "") });
      case "conversation.item.input_audio_transcription.failed":
        return onEvent({ type: "callee_said", itemId, text: "" });
      case "response.created":
        this.#isResponding = true;
        return;
      case "response.output_audio.delta":
        return onEvent({ type: "audio", itemId, samples: decoded(String(event.delta)) });
      case "response.output_audio_transcript.delta":
        return onEvent({ type: "text", itemId, text: String(event.delta) });
      case "response.function_call_arguments.done":
        return onEvent({
          type: "function_called",
          callId: String(event.call_id),
          name: String(event.name),
          input: JSON.parse(String(event.arguments || "{}")) as unknown,
        });
      case "response.done":
        return this.#finishResponse(event.response as Readonly<Record<string, unknown>>);
      case "error":
        return this.#handleError(event.error as Readonly<Record<string, unknown>>);
      default:
        return;
    }
  }

  #finishResponse({ status, status_details: details }: Readonly<Record<string, unknown>>): void {
    this.#isResponding = false;
    const error = (details as { error?: { message?: string } } | null | undefined)?.error;
    const detail = readableDetail(error?.message ?? "", [this.#options.apiKey]).replace(/\.$/, "");
    const failed = status === "failed" ? failure(`could not reply${detail === "" ? "" : `: ${detail}`}`, true) : null;
    this.#request.onEvent({ type: "reply_done", failure: failed });
    const next = this.#owed.shift();
    if (next !== undefined) this.#respond(next);
  }

  /** Most errors of a session are about one message, such as a reply that was cancelled when it was over. */
  #handleError(error: Readonly<Record<string, unknown>>): void {
    const code = String(error.code ?? "");
    if (/^(response_cancel_not_active|conversation_already_has_active_response|item_truncate)/.test(code)) return;
    const detail = readableDetail(String(error.message ?? ""), [this.#options.apiKey]).replace(/\.$/, "");
    const isPermanent = /invalid|insufficient_quota|model_not_found/.test(`${code} ${String(error.type)}`);
    throw failure(`reported an error: ${detail}`, code === "session_expired" || !isPermanent);
  }
}

function decoded(base64: string): Int16Array {
  const bytes = Buffer.from(base64, "base64");
  const samples = new Int16Array(bytes.length);
  decodeMulaw(bytes, samples);
  return samples;
}

function failure(complaint: string, retryable: boolean): ProviderError {
  return new ProviderError(PROVIDER, `OpenAI ${complaint}.`, { retryable });
}
