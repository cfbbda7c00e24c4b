import type { TranscriptItem } from "@parley/contract/transcripts";

/** A node that a call visited. */
export interface PathStep {
  readonly nodeId: string;
  /** The exit of the step before that led there, if the transcript says. */
  readonly exit?: string;
  /** When it can be heard, since the answer: where the agent starts to speak there, or else where it was entered. */
  readonly atMs: number;
  /** What both said until the next step, in the best transcription. */
  readonly said: readonly { readonly role: "agent" | "callee"; readonly text: string }[];
}

/** The nodes a call visited, in order, with what was said there. Asking again at the same node is not a new step. */
export function pathSteps(items: readonly TranscriptItem[]): readonly PathStep[] {
  const steps: PathStep[] = [];
  for (const item of items) {
    const last = steps.at(-1);
    if (item.type === "node" && item.nodeId !== last?.nodeId) {
      const { nodeId, exit, startMs } = item;
      steps.push({ nodeId, ...(exit === undefined ? {} : { exit }), atMs: Math.max(0, startMs), said: [] });
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
