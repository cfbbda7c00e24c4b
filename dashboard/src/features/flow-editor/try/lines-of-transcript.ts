import type { TranscriptItem } from "@parley/contract/transcripts";
import { decisionWords } from "../../call/decision-words.ts";
import { agentLine, asideLine, calleeLine, type TryLine } from "./try-lines.ts";

/** What was said and done in a call, as the lines of a try, and the nodes it went through. */
export function linesOfTranscript(items: Iterable<TranscriptItem>): {
  readonly lines: readonly TryLine[];
  readonly path: readonly string[];
} {
  const lines: TryLine[] = [];
  const path: string[] = [];
  for (const item of items) {
    switch (item.type) {
      case "node":
        path.push(item.nodeId);
        break;
      case "speech":
        lines.push(
          item.role === "agent" ? agentLine(item.text, { nodeId: path.at(-1) ?? null }) : calleeLine(item.text),
        );
        if (item.interrupted && item.role === "agent")
          lines.push(asideLine(`The callee had heard: “${item.heardText}”`));
        break;
      case "tool_call":
        lines.push(asideLine(`Asked ${item.name}`));
        break;
      case "tool_result":
        lines.push(asideLine(`${item.name} ${item.ok ? "answered" : "failed"}`, { isWrong: !item.ok }));
        break;
      case "dtmf":
        lines.push(asideLine(`The ${item.by} pressed ${item.key}`));
        break;
      case "decision":
        lines.push(asideLine(decisionWords(item)));
        break;
      case "note":
        lines.push(asideLine(item.text));
    }
  }
  return { lines, path };
}
