/** What goes wrong with a request to create a call. */
export type CreateFault =
  /** The connection breaks before anything was dialed. */
  | "drop_request"
  /** It dials, and the reply is lost. */
  | "drop_reply"
  /** It dials and replies with 500. */
  | "error_after_dial"
  /** It replies with 500 and dials nothing. */
  | "error_before_dial"
  /** It dials, and its reply is not JSON. */
  | "malformed_reply"
  | "too_many_requests"
  | { readonly lateReplyMs: number };
