import type { Call } from "@parley/contract/calls";
import type { TranscriptItem } from "@parley/contract/transcripts";
import type { JournalEntry, TurnTiming } from "@parley/voice/ports/conversation-journal";
import { EngineUsage, type PartUsage, percentile } from "../../speech/engines/engine-usage.ts";
import type { PartUse } from "../../speech/engines/part-meter.ts";
import { sinceAnswerAt, storableJson, storableText, toTranscriptItem } from "./transcript-items.ts";

export interface NumberedItem {
  readonly ordinal: number;
  /** The callee's turn it belongs to; null for an item that stays if that turn is undone. */
  readonly turn: number | null;
  /** Its place in the order, in milliseconds since the answer. Usually its start. */
  readonly orderMs: number;
  readonly item: TranscriptItem;
}

/** Entries of a conversation that are not committed yet. */
export interface TranscriptBatch {
  readonly items: readonly NumberedItem[];
  /** Turns whose items are to be deleted if they were committed earlier. */
  readonly undoneTurns: readonly number[];
  /** Everything collected so far; null when it has not changed. */
  readonly collected: NonNullable<Call["collected"]> | null;
  readonly latency: NonNullable<Call["latency"]> | null;
  /** What the call used of its engine so far; null when it has not changed. */
  readonly partUsage: readonly PartUsage[] | null;
  readonly answeredBy: NonNullable<Call["answeredBy"]> | null;
  /** The language that the callee was noticed to speak, as an ISO 639-1 code. */
  readonly calleeLanguage: Call["calleeLanguage"];
  readonly suppresses: boolean;
}

/** How much is kept while the database is away: about two hours of talk. */
const WAITING_ITEMS_MAX = 2_000;
const WAITING_CHARACTERS_MAX = 1_000_000;
const ITEMS_MAX = 10_000;
const LANGUAGE_CHARACTERS_MAX = 20;

/**
 * Gathers the entries of a conversation until they are committed. Its memory is bounded: what does not fit is left out,
 * and the transcript says so at that point.
 */
export class TranscriptDraft {
  readonly #latency = new ReplyLatency();
  readonly #usage = new EngineUsage();
  readonly #timings = new Map<number, TurnTiming>();
  readonly #collectedBefore = new Map<number, Readonly<Record<string, unknown>>>();
  readonly #undone = new Set<number>();
  #since = sinceAnswerAt(0);
  #waiting: NumberedItem[] = [];
  #waitingCharacters = 0;
  #undoneTurns: number[] = [];
  #collected: Readonly<Record<string, unknown>> = {};
  #isCollectedNew = false;
  #isLatencyNew = false;
  #isUsageNew = false;
  #isAnswered = false;
  #answeredBy: TranscriptBatch["answeredBy"] = null;
  #calleeLanguage: TranscriptBatch["calleeLanguage"] = null;
  #suppresses = false;
  #ordinal = 0;
  #turn = 0;
  #missing = 0;

  /** The position on the line at which the callee answered: the times of all items count from there. */
  answeredAt(positionMs: number): void {
    this.#since = sinceAnswerAt(positionMs);
    this.#isAnswered = true;
  }

  /** A part of the engine was used. It is committed with what follows, after the answer. */
  noteUse(use: PartUse): void {
    this.#usage.note(use);
    this.#isUsageNew = true;
  }

