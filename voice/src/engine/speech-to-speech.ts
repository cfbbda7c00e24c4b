import { durationMsOf, samplesIn } from "@parley/audio/frame";
import { RingReader } from "@parley/audio/ring-reader";
import type { Clock } from "@parley/time/clock";
import { NamedTimers } from "@parley/time/named-timers";
import type { ConversationEnd } from "../ports/conversation-journal.ts";
import type { LineEvent } from "../ports/line.ts";
import { reasonOf } from "../ports/provider-error.ts";
import type {
  FunctionOutcome,
  SpeechModel,
  SpeechModelEvent,
  SpeechModelSession,
  SpeechScript,
} from "../ports/speech-model.ts";
import type { Conversation, ConversationOptions } from "../ports/voice-engine.ts";
import { heardUntilMs, hearText } from "../turns/replies/heard-text.ts";
import { overrideTurnSettings, USUAL_TURN_SETTINGS } from "../turns/turn-settings.ts";
import { LinePlayout, type SpokenPiece } from "./line-playout.ts";
import { SharedTick } from "./shared-tick.ts";

type SpeechCallOptions = Omit<ConversationOptions, "brain"> & { readonly script: SpeechScript };

/** Holds conversations by a model that hears and speaks. */
export interface SpeechToSpeechEngine {
  readonly name: string;
  prepare(options: SpeechCallOptions): Promise<Conversation>;
  close(): Promise<void>;
}

export function createSpeechToSpeechEngine(model: SpeechModel, clock: Clock): SpeechToSpeechEngine {
  const tick = new SharedTick(clock);
  const conversations = new Set<SpeechConversation>();
  return {
    name: model.name,
    async prepare(options) {
      const conversation = new SpeechConversation(clock, tick, options);
      conversations.add(conversation);
      void conversation.finished.then(() => conversations.delete(conversation));
      const { script, language, voiceId } = options;
      try {
        conversation.use(
          await model.open({
            instructions: script.instructions,
            tools: script.tools,
            language,
            voiceId,
            onEvent: (event) => conversation.follow(event),
          }),
        );
      } catch (error) {
        conversation.fail(reasonOf(error));
        throw error;
      }
      return conversation;
    },
    async close() {
      for (const conversation of conversations) conversation.endPolitely(null);
      await Promise.all([...conversations].map(({ finished }) => finished));
    },
  };
}

/** Something the model says: its words, and how much of its audio was played. */
interface SpokenItem {
  readonly id: string;
  readonly turnId: number;
  readonly pieces: SpokenPiece[];
  waiting: Int16Array[];
  samples: number;
  text: string;
}

/** What happens once everything queued was heard. */
type AfterSpeech = { readonly next: NonNullable<FunctionOutcome["next"]>; readonly reason: ConversationEnd };

const AUDIO_SAMPLES = samplesIn(40);
/** A farewell that is not over by then is cut. */
const FAREWELL_WITHIN_MS = 15_000;
/** As in conversations of other engines: ask once, then hang up. */
const SILENCE_ASK_MS = 10_000;
const SILENCE_END_MS = 30_000;

/** One conversation. The model decides what is said and when; what was heard, and how the call ends, is decided here. */
class SpeechConversation implements Conversation {
  readonly #tick: SharedTick;
  readonly #options: SpeechCallOptions;
  readonly #playout: LinePlayout;
  readonly #heard: RingReader;
  readonly #heardDelayMs: number;
  readonly #timers: NamedTimers<"farewell">;
  readonly #finish = Promise.withResolvers<void>();
  readonly #frame = new Int16Array(AUDIO_SAMPLES);
  readonly #callee = new Map<string, { startMs: number; endMs: number; turnId: number }>();
  #session: SpeechModelSession | null = null;
  #leaveTick: () => void = () => undefined;
  #items: SpokenItem[] = [];
  /** Items of which nothing more is played: the callee interrupted them. */
  readonly #dropped = new Set<string>();
  #answeredMs: number | null = null;
  #turnId = 0;
  #isReplying = false;
  #after: AfterSpeech | null = null;
  #silentMs = 0;
  #hasAskedInSilence = false;
  #isOver = false;

