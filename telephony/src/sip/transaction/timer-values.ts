/** RFC 3261 section 17.1.1.1 and table 4, in milliseconds. */
export const T1_MS = 500;
export const T2_MS = 4_000;
export const T4_MS = 5_000;
/** How long anything is waited for: timers B, F, H, J, L and M. */
export const TRANSACTION_MAX_MS = 64 * T1_MS;
/** Timer D on an unreliable transport: at least 32 s. */
export const TIMER_D_MS = 32_000;

/** The effects of a transaction's state machine. `send` repeats the last message: the request, or our response. */
export type TransactionEffect<Timer extends string> =
  | { readonly do: "send" }
  /** RFC 3261 section 17.1.1.3: acknowledge the final response that was received last. */
  | { readonly do: "acknowledge" }
  /** Pass the current message to the user of the transaction. */
  | { readonly do: "deliver" }
  | { readonly do: "start_timer"; readonly timer: Timer; readonly delayMs: number }
  | { readonly do: "stop_timer"; readonly timer: Timer }
  | { readonly do: "report_timeout" }
  | { readonly do: "report_transport_error" };

/** A machine in its last state is forgotten together with its timers. */
export type Step<State, Timer extends string> = readonly [state: State, effects: readonly TransactionEffect<Timer>[]];
