import { durationMsOf, samplesIn } from "@parley/audio/frame";
import { RingReader } from "@parley/audio/ring-reader";
import type { Clock } from "@parley/time/clock";
import { NamedTimers } from "@parley/time/named-timers";
import type { ScreeningDecision } from "../../ports/call-screening.ts";
import type { AnsweredBy, ConversationEnd } from "../../ports/conversation-journal.ts";
import type { LineEvent } from "../../ports/line.ts";
import { reasonOf } from "../../ports/provider-error.ts";
import type {
  FunctionRequest,
  ScriptNote,
  ScriptStep,
  SpeechModelEvent,
  SpeechOpening,
  SpeechScript,
} from "../../ports/speech-model.ts";
import type { Conversation, ConversationOptions } from "../../ports/voice-engine.ts";
import { heardUntilMs } from "../../turns/replies/heard-text.ts";
import { overrideTurnSettings, type TurnSettings, USUAL_TURN_SETTINGS } from "../../turns/turn-settings.ts";
import type { SharedTick } from "../shared-tick.ts";
import { CalleeWatch, type CalleeWatchDeps } from "./callee-watch.ts";
import { type HeardItem, ModelSpeech } from "./model-speech.ts";
import { ModelSuccession, type OpenNextModel } from "./model-succession.ts";
import { RequiredWords } from "./required-words.ts";
import type { OwnLine } from "./speech-to-speech-engine.ts";

export type SpeechCallOptions = Pick<
  ConversationOptions,
  "callId" | "line" | "journal" | "language" | "greeting" | "voicemail" | "settings"
> & {
  readonly script: SpeechScript;
  /** Sentences in another voice, for when the model is silent or gone. They resolve to null where there is none. */
  readonly ownLines: { readonly identification: Promise<OwnLine | null>; readonly apology: Promise<OwnLine | null> };
};

interface ConversationDeps extends CalleeWatchDeps {
  readonly clock: Clock;
  readonly tick: SharedTick;
  readonly openNext: OpenNextModel;
}

/**
 * A conversation is always in one of these phases:
 *
 * - ringing: the callee has not answered.
 * - hello: the callee has answered, and says hello or nothing.
 * - talking: the model conducts the conversation.
 * - awaiting_beep: a voicemail plays its greeting. The model hears nothing and says nothing.
 * - leaving: the last words are said, and then the line is left. The model hears nothing, so that they are finished.
 * - transferring: the callee is being connected to another person.
 * - over.
 */
type Phase =
  | { readonly name: "ringing" | "talking" | "over" }
  | { readonly name: "hello" | "awaiting_beep"; readonly sinceMs: number }
  | { readonly name: "leaving"; readonly next: Leaving }
  | { readonly name: "transferring" };

type Leaving = Extract<ScriptStep["next"], { type: "hang_up" | "transfer" }>;

const AUDIO_SAMPLES = samplesIn(40);
/** A farewell that is not over by then is cut. */
const FAREWELL_WITHIN_MS = 15_000;
/** A model that gives no sign for so long when it should reply is replaced. Longer than any reply takes to begin. */
const REPLY_WITHIN_MS = 7_000;

/** One conversation. The model decides what is said and when; what was heard, and how the call ends, is decided here. */
export class SpeechConversation implements Conversation {
  readonly #deps: ConversationDeps;
  readonly #options: SpeechCallOptions;
  readonly #settings: TurnSettings;
  readonly #models: ModelSuccession;
  readonly #speech: ModelSpeech;
  readonly #required = new RequiredWords();
  readonly #heard: RingReader;
  readonly #timers: NamedTimers<"farewell" | "hang_up" | "identify" | "keys" | "transfer">;
  readonly #finish = Promise.withResolvers<void>();
  readonly #frame = new Int16Array(AUDIO_SAMPLES);
  readonly #callee = new Map<string, { startMs: number; endMs: number; turnId: number }>();
  readonly #calls = new Set<string>();
  #phase: Phase = { name: "ringing" };
  /** Where on the line the model's time begins. */
  #hearsFromMs: number | null = null;
  #watch: CalleeWatch | null = null;
  #leaveTick: () => void = () => undefined;
  #opening: SpeechOpening | null = null;
  #turnId = 0;
  /** A reply was requested, or is being given. */
  #isReplying = false;
  #failedReplies = 0;
  #signMs = 0;
  #silentMs = 0;
  #prompts = 0;
  #isAudioMissing = false;
  #answeredBy: AnsweredBy | null = null;
  #beepMs: number | null = null;
  #mayAct = false;
  #answeredMs = 0;
  #interruptions = 0;
  #keys = "";
  #isHangupDue = false;
  /** The callee's speech has ended, and the reply to it was not heard yet. */
  #repliesTo: { readonly endMs: number } | null = null;