  get hasChanges(): boolean {
    return (
      this.#waiting.length > 0 ||
      this.#undoneTurns.length > 0 ||
      this.#isCollectedNew ||
      this.#isLatencyNew ||
      (this.#isUsageNew && this.#isAnswered) ||
      this.#answeredBy !== null ||
      this.#calleeLanguage !== null ||
      this.#suppresses
    );
  }

  note(entry: JournalEntry): void {
    switch (entry.type) {
      case "turn_undone":
        return this.#undo(entry.turnId);
      case "collected":
        this.#collected = { ...this.#collected, [storableText(entry.name)]: storableJson(entry.value) };
        this.#isCollectedNew = true;
        return;
      case "answers_withdrawn":
        return this.#withdraw(entry.collected);
      case "turn_timing":
        this.#timings.set(entry.timing.turnId, entry.timing);
        this.#latency.note(entry.timing);
        this.#isLatencyNew = true;
        return;
      case "answered_by":
        this.#answeredBy = entry.kind;
        return;
      case "language_noticed":
        this.#calleeLanguage = storableText(entry.language).slice(0, LANGUAGE_CHARACTERS_MAX);
        return;
      case "suppress":
        this.#suppresses = true;
        return;
      case "callee_said": {
        // Speech beside a turn stays when that turn is undone.
        const isNewTurn = entry.turnId > this.#turn;
        if (isNewTurn) this.#rememberCollected(entry.turnId);
        this.#turn = Math.max(this.#turn, entry.turnId);
        return this.#add(entry, isNewTurn ? entry.turnId : null);
      }
      case "agent_said":
        return this.#addAgentSpeech(entry);
      default:
        // The effects of a tool stay, even if the turn that led to it is undone.
        return this.#add(entry, entry.type === "entered" || entry.type === "decided" ? this.#turn : null);
    }
  }

  /** Returns what is to be committed, and resets. */
  take(): TranscriptBatch {
    const batch: TranscriptBatch = {
      items: this.#waiting,
      undoneTurns: this.#undoneTurns,
      collected: this.#isCollectedNew ? this.#collected : null,
      latency: this.#isLatencyNew ? this.#latency.summary() : null,
      partUsage: this.#isUsageNew ? this.#usage.summary() : null,
      answeredBy: this.#answeredBy,
      calleeLanguage: this.#calleeLanguage,
      suppresses: this.#suppresses,
    };
    this.#waiting = [];
    this.#waitingCharacters = 0;
    this.#undoneTurns = [];
    this.#isCollectedNew = false;
    this.#isLatencyNew = false;
    this.#isUsageNew = false;
    this.#answeredBy = null;
    this.#calleeLanguage = null;
    this.#suppresses = false;
    return batch;
  }

  /** The part of an undone reply that was heard stays. */
  #addAgentSpeech(entry: Extract<JournalEntry, { type: "agent_said" }>): void {
    if (entry.text === "" || (this.#undone.has(entry.turnId) && entry.heardText === "")) return;
    this.#add(entry, entry.heardText === "" ? entry.turnId : null);
    this.#timings.delete(entry.turnId);
  }

  /** Only the last few turns can be undone. */
  #rememberCollected(turnId: number): void {
    this.#collectedBefore.set(turnId, this.#collected);
    const [oldest] = this.#collectedBefore.keys();
    if (this.#collectedBefore.size > 4 && oldest !== undefined) this.#collectedBefore.delete(oldest);
  }

  #undo(turnId: number): void {
    this.#undone.add(turnId);
    this.#waiting = this.#waiting.filter(({ turn }) => turn !== turnId);
    this.#undoneTurns.push(turnId);
    const before = this.#collectedBefore.get(turnId);
    if (before === undefined || before === this.#collected) return;
    this.#collected = before;
    this.#isCollectedNew = true;
  }

  /** What an answering machine said is kept in the transcript but collects nothing. */
  #withdraw(standing: Readonly<Record<string, unknown>>): void {
    this.#collectedBefore.clear();
    if (Object.keys(this.#collected).length === 0) return;
    this.#collected = Object.fromEntries(
      Object.entries(standing).map(([name, value]) => [storableText(name), storableJson(value)]),
    );
    this.#isCollectedNew = true;
  }

  #add(entry: JournalEntry, turn: number | null): void {
    const timing = entry.type === "agent_said" ? (this.#timings.get(entry.turnId) ?? null) : null;
    const item = toTranscriptItem(entry, this.#since, timing);
    if (item === null) return;
    const isFull = this.#waiting.length >= WAITING_ITEMS_MAX || this.#waitingCharacters >= WAITING_CHARACTERS_MAX;
    if (isFull || this.#ordinal >= ITEMS_MAX) {
      this.#missing += 1;
      return;
    }
    const ordered =
      entry.type === "agent_said" && entry.orderMs !== undefined ? this.#since(entry.orderMs) : item.startMs;
    const orderMs = Math.min(ordered, item.startMs);
    if (this.#missing > 0) this.#push(missingNote(this.#missing, item.startMs), null, orderMs);
    this.#missing = 0;
    this.#push(item, turn, orderMs);
  }

  #push(item: TranscriptItem, turn: number | null, orderMs: number): void {
    this.#ordinal += 1;
    this.#waitingCharacters += JSON.stringify(item).length;
    this.#waiting.push({ ordinal: this.#ordinal, turn, orderMs, item });
  }
}

function missingNote(count: number, startMs: number): TranscriptItem {
  return { type: "note", text: `${count} entries before this one could not be written down`, startMs };
}

/** The agent's response times over the turns of a call so far. */
class ReplyLatency {
  readonly #totalsMs: number[] = [];
  #interruptions = 0;

  note({ totalMs, interruptions }: TurnTiming): void {
    this.#totalsMs.push(totalMs);
    this.#interruptions += interruptions;
  }

  summary(): NonNullable<Call["latency"]> {
    const sorted = this.#totalsMs.toSorted((one, other) => one - other);
    return {
      responseMsP50: percentile(sorted, 0.5),
      responseMsP95: percentile(sorted, 0.95),
      turns: sorted.length,
      interruptions: this.#interruptions,
    };
  }
}
