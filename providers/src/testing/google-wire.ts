import { isFault, type ModelWire, TOKENS } from "./model-move.ts";

const FINISH_REASONS = { done: "STOP", limit: "MAX_TOKENS", filter: "SAFETY" } as const;
const STATUSES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};

/** Google's Gemini API. It sends a call as a whole, so the pieces of an input are joined. */
export const googleWire: ModelWire = {
  serves: (path) => path.includes(":streamGenerateContent"),
  *speak(moves) {
    for (const move of moves) {
      if (isFault(move)) yield move;
      else if (move.type === "text") yield part({ text: move.text });
      else if (move.type === "thought") yield part({ text: move.text, thought: true });
      else if (move.type === "call") {
        const args: unknown = JSON.parse(move.inputPieces.join("") || "{}");
        const signed = move.signature === undefined ? {} : { thoughtSignature: move.signature };
        yield part({ functionCall: { id: move.id, name: move.tool, args }, ...signed });
      } else if (move.type === "report") yield event(googleWire.failure(503, move.message));
      else yield part({ text: "" }, FINISH_REASONS[move.why ?? "done"]);
    }
  },
  failure: (status, message) => ({ error: { code: status, message, status: STATUSES[status] ?? "UNKNOWN" } }),
};

function part(content: object, finishReason?: string): string {
  const candidate = {
    content: { parts: [content], role: "model" },
    index: 0,
    ...(finishReason ? { finishReason } : {}),
  };
  return event({
    candidates: [candidate],
    usageMetadata: {
      promptTokenCount: TOKENS.input,
      candidatesTokenCount: TOKENS.output,
      totalTokenCount: TOKENS.input + TOKENS.output,
    },
    modelVersion: "gemini-test",
    responseId: "response-1",
  });
}

function event(data: object): string {
  // Gemini ends its lines as HTTP does.
  return `data: ${JSON.stringify(data)}\r\n\r\n`;
}
