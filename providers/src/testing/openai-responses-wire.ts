import { isFault, type ModelMove, type ModelWire, TOKENS } from "./model-move.ts";

const INCOMPLETE = { limit: "max_output_tokens", filter: "content_filter" } as const;

/** OpenAI's Responses API. */
export const openAiResponsesWire: ModelWire = {
  serves: (path) => path.endsWith("/responses"),
  *speak(moves) {
    const writer = new ResponseWriter();
    yield writer.event("response.created", { response: response("in_progress") });
    yield writer.event("response.in_progress", { response: response("in_progress") });
    for (const move of moves) {
      if (isFault(move)) yield move;
      else yield* writer.speak(move);
    }
  },
  failure: (status, message) => ({
    error: { message, type: status === 429 ? "rate_limit_error" : "invalid_request_error", param: null, code: null },
  }),
};

type SpokenMove = Exclude<ModelMove, { type: "hang" | "cut" | "stop_short" | "garbage" }>;

/** Items and events are counted through a response. */
class ResponseWriter {
  #sequence = 0;
  #index = -1;
  #openText: string | null = null;

  event(type: string, data: object): string {
    return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: this.#sequence++, ...data })}\n\n`;
  }

  *speak(move: SpokenMove): Generator<string> {
    if (move.type !== "text") yield* this.#closeText();
    if (move.type === "text") yield* this.#speakText(move.text);
    else if (move.type === "thought") yield* this.#speakThought();
    else if (move.type === "call") yield* this.#speakCall(move);
    else if (move.type === "report") {
      yield this.event("error", { code: "server_error", message: move.message, param: null });
    } else yield* this.#speakEnd(move.why ?? "done");
  }

  *#speakText(text: string): Generator<string> {
    if (this.#openText === null) {
      this.#openText = "";
      this.#index += 1;
      yield this.#item("added", {
        type: "message",
        id: this.#id("msg"),
        status: "in_progress",
        role: "assistant",
        content: [],
      });
      yield this.event("response.content_part.added", { ...this.#place("msg"), part: outputText("") });
    }
    this.#openText += text;
    yield this.event("response.output_text.delta", { ...this.#place("msg"), delta: text, logprobs: [] });
  }

  *#closeText(): Generator<string> {
    const text = this.#openText;
    if (text === null) return;
    this.#openText = null;
    yield this.event("response.output_text.done", { ...this.#place("msg"), text, logprobs: [] });
    yield this.event("response.content_part.done", { ...this.#place("msg"), part: outputText(text) });
    const content = [outputText(text)];
    yield this.#item("done", { type: "message", id: this.#id("msg"), status: "completed", role: "assistant", content });
  }

  *#speakThought(): Generator<string> {
    this.#index += 1;
    const item = { type: "reasoning", id: this.#id("rs"), summary: [], encrypted_content: "sealed" };
    yield this.#item("added", item);
    yield this.#item("done", item);
  }

  *#speakCall(call: Extract<ModelMove, { type: "call" }>): Generator<string> {
    this.#index += 1;
    const item = { type: "function_call", id: this.#id("fc"), call_id: call.id, name: call.tool };
    yield this.#item("added", { ...item, status: "in_progress", arguments: "" });
    const place = { item_id: item.id, output_index: this.#index };
    for (const delta of call.inputPieces)
      yield this.event("response.function_call_arguments.delta", { ...place, delta });
    const whole = call.inputPieces.join("");
    yield this.event("response.function_call_arguments.done", { ...place, arguments: whole });
    yield this.#item("done", { ...item, status: "completed", arguments: whole });
  }

  *#speakEnd(why: "done" | "limit" | "filter"): Generator<string> {
    const details = {
      incomplete_details: why === "done" ? null : { reason: INCOMPLETE[why] },
      usage: {
        input_tokens: TOKENS.input,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: TOKENS.output,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: TOKENS.input + TOKENS.output,
      },
    };
    const status = why === "done" ? "completed" : "incomplete";
    yield this.event(`response.${status}`, { response: { ...response(status), ...details } });
  }

  #id(kind: string): string {
    return `${kind}_${this.#index}`;
  }

  #place(kind: string) {
    return { item_id: this.#id(kind), output_index: this.#index, content_index: 0 };
  }

  #item(change: "added" | "done", item: object): string {
    return this.event(`response.output_item.${change}`, { output_index: this.#index, item });
  }
}

function outputText(text: string) {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

function response(status: string) {
  return {
    id: "resp_1",
    object: "response",
    created_at: 1_700_000_000,
    status,
    model: "gpt-test",
    output: [],
    error: null,
  };
}
