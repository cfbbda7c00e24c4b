import type { TranscriptItem } from "@parley/contract/transcripts";
import type { JournalEntry, TurnTiming } from "@parley/voice/ports/conversation-journal";

/** How much of a tool's request and response is kept. */
const TOOL_CHARACTERS_MAX = 8_000;
const TEXT_CHARACTERS_MAX = 20_000;

type Word = Extract<JournalEntry, { type: "callee_said" }>["words"][number];

/**
 * Converts positions of a leg into times since the answer. What happened while it rang counts as the moment of the
 * answer.
 */
type SinceAnswer = (positionMs: number) => number;

export function sinceAnswerAt(answeredMs: number): SinceAnswer {
  return (positionMs) => Math.max(0, Math.round(positionMs - answeredMs));
}

/** The transcript item for an entry; null for an entry that has none. */
export function toTranscriptItem(
  entry: JournalEntry,
  since: SinceAnswer,
  timing: TurnTiming | null,
): TranscriptItem | null {
  switch (entry.type) {
    case "callee_said":
      return {
        ...speechOf(entry, since),
        role: "callee",
        heardText: textOf(entry.text),
        interrupted: false,
        ...(entry.confidence !== undefined && { confidence: roundedShare(entry.confidence) }),
        ...(entry.language !== undefined && { language: textOf(entry.language) }),
        timing: null,
      };
    case "agent_said":
      return {
        ...speechOf(entry, since),
        role: "agent",
        heardText: textOf(entry.heardText),
        interrupted: entry.wasInterrupted,
        timing: timing && roundTiming(timing),
      };
    case "tool_call":
      return {
        type: "tool_call",
        id: textOf(entry.id),
        name: textOf(entry.name),
        input: keptValue(entry.input),
        startMs: since(entry.atMs),
      };
    case "tool_result":
      return {
        type: "tool_result",
        id: textOf(entry.id),
        name: textOf(entry.name),
        ok: entry.ok,
        output: keptValue(entry.output),
        startMs: since(entry.atMs),
      };
    case "entered":
      return { type: "node", ...enteredOf(entry), startMs: since(entry.atMs) };
    case "decided": {
      const { nodeId, taken, result, evidence, score, why } = entry.decision;
      const kept = typeof result === "string" ? textOf(result) : result;
      return {
        type: "decision",
        turn: entry.turnId,
        nodeId,
        taken,
        evidence,
        result: kept,
        score: score === null ? null : Math.round(score * 1000) / 1000,
        ...(why === undefined ? {} : { why: why.map(({ judge, says }) => ({ judge, says: textOf(says) })) }),
        startMs: since(entry.atMs),
      };
    }
    case "dtmf":
      return { type: "dtmf", key: entry.key, by: entry.by, startMs: since(entry.atMs) };
    case "note":
      return { type: "note", text: textOf(entry.text), startMs: since(entry.atMs) };
    default:
      return null;
  }
}

/** The node, and the exit that led there if one did. */
export function enteredOf({ nodeId, exit }: { readonly nodeId: string; readonly exit?: string }) {
  return { nodeId, ...(exit === undefined ? {} : { exit }) };
}

/** Vendors report shares with many digits, and some slightly more than all. */
function roundedShare(share: number): number {
  return Math.min(1, Math.max(0, Math.round(share * 1000) / 1000));
}

function speechOf(entry: Extract<JournalEntry, { type: "callee_said" | "agent_said" }>, since: SinceAnswer) {
  const { turnId, text, startMs, endMs, words } = entry;
  const startsAtMs = since(startMs);
  return {
    type: "speech" as const,
    turn: turnId,
    text: textOf(text),
    revisedText: null,
    startMs: startsAtMs,
    endMs: Math.max(startsAtMs, since(endMs)),
    words: words.map((word: Word) => ({
      text: textOf(word.text),
      startMs: since(word.startMs),
      endMs: since(word.endMs),
    })),
  };
}

function roundTiming({ turnId: _, ...timing }: TurnTiming) {
  const { holdMs, recognitionMs, decisionMs, firstAudioMs, totalMs } = timing;
  return {
    ...timing,
    holdMs: Math.round(holdMs),
    recognitionMs: Math.round(recognitionMs),
    decisionMs: Math.round(decisionMs),
    firstAudioMs: Math.round(firstAudioMs),
    totalMs: Math.round(totalMs),
  };
}

function textOf(text: string): string {
  return storableText(text).slice(0, TEXT_CHARACTERS_MAX).toWellFormed();
}

function keptValue(value: unknown): unknown {
  return shortenJson(storableJson(value), TOOL_CHARACTERS_MAX) ?? null;
}

const DEPTH_MAX = 32;

/**
 * A value that PostgreSQL can store: it accepts neither U+0000 nor lone surrogates. Output of models and third-party
 * servers is not checked anywhere else.
 */
export function storableJson(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return storableText(value);
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEPTH_MAX) return null;
  if (Array.isArray(value)) return value.map((each) => storableJson(each, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [storableText(key), storableJson(each, depth + 1)]),
  );
}

export function storableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "");
}

/** The value, or the beginning of its JSON when it is too long to keep. */
function shortenJson(value: unknown, charactersMax: number): unknown {
  const written = JSON.stringify(value) ?? "null";
  return written.length <= charactersMax ? value : { cutOff: written.slice(0, charactersMax).toWellFormed() };
}
