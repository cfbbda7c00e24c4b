import { isFault, type ModelMove, type ModelWire, TOKENS } from "./model-move.ts";

const FINISH_REASONS = { done: "stop", limit: "length", filter: "content_filter" } as const;

/** OpenAI's chat completions, which Ollama, vLLM and many others speak too. */
export const chatCompletionsWire: ModelWire = {
  serves: (path) => path.endsWith("/chat/completions"),
  *speak(moves) {
    let calls = 0;
    yield chunk({ role: "assistant", content: "" });
    for (const move of moves) {
      if (isFault(move)) yield move;
      else if (move.type === "text") yield chunk({ content: move.text });
      else if (move.type === "thought") yield chunk({ reasoning_content: move.text });
      else if (move.type === "call") yield* speakCall(move, calls++);
      else if (move.type === "report")
        yield event({ error: { message: move.message, type: "server_error", code: 500 } });
      else yield* speakEnd(calls > 0 ? "tool_calls" : FINISH_REASONS[move.why ?? "done"]);
    }
  },
  failure: (status, message) => ({ error: { message, type: "api_error", param: null, code: status } }),
};

function* speakCall(call: Extract<ModelMove, { type: "call" }>, index: number) {
  const named = { index, id: call.id, type: "function", function: { name: call.tool, arguments: "" } };
  yield chunk({ tool_calls: [named] });
  for (const piece of call.inputPieces) yield chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
}

function* speakEnd(finishReason: string) {
  yield chunk({}, finishReason);
  const usage = {
    prompt_tokens: TOKENS.input,
    completion_tokens: TOKENS.output,
    total_tokens: TOKENS.input + TOKENS.output,
  };
  yield event({ ...HEAD, choices: [], usage });
  yield "data: [DONE]\n\n";
}

const HEAD = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_700_000_000, model: "local" };

function chunk(delta: object, finishReason: string | null = null): string {
  return event({ ...HEAD, choices: [{ index: 0, delta, finish_reason: finishReason }] });
}

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
