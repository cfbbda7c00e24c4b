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

/** A reply that OpenAI has begun. */
interface ActiveReply {
  readonly id: string;
  isUnwanted: boolean;
}

/** A reply that was requested, until OpenAI has begun it. */
interface AskedReply {
  readonly id: string;
  readonly response: object;
  /** Any other reply is as good. */
  readonly isReminder: boolean;
  isUnwanted: boolean;
}

/**
 * The API gives one reply at a time, begins replies to the callee by itself, and goes on sending messages of a reply for a
 * while after it was cancelled. Therefore replies are known by their ids: nothing of an unwanted one is reported, and one that
 * was requested meanwhile waits for its end.
 */
class RealtimeSession implements SpeechModelSession {
  readonly #options: OpenAiSpeechModelOptions;
  #request: SpeechModelRequest;
  readonly #connection: RealtimeConnection;
  readonly #audioMs = new Map<string, number>();
  #count = 0;
  #active: ActiveReply | null = null;
  /** The last reply that is over: a message of it may come after its end, also the one with which it begins. */
  #last: ActiveReply | null = null;
  /** A turn of the callee whose end was reported before its start. */
  #early: { readonly itemId: string; readonly endMs: number } | null = null;
  readonly #started = new Set<string>();
  #asked: AskedReply | null = null;
  #owed: object[] = [];
  #repliesByItself = false;
  #calleeSpeaks = false;
  /** The callee's turn is over, and the reply to it has not begun. */
  #reply: "due" | "unwanted" | null = null;

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
    if (!this.#repliesByItself) {
      this.#repliesByItself = true;
      this.#connection.send({ type: "session.update", session: this.#session() });
    }
    this.#respond({ instructions });
  }

  remind(instructions: string): void {
    if (this.#active === null && this.#asked === null) this.#respond({ instructions }, true);
  }

  interrupt(itemId: string | null, heard: { readonly ms: number }): void {
    this.#owed = [];
    if (this.#asked) this.#asked.isUnwanted = true;
    if (this.#reply === "due") this.#reply = "unwanted";
    if (this.#last) this.#last.isUnwanted = true;
    if (this.#active && !this.#active.isUnwanted) this.#cancel(this.#active);
    const audioMs = itemId === null ? undefined : this.#audioMs.get(itemId);
    if (audioMs === undefined) return;
    this.#connection.send({
      type: "conversation.item.truncate",
      event_id: this.#newId("truncate"),
      item_id: itemId,
      content_index: 0,
      // What is longer than the item is refused.
      audio_end_ms: Math.min(heard.ms, Math.floor(audioMs)),
    });
  }

  inform(text: string): void {
    const item = { type: "message", role: "system", content: [{ type: "input_text", text }] };
    this.#connection.send({ type: "conversation.item.create", event_id: this.#newId("item"), item });
  }

  changeLanguage(language: string, instructions: string): void {
    this.#request = { ...this.#request, language, instructions };
    this.#connection.send({ type: "session.update", session: this.#session() });
  }

  answer(callId: string, output: unknown, isLast: boolean): void {
    const item = { type: "function_call_output", call_id: callId, output: JSON.stringify(output ?? null) };
    this.#connection.send({ type: "conversation.item.create", event_id: this.#newId("item"), item });
    // A callee who is speaking gets a reply afterwards, which knows the result.
    if (!isLast && !this.#calleeSpeaks) this.#respond({});
  }

  close(): void {
    this.#connection.close();
  }

  #session(): object {
    const { instructions, tools, language, voiceId, isInterruptible } = this.#request;
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
          turn_detection: {
            type: "server_vad",
            create_response: this.#repliesByItself,
            interrupt_response: isInterruptible,
          },
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

  #newId(what: "reply" | "cancel" | "truncate" | "item"): string {
    this.#count += 1;
    return `${what}_${this.#count}`;
  }

  #respond(response: object, isReminder = false): void {
    if (this.#active || this.#asked) return void this.#owed.push(response);
    const id = this.#newId("reply");
    this.#asked = { id, response, isReminder, isUnwanted: false };
    this.#connection.send({
      type: "response.create",
      event_id: id,
      response: { ...response, metadata: { reply: id } },
    });
  }

  #respondNext(): void {
    const next = this.#owed.shift();
    if (next !== undefined) this.#respond(next);
  }

  #cancel(active: ActiveReply): void {
    active.isUnwanted = true;
    this.#connection.send({ type: "response.cancel", event_id: this.#newId("cancel"), response_id: active.id });
  }

  #handle(event: ServerEvent): void {
    const { onEvent } = this.#request;
    const itemId = String(event.item_id);
    switch (event.type) {
      case "input_audio_buffer.speech_started":
        return this.#startCallee(itemId, Number(event.audio_start_ms));
      case "input_audio_buffer.speech_stopped":
        return this.#stopCallee(itemId, Number(event.audio_end_ms));
      case "conversation.item.input_audio_transcription.completed":
        return onEvent({ type: "callee_said", itemId, text: String(event.transcript ?? "") });
      case "conversation.item.input_audio_transcription.failed":
        return onEvent({ type: "callee_said", itemId, text: "" });
      case "response.created":
        return this.#beginReply(event.response as Readonly<Record<string, unknown>>);
      case "response.output_audio.delta": {
        if (!this.#isWanted(event)) return;
        const samples = decoded(String(event.delta));
        this.#audioMs.set(itemId, (this.#audioMs.get(itemId) ?? 0) + samples.length / 8);
        onEvent({ type: "audio", itemId, samples });
        return this.#completeLate(event);
      }
      case "response.output_audio_transcript.delta":
        if (!this.#isWanted(event)) return;
        onEvent({ type: "text", itemId, text: String(event.delta) });
        return this.#completeLate(event);
      case "response.function_call_arguments.done":
        if (this.#isWanted(event)) this.#callFunction(event);
        return;
      case "response.done":
        return this.#finishReply(event.response as Readonly<Record<string, unknown>>);
      case "error":
        return this.#handleError(event.error as Readonly<Record<string, unknown>>);
      default:
        return;
    }
  }

  #isWanted({ response_id: id }: ServerEvent): boolean {
    const reply = this.#active?.id === id ? this.#active : this.#last?.id === id ? this.#last : null;
    return reply !== null && !reply.isUnwanted;
  }

  /** What came after the end of its reply is complete as well. */
  #completeLate({ response_id: id }: ServerEvent): void {
    if (this.#last?.id === id) this.#request.onEvent({ type: "reply_done", failure: null });
  }

  #startCallee(itemId: string, atMs: number): void {
    this.#started.add(itemId);
    this.#request.onEvent({ type: "callee_started", itemId, atMs });
    const early = this.#early?.itemId === itemId ? this.#early : null;
    this.#early = null;
    this.#calleeSpeaks = early === null;
    if (early !== null) this.#stopCallee(itemId, early.endMs);
  }

  #stopCallee(itemId: string, endMs: number): void {
    if (!this.#started.delete(itemId)) {
      this.#early = { itemId, endMs };
      return;
    }
    this.#calleeSpeaks = false;
    if (this.#repliesByItself) this.#reply = "due";
    this.#request.onEvent({ type: "callee_stopped", itemId, atMs: endMs });
  }

  #beginReply({ id, metadata }: Readonly<Record<string, unknown>>): void {
    if (this.#last?.id === id) return;
    const asked = this.#asked;
    const isAsked = asked !== null && (metadata as { reply?: unknown } | null | undefined)?.reply === asked.id;
    this.#active = { id: String(id), isUnwanted: false };
    if (isAsked ? asked.isUnwanted : this.#reply === "unwanted") this.#cancel(this.#active);
    if (isAsked) this.#asked = null;
    else this.#reply = null;
  }

  #callFunction({ call_id: id, name, arguments: json }: ServerEvent): void {
    const callId = String(id);
    let input: unknown;
    try {
      input = JSON.parse(String(json || "{}"));
    } catch {
      return this.answer(callId, { error: "the input is not valid JSON" }, false);
    }
    this.#request.onEvent({ type: "function_called", callId, name: String(name), input });
  }

  #finishReply({ id, status, status_details: details, usage }: Readonly<Record<string, unknown>>): void {
    const { onEvent } = this.#request;
    const { input_tokens: inputTokens = 0, output_tokens: outputTokens = 0 } = (usage ?? {}) as Record<string, number>;
    if (inputTokens + outputTokens > 0) onEvent({ type: "used", inputTokens, outputTokens });
    const active = this.#active;
    // A second report of the same reply, or one of a reply that is not known here.
    if (active === null || active.id !== id) return;
    this.#active = null;
    this.#last = active;
    if (!active.isUnwanted) onEvent({ type: "reply_done", failure: this.#failureOf(status, details) });
    this.#respondNext();
  }

  #failureOf(status: unknown, details: unknown): ProviderError | null {
    if (status !== "failed") return null;
    const error = (details as { error?: { message?: string; code?: string } } | null | undefined)?.error;
    const detail = this.#readable(error?.message);
    const isPermanent = /quota|billing|invalid/.test(error?.code ?? "");
    return failure(`could not reply${detail === "" ? "" : `: ${detail}`}`, !isPermanent);
  }

  #readable(message: unknown): string {
    return readableDetail(String(message ?? ""), [this.#options.apiKey]).replace(/\.$/, "");
  }

  /** Most errors are about one message, such as a reply that was cancelled when it was over. */
  #handleError(error: Readonly<Record<string, unknown>>): void {
    const code = String(error.code ?? "");
    const about = String(error.event_id ?? "");
    if (/^(?:cancel|truncate|item)_/.test(about)) return;
    if (/^(?:response_cancel_not_active|item_truncate)/.test(code)) return;
    const asked = this.#asked;
    const isAboutReply = asked !== null && (about === asked.id || code === "conversation_already_has_active_response");
    if (!isAboutReply) {
      const isPermanent = /invalid|insufficient_quota|model_not_found/.test(`${code} ${String(error.type)}`);
      const isRetryable = code === "session_expired" || !isPermanent;
      throw failure(`reported an error: ${this.#readable(error.message)}`, isRetryable);
    }
    this.#asked = null;
    if (code === "conversation_already_has_active_response") {
      // It has begun to reply to the callee at the same time; what was requested comes after that.
      if (!asked.isUnwanted && !asked.isReminder) this.#owed.unshift(asked.response);
      if (this.#active === null) this.#respondNext();
      return;
    }
    if (asked.isUnwanted) return this.#respondNext();
    const failed = failure(`could not reply: ${this.#readable(error.message)}`, !/quota|invalid/.test(code));
    this.#request.onEvent({ type: "reply_done", failure: failed });
    this.#respondNext();
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
