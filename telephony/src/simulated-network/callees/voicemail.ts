import type { CalleeMachine } from "./callee-machine.ts";

/**
 * The states of an answering machine:
 *
 * - greeting: plays the greeting.
 * - beeping: the tone after which one may speak.
 * - recording: listens silently until its tape is full, and then hangs up.
 */
export type VoicemailState =
  | { readonly phase: "starting"; readonly untilMs: number }
  | { readonly phase: "greeting" }
  | { readonly phase: "beeping" }
  | { readonly phase: "recording"; readonly untilMs: number }
  | { readonly phase: "gone" };

export const VOICEMAIL_GREETING =
  "Hello, you have reached Alex Miller. I cannot take your call right now. Please leave a message after the tone.";
export const VOICEMAIL_RECORDING_MS = 25_000;
const START_MS = 500;

export function voicemail(): CalleeMachine<VoicemailState> {
  return {
    lines: [{ text: VOICEMAIL_GREETING }],
    begin: (atMs) => ({ phase: "starting", untilMs: atMs + START_MS }),
    step(state, event) {
      const isTick = event.type === "tick";
      if (state.phase === "starting" && isTick && event.atMs >= state.untilMs) {
        return [{ phase: "greeting" }, [{ type: "say", text: VOICEMAIL_GREETING }]];
      }
      if (state.phase === "greeting" && event.type === "line.finished") {
        return [{ phase: "beeping" }, [{ type: "play", sound: "beep" }]];
      }
      if (state.phase === "beeping" && event.type === "line.finished") {
        return [{ phase: "recording", untilMs: event.atMs + VOICEMAIL_RECORDING_MS }, []];
      }
      if (state.phase === "recording" && isTick && event.atMs >= state.untilMs) {
        return [{ phase: "gone" }, [{ type: "hang_up" }]];
      }
      return [state, []];
    },
  };
}
