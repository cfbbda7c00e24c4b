import { type CallScope, speak } from "./call-scope.ts";
import type { FlowState } from "./flow-state.ts";

/** Who calls and why, as the settings word it, or else as the call began. */
export function identification(scope: CallScope, { firstSaid }: FlowState): string {
  const { identification: wording } = scope.plan.settings;
  return wording === undefined ? (firstSaid ?? "") : speak(scope, { collected: {} }, wording);
}
