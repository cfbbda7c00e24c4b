export type EchoRequest =
  | { readonly type: "echo"; readonly value: unknown }
  | { readonly type: "fail"; readonly reason: string }
  /** Settles only when it is cancelled. */
  | { readonly type: "wait" }
  | { readonly type: "report"; readonly problem: string }
  | { readonly type: "exit"; readonly code: number }
  | { readonly type: "die" };

export interface EchoAnswers {
  readonly clients: number;
  readonly cancelled: number;
  readonly notices: readonly string[];
}
