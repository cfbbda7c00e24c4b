import type { TranscriptItem } from "@parley/contract/transcripts";

/** The nodes a call came to, in order. Asking again at the same node is no new step. */
export function pathOf(items: readonly TranscriptItem[]): readonly string[] {
  const ids = items.flatMap((item) => (item.type === "node" ? [item.nodeId] : []));
  return ids.filter((id, index) => id !== ids[index - 1]);
}
