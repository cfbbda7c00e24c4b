import { type Step, T1_MS, T2_MS, T4_MS, TRANSACTION_MAX_MS } from "./timer-values.ts";

/**
 * RFC 3261 section 17.1.2, every method but INVITE:
 *
 * - trying: the request left and is repeated by timer E, ever slower; timer F gives up.
 * - proceeding: something answered provisionally. It is still repeated, every T2, until the final response.
 * - completed: the final response was delivered; timer K takes in its repetitions.
 * - terminated: final.
 */
export type ClientOtherState =
  | { readonly name: "trying"; readonly repeatAfterMs: number }
  | { readonly name: "proceeding" }
  | { readonly name: "completed" }
  | { readonly name: "terminated" };

export type ClientOtherTimer = "E" | "F" | "K";

export type ClientOtherEvent =
  | { readonly type: "response"; readonly status: number }
  | { readonly type: "timer"; readonly timer: ClientOtherTimer }
  | { readonly type: "transportFailed" };

type ClientOtherStep = Step<ClientOtherState, ClientOtherTimer>;

export function startClientOther(isReliable: boolean): ClientOtherStep {
  return [
    { name: "trying", repeatAfterMs: T1_MS },
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
  if (state.name === "completed" || state.name === "terminated") {
    return event.type === "timer" && event.timer === "K" ? [{ name: "terminated" }, []] : [state, []];
  }
  if (event.type === "transportFailed") return [{ name: "terminated" }, [{ do: "reportTransportError" }]];
  if (event.type === "timer") return onTimer(state, event.timer);
  if (event.status < 200) return [{ name: "proceeding" }, [{ do: "deliver" }]];
  // Timer K is zero on a reliable transport: nothing is repeated there.
  if (isReliable) return [{ name: "terminated" }, [{ do: "deliver" }]];
  return [
    { name: "completed" },
    [
      { do: "stopTimer", timer: "E" },
      { do: "stopTimer", timer: "F" },
      { do: "startTimer", timer: "K", delayMs: T4_MS },
      { do: "deliver" },
    ],
  ];
}

function onTimer(
  state: Extract<ClientOtherState, { name: "trying" | "proceeding" }>,
  timer: ClientOtherTimer,
): ClientOtherStep {
  if (timer === "F") return [{ name: "terminated" }, [{ do: "reportTimeout" }]];
  if (timer !== "E") return [state, []];
  const repeatAfterMs = state.name === "trying" ? Math.min(state.repeatAfterMs * 2, T2_MS) : T2_MS;
  const next: ClientOtherState = state.name === "trying" ? { name: "trying", repeatAfterMs } : state;
  return [next, [{ do: "send" }, { do: "startTimer", timer: "E", delayMs: repeatAfterMs }]];
}
