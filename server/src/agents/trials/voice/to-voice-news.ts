import type { TryVoiceNews } from "@parley/contract/try-voice";
import type { JournalEntry } from "@parley/voice/ports/conversation-journal";

/** What is told of an entry of the journal, with times since the conversation began; null for what is not told. */
export function toVoiceNews(entry: JournalEntry, beganMs: number): TryVoiceNews | null {
  const since = (positionMs: number) => Math.max(0, Math.round(positionMs - beganMs));
  switch (entry.type) {
    case "callee_said": {
      const { turnId: turn, text, startMs, endMs } = entry;
      const times = { startMs: since(startMs), endMs: since(endMs) };
      return { type: "speech", role: "callee", turn, text, heardText: text, interrupted: false, ...times };
    }
    case "agent_said": {
      const { turnId: turn, text, heardText, wasInterrupted: interrupted, startMs, endMs } = entry;
      const times = { startMs: since(startMs), endMs: since(endMs) };
      return { type: "speech", role: "agent", turn, text, heardText, interrupted, ...times };
    }
    case "turn_undone":
      return { type: "turn_undone", turn: entry.turnId };
    case "entered":
      return { type: "node", nodeId: entry.nodeId, atMs: since(entry.atMs) };
    case "decided":
      return { type: "decision", turn: entry.turnId, ...entry.decision, atMs: since(entry.atMs) };
    case "collected":
    case "answers_withdrawn":
      return entry;
    case "tool_call":
    case "tool_result": {
      const { atMs, ...told } = entry;
      return { ...told, atMs: since(atMs) };
    }
    case "dtmf":
      return { type: "pressed", key: entry.key, by: entry.by, atMs: since(entry.atMs) };
    case "note":
      return { type: "note", text: entry.text };
    case "incident":
      return entry.isUpdate ? null : { type: "note", text: `${entry.what}: ${entry.reason}` };
    case "answered_by":
      return { type: "answered_by", kind: entry.kind };
    case "suppress":
      return { type: "suppressed" };
    case "turn_timing":
    case "over":
      return null;
  }
}