  constructor(clock: Clock, tick: SharedTick, options: SpeechCallOptions) {
    this.#tick = tick;
    this.#options = options;
    this.#playout = new LinePlayout(options.line.playout);
    this.#heard = new RingReader(options.line.heard);
    this.#heardDelayMs = overrideTurnSettings(USUAL_TURN_SETTINGS, options.settings).heardDelayMs;
    this.#timers = new NamedTimers(clock);
  }

  get turnId(): number {
    return this.#turnId;
  }

  get finished(): Promise<void> {
    return this.#finish.promise;
  }

  use(session: SpeechModelSession): void {
    if (this.#isOver) session.close();
    else this.#session = session;
  }

  notify(event: LineEvent): void {
    if (this.#isOver) return;
    if (event.type === "answered") this.#open();
    else if (event.type === "dtmf") this.#pressed(event.key);
    else if (event.type === "transferProgress") this.#transferred(event.state, event.reason);
    else if (event.type === "ended") this.#end("callee_hangup", false);
  }

  endPolitely(farewell: string | null): void {
    if (this.#isOver) return;
    if (farewell === null || this.#answeredMs === null) return this.#end("agent_hangup", true);
    this.#stopSpeech();
    this.#leave({ type: "hang_up", farewell }, "agent_hangup");
  }

  fail(reason: string): void {
    if (this.#isOver) return;
    const { journal } = this.#options;
    journal.note({ type: "incident", what: "conversation_failed", reason, atMs: this.#nowMs });
    this.#end("engine_error", true);
  }

  follow(event: SpeechModelEvent): void {
    if (this.#isOver) return;
    switch (event.type) {
      case "callee_started":
        return this.#calleeStarted(event.itemId, event.atMs);
      case "callee_stopped": {
        const turn = this.#callee.get(event.itemId);
        if (turn) turn.endMs = this.#legMs(event.atMs);
        return;
      }
      case "callee_said":
        return this.#calleeSaid(event.itemId, event.text);
      case "audio":
        return this.#speak(event.itemId, event.samples);
      case "text":
        if (!this.#dropped.has(event.itemId)) this.#itemOf(event.itemId).text += event.text;
        return;
      case "function_called":
        return void this.#call(event.callId, event.name, event.input);
      case "reply_done":
        this.#isReplying = false;
        if (event.failure) this.#noteModelFailure(event.failure.message);
        return;
      case "failed":
        this.#noteModelFailure(event.error.message);
        return this.#end("engine_error", true);
    }
  }

  get #nowMs(): number {
    return durationMsOf(this.#heard.writtenPosition);
  }

  #legMs(modelMs: number): number {
    return (this.#answeredMs ?? 0) + modelMs;
  }

  #open(): void {
    if (this.#answeredMs !== null) return;
    this.#heard.seek(this.#heard.writtenPosition);
    this.#answeredMs = this.#nowMs;
    this.#silentMs = this.#nowMs;
    this.#leaveTick = this.#tick.join(() => this.#look());
    this.#sayWordForWord(this.#options.script.opening);
  }

  #sayWordForWord(text: string): void {
    this.#isReplying = true;
    this.#session?.reply(`Say exactly the following, word for word, and nothing else: ${text}`);
  }

  #look(): void {
    try {
      while (this.#heard.readFrame(this.#frame)) this.#session?.hear(this.#frame);
      this.#playout.look();
      for (const item of this.#items) this.#queue(item);
      this.#noteHeardItems();
      this.#watchSilence();
      if (this.#after !== null && this.#isQuiet) this.#carryOut(this.#after);
    } catch (error) {
      this.fail(reasonOf(error));
    }
  }

  get #isQuiet(): boolean {
    return !this.#isReplying && this.#items.length === 0;
  }

  #itemOf(id: string): SpokenItem {
    // The model replies to the callee by itself: more may come, and then it says that it is done.
    this.#isReplying = true;
    const known = this.#items.find((item) => item.id === id);
    if (known) return known;
    this.#turnId += 1;
    const item: SpokenItem = { id, turnId: this.#turnId, pieces: [], waiting: [], samples: 0, text: "" };
    this.#items.push(item);
    return item;
  }

  #speak(itemId: string, samples: Int16Array): void {
    if (this.#dropped.has(itemId) || samples.length === 0) return;
    const item = this.#itemOf(itemId);
    const max = this.#playout.pieceSamplesMax;
    for (let at = 0; at < samples.length; at += max) item.waiting.push(samples.slice(at, at + max));
    item.samples += samples.length;
    if (this.#items[0] === item) this.#queue(item);
  }

  /** In order: an item is queued when those before it are. */
  #queue(item: SpokenItem): void {
    for (const before of this.#items) {
      if (before === item) break;
      if (before.waiting.length > 0) return;
    }
    for (let next = item.waiting[0]; next !== undefined; next = item.waiting[0]) {
      const piece = this.#playout.speak(next);
      if (piece === null) return;
      item.pieces.push(piece);
      item.waiting.shift();
    }
  }

  /** Journals what was played to its end. */
  #noteHeardItems(): void {
    for (const item of [...this.#items]) {
      const isPlayed = item.waiting.length === 0 && item.pieces.every(({ isOver }) => isOver);
      if (this.#isReplying || !isPlayed) return;
      this.#items = this.#items.filter((each) => each !== item);
      this.#noteSaid(item, null);
    }
  }

  #noteSaid(item: SpokenItem, untilMs: number | null): void {
    const stretches = item.pieces.flatMap(({ startMs, playedSamples }) =>
      startMs === null ? [] : [{ startMs, durationMs: durationMsOf(playedSamples) }],
    );
    const played = { text: item.text, stretches, durationMs: durationMsOf(item.samples), wordTimes: null };
    const { text, heardText, words, startMs, endMs } = hearText([played], untilMs);
    if (startMs === null || endMs === null) return;
    this.#silentMs = this.#nowMs;
    const { journal } = this.#options;
    const wasInterrupted = untilMs !== null;
    journal.note({ type: "agent_said", turnId: item.turnId, text, heardText, wasInterrupted, startMs, endMs, words });
  }

  #calleeStarted(itemId: string, atMs: number): void {
    if (this.#callee.has(itemId)) return;
    this.#turnId += 1;
    const startMs = this.#legMs(atMs);
    this.#callee.set(itemId, { startMs, endMs: startMs, turnId: this.#turnId });
    this.#silentMs = this.#nowMs;
    this.#hasAskedInSilence = false;
    // A farewell is always finished.
    if (this.#after === null) this.#stopSpeech();
  }

  #calleeSaid(itemId: string, text: string): void {
    const turn = this.#callee.get(itemId);
    if (!turn || text.trim() === "") return;
    this.#callee.delete(itemId);
    const { turnId, startMs } = turn;
    const endMs = Math.max(turn.endMs, startMs + 1);
    this.#options.journal.note({ type: "callee_said", turnId, text: text.trim(), startMs, endMs, words: [] });
  }

  /** Silence from the next frame on. The model and the journal keep what the callee heard. */
  #stopSpeech(): void {
    if (this.#isQuiet) return;
    this.#playout.clear();
    const { line } = this.#options;
    const untilMs = heardUntilMs(this.#playout.positionMs, line.roundTripMs(), this.#heardDelayMs);
    const heard = this.#items.map((item) => ({ item, heardMs: heardMsOf(item, untilMs) }));
    // Only the item that was being heard can be truncated; the model has nothing to forget of those before it.
    const current = heard.findLast(({ heardMs }) => heardMs > 0) ?? heard[0];
    this.#session?.interrupt(current?.item.id ?? null, Math.round(current?.heardMs ?? 0));
    for (const { item } of heard) {
      this.#dropped.add(item.id);
      this.#noteSaid(item, untilMs);
    }
    this.#items = [];
    this.#isReplying = false;
  }

  async #call(id: string, name: string, input: unknown): Promise<void> {
    const { journal, script } = this.#options;
    journal.note({ type: "tool_call", id, name, input, atMs: this.#nowMs });
    const { output, ok, next } = await script.call({ id, name, input });
    if (this.#isOver) return;
    journal.note({ type: "tool_result", id, name, output, ok, atMs: this.#nowMs });
    const isLast = next !== undefined && next.type !== "press";
    this.#isReplying ||= !isLast;
    this.#session?.answer(id, output, isLast);
    if (next?.type === "press") this.#press(next.keys);
    else if (next) this.#leave(next, next.type === "transfer" ? "transferred" : "agent_hangup");
  }

  #press(keys: string): void {
    const { line, journal } = this.#options;
    line.sendDtmf(keys);
    for (const key of keys) journal.note({ type: "dtmf", key, by: "agent", atMs: this.#nowMs });
  }

  #pressed(key: string): void {
    this.#options.journal.note({ type: "dtmf", key, by: "callee", atMs: this.#nowMs });
    this.#stopSpeech();
    this.#isReplying = true;
    this.#session?.reply(`The callee pressed the key ${key} on the telephone. Reply to that.`);
  }

  /** Ends or transfers the call once everything was heard. */
  #leave(next: AfterSpeech["next"], reason: ConversationEnd): void {
    if (this.#after !== null) return;
    this.#after = { next, reason };
    if (next.type === "hang_up" && next.farewell !== null) this.#sayWordForWord(next.farewell);
    this.#timers.set("farewell", FAREWELL_WITHIN_MS, () => this.#carryOut({ next, reason }));
  }

  #carryOut({ next, reason }: AfterSpeech): void {
    this.#timers.cancel("farewell");
    if (next.type !== "transfer") return this.#end(reason, true);
    this.#after = null;
    this.#silentMs = Number.POSITIVE_INFINITY;
    this.#options.line.transfer(next.request);
  }

  #transferred(state: "trying" | "ringing" | "completed" | "failed", reason: string): void {
    if (state === "completed") return this.#end("transferred", false);
    if (state !== "failed") return;
    this.#silentMs = this.#nowMs;
    this.#options.journal.note({ type: "note", text: `The transfer failed: ${reason}`, atMs: this.#nowMs });
    this.#isReplying = true;
    this.#session?.reply("The call could not be transferred. Apologize, and ask how else you can help.");
  }

  /** Asks once whether the callee is still there. */
  #watchSilence(): void {
    if (!this.#isQuiet || this.#after !== null) return;
    const silentMs = this.#nowMs - this.#silentMs;
    const totalMs = silentMs + (this.#hasAskedInSilence ? SILENCE_ASK_MS : 0);
    if (totalMs >= SILENCE_END_MS) return this.#end("silence", true);
    if (silentMs < SILENCE_ASK_MS || this.#hasAskedInSilence) return;
    this.#hasAskedInSilence = true;
    this.#isReplying = true;
    this.#session?.reply(
      "The callee has been silent for a while. Ask in one short sentence whether they are still there.",
    );
  }

  #noteModelFailure(reason: string): void {
    this.#options.journal.note({ type: "incident", what: "model_failed", reason, atMs: this.#nowMs });
  }

  #end(reason: ConversationEnd, hangsUp: boolean): void {
    if (this.#isOver) return;
    this.#playout.clear();
    const untilMs = heardUntilMs(this.#playout.positionMs, this.#options.line.roundTripMs(), this.#heardDelayMs);
    for (const item of this.#items) this.#noteSaid(item, untilMs);
    this.#isOver = true;
    this.#leaveTick();
    this.#timers.cancelAll();
    this.#session?.close();
    this.#options.journal.note({ type: "over", reason });
    if (hangsUp) this.#options.line.hangup();
    this.#finish.resolve();
  }
}

function heardMsOf({ pieces }: SpokenItem, untilMs: number): number {
  return pieces.reduce((sum, { startMs, playedSamples }) => {
    if (startMs === null) return sum;
    return sum + Math.max(0, Math.min(durationMsOf(playedSamples), untilMs - startMs));
  }, 0);
}
