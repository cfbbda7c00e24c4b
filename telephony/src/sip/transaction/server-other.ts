import { type Step, TRANSACTION_MAX_MS } from "./timer-values.ts";

/**
 * RFC 3261 section 17.2.2, every method but INVITE and ACK:
 *
 * - trying: our owner works on it and has sent nothing.
 * - proceeding: a provisional response was sent; a repeated request gets it again.
 * - completed: the final response was sent; repeated requests get it again until timer J.
 * - terminated: final.
 */
export type ServerOtherState =
  | { readonly phase: "trying" }
  | { readonly phase: "proceeding" }
  | { readonly phase: "completed" }
  | { readonly phase: "terminated" };

export type ServerOtherTimer = "J";

export type ServerOtherEvent =
  | { readonly type: "request" }
  | { readonly type: "respond"; readonly status: number }
  | { readonly type: "timer"; readonly timer: ServerOtherTimer }
  | { readonly type: "transportFailed" };

type ServerOtherStep = Step<ServerOtherState, ServerOtherTimer>;

export function startServerOther(): ServerOtherStep {
  return [{ phase: "trying" }, []];
}

export function stepServerOther(
  state: ServerOtherState,
  event: ServerOtherEvent,
  isReliable: boolean,
): ServerOtherStep {
  if (event.type === "timer") return [{ phase: "terminated" }, []];
  if (event.type === "transportFailed") return [state, []];
  if (event.type === "request") {
    return [state, state.phase === "proceeding" || state.phase === "completed" ? [{ do: "send" }] : []];
  }
  if (state.phase !== "trying" && state.phase !== "proceeding") return [state, []];
  if (event.status < 200) return [{ phase: "proceeding" }, [{ do: "send" }]];
  if (isReliable) return [{ phase: "terminated" }, [{ do: "send" }]];
  return [{ phase: "completed" }, [{ do: "send" }, { do: "startTimer", timer: "J", delayMs: TRANSACTION_MAX_MS }]];
}
