import type { CalleeMachine } from "./callee-machine.ts";

/**
 * The states of an answering machine:
 *
 * - greeting: says that nobody is there.
 * - beeping: the tone after which one may speak.
 * - recording: listens without a sound until its tape is full, and then hangs up.
 */
export type VoicemailState =
  | { readonly name: "starting"; readonly untilMs: number }
  | { readonly name: "greeting" }
  | { readonly name: "beeping" }
  | { readonly name: "recording"; readonly untilMs: number }
  | { readonly name: "gone" };

export const VOICEMAIL_GREETING =
  "Hello, you have reached Alex Miller. I cannot take your call right now. Please leave a message after the tone.";
export const VOICEMAIL_RECORDING_MS = 25_000;
const START_MS = 500;

export function voicemail(): CalleeMachine<VoicemailState> {
  return {
    lines: [{ text: VOICEMAIL_GREETING }],
    begin: (atMs) => ({ name: "starting", untilMs: atMs + START_MS }),
    step(state, event) {
      const isTick = event.type === "tick";
      if (state.name === "starting" && isTick && event.atMs >= state.untilMs) {
        return [{ name: "greeting" }, [{ type: "say", text: VOICEMAIL_GREETING }]];
      }
      if (state.name === "greeting" && event.type === "line.finished") {
        return [{ name: "beeping" }, [{ type: "play", sound: "beep" }]];
      }
      if (state.name === "beeping" && event.type === "line.finished") {
        return [{ name: "recording", untilMs: event.atMs + VOICEMAIL_RECORDING_MS }, []];
      }
      if (state.name === "recording" && isTick && event.atMs >= state.untilMs) {
        return [{ name: "gone" }, [{ type: "hang_up" }]];
      }
      return [state, []];
    },
  };
}
