import type { Clock } from "@parley/time/clock";
import { NamedTimers } from "@parley/time/named-timers";
import type { ConversationEnd } from "../../ports/conversation-journal.ts";
import type { LineEvent } from "../../ports/line.ts";
import { reasonOf } from "../../ports/provider-error.ts";
import type { FunctionRequest, OwnLines, SpeechModelEvent, SpeechScript } from "../../ports/speech-model.ts";
import type { Conversation, ConversationOptions } from "../../ports/voice-engine.ts";
import { overrideTurnSettings, type TurnSettings, USUAL_TURN_SETTINGS } from "../../turns/turn-settings.ts";
import { Mailbox } from "../mailbox.ts";
import type { SharedTick } from "../shared-tick.ts";
import { AgentSpeech } from "./agent-speech.ts";
import { CalleeTurns } from "./callee-turns.ts";
import { CalleeWatch, type CalleeWatchDeps } from "./callee-watch.ts";
import { stepSpeech } from "./decisions/speech-machine.ts";
import { ringing, type Seen, type SpeechState } from "./decisions/speech-state.ts";
import type { SpeechEffect, SpeechEvent, SpeechTimer } from "./decisions/speech-step.ts";
import { ModelSuccession, type OpenNextModel } from "./model-succession.ts";
import { SpeechJournal } from "./speech-journal.ts";

export type SpeechCallOptions = Pick<
  ConversationOptions,
  "callId" | "line" | "journal" | "greeting" | "voicemail" | "settings"
> & {
  readonly script: SpeechScript;
  /** Sentences in another voice and in this language, a BCP 47 tag, for when the model is silent or gone. */
  readonly ownLines: (language: string) => OwnLines;
};

interface ConversationDeps extends CalleeWatchDeps {
  readonly clock: Clock;
  readonly tick: SharedTick;
  readonly openNext: OpenNextModel;
}

/** What the model and the keys report concerns other components too, before it is an event for the machine. */
type Input =
  | SpeechEvent
  | { readonly type: "model.reported"; readonly event: SpeechModelEvent }
  | { readonly type: "key.reported"; readonly key: string };

/** Far more than a conversation ever queues: a limit against bugs, not against load. */
const INPUTS_QUEUED_MAX = 1_000;

/** One conversation: its mailbox, its state, and the components that carry out the decisions of the machine. */
export class SpeechConversation implements Conversation {
  readonly #deps: ConversationDeps;
  readonly #options: SpeechCallOptions;
  readonly #settings: TurnSettings;
  readonly #mailbox: Mailbox<Input>;
  readonly #journal: SpeechJournal;
  readonly #models: ModelSuccession;
  readonly #agent: AgentSpeech;
  readonly #callee: CalleeTurns;
  readonly #timers: NamedTimers<SpeechTimer>;
  readonly #finish = Promise.withResolvers<void>();
  /** Functions that were called. Some models repeat a call. */
  readonly #calls = new Set<string>();
  #state: SpeechState;
  #watch: CalleeWatch | null = null;
  #leaveTick: () => void = () => undefined;
  #modelSignMs = 0;
  #runningCalls = 0;
  #hasEnded = false;

