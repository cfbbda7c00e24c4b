import { encodeMulaw } from "@parley/audio/g711";
import type { WebSocket } from "ws";
import { type RealtimeEvent, RealtimeInput, type RealtimeInputOptions } from "./realtime-input.ts";

/** What the model does in its next response. */
export type RealtimeMove =
  | { readonly type: "say"; readonly text: string }
  | { readonly type: "call"; readonly name: string; readonly input: object }
  | { readonly type: "fail"; readonly message: string };

export interface RealtimeConversationOptions extends RealtimeInputOptions {
  speak(text: string): Int16Array;
  readonly moves: RealtimeMove[];
  /** Every message of the client. */
  readonly received: RealtimeEvent[];
}

/** Serves sessions of the Realtime API in which a planned model hears and speaks. */
export function serveRealtime(socket: WebSocket, options: RealtimeConversationOptions): void {
  const session = { type: "realtime", object: "realtime.session", id: "sess_1" };
  const input = new RealtimeInput(socket, session, options, () => respond());
  const audioMs = new Map<string, number>();
  let count = 0;

  function respond(): void {
    count += 1;
    const id = `resp_${count}`;
    const move = options.moves.shift() ?? { type: "say", text: "Yes." };
    input.send({ type: "response.created", response: { id, object: "realtime.response", status: "in_progress" } });
    const itemId = input.newItemId();
    const about = { response_id: id, item_id: itemId, output_index: 0 };
    if (move.type === "fail") {
      const error = { type: "server_error", code: "server_error", message: move.message };
      const response = { id, status: "failed", status_details: { type: "failed", error }, output: [] };
      return input.send({ type: "response.done", response });
    }
    if (move.type === "call") {
      const callId = `call_${count}`;
      const args = JSON.stringify(move.input);
      const item = { id: itemId, type: "function_call", name: move.name, call_id: callId, arguments: "" };
      input.send({ type: "response.output_item.added", response_id: id, output_index: 0, item });
      const told = { ...about, call_id: callId };
      input.send({ type: "response.function_call_arguments.delta", ...told, delta: args });
      input.send({ type: "response.function_call_arguments.done", ...told, name: move.name, arguments: args });
    } else {
      const item = { id: itemId, type: "message", role: "assistant", status: "in_progress", content: [] };
      input.send({ type: "response.output_item.added", response_id: id, output_index: 0, item });
      const samples = options.speak(move.text);
      audioMs.set(itemId, samples.length / 8);
      const codes = new Uint8Array(samples.length);
      encodeMulaw(samples, codes);
      for (const word of move.text.split(/(?<= )/)) {
        input.send({ type: "response.output_audio_transcript.delta", ...about, content_index: 0, delta: word });
      }
      for (let at = 0; at < codes.length; at += 4_000) {
        const delta = Buffer.from(codes.subarray(at, at + 4_000)).toString("base64");
        input.send({ type: "response.output_audio.delta", ...about, content_index: 0, delta });
      }
      input.send({ type: "response.output_audio.done", ...about, content_index: 0 });
    }
    input.send({ type: "response.done", response: { id, status: "completed", output: [] } });
  }

  socket.on("message", (data: Buffer) => {
    const event = JSON.parse(data.toString()) as RealtimeEvent;
    options.received.push(event);
    if (input.handle(event)) return;
    if (event.type === "response.create") respond();
    else if (event.type === "response.cancel") {
      input.refuse("There is no active response.", "response_cancel_not_active", event.event_id);
    } else if (event.type === "conversation.item.truncate") {
      const { item_id: itemId, content_index: index, audio_end_ms: endMs } = event;
      if (Number(endMs) > (audioMs.get(String(itemId)) ?? -1)) {
        input.refuse("Audio content is shorter than that.", "invalid_value", event.event_id);
      } else {
        const told = { item_id: itemId, content_index: index, audio_end_ms: endMs };
        input.send({ type: "conversation.item.truncated", ...told });
      }
    } else if (event.type === "conversation.item.create") {
      const item = { ...(event.item as object), id: input.newItemId() };
      input.send({ type: "conversation.item.added", item, previous_item_id: null });
      input.send({ type: "conversation.item.done", item, previous_item_id: null });
    } else input.refuse(`Unknown event ${event.type}`, "invalid_value", event.event_id);
  });
}
