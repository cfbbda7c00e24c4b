import type { CalleeStep } from "@parley/contract/callee-steps";

/** What a callee does, as a line of the conversation. */
export function describeStep(step: CalleeStep): string {
  if ("say" in step) return step.say;
  if ("press" in step) return `[presses ${step.press}]`;
  if ("silent" in step) return "[says nothing]";
  if ("machine" in step) return `[${step.machine} answers]`;
  return "[hangs up]";
}
