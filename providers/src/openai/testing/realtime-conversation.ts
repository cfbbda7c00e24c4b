import { encodeMulaw } from "@parley/audio/g711";
import type { WebSocket } from "ws";
import { type RealtimeEvent, RealtimeInput, type RealtimeInputOptions } from "./realtime-input.ts";

/** What the model does in its next response. */
export type RealtimeMove =
  /** `holds`: half of it, and the response stays in progress until it is cancelled. */
  | { readonly type: "say"; readonly text: string; readonly holds?: boolean }
  /** `text` is said before the call. */
  | { readonly type: "call"; readonly name: string; readonly input: object | string; readonly text?: string }
  | { readonly type: "fail"; readonly message: string }
  /** The response begins, and then nothing comes. */
  | { readonly type: "stall" };

/** What a response is about. */
interface RealtimeRequest {
  /** Of this response only; null when it follows from the conversation. */
  readonly instructions: string | null;
  /** What the callee said last, if that is what it replies to. */
  readonly said: string | null;
  /** The last result of a function, if that is what it replies to. */
  readonly output: string | null;
}

export interface RealtimeConversationOptions extends RealtimeInputOptions {
  speak(text: string): Int16Array | Promise<Int16Array>;
  /** The next moves, in order. */
  readonly moves: RealtimeMove[];
  /** Every message of the client. */
  readonly received: RealtimeEvent[];
  /** What the model does when no move is planned. Default: it says yes. */
  decide?(request: RealtimeRequest): RealtimeMove;
  /** Messages of a cancelled response that are still on their way when it is cancelled. */
  readonly hasLateMessages?: boolean;
}

/** A response in progress. */
interface Response {
  readonly id: string;
  readonly metadata: unknown;
  itemId: string;
  isCancelled: boolean;
}

const CHUNK_BYTES = 4_000;
const USAGE = {
  ...{ total_tokens: 130, input_tokens: 100, output_tokens: 30 },
  input_token_details: { text_tokens: 60, audio_tokens: 40, cached_tokens: 0 },
  output_token_details: { text_tokens: 10, audio_tokens: 20 },
};

