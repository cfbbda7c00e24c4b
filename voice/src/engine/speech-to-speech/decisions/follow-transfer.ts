import type { ScriptStep } from "../../../ports/speech-model.ts";
import { takeStep } from "./follow-script.ts";
import { endCall } from "./leave-line.ts";
import { requestReply } from "./request-reply.ts";
import { endSilence, type SpeechState } from "./speech-state.ts";
import { type SpeechEvent, type SpeechStep, stay } from "./speech-step.ts";

export function followTransfer(
  state: SpeechState,
  { state: progress, reason }: Pick<Extract<SpeechEvent, { type: "line.transfer_progressed" }>, "state" | "reason">,
): SpeechStep {
  if (state.at.phase !== "transferring") return stay(state);
  if (progress === "completed") return endCall(state, "transferred", false);
  if (progress !== "failed") return stay(state);
  const text = `The transfer failed: ${reason}`;
  return [
    { ...endSilence(state), at: { phase: "talking" } },
    [
      { type: "timer.cancel", timer: "transfer" },
      { type: "journal.note", entry: { type: "note", text, atMs: state.seen.nowMs } },
      { type: "script.fail_transfer" },
    ],
  ];
}

/** What the script does when nobody could be reached. */
export function resumeAfterTransfer(state: SpeechState, step: ScriptStep): SpeechStep {
  if (step.say !== null || step.next !== null) return takeStep(state, step);
  return requestReply(state, "The call could not be transferred. Apologize, and ask how else you can help.");
}
