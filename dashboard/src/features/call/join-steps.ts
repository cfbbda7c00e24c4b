import type { TranscriptItem } from "@parley/contract/transcripts";

/** Makes one line of steps that follow each other without a word between them. */
export function joinSteps(items: readonly TranscriptItem[]): TranscriptItem[] {
  const lines: TranscriptItem[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    if (item.type === "node" && last?.type === "node") {
      lines[lines.length - 1] = { ...last, nodeId: `${last.nodeId} → ${item.nodeId}` };
    } else lines.push(item);
  }
  return lines;
}
