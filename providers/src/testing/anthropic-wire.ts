import { isFault, type ModelMove, type ModelWire, TOKENS } from "./model-move.ts";

const STOP_REASONS = { done: "end_turn", limit: "max_tokens", filter: "refusal" } as const;
const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  404: "not_found_error",
  429: "rate_limit_error",
  500: "api_error",
  529: "overloaded_error",
};

/** Anthropic's Messages API. */
export const anthropicWire: ModelWire = {
  serves: (path) => path.endsWith("/messages"),
  *speak(moves) {
    let index = -1;
    let isTextOpen = false;
    let hasCalls = false;
    yield event("message_start", { message: message() });
    yield event("ping", {});
    for (const move of moves) {
      if (isFault(move)) {
        yield move;
        continue;
      }
      if (move.type !== "text" && isTextOpen) {
        isTextOpen = false;
        yield event("content_block_stop", { index });
      }
      if (move.type === "text") {
        if (!isTextOpen)
          yield event("content_block_start", { index: ++index, content_block: { type: "text", text: "" } });
        isTextOpen = true;
        yield event("content_block_delta", { index, delta: { type: "text_delta", text: move.text } });
      } else if (move.type === "thought") yield* speakThought(move.text, ++index);
      else if (move.type === "call") {
        hasCalls = true;
        yield* speakCall(move, ++index);
      } else if (move.type === "report") {
        yield event("error", { error: { type: "overloaded_error", message: move.message } });
      } else {
        const reason = hasCalls ? "tool_use" : STOP_REASONS[move.why ?? "done"];
        const delta = { stop_reason: reason, stop_sequence: null };
        yield event("message_delta", { delta, usage: { output_tokens: TOKENS.output } });
        yield event("message_stop", {});
      }
    }
  },
  failure: (status, message) => ({
    type: "error",
    error: { type: ERROR_TYPES[status] ?? "api_error", message },
    request_id: "req_1",
  }),
};

function* speakThought(thinking: string, index: number) {
  yield event("content_block_start", { index, content_block: { type: "thinking", thinking: "", signature: "" } });
  yield event("content_block_delta", { index, delta: { type: "thinking_delta", thinking } });
  yield event("content_block_delta", { index, delta: { type: "signature_delta", signature: "signed" } });
  yield event("content_block_stop", { index });
}

function* speakCall({ id, tool, inputPieces }: Extract<ModelMove, { type: "call" }>, index: number) {
  yield event("content_block_start", { index, content_block: { type: "tool_use", id, name: tool, input: {} } });
  for (const piece of ["", ...inputPieces]) {
    yield event("content_block_delta", { index, delta: { type: "input_json_delta", partial_json: piece } });
  }
  yield event("content_block_stop", { index });
}

function message() {
  return {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-test",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: TOKENS.input, output_tokens: 1 },
  };
}

function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}