  constructor(deps: ConversationDeps, options: SpeechCallOptions) {
    const { script, line, greeting, voicemail } = options;
    this.#deps = deps;
    this.#options = options;
    this.#settings = overrideTurnSettings(USUAL_TURN_SETTINGS, options.settings);
    this.#mailbox = new Mailbox({
      capacity: INPUTS_QUEUED_MAX,
      read: (input) => this.#read(input),
      onOverflow: () => this.#breakOff(new Error("more events were waiting than the conversation can follow")),
    });
    this.#journal = new SpeechJournal(options.journal, line);
    this.#models = new ModelSuccession(
      deps.openNext,
      () => script.instructions,
      (event) => this.#post({ type: "model.reported", event }),
    );
    this.#agent = new AgentSpeech(line, this.#journal, this.#models, this.#settings.heardDelayMs);
    this.#callee = new CalleeTurns(line, this.#journal);
    this.#timers = new NamedTimers(deps.clock);
    const isScreened = deps.screening !== null;
    this.#state = ringing({ greeting, voicemail, script, isScreened, settings: this.#settings }, this.#see());
  }

  get turnId(): number {
    return this.#journal.turnId;
  }

  get finished(): Promise<void> {
    return this.#finish.promise;
  }

  /** Opens the first model. Rejects when none can be opened. */
  prepare(): Promise<void> {
    return this.#openModel();
  }

  notify(event: LineEvent): void {
    if (event.type === "answered") this.#post({ type: "line.answered" });
    else if (event.type === "dtmf") this.#post({ type: "key.reported", key: event.key });
    else if (event.type === "transfer_progressed") this.#post({ ...event, type: "line.transfer_progressed" });
    else if (event.type === "audio_missing") this.#post({ type: "line.audio_missing" });
    else if (event.type === "audio_returned") this.#post({ type: "line.audio_returned" });
    else if (event.type === "ended") this.#post({ type: "line.ended" });
  }

  endPolitely(): void {
    this.#post({ type: "service.ends", isPolite: true });
  }

  /** Ends it without a word. */
  hangUp(): void {
    this.#post({ type: "service.ends", isPolite: false });
  }

  /** The conversation cannot continue. */
  fail(reason: string): void {
    this.#post({ type: "engine.failed", reason });
  }

  #openModel(): Promise<void> {
    return this.#models.open((failures) => {
      this.#callee.restart();
      for (const reason of failures) {
        this.#journal.noteIncident(
          "model_failed",
          `${reason.replace(/\.$/, "")}; ${this.#models.name} was used instead`,
        );
      }
    });
  }

  get #isOver(): boolean {
    return this.#state.at.phase === "over";
  }

  #post(input: Input): void {
    if (!this.#isOver) this.#mailbox.post(input);
  }

  /** A bug ends this call, and no other. */
  #read(input: Input): void {
    if (this.#isOver) return;
    try {
      if (input.type === "model.reported") return this.#follow(input.event);
      if (input.type === "key.reported") return this.#hearKey(input.key);
      if (input.type === "ticked") this.#look();
      this.#step(input);
    } catch (error) {
      this.#breakOff(error);
    }
  }

  #breakOff(error: unknown): void {
    if (!this.#isOver) return this.#step({ type: "engine.failed", reason: reasonOf(error) });
    // It failed while it ended: the rest of that is still done.
    this.#end("engine_error", true);
  }

  #step(event: SpeechEvent): void {
    const [state, effects] = stepSpeech({ ...this.#state, seen: this.#see() }, event);
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
  }

  #see(): Seen {
    const { requiredWords: words } = this.#agent;
    return {
      nowMs: this.#journal.nowMs,
      isAudible: this.#agent.isAudible,
      agentSaidMs: this.#agent.lastSaidMs,
      agentSoundMs: this.#agent.soundMs,
      modelSoundMs: this.#agent.modelSoundMs,
      hasModel: this.#models.session !== null,
      modelName: this.#models.name,
      modelSignMs: this.#modelSignMs,
      isFunctionRunning: this.#runningCalls > 0,
      callee: this.#watch?.activity ?? null,
      requiredWords: {
        missing: words.missing,
        isAnythingHeard: words.hasHeardAnything,
        mayRemind: words.mayRemind,
      },
    };
  }

  /** Gives the callee's audio to the model, and notes what was heard of the agent. */
  #look(): void {
    const { phase } = this.#state.at;
    if (phase !== "talking" && phase !== "hello") this.#callee.skip();
    // While there is no model, the audio waits in the ring.
    else if (this.#models.session !== null) this.#callee.give(this.#models.session);
    this.#agent.look();
  }

  #hearKey(key: string): void {
    this.#journal.note({ type: "dtmf", key, by: "callee", atMs: this.#journal.nowMs });
    // What the key says about who answered is decided before it is acted on.
    this.#watch?.hearKey();
    this.#post({ type: "line.key_pressed", key });
  }

  #follow(event: SpeechModelEvent): void {
    this.#modelSignMs = this.#journal.nowMs;
    switch (event.type) {
      case "callee_started":
        if (this.#callee.start(event.itemId, event.atMs)) this.#step({ type: "callee.started" });
        return;
      case "callee_stopped": {
        const endMs = this.#callee.stop(event.itemId, event.atMs, this.#watch?.lastSpeechMs ?? null);
        if (endMs !== null) this.#step({ type: "callee.stopped", endMs });
        return;
      }
      case "callee_said": {
        const said = this.#callee.finish(event.itemId, event.text);
        if (said === null) return;
        this.#models.remember("callee", said.text);
        // What the words say about who answered is decided before the script hears them.
        this.#watch?.hearWords(said);
        return this.#post({ type: "callee.said", text: said.text });
      }
      case "audio":
      case "text":
        return this.#step({ type: "model.spoke", speech: event, wasStopped: this.#agent.isDropped(event.itemId) });
      case "function_called":
        return void this.#call({ id: event.callId, name: event.name, input: event.input });
      case "reply_done":
        return this.#step({ type: "model.replied", failure: event.failure });
      case "used":
        return;
      case "failed":
        return this.#step({ type: "model.lost", reason: event.error.message });
    }
  }

  async #call(request: FunctionRequest): Promise<void> {
    if (this.#calls.has(request.id)) return;
    this.#calls.add(request.id);
    const { session } = this.#models;
    const { script } = this.#options;
    const { language } = script;
    this.#runningCalls += 1;
    const outcome = await script.call(request);
    this.#runningCalls -= 1;
    if (script.language !== language) {
      this.#models.session?.changeLanguage(script.language, script.instructions);
      // They take a while to be made.
      this.#options.ownLines(script.language);
    }
    const isCallerPresent = this.#models.session === session;
    this.#post({ type: "function.returned", request, outcome, isCallerPresent });
  }

  #begin(): void {
    const { line, script } = this.#options;
    this.#callee.begin();
    const opening = script.begin((note) => this.#journal.noteScript(note));
    this.#watch = new CalleeWatch(this.#deps, line, this.#settings, this.#journal.nowMs, (decision) =>
      this.#post({ type: "screening.decided", decision }),
    );
    this.#leaveTick = this.#deps.tick.join(() => this.#post({ type: "ticked" }));
    this.#post({ type: "script.begun", opening });
  }

  #replaceModel({ reason, wasReplying }: Extract<SpeechEffect, { type: "model.replace" }>): void {
    void this.#openModel().then(
      () => this.#post({ type: "model.replaced", reason, wasReplying, knowsHistory: this.#models.hasHistory }),
      (error: unknown) => this.#post({ type: "model.not_replaced", reason, cause: reasonOf(error) }),
    );
  }

  #end(reason: ConversationEnd, hangsUp: boolean): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#mailbox.close();
    this.#leaveTick();
    this.#timers.cancelAll();
    this.#watch?.stop();
    this.#journal.note({ type: "over", reason });
    if (hangsUp) this.#options.line.hangup();
    this.#finish.resolve();
  }

  /** Starts everything and waits for nothing. */
  #perform(effect: SpeechEffect): void {
    const { line, script, ownLines } = this.#options;
    const { session } = this.#models;
    switch (effect.type) {
      case "call.begin":
        return this.#begin();
      case "call.end":
        return this.#end(effect.reason, effect.hangsUp);
      case "model.reply":
        return session?.reply(effect.instructions);
      case "model.remind":
        return session?.remind(effect.instructions);
      case "model.inform":
        return session?.inform(effect.text);
      case "model.answer":
        return session?.answer(effect.callId, effect.output, effect.isLast);
      case "model.close":
        return this.#models.close(effect.why);
      case "model.replace":
        return this.#replaceModel(effect);
      case "speech.add":
        return this.#agent.add(effect.speech);
      case "speech.drop":
        return this.#agent.drop(effect.itemId);
      case "speech.complete":
        return this.#agent.complete();
      case "speech.stop":
        return this.#agent.stop();
      case "speech.stop_model":
        return this.#agent.stopModel();
      case "own_line.fetch": {
        const { name } = effect;
        const fetching = ownLines(script.language)[name];
        return void fetching.then((ownLine) => this.#post({ type: "own_line.ready", name, line: ownLine }));
      }
      case "own_line.play":
        return this.#agent.playOwn(effect.name, effect.line);
      case "required_words.set":
        return this.#agent.requiredWords.require(effect.text);
      case "required_words.count_reminder":
        return this.#agent.requiredWords.countReminder();
      case "required_words.inform":
        return this.#agent.informOfRequiredWords();
      case "required_words.give_up":
        return this.#agent.requiredWords.giveUp();
      case "script.permit_effects":
        return script.permitEffects();
      case "script.hear":
        return void script.hear(effect.text).then((step) => {
          if (step !== null) this.#post({ type: "script.heard", step });
        });
      case "script.meet_machine": {
        const { kind } = effect;
        return void script.meetMachine(kind).then((step) => this.#post({ type: "script.met_machine", kind, step }));
      }
      case "script.fail_transfer":
        return void script.failTransfer().then((step) => this.#post({ type: "script.transfer_failed", step }));
      case "line.send_dtmf":
        return line.sendDtmf(effect.keys);
      case "line.transfer":
        return line.transfer(effect.request);
      case "timer.set": {
        const { timer, delayMs } = effect;
        return this.#timers.set(timer, delayMs, () => this.#post({ type: "timer.fired", timer }));
      }
      case "timer.cancel":
        return this.#timers.cancel(effect.timer);
      case "journal.note":
        return this.#journal.note(effect.entry);
      case "journal.timing":
        return this.#journal.noteTiming(effect.totalMs, effect.interruptions);
      case "incident":
        return this.#journal.noteIncident(effect.what, effect.reason);
    }
  }
}