  constructor(deps: ConversationDeps, options: SpeechCallOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#models = new ModelSuccession(deps.openNext, options.script.instructions, (event) =>
      this.#guard(() => this.#follow(event)),
    );
    this.#speech = new ModelSpeech(options.line.playout);
    this.#heard = new RingReader(options.line.heard);
    this.#settings = overrideTurnSettings(USUAL_TURN_SETTINGS, options.settings);
    this.#timers = new NamedTimers(deps.clock);
  }

  get turnId(): number {
    return this.#turnId;
  }

  get finished(): Promise<void> {
    return this.#finish.promise;
  }

  /** Opens the first model. Rejects when none can be opened. */
  prepare(): Promise<void> {
    return this.#openModel();
  }

  notify(event: LineEvent): void {
    if (this.#isOver) return;
    this.#guard(() => {
      if (event.type === "answered") this.#answer();
      else if (event.type === "dtmf") this.#hearKey(event.key);
      else if (event.type === "transferProgress") this.#followTransfer(event.state, event.reason);
      else if (event.type === "audioMissing") this.#isAudioMissing = true;
      else if (event.type === "audioReturned") this.#isAudioMissing = false;
      else if (event.type === "ended") this.#loseLine();
    });
  }

  endPolitely(): void {
    if (this.#isOver || this.#phase.name === "leaving") return;
    const isReached = this.#phase.name !== "ringing" && this.#phase.name !== "transferring";
    if (!isReached) return this.hangUp();
    this.#stopSpeech();
    this.#leave({ type: "hang_up", reason: "agent_hangup" }, this.#options.script.farewell);
  }

  /** Ends it without a word. */
  hangUp(): void {
    if (!this.#isOver) this.#end("agent_hangup", true);
  }

  /** The conversation cannot continue. */
  fail(reason: string): void {
    if (this.#isOver) return;
    this.#noteIncident("conversation_failed", reason);
    this.#end("engine_error", true);
  }

  get #isOver(): boolean {
    return this.#phase.name === "over";
  }

  get #nowMs(): number {
    return durationMsOf(this.#heard.writtenPosition);
  }

  /** Nothing is being said, and nothing was asked for. */
  get #isQuiet(): boolean {
    return !this.#isReplying && this.#speech.isIdle;
  }

  #openModel(): Promise<void> {
    return this.#models.open(() => {
      this.#hearsFromMs = null;
    });
  }

  #follow(event: SpeechModelEvent): void {
    if (this.#isOver) return;
    this.#signMs = this.#nowMs;
    switch (event.type) {
      case "callee_started":
        return this.#calleeStarted(event.itemId, event.atMs);
      case "callee_stopped":
        return this.#calleeStopped(event.itemId, event.atMs);
      case "callee_said":
        return this.#calleeSaid(event.itemId, event.text);
      case "audio":
      case "text":
        return this.#speak(event);
      case "function_called":
        return void this.#call({ id: event.callId, name: event.name, input: event.input });
      case "reply_done":
        this.#speech.complete();
        this.#isReplying = false;
        if (event.failure) return this.#failReply(event.failure.message, event.failure.retryable);
        this.#failedReplies = 0;
        return;
      case "used":
        return;
      case "failed":
        return this.#replaceModel(event.error.message);
    }
  }

  #answer(): void {
    if (this.#phase.name !== "ringing") return;
    const nowMs = this.#nowMs;
    const { line, script, greeting } = this.#options;
    this.#heard.seek(this.#heard.writtenPosition);
    this.#answeredMs = nowMs;
    this.#silentMs = nowMs;
    this.#phase = { name: "hello", sinceMs: nowMs };
    this.#opening = script.begin((note) => this.#journal(note));
    if (this.#opening.mustHear !== null) this.#required.require(this.#opening.mustHear);
    this.#watch = new CalleeWatch(this.#deps, line, this.#settings, nowMs, (decision) =>
      this.#guard(() => this.#screen(decision)),
    );
    if (this.#deps.screening === null) this.#permitEffects();
    this.#leaveTick = this.#deps.tick.join(() => this.#guard(() => this.#look()));
    if (greeting === "immediate") this.#open();
  }

  /** The opening is requested. From now on the model replies to the callee by itself. */
  #open(): void {
    const opening = this.#opening;
    if (this.#phase.name !== "hello" || opening === null) return;
    this.#phase = { name: "talking" };
    this.#timers.set("identify", this.#settings.identifyAfterMs, () => this.#guard(() => this.#identify()));
    if (opening.text === null) return this.#reply("The callee has answered. Begin the conversation.");
    if (!opening.goesOn) return this.#sayExactly(opening.text);
    this.#reply(
      `The callee has answered. Say exactly this first, word for word: "${opening.text}" Then begin the conversation.`,
    );
  }

  /** The model is late: the callee hears who is calling instead of silence. */
  #identify(): void {
    const { identification } = this.#options.ownLines;
    if (this.#phase.name !== "talking" || !this.#speech.isIdle) return;
    this.#noteIncident(
      "speech_late",
      `the greeting was not ready ${this.#settings.identifyAfterMs} ms after the answer`,
    );
    void identification.then((line) => {
      if (line !== null && this.#phase.name === "talking" && this.#speech.isIdle) this.#playOwn("identification", line);
    });
  }

  #playOwn(id: string, { text, clip }: OwnLine): void {
    this.#turnId += 1;
    this.#speech.addText(`own:${id}`, this.#turnId, text);
    this.#speech.addAudio(`own:${id}`, this.#turnId, clip);
    this.#speech.complete();
  }

  #sayExactly(text: string): void {
    this.#reply(`Say exactly the following, word for word, and nothing else: ${text}`);
  }

  #reply(instructions: string): void {
    this.#isReplying = true;
    this.#signMs = this.#nowMs;
    this.#models.session?.reply(instructions);
  }

  #look(): void {
    this.#giveAudio();
    for (const item of this.#speech.look()) this.#noteSaid(item, false);
    this.#watchHello();
    this.#watchPermit();
    this.#watchBeep();
    this.#watchModel();
    this.#watchSilence();
    this.#remind();
    if (this.#phase.name === "leaving" && this.#isQuiet) this.#leaveSoon(this.#phase.next);
  }

  /** While there is no model, the audio waits in the ring. */
  #giveAudio(): void {
    const { name } = this.#phase;
    if (name !== "talking" && name !== "hello") return this.#heard.seek(this.#heard.writtenPosition);
    if (this.#models.session === null) return;
    for (;;) {
      const startMs = durationMsOf(this.#heard.position);
      if (!this.#heard.readFrame(this.#frame)) return;
      this.#hearsFromMs ??= startMs;
      this.#models.session.hear(this.#frame);
    }
  }

  #legMs(modelMs: number): number {
    return (this.#hearsFromMs ?? this.#answeredMs) + modelMs;
  }

  #speak(event: Extract<SpeechModelEvent, { type: "audio" | "text" }>): void {
    const { itemId } = event;
    const maySpeak = this.#phase.name === "talking" || this.#phase.name === "leaving";
    if (!maySpeak) this.#speech.drop(itemId);
    if (this.#speech.isDropped(itemId)) return;
    // The model replies to the callee by itself: more may come, and then it says that it is done.
    this.#isReplying = true;
    if (!this.#speech.isKnown(itemId)) this.#turnId += 1;
    if (event.type === "text") return this.#speech.addText(itemId, this.#turnId, event.text);
    this.#timers.cancel("identify");
    this.#noteTiming();
    this.#speech.addAudio(itemId, this.#turnId, event.samples);
  }

  /** How long the callee waited: from the end of their speech until the model's first audio. */
  #noteTiming(): void {
    if (this.#repliesTo === null) return;
    const totalMs = Math.max(1, Math.round(this.#nowMs - this.#repliesTo.endMs));
    this.#repliesTo = null;
    const none = { holdMs: 0, recognitionMs: 0, decisionMs: totalMs, firstAudioMs: 0, ducks: 0, undos: 0 };
    const stages = [{ stage: "model", ms: totalMs } as const];
    const timing = { ...none, turnId: this.#turnId, totalMs, stages, interruptions: this.#interruptions };
    this.#interruptions = 0;
    this.#options.journal.note({ type: "turn_timing", timing });
  }

  #noteSaid({ id, turnId, text, heardText, words, startMs, endMs }: HeardItem, wasInterrupted: boolean): void {
    if (startMs === null || endMs === null) return;
    this.#silentMs = this.#nowMs;
    this.#models.remember("agent", heardText);
    this.#options.journal.note({
      type: "agent_said",
      turnId,
      text,
      heardText,
      wasInterrupted,
      startMs,
      endMs,
      words,
    });
    if (id.startsWith("own:")) return;
    this.#required.hear(heardText);
  }

  /** What the law or the operator requires is said, whatever the model made of its instructions. */
  #remind(): void {
    if (this.#required.missing === null || this.#phase.name !== "talking" || this.#models.session === null) return;
    if (!this.#isQuiet || this.#watch?.isSpeaking === true) return;
    if (!this.#required.hasHeardAnything && this.#failedReplies === 0) return;
    const text = this.#required.remind();
    if (text !== null) this.#sayExactly(text);
    else this.#noteIncident("agent_failed", "the model did not say the disclosure word for word");
  }

  #calleeStarted(itemId: string, atMs: number): void {
    if (this.#callee.has(itemId)) return;
    this.#turnId += 1;
    const startMs = this.#legMs(atMs);
    this.#callee.set(itemId, { startMs, endMs: startMs, turnId: this.#turnId });
    this.#silentMs = this.#nowMs;
    this.#prompts = 0;
    this.#repliesTo = null;
    if (this.#phase.name !== "talking" || !this.#options.script.isInterruptible) return;
    if (!this.#speech.isIdle) this.#interruptions += 1;
    this.#stopSpeech();
    const { missing } = this.#required;
    if (missing === null) return;
    this.#models.session?.inform(
      `The callee has not heard this yet: "${missing}" Begin your next reply with exactly these words.`,
    );
  }

  #calleeStopped(itemId: string, atMs: number): void {
    const turn = this.#callee.get(itemId);
    if (!turn) return;
    turn.endMs = Math.max(turn.startMs, this.#legMs(atMs));
    this.#silentMs = this.#nowMs;
    if (this.#phase.name !== "talking") return;
    // Our own detector knows the end of speech without the pause by which the model noticed it.
    const spokeMs = this.#watch?.lastSpeechMs ?? turn.endMs;
    this.#repliesTo = { endMs: spokeMs > turn.startMs ? Math.min(spokeMs, turn.endMs) : turn.endMs };
  }

  #calleeSaid(itemId: string, said: string): void {
    const turn = this.#callee.get(itemId);
    const text = said.trim();
    if (!turn || text === "") return;
    this.#callee.delete(itemId);
    const { turnId, startMs } = turn;
    const endMs = Math.max(turn.endMs, startMs + 1);
    this.#options.journal.note({ type: "callee_said", turnId, text, startMs, endMs, words: [] });
    this.#models.remember("callee", text);
    this.#watch?.hearWords({ text, startMs, endMs });
    void this.#options.script.hear(text).then((step) =>
      this.#guard(() => {
        if (step === null || this.#isOver || this.#phase.name === "leaving") return;
        // The model may have begun to reply to it.
        this.#stopSpeech({ isForced: true });
        this.#take(step);
      }),
    );
  }

  /** Silence from the next frame on. The model and the journal keep what the callee heard. */
  #stopSpeech({ isForced = false } = {}): void {
    if (this.#isQuiet && !isForced) return;
    const heard = this.#speech.stop(this.#heardUntilMs);
    // Only the item that was being heard can be truncated; the model has nothing to forget of those before it.
    const ofModel = heard.filter(({ id }) => !id.startsWith("own:"));
    const current = ofModel.findLast(({ heardMs }) => heardMs > 0) ?? ofModel[0];
    const { heardMs = 0, heardText = "" } = current ?? {};
    this.#models.session?.interrupt(current?.id ?? null, { ms: Math.round(heardMs), text: heardText });
    for (const item of heard) this.#noteSaid(item, true);
    this.#isReplying = false;
  }

  get #heardUntilMs(): number {
    const { line } = this.#options;
    return heardUntilMs(this.#speech.positionMs, line.roundTripMs(), this.#settings.heardDelayMs);
  }

  async #call(request: FunctionRequest): Promise<void> {
    if (this.#calls.has(request.id)) return;
    this.#calls.add(request.id);
    const { session } = this.#models;
    const outcome = await this.#options.script.call(request);
    if (this.#isOver) return;
    this.#guard(() => {
      const isLast = outcome.say !== null || (outcome.next !== null && outcome.next.type !== "press");
      const isSame = this.#models.session === session;
      if (isSame) session?.answer(request.id, outcome.output, isLast);
      else this.#models.session?.inform(`The function ${request.name} has returned: ${JSON.stringify(outcome.output)}`);
      if (!isLast) {
        this.#isReplying = true;
        this.#signMs = this.#nowMs;
        if (!isSame) this.#reply("Go on with the conversation.");
      }
      this.#take(outcome);
    });
  }

  /** Does what follows in the script. */
  #take({ say, next }: ScriptStep): void {
    if (this.#isOver || this.#phase.name === "leaving") return;
    if (next?.type === "press") this.#press(next.keys);
    if (next !== null && next.type !== "press") return this.#leave(next, say);
    if (say !== null) this.#sayExactly(say);
  }

  #press(keys: string): void {
    const { line, journal } = this.#options;
    line.sendDtmf(keys);
    for (const key of keys) journal.note({ type: "dtmf", key, by: "agent", atMs: this.#nowMs });
  }

  #hearKey(key: string): void {
    this.#options.journal.note({ type: "dtmf", key, by: "callee", atMs: this.#nowMs });
    this.#watch?.hearKey();
    if (this.#phase.name === "hello") this.#open();
    else if (this.#phase.name === "talking") {
      this.#keys += key;
      this.#silentMs = this.#nowMs;
      this.#timers.set("keys", this.#settings.keysPauseMs, () => this.#guard(() => this.#replyToKeys()));
    }
  }

  #replyToKeys(): void {
    const keys = this.#keys;
    this.#keys = "";
    if (this.#phase.name !== "talking") return;
    this.#stopSpeech();
    this.#reply(`The callee pressed ${keys} on the keys of the telephone. Reply to that.`);
  }

  /** Ends or transfers the call once everything was heard. */
  #leave(next: Leaving, farewell: string | null): void {
    if (this.#isOver || this.#phase.name === "leaving") return;
    this.#phase = { name: "leaving", next };
    this.#isHangupDue = false;
    this.#timers.cancel("identify");
    this.#timers.cancel("hang_up");
    if (farewell !== null && this.#models.session !== null) this.#sayExactly(farewell);
    this.#timers.set("farewell", FAREWELL_WITHIN_MS, () => this.#guard(() => this.#carryOut(next)));
  }

  /** The last words are still in transit when they were sent. */
  #leaveSoon(next: Leaving): void {
    this.#timers.cancel("farewell");
    if (next.type === "transfer") return this.#carryOut(next);
    const { hangupTailMs } = this.#settings;
    if (this.#isHangupDue) return;
    this.#isHangupDue = true;
    this.#timers.set("hang_up", hangupTailMs, () => this.#guard(() => this.#carryOut(next)));
  }

  #carryOut(next: Leaving): void {
    this.#timers.cancel("farewell");
    if (this.#isOver) return;
    if (next.type === "hang_up") return this.#end(next.reason, true);
    this.#phase = { name: "transferring" };
    this.#timers.set("transfer", this.#settings.transferMaxMs, () =>
      this.#guard(() => this.#followTransfer("failed", "it took too long")),
    );
    this.#options.line.transfer(next.request);
  }

  #followTransfer(state: "trying" | "ringing" | "completed" | "failed", reason: string): void {
    if (this.#phase.name !== "transferring") return;
    if (state === "completed") return this.#end("transferred", false);
    if (state !== "failed") return;
    this.#timers.cancel("transfer");
    this.#phase = { name: "talking" };
    this.#silentMs = this.#nowMs;
    this.#options.journal.note({ type: "note", text: `The transfer failed: ${reason}`, atMs: this.#nowMs });
    void this.#options.script.failTransfer().then((step) =>
      this.#guard(() => {
        if (step.say !== null || step.next !== null) return this.#take(step);
        this.#reply("The call could not be transferred. Apologize, and ask how else you can help.");
      }),
    );
  }

  /** The callee's first words are over, or did not come. A callee who speaks for long is a machine that reads its greeting. */
  #watchHello(): void {
    if (this.#phase.name !== "hello") return;
    const { helloWaitMs, helloMaxMs } = this.#settings;
    const waitedMs = this.#nowMs - this.#phase.sinceMs;
    const hasSpoken = this.#watch?.hasSpoken === true;
    const isSpeaking = this.#watch?.isSpeaking === true;
    if (hasSpoken ? !isSpeaking || waitedMs >= helloMaxMs : waitedMs >= helloWaitMs && !isSpeaking) this.#open();
  }

  /** It is unknown who answered. Silence counts as a person; a speaker may still turn out to be a machine. */
  #watchPermit(): void {
    if (this.#mayAct || this.#watch === null || this.#phase.name === "awaiting_beep") return;
    if (this.#watch.quietMs(this.#answeredMs) >= this.#settings.permitSilenceMs) this.#permitEffects();
  }

  #permitEffects(): void {
    if (this.#mayAct) return;
    this.#mayAct = true;
    this.#options.script.permitEffects();
  }

  #screen(decision: ScreeningDecision): void {
    const { name } = this.#phase;
    if (decision.type === "beep") {
      const isFirst = this.#beepMs === null;
      this.#beepMs = decision.atMs;
      if (name === "awaiting_beep") return this.#leaveMessage();
      if (this.#phase.name === "leaving" && isFirst) this.#beginMessageAgain(this.#phase.next);
      return;
    }
    if (name === "leaving" || name === "transferring" || name === "over") return;
    if (decision.type === "unreachable") return this.#end("unreachable", true);
    const { kind, reason } = decision;
    if (kind === this.#answeredBy) return;
    this.#answeredBy = kind;
    const { journal } = this.#options;
    journal.note({ type: "answered_by", kind, atMs: this.#nowMs });
    journal.note({ type: "note", text: `answered by ${kind}: ${reason}`, atMs: this.#nowMs });
    if (kind === "fax") return this.#end("fax", true);
    if (kind === "voicemail") return this.#meetVoicemail();
    this.#permitEffects();
    if (kind === "ivr" || kind === "screening") return this.#meetMenu(kind);
    if (this.#phase.name !== "awaiting_beep") return;
    this.#phase = { name: "talking" };
    this.#reply("A person has picked up after all. Greet them, and begin the conversation.");
  }

  #meetVoicemail(): void {
    const { action } = this.#options.voicemail;
    if (action === "hang_up") return this.#end("voicemail_hangup", true);
    if (action === "continue") return this.#permitEffects();
    this.#stopSpeech();
    this.#timers.cancel("identify");
    this.#phase = { name: "awaiting_beep", sinceMs: this.#nowMs };
    const hasBeeped = this.#beepMs !== null && this.#nowMs - this.#beepMs <= BEEP_MEMORY_MS;
    if (hasBeeped) this.#leaveMessage();
  }

  /** A voicemail without a tone records when it has been quiet for a while. */
  #watchBeep(): void {
    if (this.#phase.name !== "awaiting_beep") return;
    const { sinceMs } = this.#phase;
    const { beepMaxMs, beepSilenceMs } = this.#settings;
    const isQuiet = (this.#watch?.quietMs(sinceMs) ?? 0) >= beepSilenceMs;
    if (isQuiet || this.#nowMs - sinceMs >= beepMaxMs) this.#leaveMessage();
  }

  #leaveMessage(): void {
    if (this.#phase.name !== "awaiting_beep") return;
    const { message } = this.#options.voicemail;
    const next = { type: "hang_up", reason: "voicemail_left" } as const;
    // It may be replying to the greeting that it heard.
    this.#stopSpeech({ isForced: true });
    if (message !== null) return this.#leave(next, message);
    this.#phase = { name: "leaving", next };
    this.#isReplying = true;
    void this.#options.script.meetMachine("voicemail").then((step) =>
      this.#guard(() => {
        if (this.#isOver) return;
        this.#isReplying = false;
        if (step.say === null) return this.#end("voicemail_hangup", true);
        this.#phase = { name: "talking" };
        this.#leave(next, step.say);
      }),
    );
  }

  /** The message had started without a tone, and only what comes after the tone is recorded. */
  #beginMessageAgain(next: Leaving): void {
    const { message } = this.#options.voicemail;
    if (next.type !== "hang_up" || next.reason !== "voicemail_left" || message === null) return;
    this.#stopSpeech();
    this.#phase = { name: "talking" };
    this.#leave(next, message);
  }

  #meetMenu(kind: "ivr" | "screening"): void {
    this.#stopSpeech();
    if (this.#phase.name === "hello") this.#phase = { name: "talking" };
    void this.#options.script.meetMachine(kind).then((step) =>
      this.#guard(() => {
        if (step.say !== null || step.next !== null) return this.#take(step);
        this.#models.session?.inform("A phone menu has answered, and not a person. Wait until a person speaks to you.");
      }),
    );
  }

  /** Asks a silent callee whether they are still there, and hangs up in the end. */
  #watchSilence(): void {
    if (this.#phase.name !== "talking" || !this.#isQuiet || this.#models.session === null) return;
    if (this.#watch?.isSpeaking === true) this.#silentMs = this.#nowMs;
    const { script } = this.#options;
    const { silencePromptMs, silenceLimitMs, silencePromptsCount } = this.#settings;
    const silentMs = this.#nowMs - this.#silentMs;
    const limitMs = silenceLimitMs - (this.#prompts > 0 ? silencePromptMs : 0);
    if (silentMs >= limitMs) return this.#end(this.#isAudioMissing ? "no_audio" : "silence", true);
    const prompt = script.silencePrompts[Math.min(this.#prompts, script.silencePrompts.length - 1)];
    if (silentMs < silencePromptMs || this.#prompts >= silencePromptsCount || prompt === undefined) return;
    this.#prompts += 1;
    this.#sayExactly(prompt);
  }

  /** A model that was asked to reply, or should by itself, and does not. */
  #watchModel(): void {
    if (this.#models.session === null || this.#phase.name === "ringing" || !this.#speech.isIdle) return;
    const isLate = this.#nowMs - this.#signMs >= REPLY_WITHIN_MS;
    if (this.#isReplying && isLate && this.#phase.name === "talking") {
      return this.#replaceModel(`${this.#models.name} did not reply within ${REPLY_WITHIN_MS / 1_000} seconds.`);
    }
    if (this.#repliesTo === null || !isLate || this.#phase.name !== "talking") return;
    this.#repliesTo = null;
    this.#reply("The callee has said something and waits for your reply.");
  }

  #failReply(reason: string, isRetryable: boolean): void {
    this.#failedReplies += 1;
    if (!isRetryable || this.#failedReplies > 1) return this.#replaceModel(reason);
    this.#noteIncident("model_failed", reason);
    if (this.#phase.name === "talking") this.#reply("Your last reply was lost. Reply to the callee.");
  }

  /**
   * The model is gone: the next one continues, with what was said so far. Without one, the callee hears an apology by another
   * voice, and the call ends as what it is: a failure of the service.
   */
  #replaceModel(reason: string): void {
    const wasReplying = this.#isReplying || !this.#speech.isIdle || this.#repliesTo !== null;
    this.#models.close();
    this.#failedReplies = 0;
    for (const item of this.#speech.stop(this.#heardUntilMs)) this.#noteSaid(item, true);
    this.#isReplying = false;
    if (this.#phase.name === "ringing" || this.#phase.name === "transferring") return this.#reopen(reason, false);
    if (this.#phase.name !== "leaving") return this.#reopen(reason, wasReplying);
    // Whatever was to be said last, it is over.
    this.#noteIncident("model_failed", reason);
  }

  #reopen(reason: string, wasReplying: boolean): void {
    void this.#openModel().then(
      () =>
        this.#guard(() => {
          if (this.#isOver) return;
          this.#isReplying = false;
          this.#noteIncident("model_failed", `${withoutStop(reason)}; ${this.#models.name} has taken over`);
          this.#silentMs = this.#nowMs;
          if (this.#phase.name !== "talking") return;
          if (!this.#models.hasHistory && this.#opening?.text) return this.#sayExactly(this.#opening.text);
          if (wasReplying) this.#reply("Apologize for the interruption in a few words, and go on where the call was.");
        }),
      (error: unknown) =>
        this.#guard(() => {
          if (this.#isOver) return;
          this.#noteIncident("model_failed", `${withoutStop(reason)}; ${reasonOf(error)}`);
          if (this.#phase.name !== "leaving") this.#apologize();
        }),
    );
  }

  #apologize(): void {
    if (this.#phase.name === "ringing") return this.#end("engine_error", true);
    const next = { type: "hang_up", reason: "engine_error" } as const;
    this.#phase = { name: "leaving", next };
    this.#timers.cancelAll();
    this.#isReplying = true;
    this.#timers.set("farewell", FAREWELL_WITHIN_MS, () => this.#guard(() => this.#carryOut(next)));
    void this.#options.ownLines.apology.then((line) =>
      this.#guard(() => {
        if (this.#isOver) return;
        this.#isReplying = false;
        if (line !== null) this.#playOwn("apology", line);
      }),
    );
  }

  #journal(note: ScriptNote): void {
    const { journal } = this.#options;
    const atMs = this.#nowMs;
    if (note.type === "decided") journal.note({ ...note, turnId: this.#turnId, atMs });
    else if (note.type === "collected" || note.type === "suppress") journal.note(note);
    else journal.note({ ...note, atMs });
  }

  #noteIncident(what: "model_failed" | "speech_late" | "agent_failed" | "conversation_failed", reason: string): void {
    this.#options.journal.note({ type: "incident", what, reason, atMs: this.#nowMs, turnId: this.#turnId });
  }

  /** A bug ends this call, and no other. */
  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.fail(reasonOf(error));
    }
  }

  /** Completed speech counts, whichever side then hung up first. */
  #loseLine(): void {
    const phase = this.#phase;
    const isSaid = phase.name === "leaving" && phase.next.type === "hang_up" && this.#isQuiet;
    this.#end(isSaid ? phase.next.reason : "callee_hangup", false);
  }

  #end(reason: ConversationEnd, hangsUp: boolean): void {
    if (this.#isOver) return;
    for (const item of this.#speech.stop(this.#heardUntilMs)) this.#noteSaid(item, true);
    this.#phase = { name: "over" };
    this.#leaveTick();
    this.#timers.cancelAll();
    this.#watch?.stop();
    this.#models.close();
    const { journal, line } = this.#options;
    if (NO_PERSON.has(reason)) journal.note({ type: "answers_withdrawn", collected: {} });
    journal.note({ type: "over", reason });
    if (hangsUp) line.hangup();
    this.#finish.resolve();
  }
}

/** A tone this shortly before the voicemail was recognized was the one to wait for. */
const BEEP_MEMORY_MS = 3_000;

/** No person was reached: values saved so far came from a machine or are irrelevant. */
const NO_PERSON: ReadonlySet<ConversationEnd> = new Set(["voicemail_hangup", "voicemail_left", "fax", "unreachable"]);

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, "");
}
