import { samplesIn, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import type { JournalEntry } from "../ports/conversation-journal.ts";
import type { LineEvent } from "../ports/line.ts";
import { reasonOf } from "../ports/provider-error.ts";
import type { RecognitionStream } from "../ports/speech-recognizer.ts";
import type { ActivityWindow } from "../ports/voice-activity-detector.ts";
import type { Conversation, ConversationOptions } from "../ports/voice-engine.ts";
import { isEcho } from "../turns/echo/echo-guard.ts";
import { beginConversation } from "../turns/open-call.ts";
import type { Step } from "../turns/step.ts";
import type { TurnEffect } from "../turns/turn-effects.ts";
import type { TurnEvent, UntimedTurnEvent, WindowJudged } from "../turns/turn-events.ts";
import { stepTurn } from "../turns/turn-machine.ts";
import { overrideTurnSettings, USUAL_TURN_SETTINGS } from "../turns/turn-settings.ts";
import { type TurnPlan, type TurnState, turnInProgress } from "../turns/turn-state.ts";
import { CallScope } from "./call-scope.ts";
import { type CallIncident, type CallTools, type CascadeDeps, openCallTools } from "./call-tools.ts";
import { Mailbox } from "./mailbox.ts";
import { performEffect } from "./perform-effect.ts";
import type { SharedTick } from "./shared-tick.ts";
import { TurnRecorder } from "./turn-recording.ts";

/** Far more than a conversation ever queues: a limit against bugs, not against load. */
const EVENTS_QUEUED_MAX = 1_000;
/** Speech detection that is this far behind the line has failed. */
const HEARING_LOST_MS = 3_000;
/** How long replies in progress may take to stop after the end of the call. */
const SETTLE_MS = 2_000;
/** How often recognition in another language is tried, at most once in a turn. A vendor that refuses it three times will refuse it again. */
const LANGUAGE_TRIES_MAX = 3;

/** The only effects allowed before the answer: rendering, timers, and giving up. */
const BEFORE_THE_ANSWER: ReadonlySet<TurnEffect["type"]> = new Set<TurnEffect["type"]>([
  "opening.prepare",
  "timer.set",
  "timer.cancel",
  "journal.note",
  "line.hangup",
  "incident",
]);

/** One conversation: its mailbox, its state, and the components that carry out the machine's decisions. */
export class CascadeConversation implements Conversation {
  readonly #deps: CascadeDeps;
  readonly #options: ConversationOptions;
  readonly #tick: SharedTick;
  readonly #scope: CallScope;
  readonly #tools: CallTools;
  readonly #mailbox: Mailbox<TurnEvent>;
  readonly #recorder: TurnRecorder | null;
  readonly #opening = Promise.withResolvers<void>();
  readonly #finish = Promise.withResolvers<void>();
  #state: TurnState;
  /** The language of recognition, or of the one that is being opened. */
  #recognized: string | null = null;
  #stream: RecognitionStream | null = null;
  /** The language of the stream in use. */
  #streamLanguage: string | null = null;
  /** How often recognition could not be opened, by language. */
  readonly #languageFailures = new Map<string, number>();
  #openings = 0;
  #isAnswered = false;
  #judgedMs = 0;
  #hasHearing = true;

  constructor(deps: CascadeDeps, options: ConversationOptions, tick: SharedTick) {
    const plan: TurnPlan = {
      greeting: options.greeting,
      voicemail: options.voicemail,
      isScreened: deps.screening !== null,
      settings: overrideTurnSettings(USUAL_TURN_SETTINGS, options.settings),
    };
    this.#deps = deps;
    this.#options = options;
    this.#tick = tick;
    this.#recorder = deps.record === null ? null : new TurnRecorder(options.callId, plan);
    this.#scope = new CallScope((error) => this.#report("release_failed", error));
    this.#mailbox = new Mailbox({
      capacity: EVENTS_QUEUED_MAX,
      read: (event) => this.#follow(event),
      onOverflow: () => this.#breakOff(new Error("more events were waiting than the conversation can follow")),
    });
    this.#scope.hold(() => this.#mailbox.close());
    this.#tools = openCallTools(
      deps,
      { ...options, journal: { note: (entry) => options.journal.note(this.#inTurn(entry)) } },
      this.#scope,
      (event) => this.#post(event),
      (error) => (error === null ? this.#opening.resolve() : this.#opening.reject(error)),
    );
    void this.#tools.identification?.prepare();
    // After the first words of the call, which are more urgent.
    const prepareMoment = () => void this.#tools.moment?.prepare();
    this.#opening.promise.then(prepareMoment, prepareMoment);
    // It may fail after the caller has stopped waiting: the opening is then rendered after the answer.
    this.#opening.promise.catch(() => undefined);
    const begun = beginConversation(plan);
    this.#state = begun[0];
    this.#apply(begun);
  }

  get finished(): Promise<void> {
    return this.#finish.promise;
  }

  /** Settles when the first clause is ready or cannot be rendered. */
  get openingReady(): Promise<void> {
    return this.#opening.promise;
  }

  get turnId(): number {
    return turnInProgress(this.#state);
  }

  get isOver(): boolean {
    return this.#scope.isClosed;
  }

  /** Opens recognition in a language. What is in use hears the callee until then. Rejects if it is unavailable. */
  async openRecognition(language: string = this.#options.language): Promise<void> {
    this.#recognized = language;
    const opening = ++this.#openings;
    const { recognizer } = this.#options.inOtherLanguages?.get(language) ?? this.#deps;
    let opened: RecognitionStream | null = null;
    const isUsed = () => opened !== null && opened === this.#stream;
    /** Why those failed that were tried before the one that opened. */
    const failures: string[] = [];
    opened = await recognizer.open({
      language,
      sampleRateHz: TELEPHONE_RATE_HZ,
      terms: this.#options.terms ?? [],
      onEvent: (event) => {
        if (isUsed() && !this.isOver) this.#guard(() => this.#tools.listener.hear(event));
      },
      onReplaced: ({ recognizer: name, reason }) => {
        const change = `${reason}; ${name} has taken over`;
        if (isUsed()) this.#post({ type: "recognition.replaced", reason: change });
        else if (opened === null) failures.push(change);
      },
    });
    // The language may have changed again.
    if (opening !== this.#openings) return opened.close();
    this.#stream = opened;
    this.#streamLanguage = language;
    this.#tools.listener.use(opened);
    for (const reason of failures) this.#post({ type: "recognition.replaced", reason });
  }

  /** The callee is expected to speak this language. If recognition in it cannot be opened, it is tried again when that is expected again. */
  #recognizeIn(language: string): void {
    if (language === this.#recognized) return;
    const failures = this.#languageFailures.get(language) ?? 0;
    if (failures >= LANGUAGE_TRIES_MAX) return;
    if (language === this.#streamLanguage) {
      // Nothing that is still being opened is needed.
      this.#openings += 1;
      this.#recognized = language;
      return;
    }
    const opened = this.openRecognition(language);
    const opening = this.#openings;
    opened.catch((error: unknown) => {
      // What was opened for a language that the call has left since is nothing to report.
      if (this.isOver || opening !== this.#openings) return;
      this.#recognized = this.#streamLanguage;
      this.#languageFailures.set(language, failures + 1);
      const reason = `recognition in ${language}: ${reasonOf(error)}`;
      const atMs = this.#tools.time.nowMs();
      this.#options.journal.note({ type: "incident", what: "recognition_failed", reason, atMs, turnId: this.turnId });
    });
  }

  notify(event: LineEvent): void {
    if (this.isOver) return;
    if (event.type === "answered") {
      this.#isAnswered = true;
      this.#listen();
    }
    if (event.type === "dtmf") this.#tools.screening?.hearKey(this.#tools.time.nowMs());
    this.#post(toTurnEvent(event));
  }

  endPolitely(): void {
    this.#post({ type: "service.ends", farewell: this.#options.brain.farewell() });
  }

  /** Ends it without a word. */
  hangUp(): void {
    this.#post({ type: "service.ends", farewell: null });
  }

  /** The conversation cannot continue. */
  fail(reason: string): void {
    this.#post({ type: "engine.failed", reason });
  }

  #listen(): void {
    if (this.#state.at.phase !== "ringing") return;
    const { line } = this.#options;
    const { vad, screening } = this.#deps;
    this.#judgedMs = this.#tools.time.nowMs();
    this.#tools.listener.start(samplesIn(this.#judgedMs));
    this.#scope.hold(this.#tick.join(() => this.#look()));
    if (screening !== null) {
      const watch = screening.watch(line.heard, (decision) => this.#post({ type: "screening.decided", decision }));
      this.#tools.screening = watch;
      this.#scope.hold(() => watch.stop());
    }
    this.#scope.hold(vad.watch(line.heard, (windows) => this.#hear(windows)));
  }

  #hear(windows: readonly ActivityWindow[]): void {
    if (this.isOver) return;
    for (const window of windows) {
      const judged = this.#tools.windows.judge(window);
      this.#judgedMs = judged.endMs;
      this.#tools.listener.follow(window.endPosition);
      this.#tools.screening?.hearWindow({
        endMs: judged.endMs,
        durationMs: judged.durationMs,
        isSpeech: this.#isCalleeSpeech(judged),
      });
      this.#post(judged);
    }
  }

  #isCalleeSpeech({ probability, echo, levelDbfs }: WindowJudged): boolean {
    const { settings } = this.#state;
    return probability >= settings.speechStartProbability && !isEcho(echo, levelDbfs, settings);
  }

  /** Passes on what was heard, and updates the playback state of the audio given to the line. */
  #look(): void {
    this.#guard(() => {
      this.#tools.listener.listen();
      this.#tools.playout.look();
      this.#tools.identification?.look();
      this.#tools.moment?.look();
      this.#tools.replies.look();
      this.#watchHearing();
    });
  }

  /** A callee who cannot be heard is prompted, and hung up on, like a silent one; but the end is not reported as silence. */
  #watchHearing(): void {
    const isHeard = this.#tools.time.nowMs() - this.#judgedMs < HEARING_LOST_MS;
    if (isHeard === this.#hasHearing) return;
    this.#hasHearing = isHeard;
    this.#post(isHeard ? { type: "hearing.returned" } : { type: "hearing.lost", sinceMs: this.#judgedMs });
  }

  #post(event: UntimedTurnEvent): void {
    if (this.isOver) return;
    this.#mailbox.post({ ...event, atMs: this.#tools.time.nowMs() });
  }

  #follow(event: TurnEvent): void {
    this.#recorder?.note(event);
    if (event.type === "brain.expects") this.#recognizeIn(event.expectation.language ?? this.#options.language);
    this.#guard(() => this.#apply(stepTurn(this.#state, event)));
  }

  #apply([state, effects]: Step): void {
    this.#state = state;
    for (const effect of effects) {
      if (this.isOver) return;
      if (!this.#isAnswered && !BEFORE_THE_ANSWER.has(effect.type)) {
        throw new Error(`${effect.type} before the callee has answered`);
      }
      performEffect(effect, {
        tools: this.#tools,
        settings: state.settings,
        onTimer: (timer, dueMs) => this.#post({ type: "timer.fired", timer, dueMs }),
      });
    }
    if (state.at.phase === "ended") this.#close();
  }

  /** Components that report an incident themselves do not know the turn. */
  #inTurn(entry: JournalEntry): JournalEntry {
    return entry.type === "incident" ? { turnId: this.turnId, ...entry } : entry;
  }

  /** A bug ends this call, and no other. */
  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#breakOff(error);
    }
  }

  #breakOff(error: unknown): void {
    if (this.isOver) return;
    const nowMs = this.#tools.time.nowMs();
    try {
      this.#apply(stepTurn(this.#state, { type: "engine.failed", reason: reasonOf(error), atMs: nowMs }));
    } catch (again) {
      this.#report("broken", again);
      this.#close();
    }
  }

  #report(what: CallIncident["what"], error: unknown): void {
    this.#deps.onIncident({ callId: this.#options.callId, what, reason: reasonOf(error) });
  }

  #close(): void {
    if (this.isOver) return;
    this.#scope.close();
    this.#opening.reject(new Error("the call is over"));
    if (this.#recorder !== null) this.#deps.record?.(this.#recorder.finish());
    const cancel = this.#deps.clock.setTimer(SETTLE_MS, () => {
      this.#report("slow_end", "a reply went on after the call was over");
      this.#finish.resolve();
    });
    void this.#tools.replies.settled().then(() => {
      cancel();
      this.#finish.resolve();
    });
  }
}

/** Translates a line event into an event of the machine. */
function toTurnEvent(event: LineEvent): UntimedTurnEvent {
  switch (event.type) {
    case "answered":
      return { type: "line.answered" };
    case "dtmf":
      return { type: "line.key_pressed", key: event.key };
    case "audio_missing":
      return { type: "line.audio_missing" };
    case "audio_returned":
      return { type: "line.audio_returned" };
    case "not_heard":
      return { type: "line.not_heard", wasHeard: event.wasHeard, forMs: event.forMs };
    case "heard_again":
      return { type: "line.heard_again" };
    case "transfer_progressed":
      return { type: "line.transfer_progressed", state: event.state, reason: event.reason };
    case "ended":
      return { type: "line.ended" };
  }
}
