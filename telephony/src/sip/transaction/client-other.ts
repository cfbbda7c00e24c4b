import { type Step, T1_MS, T2_MS, T4_MS, TRANSACTION_MAX_MS } from "./timer-values.ts";

/**
 * RFC 3261 section 17.1.2, every method but INVITE:
 *
 * - trying: the request was sent and is repeated by timer E, with growing intervals; timer F gives up.
 * - proceeding: something answered provisionally. It is still repeated, every T2, until the final response.
 * - completed: the final response was delivered; timer K takes in its repetitions.
 * - terminated: final.
 */
export type ClientOtherState =
  | { readonly phase: "trying"; readonly repeatAfterMs: number }
  | { readonly phase: "proceeding" }
  | { readonly phase: "completed" }
  | { readonly phase: "terminated" };

export type ClientOtherTimer = "E" | "F" | "K";

export type ClientOtherEvent =
  | { readonly type: "response"; readonly status: number }
  | { readonly type: "timer"; readonly timer: ClientOtherTimer }
  | { readonly type: "transportFailed" };

type ClientOtherStep = Step<ClientOtherState, ClientOtherTimer>;

export function startClientOther(isReliable: boolean): ClientOtherStep {
  return [
    { phase: "trying", repeatAfterMs: T1_MS },
    [
      { do: "send" },
      ...(isReliable ? [] : [{ do: "startTimer", timer: "E", delayMs: T1_MS } as const]),
      { do: "startTimer", timer: "F", delayMs: TRANSACTION_MAX_MS },
    ],
  ];
}

export function stepClientOther(
  state: ClientOtherState,
  event: ClientOtherEvent,
  isReliable: boolean,
): ClientOtherStep {
  if (state.phase === "completed" || state.phase === "terminated") {
    return event.type === "timer" && event.timer === "K" ? [{ phase: "terminated" }, []] : [state, []];
  }
  if (event.type === "transportFailed") return [{ phase: "terminated" }, [{ do: "reportTransportError" }]];
  if (event.type === "timer") return onTimer(state, event.timer);
  if (event.status < 200) return [{ phase: "proceeding" }, [{ do: "deliver" }]];
  // Timer K is zero on a reliable transport: nothing is repeated there.
  if (isReliable) return [{ phase: "terminated" }, [{ do: "deliver" }]];
  return [
    { phase: "completed" },
    [
      { do: "stopTimer", timer: "E" },
      { do: "stopTimer", timer: "F" },
      { do: "startTimer", timer: "K", delayMs: T4_MS },
      { do: "deliver" },
    ],
  ];
}

function onTimer(
  state: Extract<ClientOtherState, { phase: "trying" | "proceeding" }>,
  timer: ClientOtherTimer,
): ClientOtherStep {
  if (timer === "F") return [{ phase: "terminated" }, [{ do: "reportTimeout" }]];
  if (timer !== "E") return [state, []];
  const repeatAfterMs = state.phase === "trying" ? Math.min(state.repeatAfterMs * 2, T2_MS) : T2_MS;
  const next: ClientOtherState = state.phase === "trying" ? { phase: "trying", repeatAfterMs } : state;
  return [next, [{ do: "send" }, { do: "startTimer", timer: "E", delayMs: repeatAfterMs }]];
}
