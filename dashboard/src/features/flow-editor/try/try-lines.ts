import type { CalleeStep } from "@parley/contract/callee-steps";
import type { EndReason } from "@parley/contract/calls";
import type { TryEvent } from "@parley/contract/try";
import { END_REASON_LABELS } from "../../calls/call-labels.ts";
import { decisionWords } from "../../calls/call-page/decision-text.ts";
import { languageName } from "../../engines/engine-words.ts";

/** One line of what was said and done in a try. */
export interface TryLine {
  readonly role: "agent" | "callee" | "aside";
  readonly text: string;
  readonly nodeId: string | null;
  /** The turn it belongs to, if turns can be taken back. */
  readonly turn: number | null;
  readonly isWrong: boolean;
}

const line = (role: TryLine["role"], text: string, more: Partial<TryLine> = {}): TryLine => ({
  role,
  text,
  nodeId: null,
  turn: null,
  isWrong: false,
  ...more,
});

export const agentLine = (text: string, more: Partial<TryLine> = {}) => line("agent", text, more);
export const calleeLine = (text: string, more: Partial<TryLine> = {}) => line("callee", text, more);
export const asideLine = (text: string, more: Partial<TryLine> = {}) => line("aside", text, more);

const MACHINES = {
  voicemail: "A voicemail answers",
  ivr: "A phone menu answers",
  screening: "Call screening answers",
  fax: "A fax machine answers",
} as const;

/** What the callee did, as a line. */
export function lineOfStep(step: CalleeStep): TryLine {
  if ("interruptAfterMs" in step) return calleeLine(step.say);
  if ("say" in step) return calleeLine(step.say);
  if ("press" in step) return asideLine(`You pressed ${[...step.press].join(" ")}`);
  if ("silent" in step) return asideLine("You said nothing");
  if ("machine" in step) return asideLine(MACHINES[step.machine]);
  return asideLine("You hung up");
}

/** What the agent did, as lines. Collected values are shown next to the lines and the path on the canvas. */
export function linesOfEvents(events: readonly TryEvent[]): TryLine[] {
  return events.flatMap(linesOfEvent);
}

function linesOfEvent(event: TryEvent): TryLine[] {
  switch (event.type) {
    case "said":
      return [agentLine(event.text, { nodeId: event.nodeId })];
    case "cut_off":
      return [asideLine(event.heardText ? `You had heard: “${event.heardText}”` : "You had heard nothing of it")];
    case "decision":
      return [asideLine(decisionWords(event))];
    case "tool_call":
      return [asideLine(`Asked ${event.name}`)];
    case "tool_result":
      return [asideLine(resultWords(event), { isWrong: !event.ok })];
    case "pressed":
      return [asideLine(`The agent pressed ${[...event.keys].join(" ")}`)];
    case "transfer":
      return [asideLine(`A call would be transferred to ${event.to}`)];
    case "language_noticed":
      return [asideLine(`The callee speaks ${languageName(event.language)}`)];
    case "suppressed":
      return [asideLine("A call would put the number on the suppression list")];
    case "fault":
      return [asideLine(event.text, { isWrong: true })];
    case "node":
    case "collected":
      return [];
  }
}

function resultWords({ name, ok, isGiven }: { name: string; ok: boolean; isGiven: boolean }): string {
  return `${name} ${ok ? "answered" : "failed"}${isGiven ? " (given, not asked)" : ""}`;
}

export function endLine(reason: EndReason): TryLine {
  return asideLine(`The call is over: ${END_REASON_LABELS[reason].toLowerCase()}`);
}
