import type { TranscriptItem } from "@parley/contract/transcripts";

/** A node that a call came to. */
export interface PathStep {
  readonly nodeId: string;
  /** When it can be heard, since the callee answered: where the agent begins to speak there, or else where it was entered. */
  readonly atMs: number;
  /** What both said until the next step, as it was understood best. */
  readonly said: readonly { readonly role: "agent" | "callee"; readonly text: string }[];
}

/** The nodes a call came to, in order, with what was said there. Asking again at the same node is no new step. */
export function pathSteps(items: readonly TranscriptItem[]): readonly PathStep[] {
  const steps: PathStep[] = [];
  for (const item of entriesFirst(items)) {
    const last = steps.at(-1);
    if (item.type === "node" && item.nodeId !== last?.nodeId) {
      steps.push({ nodeId: item.nodeId, atMs: Math.max(0, item.startMs), said: [] });
    }
    if (item.type !== "speech" || !last) continue;
    const { role, text, revisedText, startMs } = item;
    const isFirstOfAgent = role === "agent" && !last.said.some((line) => line.role === "agent");
    steps[steps.length - 1] = {
      ...last,
      ...(isFirstOfAgent ? { atMs: Math.max(0, startMs) } : {}),
      said: [...last.said, { role, text: revisedText ?? text }],
    };
  }
  return steps;
}

/** How much later than the agent's first sound it may be noted that a node was entered, on a busy machine. */
const NOTED_LATE_MS = 500;

/** Puts nodes before what the agent said on entering them. Which of the two has the earlier time is chance. */
function entriesFirst(items: readonly TranscriptItem[]): readonly TranscriptItem[] {
  const ordered: TranscriptItem[] = [];
  for (const item of items) {
    const last = ordered.at(-1);
    const isLate =
      item.type === "node" &&
      last?.type === "speech" &&
      last.role === "agent" &&
      item.startMs - last.startMs <= NOTED_LATE_MS;
    ordered.splice(isLate ? ordered.length - 1 : ordered.length, 0, item);
  }
  return ordered;
}
