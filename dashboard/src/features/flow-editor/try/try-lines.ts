import type { CalleeStep } from "@parley/contract/callee-steps";
import type { EndReason } from "@parley/contract/calls";
import type { Flow } from "@parley/contract/flow";
import type { TryEvent } from "@parley/contract/try";
import { END_REASON_LABELS } from "../../calls/call-labels.ts";
import { decisionWords } from "../../calls/call-page/decision-text.ts";
import { languageName } from "../../engines/engine-words.ts";
import { editorTryText } from "./text.tsx";

/** One line of what was said and done in a try. */
export interface TryLine {
  readonly role: "agent" | "callee" | "aside";
  readonly text: string;
  readonly nodeId: string | null;
  /** The turn it belongs to, if turns can be taken back. */
  readonly turn: number | null;
  /** The key that the callee pressed. */
  readonly key: string | null;
  readonly isWrong: boolean;
}

const line = (role: TryLine["role"], text: string, more: Partial<TryLine> = {}): TryLine => ({
  role,
  text,
  nodeId: null,
  turn: null,
  key: null,
  isWrong: false,
  ...more,
});

export const agentLine = (text: string, more: Partial<TryLine> = {}) => line("agent", text, more);
export const calleeLine = (text: string, more: Partial<TryLine> = {}) => line("callee", text, more);
export const asideLine = (text: string, more: Partial<TryLine> = {}) => line("aside", text, more);

const MACHINES = {
  voicemail: editorTryText.voicemailAnswers,
  ivr: editorTryText.phoneMenuAnswers,
  screening: editorTryText.callScreeningAnswers,
  fax: editorTryText.faxAnswers,
} as const;

/** What the callee did, as a line. */
export function lineOfStep(step: CalleeStep): TryLine {
  if ("interruptAfterMs" in step) return calleeLine(step.say);
  if ("say" in step) return calleeLine(step.say);
  if ("press" in step) return asideLine(editorTryText.youPressed([...step.press].join(" ")));
  if ("silent" in step) return asideLine(editorTryText.youSaidNothing);
  if ("machine" in step) return asideLine(MACHINES[step.machine]);
  return asideLine(editorTryText.youHungUp);
}

/** What the agent did, as lines. Collected values are shown next to the lines and the path on the canvas. */
export function linesOfEvents(events: readonly TryEvent[], flow: Pick<Flow, "nodes">): TryLine[] {
  return events.flatMap((event) => linesOfEvent(event, flow));
}

function linesOfEvent(event: TryEvent, flow: Pick<Flow, "nodes">): TryLine[] {
  switch (event.type) {
    case "said":
      return [agentLine(event.text, { nodeId: event.nodeId })];
    case "cut_off":
      return [
        asideLine(event.heardText ? editorTryText.youHadHeard(event.heardText) : editorTryText.youHadHeardNothing),
      ];
    case "decision":
      return [asideLine(decisionWords(event, flow))];
    case "tool_call":
      return [asideLine(editorTryText.toolAsked(event.name))];
    case "tool_result":
      return [asideLine(editorTryText.toolAnswered(event.name, event.ok, event.isGiven), { isWrong: !event.ok })];
    case "pressed":
      return [asideLine(editorTryText.agentPressed([...event.keys].join(" ")))];
    case "transfer":
      return [asideLine(editorTryText.wouldTransfer(event.to))];
    case "language_noticed":
      return [asideLine(editorTryText.calleeSpeaks(languageName(event.language)))];
    case "suppressed":
      return [asideLine(editorTryText.wouldSuppress)];
    case "fault":
      return [asideLine(event.text, { isWrong: true })];
    case "node":
    case "collected":
      return [];
  }
}

export function endLine(reason: EndReason): TryLine {
  return asideLine(editorTryText.callIsOver(END_REASON_LABELS[reason]));
}
