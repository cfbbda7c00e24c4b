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
  | { readonly name: "trying" }
  | { readonly name: "proceeding" }
  | { readonly name: "completed" }
  | { readonly name: "terminated" };

export type ServerOtherTimer = "J";

export type ServerOtherEvent =
  | { readonly type: "request" }
  | { readonly type: "respond"; readonly status: number }
  | { readonly type: "timer"; readonly timer: ServerOtherTimer }
  | { readonly type: "transportFailed" };

type ServerOtherStep = Step<ServerOtherState, ServerOtherTimer>;

export function startServerOther(): ServerOtherStep {
  return [{ name: "trying" }, []];
}

export function stepServerOther(
  state: ServerOtherState,
  event: ServerOtherEvent,
  isReliable: boolean,
): ServerOtherStep {
  if (event.type === "timer") return [{ name: "terminated" }, []];
  if (event.type === "transportFailed") return [state, []];
  if (event.type === "request") {
    return [state, state.name === "proceeding" || state.name === "completed" ? [{ do: "send" }] : []];
  }
  if (state.name !== "trying" && state.name !== "proceeding") return [state, []];
  if (event.status < 200) return [{ name: "proceeding" }, [{ do: "send" }]];
  if (isReliable) return [{ name: "terminated" }, [{ do: "send" }]];
  return [{ name: "completed" }, [{ do: "send" }, { do: "startTimer", timer: "J", delayMs: TRANSACTION_MAX_MS }]];
}
