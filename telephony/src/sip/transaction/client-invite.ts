import { type Step, T1_MS, TIMER_D_MS, TRANSACTION_MAX_MS } from "./timer-values.ts";

/**
 * RFC 3261 section 17.1.1, with the accepted state of RFC 6026 section 7.2:
 *
 * - calling: the INVITE was sent and is repeated by timer A; timer B gives up.
 * - proceeding: something answered provisionally. Repeating stops, and only our owner gives up.
 * - completed: a final refusal came and was acknowledged; until timer D its repetitions are acknowledged too, and a 2xx
 *   that still comes, from another fork, be handed to our owner.
 * - accepted: a 2xx came. It and its repetitions, also from other forks, go to our owner, who acknowledges them; timer M.
 * - terminated: final.
 */
export type ClientInviteState =
  | { readonly phase: "calling"; readonly repeatAfterMs: number }
  | { readonly phase: "proceeding" }
  | { readonly phase: "completed" }
  | { readonly phase: "accepted" }
  | { readonly phase: "terminated" };

export type ClientInviteTimer = "A" | "B" | "D" | "M";

export type ClientInviteEvent =
  | { readonly type: "response"; readonly status: number }
  | { readonly type: "timer"; readonly timer: ClientInviteTimer }
  | { readonly type: "transportFailed" };

type ClientInviteStep = Step<ClientInviteState, ClientInviteTimer>;

export function startClientInvite(isReliable: boolean): ClientInviteStep {
  return [
    { phase: "calling", repeatAfterMs: T1_MS },
    [
      { do: "send" },
      ...(isReliable ? [] : [{ do: "startTimer", timer: "A", delayMs: T1_MS } as const]),
      { do: "startTimer", timer: "B", delayMs: TRANSACTION_MAX_MS },
    ],
  ];
}

export function stepClientInvite(state: ClientInviteState, event: ClientInviteEvent): ClientInviteStep {
  if (event.type === "transportFailed") return onTransportFailed(state);
  if (event.type === "timer") return onTimer(state, event.timer);
  if (state.phase === "calling" || state.phase === "proceeding") return onResponse(event.status);
  if (state.phase === "completed" && event.status >= 300) return [state, [{ do: "acknowledge" }]];
  const isAnswer = event.status >= 200 && event.status < 300;
  if ((state.phase === "accepted" || state.phase === "completed") && isAnswer) return [state, [{ do: "deliver" }]];
  return [state, []];
}

function onResponse(status: number): ClientInviteStep {
  const stopRepeating = [{ do: "stopTimer", timer: "A" } as const, { do: "stopTimer", timer: "B" } as const];
  if (status < 200) return [{ phase: "proceeding" }, [...stopRepeating, { do: "deliver" }]];
  if (status < 300) {
    const timerM = { do: "startTimer", timer: "M", delayMs: TRANSACTION_MAX_MS } as const;
    return [{ phase: "accepted" }, [...stopRepeating, timerM, { do: "deliver" }]];
  }
  // On a reliable transport nothing is repeated and RFC 3261 section 17.1.1.2 has timer D at zero, but an answer may
  // still arrive late (section 13.2.2.4) without a transaction.
  const timerD = { do: "startTimer", timer: "D", delayMs: TIMER_D_MS } as const;
  return [{ phase: "completed" }, [...stopRepeating, { do: "acknowledge" }, timerD, { do: "deliver" }]];
}

function onTimer(state: ClientInviteState, timer: ClientInviteTimer): ClientInviteStep {
  if (timer === "A" && state.phase === "calling") {
    const repeatAfterMs = state.repeatAfterMs * 2;
    return [
      { phase: "calling", repeatAfterMs },
      [{ do: "send" }, { do: "startTimer", timer: "A", delayMs: repeatAfterMs }],
    ];
  }
  if (timer === "B" && state.phase === "calling") return [{ phase: "terminated" }, [{ do: "reportTimeout" }]];
  if (timer === "D" || timer === "M") return [{ phase: "terminated" }, []];
  return [state, []];
}

/** A failure to send the ACK is reported too, but the final response was already delivered. */
function onTransportFailed(state: ClientInviteState): ClientInviteStep {
  if (state.phase === "calling") return [{ phase: "terminated" }, [{ do: "reportTransportError" }]];
  return [state, []];
}