/** Serves sessions of the Realtime API in which a planned model hears and speaks. One response at a time, as the real one. */
export function serveRealtime(socket: WebSocket, options: RealtimeConversationOptions): void {
  const audioMs = new Map<string, number>();
  const session = { type: "realtime", object: "realtime.session", id: "sess_1" };
  let active: Response | null = null;
  let count = 0;
  let lastOutput: string | null = null;
  const input = new RealtimeInput(socket, session, options, {
    onSpeech() {
      if (input.turnDetection?.interrupt_response !== false && active) cancel(active, "turn_detected");
    },
    onTurn(said) {
      if (input.turnDetection?.create_response === false) return;
      const response = begin(null);
      if (response) void said.then((text) => respond(response, { instructions: null, said: text, output: null }));
    },
  });

  /** Null if one is in progress already. */
  function begin(metadata: unknown): Response | null {
    if (active !== null) return null;
    count += 1;
    active = { id: `resp_${count}`, metadata, itemId: "", isCancelled: false };
    const { id } = active;
    const response = { id, object: "realtime.response", status: "in_progress", metadata };
    input.send({ type: "response.created", response });
    return active;
  }

  function finish(response: Response, status: string, details: object | null): void {
    if (active === response) active = null;
    const { id, metadata } = response;
    const about = { id, object: "realtime.response", status, status_details: details, metadata };
    input.send({ type: "response.done", response: { ...about, output: [], usage: USAGE } });
  }

  function cancel(response: Response, reason: "turn_detected" | "client_cancelled"): void {
    if (response.isCancelled) return;
    response.isCancelled = true;
    if (options.hasLateMessages) {
      const about = { response_id: response.id, item_id: response.itemId, output_index: 0, content_index: 0 };
      input.send({ type: "response.output_audio_transcript.delta", ...about, delta: "late " });
      input.send({ type: "response.output_audio.delta", ...about, delta: Buffer.alloc(800, 0x10).toString("base64") });
    }
    finish(response, "cancelled", { type: "cancelled", reason });
  }

  async function respond(response: Response, request: RealtimeRequest): Promise<void> {
    const move = options.moves.shift() ?? options.decide?.(request) ?? { type: "say", text: "Yes." };
    if (response.isCancelled || move.type === "stall") return;
    if (move.type === "fail") {
      const error = { type: "server_error", code: "server_error", message: move.message };
      return finish(response, "failed", { type: "failed", error });
    }
    const text = move.type === "say" ? move.text : (move.text ?? "");
    if (text !== "") {
      const isWhole = await say(response, text, move.type === "say" && move.holds === true);
      if (!isWhole || response.isCancelled) return;
    }
    if (move.type === "call") call(response, move);
    finish(response, "completed", null);
  }

  function call(response: Response, { name, input: args }: Extract<RealtimeMove, { type: "call" }>): void {
    const itemId = input.newItemId();
    const callId = `call_${response.id}`;
    const about = { response_id: response.id, item_id: itemId, output_index: 1, call_id: callId };
    const json = typeof args === "string" ? args : JSON.stringify(args);
    const item = { id: itemId, type: "function_call", name, call_id: callId, arguments: "" };
    input.send({ type: "response.output_item.added", response_id: response.id, output_index: 1, item });
    input.send({ type: "response.function_call_arguments.delta", ...about, delta: json });
    input.send({ type: "response.function_call_arguments.done", ...about, name, arguments: json });
  }

  /** False if it was not said to its end. */
  async function say(response: Response, text: string, holds: boolean): Promise<boolean> {
    response.itemId = input.newItemId();
    const { itemId } = response;
    const about = { response_id: response.id, item_id: itemId, output_index: 0, content_index: 0 };
    const item = { id: itemId, type: "message", role: "assistant", status: "in_progress", content: [] };
    input.send({ type: "response.output_item.added", response_id: response.id, output_index: 0, item });
    const samples = await options.speak(text);
    if (response.isCancelled) return false;
    const codes = new Uint8Array(samples.length);
    encodeMulaw(samples, codes);
    const length = holds ? Math.floor(codes.length / 2) : codes.length;
    const words = text.split(/(?<= )/);
    for (const word of holds ? words.slice(0, Math.ceil(words.length / 2)) : words) {
      input.send({ type: "response.output_audio_transcript.delta", ...about, delta: word });
    }
    for (let at = 0; at < length; at += CHUNK_BYTES) {
      const delta = Buffer.from(codes.subarray(at, Math.min(length, at + CHUNK_BYTES))).toString("base64");
      input.send({ type: "response.output_audio.delta", ...about, delta });
    }
    audioMs.set(itemId, length / 8);
    if (!holds) input.send({ type: "response.output_audio.done", ...about });
    return !holds;
  }

  function truncate({ item_id: itemId, content_index: index, audio_end_ms: endMs, event_id: eventId }: RealtimeEvent) {
    const lengthMs = audioMs.get(String(itemId));
    if (lengthMs === undefined) return input.refuse(`Item ${String(itemId)} not found.`, "item_not_found", eventId);
    if (Number(endMs) > lengthMs) {
      const message = `Audio content of ${lengthMs}ms is already shorter than ${String(endMs)}ms`;
      return input.refuse(message, "invalid_value", eventId);
    }
    input.send({
      type: "conversation.item.truncated",
      item_id: itemId,
      content_index: index,
      audio_end_ms: endMs,
    });
  }

  socket.on("message", (data: Buffer) => {
    const event = JSON.parse(data.toString()) as RealtimeEvent;
    options.received.push(event);
    if (input.handle(event)) return;
    if (event.type === "response.create") {
      const asked = (event.response ?? {}) as { instructions?: string; metadata?: unknown };
      const response = begin(asked.metadata ?? null);
      if (response === null) {
        const code = "conversation_already_has_active_response";
        return input.refuse("Conversation already has an active response.", code, event.event_id);
      }
      void respond(response, { instructions: asked.instructions ?? null, said: null, output: lastOutput });
      lastOutput = null;
    } else if (event.type === "response.cancel") {
      const isMeant = event.response_id === undefined || event.response_id === active?.id;
      if (active && isMeant) cancel(active, "client_cancelled");
      else input.refuse("Cancellation failed: no active response found", "response_cancel_not_active", event.event_id);
    } else if (event.type === "conversation.item.truncate") truncate(event);
    else if (event.type === "conversation.item.create") {
      const item = { ...(event.item as { type: string; output?: string }), id: input.newItemId() };
      if (item.type === "function_call_output") lastOutput = item.output ?? null;
      input.send({ type: "conversation.item.added", item, previous_item_id: null });
      input.send({ type: "conversation.item.done", item, previous_item_id: null });
    } else input.refuse(`Unknown event ${event.type}`, "invalid_value", event.event_id);
  });
}
