/** What a model server does next in a reply that has begun. */
export type ModelMove =
  /** One delta. */
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thought"; readonly text: string }
  /** The pieces of the input are sent as this many deltas, if the protocol has deltas for it. */
  | {
      readonly type: "call";
      readonly id: string;
      readonly tool: string;
      readonly inputPieces: readonly string[];
      readonly signature?: string;
    }
  /** The vendor reports a failure inside the reply, after a successful status. */
  | { readonly type: "report"; readonly message: string }
  | { readonly type: "end"; readonly why?: "done" | "limit" | "filter" }
  | FaultMove;

export type FaultMove =
  /** Nothing more is sent, and the connection stays open. */
  | { readonly type: "hang" }
  /** The connection breaks. */
  | { readonly type: "cut" }
  /** The body ends as if it were complete. */
  | { readonly type: "stop_short" }
  /** Raw bytes in place of an event. */
  | { readonly type: "garbage"; readonly bytes: string };

/** One vendor's protocol, from the server's side. */
export interface ModelWire {
  /** Whether a request to this path is in this protocol. */
  serves(path: string): boolean;
  /** Server-sent events as text, and the faults between them. */
  speak(moves: readonly ModelMove[]): Generator<string | FaultMove>;
  /** The body of a reply whose status is a failure. */
  failure(status: number, message: string): object;
}

/** How many tokens every reply claims to have cost. */
export const TOKENS = { input: 42, output: 7 };

export function isFault(move: ModelMove): move is FaultMove {
  return ["hang", "cut", "stop_short", "garbage"].includes(move.type);
}
